/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The least waits in front of runs of resends. See run_wait.h.
 */
#include "analyzer/track/roce/run_wait.h"

#include <glib.h>

/* What comes so late, where answers come soon, may be a timer's work: it teaches nothing. */
static void note_reaction(struct rda_requester *r, int64_t wait_ns)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;
	int64_t way = MAX(r->rtt.smooth_ns, r->heard->answers.took_ns);

	if (way && wait_ns > MAX(RDA_REACTION_MIN_NS, rda_ns_times(way, 256)))
		return;
	if (!run->obeyed_ns || wait_ns < run->obeyed_ns)
		run->obeyed_ns = wait_ns;
	if (run->alone && (!run->reaction_ns || wait_ns < run->reaction_ns))
		run->reaction_ns = wait_ns;
}

/* Sooner than any timer in use fires what looks like one was something else. */
static void note_timer(struct rda_requester *r, int64_t wait_ns)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;

	if (wait_ns >= RDA_TIMER_IN_USE_NS && (!run->timer_ns || wait_ns < run->timer_ns))
		run->timer_ns = wait_ns;
}

/* Nothing that is known made it begin with the first request, or before. */
static bool begins_with_first(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t oldest = MIN(r->progress.acked, r->progress.incomplete);

	return MIN(q->begin, oldest) <= r->begun.first;
}

void rda_run_waited(struct rda_requester *r, const struct rda_request *q, enum rda_trigger trigger,
		    bool due, int64_t wait_ns)
{
	if (!due && begins_with_first(r, q))
		rda_requester_rare(r)->run.from_first = true;
	if (due && trigger != RDA_TRIGGER_RNR)
		note_reaction(r, wait_ns);
	if (trigger == RDA_TRIGGER_TIMEOUT)
		note_timer(r, wait_ns);
}
