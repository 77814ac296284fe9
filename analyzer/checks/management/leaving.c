/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M10: a side leaves while requests have no answer, and they never get one.
 *
 *     WRITE 10 ... ACK 10   WRITE 11   DREQ   DREP       nobody knows whether 11 was carried out
 *
 * What is outstanding is noted at the DREQ, and looked at again once all packets were seen: an
 * answer may have been under way. What was answered before it was sent again is not outstanding.
 */
#include "analyzer/checks/management/state.h"

#include "analyzer/base/cold.h"

#include <glib.h>

/*
 * It was acknowledged; and of a READ or ATOMIC the answer has passed in its turn and to the end,
 * whatever was sent again since then. Where responses overtake each other what passed here out of
 * turn may have reached the requester in turn, or some of it with an earlier answer.
 */
static bool was_answered(const struct rda_sent *record, bool overtake)
{
	if (!(record->roles & RDA_ROLE_ANSWERED))
		return true;
	if (record->answer_ns == RDA_NEVER_NS)
		return false;
	return overtake || (!record->ahead && record->begin + record->answered >= record->end);
}

/* All below was answered. */
static int64_t answered_below(const struct rda_flow *flow)
{
	bool overtake = rda_responses_overtake(rda_account_response_counts(flow));
	int64_t acked = rda_account_progress(flow->account)->acked;
	int64_t psn = rda_account_answered(flow->account);
	const struct rda_sent *record;

	while (psn < acked && (record = rda_account_sent(flow->account, psn)) &&
	       record->end <= acked && was_answered(record, overtake))
		psn = record->end;
	return psn;
}

/* Behind all that was sent: whose PSN a damaged packet had nobody knows, so that it is not counted
 * where it would be the last. */
static int64_t sent_below(const struct rda_account *account, int64_t answered)
{
	int64_t psn = rda_account_progress(account)->next;
	const struct rda_sent *record;

	while (psn > answered && (record = rda_account_sent(account, psn - 1)) && record->damaged)
		psn = record->begin;
	return psn;
}

RDA_APART void rda_management_left(const struct rda_at *at)
{
	const struct rda_cm_step *step = at->step;

	if (!step->pair || !step->fresh)
		return;
	for (unsigned i = 0; i < 2; i++) {
		struct rda_flow *flow = step->pair->flows[i];
		struct rda_management_watch *watch;
		int64_t answered, next;

		/* who was refused has no answer for that (A11, K01) */
		if (!flow || !flow->account || rda_account_is_refused(flow->account))
			continue;
		answered = answered_below(flow);
		next = sent_below(flow->account, answered);
		if (answered >= next)
			continue;
		watch = rda_management_watch(flow);
		watch->left_place = at->place;
		watch->left_next = next;
		watch->left_acked = answered;
	}
}

void rda_management_left_work(struct rda_judge *judge, const struct rda_connection *connection,
			      const struct rda_flow *flow)
{
	const struct rda_management_watch *watch = flow->watch.management;
	struct rda_finding *finding;

	/* who gave up before had no answer anyway: M09 tells that */
	if (!watch || !watch->left_place || answered_below(flow) >= watch->left_next ||
	    rda_judge_gave_up(judge, flow).kind != RDA_GIVEUP_NONE)
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_M10, rda_about_connection(connection),
				  watch->left_place);
	rda_finding_say(finding, RDA_SAY_M10_UNANSWERED,
			RDA_ARG_ADDRESS("requester", &flow->key.source),
			RDA_ARG_PSN("psn", watch->left_acked),
			RDA_ARG_IF(watch->left_next - 1 > watch->left_acked,
				   RDA_ARG_PSN("last_psn", watch->left_next - 1)));
}
