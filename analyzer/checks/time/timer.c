/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers; see state.h.
 */
#include "analyzer/checks/time/state.h"

#include "dissectors/aeth.h"

#include <glib.h>

/* ---- the RNR timer --------------------------------------------------------------------------- */

/* Code 0, the longest of them: what rdma_cm leaves it at when the application sets nothing. */
enum { RNR_CODE_DEFAULT = 0x20 };

/* A requester that waits so many times as long as it was asked to wastes time. */
enum { WAIT_TIMES = 2 };

void rda_waits_free(struct rda_waits *waits)
{
	if (!waits)
		return;
	rda_latency_cleanup(&waits->sure.waited);
	rda_latency_cleanup(&waits->all.waited);
	g_free(waits);
}

uint64_t rda_waits_bytes(const struct rda_waits *waits)
{
	return rda_latency_bytes(&waits->sure.waited) + rda_latency_bytes(&waits->all.waited);
}

void rda_waits_refused(struct rda_waits *waits, const struct rda_at *at,
		       const struct rda_event *event)
{
	waits->checked = rda_judge_is_checked(at);
	waits->asked_ns = rda_aeth_rnr_ns(event->syndrome);
}

static void add_wait(struct rda_waits_sum *sum, int64_t asked, const struct rda_event *event)
{
	if (sum->waited.count == 0 || event->wait_ns > sum->waited.max) {
		sum->refused = event->other_frame;
		sum->resent = event->frame;
	}
	sum->shortest_asked_ns = sum->waited.count ? MIN(sum->shortest_asked_ns, asked) : asked;
	sum->longest_asked_ns = MAX(sum->longest_asked_ns, asked);
	sum->asked_total_ns += asked;
	sum->waited_total_ns = rda_ns_sum(sum->waited_total_ns, event->wait_ns);
	rda_latency_add(&sum->waited, event->wait_ns);
}

void rda_waits_resent(struct rda_waits *waits, const struct rda_event *event)
{
	if (!waits->asked_ns || event->wait_ns < 0)
		return;
	if (waits->checked)
		add_wait(&waits->sure, waits->asked_ns, event);
	add_wait(&waits->all, waits->asked_ns, event);
	waits->asked_ns = 0;
}

static bool is_default(const struct rda_waits_sum *sum)
{
	return sum->longest_asked_ns == rda_aeth_rnr_ns(RNR_CODE_DEFAULT);
}

static bool wastes_time(const struct rda_waits_sum *sum)
{
	return sum->waited.count > 0 &&
	       (is_default(sum) || sum->waited_total_ns / WAIT_TIMES >= sum->asked_total_ns);
}

/* T09: of what is sure, if that says it alone. */
static void rnr_wait(const struct rda_waits *waits, struct rda_judge *judge,
		     const struct rda_flow *flow)
{
	bool is_sure = wastes_time(&waits->sure);
	const struct rda_waits_sum *sum = is_sure ? &waits->sure : &waits->all;
	struct rda_finding *finding;

	if (!wastes_time(sum))
		return;
	finding = rda_finding_of_bytes(judge, is_sure, RDA_CHECK_T09, rda_about_flow(flow),
				       sum->refused);
	rda_finding_frame(finding, sum->resent);
	finding->count = sum->waited.count;
	rda_finding_say(finding, RDA_SAY_T09_WAITS, RDA_ARG_NUMBER("waits", sum->waited.count),
			RDA_ARG_TIME("shortest_asked_ns", sum->shortest_asked_ns),
			RDA_ARG_TIME("asked_ns", sum->longest_asked_ns),
			RDA_ARG_FLAG("default", is_default(sum)),
			RDA_ARG_TIME("median_ns", rda_latency_percentile(&sum->waited, 50)),
			RDA_ARG_TIME("total_ns", sum->waited_total_ns));
}

void rda_waits_end(const struct rda_waits *waits, struct rda_judge *judge,
		   const struct rda_flow *flow)
{
	rnr_wait(waits, judge, flow);
}

/* ---- the ACK timer --------------------------------------------------------------------------- */

/*
 * The specification lets a timer of T fire between T and 4 T. Clocks, and where the capture was
 * taken, are allowed a tenth.
 */
enum { TIMER_SPREAD = 4 };

/* Nothing comes back for so long: something would have to happen. */
#define STUCK_NS INT64_C(10000000000)

/* T05 */
static void timeout_early(const struct rda_at *at, const struct rda_event *event, int64_t timer)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_T05);

	rda_finding_frame(finding, event->other_frame);
	rda_finding_say(finding, RDA_SAY_T05_EARLY, RDA_ARG_TIME("waited_ns", event->wait_ns),
			RDA_ARG_TIME("ack_timeout_ns", timer));
}

/* T06 */
static void timeout_late(const struct rda_at *at, const struct rda_event *event, int64_t timer)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_T06);

	rda_finding_frame(finding, event->other_frame);
	finding->cost_ns = rda_ns_sum(finding->cost_ns, event->wait_ns - TIMER_SPREAD * timer);
	rda_finding_say(finding, RDA_SAY_T06_LATE, RDA_ARG_TIME("waited_ns", event->wait_ns),
			RDA_ARG_TIME("ack_timeout_ns", timer),
			RDA_ARG_TIME("limit_ns", TIMER_SPREAD * timer));
}

void rda_timer_resent(const struct rda_at *at, const struct rda_event *event)
{
	int exponent = rda_cm_ack_timeout_of(at->asker);
	int64_t timer;

	if (exponent <= 0 || event->wait_ns < 0)
		return;
	/* the steps of its ladder are shorter than the timer, and its regular timeouts longer */
	if (rda_giveup_may_be_adaptive(at->asker))
		return;
	timer = INT64_C(4096) << exponent;
	if (event->wait_ns < timer - timer / 10)
		timeout_early(at, event, timer);
	else if (event->wait_ns > TIMER_SPREAD * (timer + timer / 10))
		timeout_late(at, event, timer);
}

/* T07 */
static void timeout_disabled(struct rda_judge *judge, const struct rda_flow *flow,
			     const struct rda_sent *oldest, int64_t end_ns)
{

	rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_T07, rda_about_flow(flow),
					oldest->first_frame),
			RDA_SAY_T07_NO_TIMEOUT,
			RDA_ARG_TIME("silence_ns", end_ns - oldest->sent_ns));
}

void rda_timer_end(struct rda_judge *judge, const struct rda_flow *flow)
{
	int64_t end_ns = INT64_MIN;
	struct rda_sent oldest;

	/* what looked like timeouts was the QP's next life */
	if (flow->account && rda_account_was_anew(flow)) {
		rda_findings_take_back(&judge->findings, RDA_CHECK_T05, rda_about_flow(flow));
		rda_findings_take_back(&judge->findings, RDA_CHECK_T06, rda_about_flow(flow));
	}
	if (!flow->account || rda_cm_ack_timeout_of(flow) != 0 ||
	    !rda_account_outstanding(flow->account, 0, &oldest))
		return;
	for (uint32_t i = 0; i < judge->whole.capture_count; i++)
		end_ns = MAX(end_ns, rda_capture_until(&judge->whole.captures[i]));
	if (end_ns - oldest.sent_ns >= STUCK_NS)
		timeout_disabled(judge, flow, &oldest, end_ns);
}
