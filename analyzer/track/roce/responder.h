/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the other side of a reliable connection answered to one side's requests: acknowledgments
 * move the requester's account forward, NAKs and gaps in READ responses give it a reason to go
 * back.
 *
 * The responder's expected PSN is not on the wire. It is followed from the requests that pass the
 * tap, and put right by what the responder says: a NAK names it, an ACK proves it.
 *
 *     request below it    the responder sees a duplicate
 *     request above it    out of sequence: dropped, and answered by one NAK
 *
 * A response is credited to the request flow that it answers, whichever way it goes.
 */
#ifndef RDA_RESPONDER_H
#define RDA_RESPONDER_H

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/arrival.h"
#include "analyzer/track/roce/requester.h"
#include "analyzer/track/roce/response_bound.h"

struct rda_response {
	uint32_t psn; /* as on the wire */
	int64_t time_ns;
	uint64_t frame;
	uint16_t roles; /* enum rda_role */
	uint16_t ip_id;
	bool late;     /* it was sent before one that has passed, as the order of sending tells */
	bool untold;   /* others like it were copies, and nothing tells whether it is one */
	bool has_aeth; /* the next two are valid */
	uint8_t syndrome;
	uint32_t msn;
	uint32_t payload;
	const struct rda_sending_order *requests; /* of its sender; NULL: it sends none */
};

/* Responders allow at most 255 (8 bits in the CM REQ); more in a capture are hostile or unanswered.
 */
#define RDA_PENDING_CAP 256

/* Losses of responses that may yet turn out to be lateness; the oldest makes room. */
#define RDA_OWED_KEPT 32

/* The responder's expected PSN; responder.c writes. */
struct rda_expectation {
	int64_t expected;
	uint64_t ahead; /* requests above it since it last moved */
};

/* Resent packets that were taken for new, after a timeout; responder.c writes. */
struct rda_assumption {
	uint32_t count;
	uint32_t due;  /* answers to those that turned out to be duplicates */
	int64_t begin; /* those from this PSN on are not settled */
	int64_t end;   /* the expected PSN then */
};

/*
 * Who gets a request twice answers twice, and one that a mirror made reaches no one: so answers
 * that tell nothing new tell of copies that the network made, and of resends that were duplicates.
 */
struct rda_answers_again {
	uint64_t count;	  /* of all requests that were answered before */
	uint64_t reads;	  /* of these: of READs that are known to have come twice by copies alone */
	uint64_t copies;  /* of requests that the responder had, in the capture */
	uint64_t named;	  /* of these: an ACK names it, and it asks for none */
	uint64_t assumed; /* resent packets that were taken for new, and nothing told of them */
	/* duplicates as long as the order of sending does not tell whether anything was sent again
	 * (look_back.h); and of these: what had passed before */
	uint64_t doubted, doubted_passed;
};

/* Duplicates by what was expected when they came, the latest groups; again.c writes. */
#define RDA_DUPLICATE_GROUPS 8

struct rda_duplicate_group {
	int64_t expected;
	uint64_t count;
};

struct rda_duplicate_log {
	struct rda_duplicate_group groups[RDA_DUPLICATE_GROUPS]; /* a ring */
	uint32_t next;
};

/*
 * A run began that may be the QP's next life, with the PSNs it had: what its responder expects
 * then, and what it has had twice; again.c writes.
 */
struct rda_next_life {
	struct rda_expectation at;
	int64_t end;			      /* of the PSNs that had passed before it */
	uint64_t duplicates, out_of_sequence; /* in it, below that */
	uint64_t before;		      /* duplicates before it */
};

/* New acknowledgments that name a packet that asks for one, or does not; responder.c writes. */
struct rda_ack_habit {
	uint64_t asked, unasked;
};

/* READs and ATOMICs that wait for responses; pending.c writes. */
struct rda_waiting {
	struct rda_pending *items; /* owned; in order of PSN */
	uint32_t allocated, count;
};

/* Responses that are lost if they do not come late; owed.c writes, of bounds pending.c. */
struct rda_owing {
	struct rda_owed *owed; /* owned; RDA_OWED_KEPT, as they came to be; NULL before the first */
	uint32_t count;
	struct rda_response_bounds *bounds; /* owned; NULL before the first */
	struct rda_told_lost *told;	    /* owned; told_lost.c writes; NULL before the first */
	/* when a response passed while any are owed (or the first came to be): the latest, and
	 * those in front of the latest silence and behind it */
	int64_t latest_ns, silent_ns, resumed_ns;
	int64_t named_end; /* behind what the latest run of resends names; 0: nothing */
	int64_t copied_next, copied_ns; /* behind the latest copy of a response; when it came */
};

/* Responses that were told as missed by the capture, the latest: unseen.c writes. */
#define RDA_UNSEEN_KEPT 4

struct rda_unseen_told {
	int64_t psn;
	uint32_t count; /* 0: taken back */
};

struct rda_unseen {
	struct rda_unseen_told told[RDA_UNSEEN_KEPT]; /* a ring */
	uint32_t count;				      /* that were told so far */
};

/* A first request that was not the first: that overtook it, and was out of sequence. */
struct rda_late_begin {
	uint64_t taken; /* in its turn since then, but for new ones */
	bool is;	/* there was one */
};

/* What was expected if nothing was sent again so far: what seems so came late. again.c writes. */
struct rda_late_turn {
	int64_t begin;	  /* the least that passed */
	int64_t expected; /* 0: nothing seems so, or the order of sending is known */
};

/* What only duplicates, losses and whatever the responder refuses make: few connections have any.
 */
struct rda_responder_rare {
	struct rda_assumption assumed;
	struct rda_answers_again again;
	struct rda_next_life life;
	struct rda_duplicate_log *log; /* owned; NULL before the first duplicate */
	struct rda_arrival arrival;    /* of the latest NAK */
	struct rda_owing owing;
	struct rda_unseen unseen;
	uint64_t forgotten; /* of those that wait; pending.c writes */
	struct rda_late_begin late_begin;
	struct rda_late_turn late_turn;
	struct {
		int64_t end, ns; /* of the latest response to what was not seen: behind it; when */
	} early;
	struct {
		int64_t psn; /* of the latest NAK that named a seen request */
		uint64_t frame;
		bool open;    /* until what follows settles what the NAK meant */
		int64_t sent; /* one behind the highest PSN when that of one was sent again */
		/* it was made before what was sent again came, perhaps, when what lies before it
		 * came late: it had been in its place, and dropped */
		bool soon;
	} nak;
	struct {
		int64_t psn;
		uint32_t msn;
		bool open; /* an RNR NAK is waiting for its PSN */
	} rnr;
	bool dead;				 /* a fatal NAK was sent */
	struct rda_unexpected_counts unexpected; /* responder.c writes */
	struct rda_response_counts counts;	 /* pending.c writes */
};

/* What any response makes. */
struct rda_responder_heard {
	struct rda_sending_order order; /* of the responses */
	struct rda_answer_gaps *gaps;	/* owned; answer_place.c writes; NULL: none */
	struct rda_ack_habit habit;
	uint32_t msn; /* of the latest ACK, or a READ or ATOMIC response that counts more */
};

/* A request in order touches this and nothing else, in order of use from its end. */
struct rda_responder {
	const struct rda_responder_heard *heard; /* owned, or rda_responder_unheard */
	int64_t begin_psn;			 /* the least that passed before the first answer */
	struct rda_waiting waiting;
	const struct rda_responder_rare *rare; /* owned, or rda_responder_ordinary */
	struct rda_expectation at;
};

/* It answered nothing. */
extern const struct rda_responder_heard rda_responder_unheard;

RDA_COLD struct rda_responder_heard *rda_responder_make_heard(struct rda_responder *responder);

/* To be written, made if it is not there. */
static inline struct rda_responder_heard *rda_responder_heard(struct rda_responder *responder)
{
	return responder->heard == &rda_responder_unheard
		       ? rda_responder_make_heard(responder)
		       : (struct rda_responder_heard *)(void *)responder->heard;
}

/* Nothing of what is rare. */
extern const struct rda_responder_rare rda_responder_ordinary;

RDA_COLD struct rda_responder_rare *rda_responder_make_rare(struct rda_responder *responder);

/* To be written, made if it is not there. */
static inline struct rda_responder_rare *rda_responder_rare(struct rda_responder *responder)
{
	return responder->rare == &rda_responder_ordinary
		       ? rda_responder_make_rare(responder)
		       : (struct rda_responder_rare *)(void *)responder->rare;
}

void rda_responder_init(struct rda_responder *responder);
void rda_responder_cleanup(struct rda_responder *responder);

/* rda_responder_request, whatever passes. */
void rda_responder_any(struct rda_responder *responder, struct rda_requester *requester,
		       const struct rda_request *request, enum rda_request_kind kind,
		       const struct rda_event_sink *sink);

/*
 * A request that passed the tap toward the responder, after the requester's account took it. Of one
 * that is new, what was expected and answered by ACKs nothing else is to be noted where nothing
 * waits.
 */
static inline void rda_responder_request(struct rda_responder *responder,
					 struct rda_requester *requester,
					 const struct rda_request *request,
					 enum rda_request_kind kind,
					 const struct rda_event_sink *sink)
{
	if (kind != RDA_REQUEST_NEW || request->begin != responder->at.expected ||
	    responder->waiting.count || request->roles & RDA_ROLE_ANSWERED ||
	    rda_requester_has_span(requester)) {
		rda_responder_any(responder, requester, request, kind, sink);
		return;
	}
	responder->at.expected = request->end;
	responder->at.ahead = 0;
}

/* The one at place `original` is in the capture once more: a copy by a mirror, or by the network.
 */
void rda_responder_copied(struct rda_responder *responder, const struct rda_requester *requester,
			  const struct rda_request *request, uint64_t original);

/* The READ or ATOMIC was answered before. */
static inline void rda_responder_again(struct rda_responder *responder)
{
	rda_responder_rare(responder)->again.count++;
}

/* Requests that the responder got again; mirrored: none of the copies came to it. */
uint64_t rda_responder_duplicates(const struct rda_responder *responder,
				  const struct rda_requester *requester, bool mirrored);

/* The READ at `begin` takes PSNs up to `end`: more than it was taken for when it was sent. */
void rda_responder_span(struct rda_responder *responder, const struct rda_requester *requester,
			int64_t begin, int64_t end);

/* It takes fewer than was guessed, and so many requests passed since. */
void rda_responder_shorten(struct rda_responder *responder, int64_t begin, int64_t end,
			   uint64_t since);

/* A response that passed the tap toward the requester; whether it is late is told in it. */
void rda_responder_response(struct rda_responder *responder, struct rda_requester *requester,
			    struct rda_response *response, const struct rda_event_sink *sink);

/* A damaged response with this PSN: it was not lost before the tap. */
void rda_responder_damaged(struct rda_responder *responder, const struct rda_requester *requester,
			   uint32_t psn);

#endif
