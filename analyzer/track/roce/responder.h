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

#include "analyzer/track/roce/requester.h"

/* A positive acknowledgment this far ahead of what was sent is no lost capture, but nonsense. */
#define RDA_GHOST_PSNS 65536

struct rda_response {
	uint32_t psn; /* as on the wire */
	int64_t time_ns;
	uint64_t frame;
	uint16_t roles; /* enum rda_role */
	bool has_aeth;	/* the next two are valid */
	uint8_t syndrome;
	uint32_t msn;
	uint32_t payload;
};

/* A READ or ATOMIC that waits for its responses. */
struct rda_pending {
	int64_t begin, end; /* PSNs of the request, as first sent */
	int64_t expected;   /* the next response */
	int64_t reached;    /* behind the last response that was ever seen */
	int64_t asked_ns;   /* most lately */
	int64_t passed_ns;  /* when an answer to something behind it came first since; or
			       RDA_NEVER_NS */
	int64_t sent_ns;    /* of the request's first transmission, as far as known */
	uint64_t frame;	    /* of its first appearance */
	uint32_t missing;   /* responses that a later one overtook */
	int64_t hole;	    /* the first of them; valid if missing */
	uint32_t resent;    /* how often it was asked again */
	uint32_t payload;   /* bytes; of a READ: its length, as first asked */
	uint8_t kind;	    /* enum rda_message */
	bool read;
	bool again;    /* asked again, and what was asked for has not come */
	bool done;     /* all that was asked first has passed the tap */
	bool answered; /* at least one response was seen */
};

/* Responders allow at most 255 (8 bits in the CM REQ); more in a capture are hostile or unanswered.
 */
#define RDA_PENDING_CAP 256

struct rda_responder {
	int64_t expected;	   /* the responder's expected PSN */
	uint64_t ahead;		   /* requests above it since it last moved */
	int64_t ahead_ns;	   /* of the first of them; valid if there are */
	int64_t late_psn, late_ns; /* the expected PSN when others had come before it */
	uint32_t assumed;	   /* resent packets that were taken for new, after a timeout */
	int64_t assumed_begin;	   /* those from here on are not settled */
	int64_t assumed_end;	   /* the expected PSN then */
	int64_t nak_psn; /* of the latest NAK that named a seen request; settled by what follows */
	uint64_t nak_frame;
	bool nak_open;
	bool rnr_open; /* an RNR NAK is waiting for its PSN */
	int64_t rnr_psn;
	bool dead; /* a fatal NAK was sent */

	struct rda_pending *pending; /* owned; in order of PSN */
	uint32_t pending_count, pending_allocated, pending_most;
	uint64_t pending_forgotten;

	/* counts */
	uint64_t duplicates; /* request packets below the expected PSN */
	uint64_t out_of_sequence;
	uint64_t implied_naks;
	uint64_t responses_lost_before, responses_lost_after, responses_lost_by_capture;
};

void rda_responder_init(struct rda_responder *responder);
void rda_responder_cleanup(struct rda_responder *responder);

/* A request that passed the tap toward the responder, after the requester's account took it. */
void rda_responder_request(struct rda_responder *responder, struct rda_requester *requester,
			   const struct rda_request *request, enum rda_request_kind kind,
			   const struct rda_event_sink *sink);

/* The READ at `begin` takes PSNs up to `end`: more than it was taken for when it was sent. */
void rda_responder_span(struct rda_responder *responder, int64_t begin, int64_t end);

/* It takes fewer than was guessed, and so many requests passed since. */
void rda_responder_shorten(struct rda_responder *responder, int64_t begin, int64_t end,
			   uint64_t since);

/* A response that passed the tap toward the requester. */
void rda_responder_response(struct rda_responder *responder, struct rda_requester *requester,
			    const struct rda_response *response, const struct rda_event_sink *sink);

#endif
