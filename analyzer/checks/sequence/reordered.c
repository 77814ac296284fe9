/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q10, what it cost: runs of resends for packets that only came late.
 *
 *     10  12  11  13   NAK 11   11  12  13     11 was not lost: the responder takes no packet out
 * of order, and three were sent again
 *
 * The same of READs: a response that others have overtaken makes its requester ask again. That
 * packets came late, capture/reorder.c tells.
 */
#include "analyzer/checks/sequence/state.h"

#include <glib.h>

void rda_reordered_late(struct rda_losses *losses, int64_t psn)
{
	losses->late[losses->late_count++ % RDA_LATE_KEPT] = psn;
	for (unsigned i = 0; i < losses->run_count; i++)
		losses->runs[i].overtaken |= losses->runs[i].start == psn;
}

void rda_reordered_run(const struct rda_losses *losses, struct rda_loss_run *run)
{
	for (uint64_t i = 0; i < MIN(losses->late_count, RDA_LATE_KEPT); i++)
		run->overtaken |= losses->late[i] == run->start;
}

void rda_reordered_close(struct rda_loss_run *run)
{
	if (run->verdict != RDA_VERDICT_OPEN || !run->overtaken)
		return;
	if (run->trigger == RDA_TRIGGER_NAK)
		run->verdict = RDA_VERDICT_OVERTAKEN;
	else if (run->trigger == RDA_TRIGGER_IMPLIED)
		run->verdict = RDA_VERDICT_OVERTAKEN_RESPONSES;
}

/* Q10 of who sent what came late; NULL: it was not told. */
static struct rda_finding *found(struct rda_judge *judge, const struct rda_flow *sender)
{
	struct rda_finding *finding =
		sender ? rda_finding_find(&judge->findings, RDA_CHECK_Q10, rda_about_flow(sender))
		       : NULL;

	return finding && !finding->withheld ? finding : NULL;
}

static void cost(struct rda_finding *finding, const struct rda_loss_sum *sum)
{
	finding->severity = RDA_SEVERITY_WARNING;
	finding->cost_ns = rda_ns_sum(finding->cost_ns, sum->cost_ns);
}

bool rda_reordered_tell(struct rda_judge *judge, const struct rda_flow *flow,
			const struct rda_losses *losses, int64_t span_ns)
{
	const struct rda_loss_sum *requests = &losses->by_verdict[RDA_VERDICT_OVERTAKEN];
	const struct rda_loss_sum *responses = &losses->by_verdict[RDA_VERDICT_OVERTAKEN_RESPONSES];
	struct rda_finding *finding = found(judge, flow);
	bool told = finding && requests->runs;

	if (told) {
		cost(finding, requests);
		rda_finding_say_more(finding, RDA_SAY_Q10_ASKED,
				     RDA_ARG_NUMBER("naks", requests->runs),
				     RDA_ARG_NUMBER("resent_late", requests->packets),
				     RDA_ARG_TIME("recovery_ns", requests->cost_ns),
				     RDA_ARG_TIME("span_ns", span_ns));
	} else if (finding && rda_requests_overtake(rda_account_counts(flow)) && flow->peer &&
		   rda_flow_answers(flow->peer)->packets &&
		   !rda_flow_rare(flow->peer)->naks[RDA_NAK_SEQUENCE]) {
		rda_finding_say_more(finding, RDA_SAY_Q10_TOLERATED, RDA_ARG_NONE);
	}
	finding = found(judge, flow->peer);
	if (!finding || !responses->runs)
		return told;
	cost(finding, responses);
	rda_finding_say_more(finding, RDA_SAY_Q10_ASKED_RESPONSES,
			     RDA_ARG_NUMBER("asked", responses->runs),
			     RDA_ARG_NUMBER("asked_requests", responses->packets),
			     RDA_ARG_TIME("responses_recovery_ns", responses->cost_ns),
			     RDA_ARG_TIME("responses_span_ns", span_ns));
	return true;
}

bool rda_reordered_any(const struct rda_flow *flow)
{
	return rda_requests_overtake(rda_account_counts(flow)) ||
	       rda_responses_overtake(rda_account_response_counts(flow));
}

uint64_t rda_reordered_resent(const struct rda_losses *losses)
{
	return losses->by_verdict[RDA_VERDICT_OVERTAKEN].packets +
	       losses->by_verdict[RDA_VERDICT_OVERTAKEN_RESPONSES].packets;
}

bool rda_reordered_explains(const struct rda_flow *flow, const struct rda_losses *losses,
			    struct rda_finding *effect)
{
	const struct rda_loss_sum *by = losses->by_verdict;
	uint64_t requests = by[RDA_VERDICT_OVERTAKEN].packets;
	uint64_t responses = by[RDA_VERDICT_OVERTAKEN_RESPONSES].packets;

	if (rda_reordered_resent(losses) <=
	    by[RDA_VERDICT_BEFORE].packets + by[RDA_VERDICT_AFTER].packets)
		return false;
	rda_finding_explain(effect, RDA_CHECK_Q10,
			    rda_about_flow(requests >= responses ? flow : flow->peer));
	return true;
}
