/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tells of a requester that gives up, as it passes: runs of resends without any progress in
 * between, what they spend of the retries, and RNR NAKs that put it off.
 *
 * A NAK spends a retry as a timer does, until an ACK comes. Whether the end of it is that the
 * requester gave up: gave_up.h.
 */
#ifndef RDA_GIVEUP_H
#define RDA_GIVEUP_H

#include "analyzer/track/capture.h"
#include "analyzer/track/event.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/schedule.h"
#include "analyzer/track/setup/cm_track.h"

/* Of a request that is sent again and again so many frames are remembered, and the last. */
#define RDA_RETRIES_KEPT 8

/* Runs of resends without any progress in between. */
struct rda_retries {
	int64_t psn;			   /* where the first run began */
	int64_t acked, incomplete;	   /* of the requester, when the first run began */
	int64_t next;			   /* of the requester, at the latest run */
	struct rda_tries tries;		   /* the runs' beginnings */
	uint32_t timeouts;		   /* runs that a timer began */
	uint32_t answered_before;	   /* runs with the same, each answered, before the first */
	bool after_a_nak;		   /* a NAK began the first run, or an implied one */
	bool was_answered;		   /* what it begins with, as far as it passed here */
	bool answered;			   /* it is over: an answer came, or other work went on */
	uint64_t places[RDA_RETRIES_KEPT]; /* what was sent first, and where runs began */
	uint64_t last_place;
};

/* What the series of retries so far tell of the sender's timer. */
struct rda_timer_counts {
	uint64_t series[RDA_TIMER_COUNT]; /* by enum rda_timer; those of one resend tell nothing */
	uint64_t adaptive;		  /* resends by steps of ConnectX's ladder */
	int64_t regular_ns;		  /* of the latest series that tells it; 0 none did */
};

/*
 * How long nothing got through, as the receiver was not ready: from the first RNR NAK for a PSN to
 * its acknowledgment, however often it was sent again and put off meanwhile. The latest one may
 * have none: of that only what lies before its latest RNR NAK or resend is known.
 */
struct rda_stops {
	bool open, asks; /* a READ or ATOMIC was put off: its answer is what ends the stop */
	int64_t psn;	 /* of the latest, as what follows */
	int64_t since_ns, latest_ns;
	uint64_t since_place, latest_place;
	uint32_t count;
	int64_t total_ns, longest_ns;
	uint64_t longest_from, longest_until; /* places */
};

/* RNR NAKs, each with what was sent again after it. */
struct rda_put_off {
	bool open; /* the PSN of the latest RNR NAK was neither sent again nor acknowledged yet */
	uint8_t syndrome;
	uint8_t first_syndrome; /* of the first since that PSN was sent again, */
	uint16_t ip_id;
	uint32_t same;	      /* RNR NAKs of this PSN, one after the other */
	int64_t psn, time_ns; /* of the latest RNR NAK */
	int64_t first_ns;     /* as later ones may be lost on their way to the sender */
	uint64_t place;
	uint64_t count;	    /* without copies */
	int64_t longest_ns; /* from an RNR NAK to what was sent again */
	int64_t way_ns; /* at most, beyond what was asked: the way from here and back is in it */
	uint64_t resent_place; /* of the resend that ended the latest wait; 0 none */
	uint32_t obeyed; /* waits that an RNR NAK ended, as it seems, and no timer; at most so */
	int64_t late_ns; /* much longer than was asked */
	struct rda_stops stops;
};

/* How long runs waited that a timer began. */
struct rda_timer_waits {
	int64_t least_ns, most_ns;
	uint32_t count;
};

struct rda_giveup {
	struct rda_retries retries;
	struct rda_timer_counts timers; /* of series before that */
	struct rda_timer_waits waits;
	/* runs that a NAK or a timer began since an ACK or data answered anything; those of NAKs */
	uint32_t spent, spent_by_naks;
	uint64_t spent_place; /* where the latest began */
	int64_t answered;     /* all below has its answers, by the latest one */
	int64_t nak_ns;	      /* of the latest NAK that asks for a PSN; RDA_NEVER_NS: none */
	bool refused;	      /* a NAK came that asks for nothing: it ends the QP */
	struct rda_put_off put_off;
};

/* RESEND or RNR of a flow with an account; `ip_id` is that of the packet. */
void rda_giveup_event(struct rda_flow *asker, const struct rda_event *event, uint16_t ip_id);

/*
 * The tries of a series that a timer began. Where a NAK begins a series its run is the first
 * transmission of what a timer then sends again.
 */
struct rda_tries rda_giveup_timer_tries(const struct rda_retries *retries);

/* The READ or ATOMIC that is retried waits still for what it asks for again, whatever is answered
 * or acknowledged behind it: who asked drops that. */
bool rda_giveup_is_passed_over(const struct rda_account *account,
			       const struct rda_retries *retries);

/* What seemed to be retries so far were none; NULL: there were none. */
void rda_giveup_take_back(struct rda_giveup *giveup);

/* A response, after the account took it. */
void rda_giveup_response(struct rda_flow *asker, const struct rda_packet *packet, int64_t time_ns,
			 uint64_t place);

/* NULL: the flow never sent a run of resends, and was never put off. */
const struct rda_giveup *rda_giveup_of(const struct rda_flow *flow);

/* What a flow's resends told of its sender's timer, the series at hand among them. */
struct rda_timer_counts rda_giveup_timers(const struct rda_flow *flow);

/* All stops, the one at hand among them, as far as it is known. */
struct rda_stops rda_giveup_stops(const struct rda_giveup *giveup);

/* Whether who waited so long may obey an RNR NAK that the capture missed: it obeyed several others,
 * as late. */
bool rda_giveup_may_be_put_off(const struct rda_giveup *giveup, int64_t wait_ns);

/* Whether the latest run can be a step of ConnectX's ladder. */
bool rda_giveup_may_be_adaptive(const struct rda_flow *flow);

#endif
