/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and their counts as values: what the trackers of reliable connections take, and what
 * account.h lets others read.
 */
#ifndef RDA_REQUEST_H
#define RDA_REQUEST_H

#include "analyzer/base/cold.h"
#include "analyzer/rda.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/event.h"

#include <stdbool.h>
#include <stdint.h>

#define RDA_WINDOW_CAP 2048 /* requests that are remembered, by default */

/*
 * A copy of a packet within this time is the mirror's, not the sender's, where nothing is due. Most
 * do not come here: their IP identifications tell (copies.h).
 */
#define RDA_MIRROR_NS 100000

/* Nobody sends again sooner: the unit of ACK timeouts. */
#define RDA_SHORTEST_TIMER_NS 4096

/* Where nobody says how long the timer is: the shortest that is in use has 2^8 units, 1.05 ms. */
#define RDA_TIMER_IN_USE_NS 1000000

/* No path keeps a NAK for so long: what came before such a pause was answered in it, or not at all.
 */
#define RDA_SILENCE_NS 10000000

/* A NAK that was not obeyed for so long is not what a resend follows: a timer is (rxe does this).
 */
#define RDA_NAK_STALE_NS 50000000

/* No path holds a packet back for so long while nothing else passes: a timer sent it again, and its
 * identification, which is one of before, comes from its PSN. */
#define RDA_HELD_BACK_NS 100000000

/* What comes within this time is no timer's work, whoever answers in microseconds: 2^10 units. */
#define RDA_REACTION_MIN_NS 4000000

/* A positive acknowledgment this far ahead of what was sent is no lost capture, but nonsense. */
#define RDA_GHOST_PSNS 65536

/*
 * A PSN so far from the next one is of another connection. No responder lets a requester run so far
 * ahead; of PSNs drawn at random 1 in 128 is nearer, and is then taken for the old connection's.
 */
#define RDA_RESET_PSNS 65536

/*
 * A first packet so many PSNs behind the one that was agreed on may be the first that was not lost;
 * further on the connection is another one than was set up, or the capture missed its beginning.
 */
#define RDA_FIRST_PSNS 32

struct rda_request {
	int64_t begin, end; /* PSNs it takes, widened */
	int64_t time_ns;
	uint64_t frame;	  /* a place (meta.h) */
	uint64_t va;	  /* RETH or AtomicETH; 0 without */
	uint32_t rkey;	  /* of RETH or AtomicETH; 0 without */
	uint32_t length;  /* of RETH: DMA length; 8 of an ATOMIC; 0 without */
	uint32_t extra;	  /* immediate or IETH key; 0 without */
	uint32_t payload; /* bytes; of a READ: its length */
	/* equal for copies of one packet; one of them differs, as a rule, for a resend */
	uint32_t icrc;
	uint16_t ip_id;
	uint16_t own_id; /* valid if damaged: the identification that it has */
	uint8_t opcode;
	uint16_t roles; /* enum rda_role */
	bool ack_req;
	bool damaged;	     /* its bytes are wrong: nobody accepted it */
	bool span_unknown;   /* a READ, and the MTU is not known: `end` is a guess */
	bool length_unknown; /* a READ that was cut within its RETH: so is `span_unknown` */
};

/* A request packet, all the PSNs of a READ, or a hole, as it is remembered. */
struct rda_sent {
	int64_t begin, end; /* PSNs, widened; [begin, end) */
	int64_t psn;	    /* of the latest appearance; a READ may be asked again from inside it */
	int64_t sent_ns;    /* of the first transmission, as far as known: a hole's shows later */
	int64_t first_ns;   /* of the first appearance; or when it was told as `unseen` */
	int64_t last_ns;    /* of the latest */
	int64_t answer_ns;  /* of the latest response to a READ or ATOMIC; or RDA_NEVER_NS */
	uint64_t first_frame; /* place (meta.h) of the first appearance; 0: never seen */
	uint64_t last_frame;
	uint64_t ordinal;  /* of the latest appearance, among the flow's request packets */
	uint64_t va;	   /* of the latest: RETH or AtomicETH; 0 without */
	uint32_t rkey;	   /* of the latest: RETH or AtomicETH; 0 without */
	uint32_t length;   /* of the latest: DMA length; 8 of an ATOMIC; 0 without */
	uint32_t extra;	   /* of the latest: immediate or IETH key; 0 without */
	uint32_t icrc;	   /* of the latest, as stored; 0 not captured: tells a mirrored copy */
	uint16_t ip_id;	   /* of the latest */
	uint8_t opcode;	   /* of the latest */
	uint32_t answered; /* its PSNs up to that of `answer_ns` */
	uint32_t payload;  /* bytes; of a READ: its length */
	uint16_t roles;	   /* enum rda_role; 0: a hole */
	uint8_t sent;	   /* transmissions, as the runs tell; saturates */
	uint8_t seen;	   /* appearances; saturates */
	uint8_t skipped;   /* transmissions that a run jumped over and no later run confirmed */
	uint8_t copied;	   /* appearances taken for copies of others */
	uint16_t own_id;   /* valid if damaged: the identification that the latest has */
	uint32_t runs;	   /* that count it as sent: bit n, the one begun n before the latest */
	uint32_t runs_at;  /* so many had begun when `runs` was written */
	uint32_t over;	   /* so many runs, and one: the latest that showed what lies behind it and
			      not it; 0: none. arrival.c writes */
	uint8_t alike;	 /* of `seen`: that may be copies of what was seen before; bound.c writes */
	uint8_t doubted; /* of `alike`: of runs that may consist of copies; bound.c writes */
	uint8_t least;	 /* transmissions, as appearances of later PSNs prove; bound.c writes */
	uint8_t unlike;	 /* transmissions, as appearances of later PSNs that are no copies prove */
	uint8_t lost;	 /* of each of its PSNs, told as lost before this capture point */
	uint8_t missing; /* of each of its PSNs, told as lost there or overtaken */
	uint8_t unshown; /* transmissions that did not come, as identifications tell */
	uint8_t besides; /* of each of its PSNs, told as lost for that and not in `lost` */
	uint8_t spare;	 /* of `lost`: behind what its responder took */
	bool missed;	 /* the latest transmission did not come, as identifications tell, or the
			    reason of a run that was seen from behind it on */
	bool unseen;	 /* told as lost by the capture */
	bool ack_req;
	bool jumped;	     /* over it, though it was seen: by a run that answers a NAK */
	uint8_t left_out;    /* enum rda_run_kind: by a run that did, perhaps: of none of its kind
				go-back-N was seen by then */
	uint32_t left_by;    /* so many runs had begun when that did; valid if left_out */
	uint8_t left_before; /* of `skipped`: by such runs before the one of `left_out`, */
	uint8_t left_kinds;  /* and their kinds; 0: none */
	bool damaged;	     /* the latest appearance: captured, and cannot have been accepted */
	bool filled;	   /* a hole, filled after a NAK named it: late, or resent; not yet clear */
	bool unasked;	   /* a hole, filled though no NAK named it */
	bool perhaps;	   /* a hole before the first packet that was captured */
	bool span_unknown; /* a READ, of which the MTU was not known */
	bool span_guessed; /* a READ that ends where the next request began, which may be wrong */
	bool length_unknown; /* a READ that was cut within its RETH: `payload` is 0 and says nothing
			      */
	bool again;	     /* the latest appearance was told as sent again */
	bool ahead; /* the response at `answer_ns` passed while an older one was missing here */
};

/* A READ or ATOMIC that waits for its responses. */
struct rda_pending {
	int64_t begin, end; /* PSNs of the request, as first sent */
	int64_t expected;   /* the next response */
	int64_t reached;    /* behind the last response that was ever seen */
	int64_t latest;	    /* PSN of the latest response, whatever it was told as; 0: none */
	int64_t asked_ns;   /* most lately */
	int64_t passed_ns;  /* when an answer to something behind it came first since; or
			       RDA_NEVER_NS */
	int64_t sent_ns;    /* of the request's first transmission, as far as known */
	uint64_t frame;	    /* of its first appearance */
	uint32_t missing;   /* responses that a later one overtook */
	int64_t hole;	    /* the first of them; valid if missing */
	int64_t hole_end;   /* behind those that were missing with it */
	int64_t brought;    /* behind the last that an answer before the latest showed */
	int64_t hole_ns;    /* when that was left out; valid once one was missing */
	uint32_t damaged;   /* of those that did not come: they came, and damaged */
	uint32_t aside;	    /* came ahead of what was asked for again: of what was asked first, as a
			       rule, as the requester waits for the others; or they overtook these */
	int64_t latest_ns;  /* of the latest response; valid if answered */
	uint32_t resent;    /* how often it was asked again */
	uint32_t put_off;   /* RNR NAKs for it */
	uint32_t put_off_msn; /* of the latest of them */
	uint32_t payload;     /* bytes; of a READ: its length, as first asked */
	uint8_t kind;	      /* enum rda_message */
	bool read;
	bool again;    /* asked again, and what was asked for has not come */
	bool done;     /* all that was asked first has passed the tap */
	bool owed;     /* its first answer, or the end of it */
	bool answered; /* at least one response was seen */
	bool strayed;  /* the latest response was overtaken by others */
	bool unheard;  /* it waited when it was found out whose answers these are, or answers look
			  like copies of others, or were shown before it: some may have passed, and
			  were not held against it */
};

/* Responses that a later one overtook, and that no earlier answer can have brought: if they were
 * not asked for again the capture missed them. */
static inline uint32_t rda_pending_unseen(const struct rda_pending *pending)
{
	if (pending->unheard || pending->hole < pending->brought)
		return 0;
	return pending->missing;
}

/*
 * Responses that did not pass the tap and were asked for again: each that comes more often than it
 * was asked for was late, and the others were lost before the tap.
 */
struct rda_owed {
	int64_t begin, end; /* their PSNs are among these */
	int64_t asked_ns;
	int64_t took_ns; /* what responses took then */
	uint64_t frame;	 /* that asked again, a place (meta.h) */
	uint32_t count;
	uint32_t certain;	 /* counted as lost: as many, or what response_bound.h tells where
				    responses overtake each other; or `first` */
	uint32_t named;		 /* of them: nothing else was asked for. What follows them is asked
				    for again whether it came or not */
	bool answered, followed; /* one of them came since then, and an answer behind that */
	int64_t answer;		 /* its PSN; valid if answered */
	bool more;		 /* others came since that */
	/* of them: never came, though one behind was answered. The responder sent them before that,
	 * and so before the response with this place in the order of sending */
	uint32_t first;
	int64_t place;
};

/* How far the requests of one direction came. */
struct rda_progress {
	uint64_t acked_frame;  /* the place of the packet that said first what is acknowledged; 0:
				  none did */
	int64_t acked_ns;      /* of that packet */
	int64_t acked;	       /* the responder took everything below */
	int64_t incomplete;    /* the requester may still wait for this response (READ, ATOMIC); or
				  INT64_MAX */
	int64_t next;	       /* one behind the highest PSN sent */
	int64_t last_ns;       /* of the latest request packet */
	int64_t moved_ns;      /* when a new PSN was last sent or acknowledged */
	uint64_t flight_bytes; /* of payload that was sent and is not acknowledged */
};

/* The latest run of resends. */
struct rda_resend_run {
	uint64_t frame;	     /* the first packet of the latest run of resends; 0 none yet */
	uint64_t cause;	     /* the frame of the NAK or response that it follows; 0 none */
	uint64_t ordinal;    /* of its first packet among the request packets */
	int64_t ns;	     /* its time; RDA_NEVER_NS: none yet */
	int64_t busy_ns;     /* that of the first of those that began one after another, while
				requests went on without a pause */
	int64_t told_ns;     /* when its reason was sent at the earliest: what was sent later was
				not judged by it */
	int64_t reaction_ns; /* the least from a reason's passing the tap to its run; 0 unknown */
	int64_t obeyed_ns;   /* the same, also where an earlier reason may be the run's */
	int64_t timer_ns;    /* the least silence that a timer ended with a run; 0 unknown */
	bool from_first;  /* a timer, perhaps, made one begin with the connection's first request */
	int64_t begin;	  /* the PSN of its first packet */
	int64_t answered; /* below this all had been answered here when it began */
	int64_t reached;  /* behind its latest packet */
	uint64_t silent_frame; /* of the latest run that began after a long silence, when no answer
				  was under way: its first packet; 0: none */
	int64_t silent_begin;  /* its PSN; valid if there is one */
	bool alone;	       /* no earlier run started within the requester's patience: it has a
				  reason of its own */
	bool due;      /* it answers the reason that was pending: a NAK, RNR NAK or implied NAK */
	bool crossed;  /* its reason, by an earlier resend of the same, perhaps */
	bool named;    /* a NAK or RNR NAK asked for just this, and others came since */
	bool retrying; /* since it began no answer told the requester anything new */
	bool anew;     /* its answers count messages from the beginning again */
	bool doubted;  /* all of it so far may be copies by the network, or late */
	bool early;    /* before the wait was over that an RNR NAK had asked for */
	bool late;     /* its one packet may be what the capture's first overtook: `first`; or of
			  the run before, which left it out */
	bool first;
	bool jumped;	       /* it went on behind what it did not show */
	int64_t open;	       /* it went on behind this, which it has not shown; valid if: */
	uint64_t open_ordinal; /* of its latest packet that did so, or that came late there; 0: none
				*/
	int64_t leapt_to;      /* behind what it leapt to, which may be a copy; copied.c writes */
	int64_t breaks_off;    /* where the run before would have gone on, or new PSNs */
	uint8_t kind;	       /* enum rda_run_kind */
	uint32_t filled;  /* packets of it that had never passed, up to what had: run_doubt.c writes
			   */
	uint32_t wholes;  /* so many runs up to this one began with the connection's first PSN, when
			     all was acknowledged, and nothing has told why */
	uint32_t counted; /* messages that answers had counted, until one counted fewer behind a
			     silence, before this run: run.c forgets it; 0: none did */
	uint64_t resent;  /* packets sent again before the first of these, or before the next: */
	bool perhaps_reset; /* after a pause it began where the connection had begun */
	bool from_far;	    /* and far before the first that passed */
	bool counted_anew;  /* and an answer to it counted fewer messages than those before */
	bool untold;	    /* and below what was acknowledged, and no answer has told why */
	bool uncounted;	    /* and no answer had counted messages before those to it */
	bool from_start;    /* after a pause it began with the connection's first PSN */
	bool may_be_next;   /* after a pause it began anywhere, and no answer to it counted more
			       messages than it had PSNs */
};

/* What nothing tells for certain of runs of resends. */
struct rda_run_doubts {
	uint64_t on;	 /* runs that went on where the one before had stopped */
	uint64_t anew;	 /* runs whose answers count messages from the beginning again */
	uint64_t before; /* packets sent again before the first of these */
	uint64_t copies; /* packets sent again that may be copies by the network, or late */
	uint64_t firsts; /* packets sent again that had filled a hole: that may have been late */
	uint64_t unlike; /* packets sent again that had not passed, or damaged only */
	uint64_t runs[RDA_TRIGGER_COUNT]; /* runs that consist of these */
	uint64_t after;	 /* of lost_after: packets that were in their place, perhaps */
	uint64_t resets; /* runs that may be the QP's next life, and nothing has told */
};

/* What became of request packets. */
struct rda_request_counts {
	uint64_t packets[RDA_REQUEST_KINDS];
	uint64_t resends[RDA_TRIGGER_COUNT]; /* runs */
	uint64_t lost_before, lost_after, lost_by_capture;
	uint64_t missing;      /* besides lost_before: lost there, or overtaken, or sent before the
				  capture began */
	uint64_t lost_damaged; /* of lost_after: damaged when they passed here */
	uint64_t damaged_answers; /* of lost_damaged: answers of the same sender, as they look */
	uint64_t spurious;
	uint64_t copied_again; /* copies of what had a copy already: no mirror makes two */
	int64_t copied_ns; /* copies that identifications alone do not tell came within this time */
	uint64_t late_resends; /* resends that were overtaken, as the order of sending tells */
	struct rda_run_doubts doubts;
	bool selective_repeat;
};

/* Request packets that were not what the responder expected. */
struct rda_unexpected_counts {
	uint64_t duplicates; /* below the expected PSN */
	uint64_t untold;     /* of these: no answer had said that what they repeat had arrived */
	uint64_t out_of_sequence;
};

/* Requests were seen to overtake each other. */
static inline bool rda_requests_overtake(const struct rda_request_counts *counts)
{
	return counts->packets[RDA_REQUEST_REORDERED] || counts->late_resends;
}

/* What became of the responses. */
struct rda_response_counts {
	uint64_t implied_naks;
	uint64_t lost_before, lost_after, lost_by_capture;
	uint64_t unshown;   /* sent between others, and did not come, as identifications tell */
	uint64_t apart;	    /* told as lost, of which identifications do not tell */
	uint64_t damaged;   /* responses that came so */
	uint64_t reordered; /* responses that a later one overtook before the tap */
	uint64_t reordered_acks;
	uint64_t reordered_placed;  /* of the former, as the order of sending told */
	uint64_t perhaps_reordered; /* or are of an answer to what was asked once more */
	bool brought; /* some were passed over, and had perhaps come with an earlier answer */
};

/* Responses were seen to overtake each other, perhaps. */
static inline bool rda_responses_overtake(const struct rda_response_counts *counts)
{
	return counts->reordered || counts->perhaps_reordered;
}

/* Messages that were begun and completed. */
struct rda_message_progress {
	uint64_t begun;	 /* of which the first packet was seen, or any, at the start */
	uint64_t done;	 /* of which the responder took the last packet */
	uint64_t unseen; /* PSNs that the responder took and that were not seen: perhaps messages */
};

/* What sets a request apart from the one that had its PSN before. */
enum rda_differs {
	RDA_DIFFERS_NOT,	  /* but for a payload, perhaps */
	RDA_DIFFERS_FIELD,	  /* its headers say something else: `field` */
	RDA_DIFFERS_PART_OF_READ, /* a READ that is no part of the READ there */
	RDA_DIFFERS_INSIDE_READ,  /* no READ, among the PSNs of one */
	RDA_DIFFERS_PERHAPS,	  /* no READ, behind the first PSN of one: its last is not known */
};

struct rda_request_difference {
	enum rda_differs kind;
	const char *field;    /* static; valid if FIELD */
	uint64_t before, now; /* valid if FIELD */
};

struct rda_packet;

/* Fills in what the headers behind the BTH ask for; begin, end, payload and roles are there.
 * `mtu`: 0 unknown; a READ takes as many PSNs as it has responses. */
RDA_APART void rda_request_headers(struct rda_request *request, const struct rda_packet *packet,
				   uint32_t mtu);

/* `old` holds the PSN at which the request begins, and was seen. */
enum rda_differs rda_request_compare(const struct rda_request *request, const struct rda_sent *old,
				     uint32_t mtu, struct rda_request_difference *difference);

#endif
