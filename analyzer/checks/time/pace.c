/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses; state.h has the figure.
 */
#include "analyzer/checks/time/state.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"

#include <glib.h>

/* Fewer gaps tell nothing of what is usual. */
enum { GAPS_MIN = 10 };

/* Shorter pauses are those of any host; so are pauses of less than so many usual gaps or answers.
 */
enum { PAUSE_MIN_NS = 1000000, TIMES_GAP = 10, TIMES_ACK = 4 };

/* What software that sends packets does, when something else has its processor: up to that long. */
enum { LONG_PAUSE_NS = 50000000 };

void rda_pace_cleanup(struct rda_pace *pace)
{
	rda_latency_cleanup(&pace->gaps);
	g_free(pace->pauses);
}

/* ---- inside a message ------------------------------------------------------------------------ */

/* Whether a pause may be told, and is among the longest so far. */
static bool is_long(const struct rda_pace *pace, int64_t gap_ns)
{
	return gap_ns > PAUSE_MIN_NS && (pace->pause_count < RDA_PAUSES_KEPT ||
					 gap_ns > pace->pauses[RDA_PAUSES_KEPT - 1].gap_ns);
}

RDA_COLD static void keep(struct rda_pace *pace, int64_t gap_ns, uint64_t after)
{
	struct rda_long_gap pause = {gap_ns, after};
	unsigned at = pace->pause_count;

	if (!pace->pauses)
		pace->pauses = g_new0(struct rda_long_gap, RDA_PAUSES_KEPT);
	if (at == RDA_PAUSES_KEPT)
		at--;
	else
		pace->pause_count++;
	for (; at > 0 && pace->pauses[at - 1].gap_ns < gap_ns; at--)
		pace->pauses[at] = pace->pauses[at - 1];
	pace->pauses[at] = pause;
}

/* What the sender waited for came meanwhile. */
static bool was_answered(const struct rda_pace *pace, const struct rda_at *at)
{
	return at->request && rda_account_moved_since(at->flow->account, pace->last_ns);
}

static bool goes_on(const struct rda_pace *pace, const struct rda_at *at)
{
	return pace->inside && at->packet->bth.psn == pace->next &&
	       !(at->packet->opcode->roles & RDA_ROLE_FIRST);
}

static void note(struct rda_pace *pace, const struct rda_at *at)
{
	pace->inside = !(at->packet->opcode->roles & RDA_ROLE_LAST);
	pace->next = rda_psn_narrow((int64_t)at->packet->bth.psn + 1);
	pace->last_ns = at->meta->time_ns;
}

/* What begins a message, was waited for, comes late or not in its place. */
RDA_APART static void take(struct rda_pace *pace, const struct rda_at *at)
{
	int64_t gap_ns = at->meta->time_ns - pace->last_ns;

	if (at->request && at->kind != RDA_REQUEST_NEW) {
		pace->inside = false;
		return;
	}
	if (goes_on(pace, at) && !was_answered(pace, at)) {
		rda_latency_add(&pace->gaps, gap_ns);
		if (is_long(pace, gap_ns))
			keep(pace, gap_ns, at->place);
	}
	note(pace, at);
}

/* The recent gaps are put among the others. */
RDA_APART static void gather(struct rda_pace *pace)
{
	for (unsigned i = 0; i < pace->recent_count; i++)
		rda_latency_count(&pace->gaps, pace->recent[i]);
	pace->recent_count = 0;
}

void rda_pace_packet(struct rda_pace *pace, const struct rda_at *at)
{
	int64_t gap_ns = at->meta->time_ns - pace->last_ns;

	if (gap_ns > PAUSE_MIN_NS || at->kind != RDA_REQUEST_NEW || !goes_on(pace, at) ||
	    was_answered(pace, at)) {
		take(pace, at);
		return;
	}
	note(pace, at);
	if (!rda_latency_has_place(&pace->gaps, gap_ns)) {
		rda_latency_add(&pace->gaps, gap_ns);
		return;
	}
	pace->recent[pace->recent_count++] = rda_latency_bucket(gap_ns);
	if (pace->recent_count == RDA_GAPS_RECENT)
		gather(pace);
}

/* T11: much longer than usual, and than an answer takes. */
static int64_t pause_of(const struct rda_pace *pace, const struct rda_flow *flow)
{
	const struct rda_messages *m = rda_account_messages(flow);
	int64_t usual = rda_latency_percentile(&pace->gaps, 50);
	int64_t answer = m ? rda_latency_percentile(&m->acks, 50) : 0;

	return MAX(MAX(rda_ns_times(usual, TIMES_GAP), rda_ns_times(answer, TIMES_ACK)),
		   PAUSE_MIN_NS);
}

void rda_pace_end(struct rda_pace *pace, struct rda_judge *judge, const struct rda_flow *flow,
		  const char *what)
{
	int64_t limit, longest = pace->gaps.max;
	struct rda_finding *finding = NULL;
	uint64_t count;

	gather(pace);
	limit = pause_of(pace, flow);
	if (pace->gaps.count < GAPS_MIN || longest <= limit)
		return;
	count = MAX(rda_latency_above(&pace->gaps, limit), 1);
	for (unsigned i = 0; i < pace->pause_count && pace->pauses[i].gap_ns > limit; i++) {
		finding = rda_finding_add_as(
			&judge->findings, RDA_CHECK_T11,
			longest >= LONG_PAUSE_NS ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE,
			RDA_PROOF_SUSPECTED, rda_about_flow(flow), pace->pauses[i].after);
		finding->cost_ns = rda_ns_sum(finding->cost_ns, pace->pauses[i].gap_ns);
		finding->count--;
	}
	if (!finding) /* none of the longest is kept: there would be none to show */
		return;
	finding->count += count;
	rda_finding_say(finding, RDA_SAY_T11_PAUSES, RDA_ARG_NUMBER("pauses", count),
			RDA_ARG_WORD("what", what), RDA_ARG_TIME("longest_ns", longest),
			RDA_ARG_TIME("median_ns", rda_latency_percentile(&pace->gaps, 50)));
}

/* ---- between messages ------------------------------------------------------------------------ */

void rda_pace_idle(const struct rda_at *at)
{
	const struct rda_flow *flow = at->flow, *peer = flow->peer;
	int64_t idle = flow->gap_ns;

	if (!at->request || at->kind != RDA_REQUEST_NEW || !peer)
		return;
	idle = MIN(idle, at->meta->time_ns - peer->last_time_ns);
	if (idle < RDA_IDLE_NS || rda_account_answered(flow->account) < at->request->begin ||
	    (peer->account &&
	     rda_account_answered(peer->account) < rda_account_progress(peer->account)->next))
		return;
	/* one finding for both directions */
	rda_finding_say(rda_finding_add(&at->judge->findings, RDA_CHECK_T10,
					rda_about_flow(flow->index < peer->index ? flow : peer),
					at->place),
			RDA_SAY_T10_IDLE, RDA_ARG_TIME("idle_ns", idle));
}
