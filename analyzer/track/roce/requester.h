/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one side asked of the other on a reliable connection (RC, XRC): every request packet is new,
 * resent, late or a mirrored copy; every PSN that is missing is accounted for.
 *
 * A tap sees what passed it, not what was sent. But a go-back-N requester sends in runs: a run
 * starts at the next new PSN, at the PSN of a NAK, at the oldest unacknowledged one after a
 * timeout, or at a READ's first missing response, and counts up without holes. So
 *
 *     transmissions(PSN) = 1 + number of resend runs that cover it
 *     lost before the tap(PSN) = transmissions(PSN) - appearances in the capture(PSN)
 *
 *     run 1   10 11 .. 13 14 15            12 is missing, 13-15 seen
 *     NAK 12
 *     run 2         12 13 14 15 16 ...     12 was sent twice and seen once: one loss before the tap
 *
 * A hole may also be reordering (filled by a packet that no run resent) or the capture's own loss
 * (acknowledged and never seen). So holes stay open, and a PSN is settled when the responder's
 * acknowledgments pass it. What the responder says is responder.c's part.
 */
#ifndef RDA_REQUESTER_H
#define RDA_REQUESTER_H

#include "analyzer/track/event.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/roce/message.h"
#include "analyzer/track/roce/stall.h"
#include "analyzer/track/roce/window.h"

/*
 * A copy of a packet within this time is the mirror's, not the sender's, where nothing is due. Most
 * do not come here: their IP identifications tell (copies.h).
 */
#define RDA_MIRROR_NS 100000

/* Settled requests that are remembered, so that a late resend of one is recognised. */
#define RDA_SETTLED_KEPT 64

/*
 * A first packet so many PSNs behind the one that was agreed on may be the first that was not lost;
 * further on the connection is another one than was set up, or the capture missed its beginning.
 */
#define RDA_FIRST_PSNS 32

/* A NAK that was not obeyed for so long is not what a resend follows: a timer is (rxe does this).
 */
#define RDA_NAK_STALE_NS 50000000

/* what a request packet is */
enum rda_request_kind {
	RDA_REQUEST_NEW,
	RDA_REQUEST_RESENT,
	RDA_REQUEST_REORDERED,
	RDA_REQUEST_MIRRORED,
	RDA_REQUEST_KINDS
};

struct rda_request {
	int64_t begin, end; /* PSNs it takes, widened */
	int64_t time_ns;
	uint64_t frame;	  /* a place (meta.h) */
	uint64_t va;	  /* RETH or AtomicETH; 0 without */
	uint32_t rkey;	  /* likewise */
	uint32_t length;  /* likewise: DMA length; 8 of an ATOMIC */
	uint32_t extra;	  /* immediate or IETH key; 0 without */
	uint32_t payload; /* bytes; of a READ: its length */
	/* equal for copies of one packet; one of them differs, as a rule, for a resend */
	uint32_t icrc;
	uint16_t ip_id;
	uint8_t opcode;
	uint16_t roles; /* enum rda_role */
	bool ack_req;
	bool damaged;	   /* its bytes are wrong: nobody accepted it */
	bool span_unknown; /* a READ, and the MTU is not known: `end` is a guess */
};

struct rda_requester {
	struct rda_window window;
	bool started;
	int32_t agreed;		 /* PSN of the first request, as the set-up says; -1 unknown */
	int64_t first;		 /* PSNs from here on were first sent in this capture, as far as
				    is known */
	int64_t first_ns;	 /* of the first packet; RDA_NEVER_NS: it is the connection's */
	int64_t next;		 /* one behind the highest PSN sent */
	int64_t run_next;	 /* what the run at hand would send next */
	int64_t acked;		 /* the responder took everything below */
	int64_t acked_ns;	 /* of the packet that said so first */
	uint64_t acked_frame;	 /* likewise; 0: none did */
	int64_t answered_unseen; /* behind what was answered, and the capture missed who asked */
	int64_t incomplete;   /* the requester may still wait for this response (READ, ATOMIC); or
				 INT64_MAX */
	uint32_t settled;     /* records at the head of the window that are settled */
	uint64_t ordinal;     /* request packets so far */
	uint8_t run_trigger;  /* enum rda_trigger; NONE while the run sends new PSNs */
	uint64_t run_frame;   /* the first packet of the latest run of resends; 0 none yet */
	int64_t run_begin;    /* the PSN of that */
	uint64_t run_cause;   /* the frame of the NAK or response that it follows; 0 none */
	uint64_t run_ordinal; /* likewise */
	int64_t run_ns;	      /* its time; RDA_NEVER_NS: none yet */
	int64_t told_ns;      /* when its reason was sent at the earliest: what was sent later was
				 not judged by it */
	int64_t reaction_ns;  /* the least from a reason's passing the tap to its run; 0 unknown */
	bool run_alone;	      /* no other run came so short before that both have one reason */
	bool run_due;	      /* that run is the one that was due */
	bool retrying;	      /* since it began no answer told the requester anything new */

	/* the latest positive answer: everything below it, READs and ATOMICs apart, is done */
	int64_t answered, answered_ns;
	int64_t run_answered, run_answered_ns; /* likewise, since the latest run of resends began */
	/* the first of the latest run that was for no part of it, but for all: it overtook the
	 * answers to the READs and ATOMICs of the run; and that of the run before. RDA_NEVER_NS:
	 * none */
	int64_t overtaken_ns, overtaken_before_ns;

	/* a reason for a resend that the responder gave and no run has answered */
	uint8_t due; /* enum rda_trigger; NONE */
	int64_t due_psn, due_ns;
	int64_t due_wait_ns; /* what an RNR NAK asked to wait */
	uint64_t due_frame;

	/* a hole that is being filled after a NAK: late packets, or a run? */
	int64_t maybe_begin, maybe_next; /* equal: no */

	bool guessed;		      /* the span of a READ may be wrong */
	int64_t spanned, spanned_end; /* a READ whose end this request told; 0: none */

	uint64_t flight_bytes; /* of payload that was sent and is not acknowledged */

	uint32_t unplaced; /* damaged packets since the latest good one: perhaps the run's first */

	int64_t last_ns;     /* of the latest request packet */
	int64_t progress_ns; /* of the latest progress: a new PSN sent or acknowledged */
	int64_t rtt_ns;	     /* smoothed; 0 unknown */
	int64_t rtt_least_ns;

	uint64_t messages_begun; /* of which the first packet was seen, or any, at the start */
	uint64_t messages_done;	 /* of which the responder took the last packet */
	uint64_t taken_unseen;	 /* PSNs that it took and that were not seen: perhaps messages */

	/* counts, as the output has them */
	uint64_t packets[RDA_REQUEST_KINDS];
	uint64_t resends[RDA_TRIGGER_COUNT]; /* runs */
	uint64_t lost_before, lost_after, lost_by_capture;
	uint64_t lost_damaged; /* of lost_after: damaged when they passed here */
	uint64_t spurious;
	bool selective_repeat;

	struct rda_stall stall;
	struct rda_messages *messages; /* owned; NULL until something is acknowledged */
};

/* What comes later than this is no reaction, but a timer's work. */
static inline int64_t rda_requester_patience(const struct rda_requester *requester)
{
	return requester->rtt_ns > RDA_NAK_STALE_NS / 8 ? 8 * requester->rtt_ns : RDA_NAK_STALE_NS;
}

/* Whether something before the capture may be why the requester sends again now. */
static inline bool rda_requester_just_begun(const struct rda_requester *requester, int64_t time_ns)
{
	return requester->first_ns != RDA_NEVER_NS &&
	       time_ns - requester->first_ns <= rda_requester_patience(requester);
}

/* A positive answer after everything below `psn`. */
static inline void rda_requester_answered(struct rda_requester *requester, int64_t psn,
					  int64_t time_ns)
{
	if (psn >= requester->run_answered) {
		requester->run_answered = psn;
		requester->run_answered_ns = time_ns;
	}
	if (psn < requester->answered)
		return;
	if (requester->overtaken_ns == RDA_NEVER_NS)
		requester->overtaken_ns = time_ns;
	requester->answered = psn;
	requester->answered_ns = time_ns;
}

/* `cap`: records in the window; 0 for the default. */
void rda_requester_init(struct rda_requester *requester, uint32_t cap);
void rda_requester_cleanup(struct rda_requester *requester);

/* The set-up of the connection says with which PSN it begins; before the first packet. */
static inline void rda_requester_agreed(struct rda_requester *requester, uint32_t psn)
{
	requester->agreed = (int32_t)psn;
}

/* One request packet. Returns what it is; *original is the frame that it repeats, or 0. */
enum rda_request_kind rda_requester_packet(struct rda_requester *requester,
					   const struct rda_request *request,
					   const struct rda_event_sink *sink, uint64_t *original);

/* A packet of this flow whose bytes were damaged: it took the place of the next PSN of the run. */
void rda_requester_damaged(struct rda_requester *requester, int64_t time_ns, uint64_t frame);

/* The responder took everything below `psn`: settles it. */
void rda_requester_settle(struct rda_requester *requester, int64_t psn, int64_t time_ns,
			  uint64_t frame, const struct rda_event_sink *sink);

/*
 * The READ at `begin`, whose span was not known, ends at `end`: the hole behind it shrinks or
 * grows. Returns how many requests passed since when it grew.
 */
uint64_t rda_requester_span(struct rda_requester *requester, int64_t begin, int64_t end);

/* The responder gave a reason to resend from `psn`. */
void rda_requester_due(struct rda_requester *requester, enum rda_trigger trigger, int64_t psn,
		       int64_t time_ns, uint64_t frame);

/*
 * The responder answers something that it had not answered before: ends a stall. What it takes is
 * told by rda_requester_settle.
 */
void rda_requester_progress(struct rda_requester *requester, int64_t time_ns, uint64_t frame,
			    const struct rda_event_sink *sink);

/* PSNs up to `psn` were acknowledged, but never captured: opens a hole for them. */
void rda_requester_unseen(struct rda_requester *requester, int64_t psn, int64_t time_ns);

#endif
