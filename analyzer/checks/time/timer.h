/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers: how long a requester waits before it sends again, and how long it should.
 */
#ifndef RDA_CHECKS_TIME_TIMER_H
#define RDA_CHECKS_TIME_TIMER_H

#include "analyzer/checks/judge.h"
#include "analyzer/base/latency.h"

/* Waits for a receiver that was not ready, on the flow that waited. */
struct rda_waits {
	int64_t asked_ns; /* by the latest RNR NAK; 0: none is open */
	int64_t asked_total_ns, waited_total_ns;
	int64_t shortest_asked_ns, longest_asked_ns;
	struct rda_latency waited;
	uint64_t refused, resent; /* places of the longest */
};

void rda_waits_free(struct rda_waits *waits);

/* An RNR NAK, and the run of resends that follows it. */
void rda_waits_refused(struct rda_waits *waits, const struct rda_event *event);
void rda_waits_resent(struct rda_waits *waits, const struct rda_event *event);

/* T09, once all was seen. */
void rda_waits_end(const struct rda_waits *waits, struct rda_judge *judge,
		   const struct rda_flow *flow);

/* T05, T06: a run of resends that follows a timeout, against the timer that the exchange told. */
void rda_timer_resent(const struct rda_at *at, const struct rda_event *event);

/* T07, once all was seen. */
void rda_timer_end(struct rda_judge *judge, const struct rda_flow *flow);

#endif
