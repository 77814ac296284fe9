/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs: where the one at hand is, and why a requester begins to send again: what the responder said
 * and the requester can have heard by then, or else a timer. The only writer of the groups run and
 * due of a requester.
 */
#ifndef RDA_RUN_H
#define RDA_RUN_H

#include "analyzer/track/roce/requester.h"

static inline void rda_run_init(struct rda_requester *requester)
{
	requester->run.ns = RDA_NEVER_NS;
	requester->run.trigger = requester->due.trigger = RDA_TRIGGER_NONE;
}

/* The run at hand would send `psn` next. */
static inline void rda_run_at(struct rda_requester *requester, int64_t psn)
{
	requester->run.next = psn;
}

/* The run of resends is over: new PSNs are sent. */
static inline void rda_run_over(struct rda_requester *requester)
{
	requester->run.trigger = RDA_TRIGGER_NONE;
}

/* A run of resends begins with this packet; `original`: the place of what that repeats, or 0. */
void rda_run_begin(struct rda_requester *requester, const struct rda_request *request,
		   const struct rda_event_sink *sink, uint64_t original);

/* The responder gave a reason to resend from `psn`, after `wait_ns`. */
void rda_run_due(struct rda_requester *requester, enum rda_trigger trigger, int64_t psn,
		 int64_t time_ns, int64_t wait_ns, uint64_t frame);

/* What is due was said too long ago to be what a resend follows. */
bool rda_run_is_stale(const struct rda_requester *requester, const struct rda_request *request);

/* What was due was sent again, without a run: the responder takes what is ahead. */
static inline void rda_run_obeyed(struct rda_requester *requester)
{
	requester->run.cause = requester->due.frame;
	requester->due.trigger = RDA_TRIGGER_NONE;
}

/* An answer told the requester something new since its run of resends began. */
static inline void rda_run_told(struct rda_requester *requester)
{
	requester->run.retrying = false;
}

#endif
