/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A22: the number of READs and ATOMICs under way.
 */
#include "analyzer/checks/answer/reads.h"

#include <glib.h>

static int16_t reads_allowed(const struct rda_at *at, struct rda_answer_watch *watch)
{
	const struct rda_cm_limits *limits;

	if (watch->reads_allowed)
		return watch->reads_allowed;
	limits = rda_cm_limits_of(at->flow);
	watch->reads_allowed = limits && limits->reads > 0 ? limits->reads : -1;
	return watch->reads_allowed;
}

/* A22: more READs and ATOMICs under way than the two sides agreed on. */
void rda_reads_request(const struct rda_at *at, struct rda_answer_watch *watch)
{
	const struct rda_pending *waiting;
	int16_t allowed = reads_allowed(at, watch);
	struct rda_finding *finding;
	uint32_t under_way = 0, usual = allowed < 0 ? UINT32_MAX : (uint32_t)allowed;

	if (!rda_account_waiting(at->flow->account, MIN(watch->reads_most, usual)))
		return;
	/* answers come in order: what lies below one was answered, whether it was seen or not */
	for (uint32_t i = 0; (waiting = rda_account_waiting(at->flow->account, i)) != NULL; i++)
		under_way += waiting->end > watch->answered_psn + 1;
	waiting = rda_account_waiting(at->flow->account, 0);
	if (under_way > watch->reads_most) {
		watch->reads_most = (uint16_t)under_way;
		watch->reads_place = at->place;
		watch->reads_first = waiting->frame;
	}
	if (allowed < 0 || under_way <= (uint32_t)allowed)
		return;
	finding = rda_finding_at(at, RDA_CHECK_A22);
	rda_finding_frame(finding, waiting->frame);
	rda_finding_say(finding, RDA_SAY_A22_AGREED, RDA_ARG_PSN("psn", at->request->begin),
			RDA_ARG_NUMBER("reads", under_way), RDA_ARG_SIGNED("agreed", allowed));
}

/*
 * A22, a note: the set-up was seen and did not say how many, so nobody knows whether these were too
 * many. Responders refuse such a READ, or drop it; some serve it all the same.
 */
void rda_reads_end(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_answer_watch *watch = rda_answer_watched(flow);
	struct rda_finding *finding;

	if (watch->reads_most < 2 || watch->reads_allowed > 0 || !flow->pair ||
	    flow->pair->by != RDA_PAIRED_BY_EXCHANGE)
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_A22, RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(flow), watch->reads_place);
	rda_finding_frame(finding, watch->reads_first);
	rda_finding_say(finding, RDA_SAY_A22_NOT_AGREED,
			RDA_ARG_NUMBER("reads", watch->reads_most));
}
