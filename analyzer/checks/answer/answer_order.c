/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q10 of answers by their identifications; answer_order.h has the idea.
 */
#include "analyzer/checks/answer/answer_order.h"

#include "analyzer/checks/answer/ack_order.h"
#include "analyzer/track/roce/copies.h"

#include <glib.h>

bool rda_answer_passed_before(const struct rda_at *at)
{
	const struct rda_flow_alike *alike =
		&rda_flow_rare(at->flow)->alike[rda_copies_kind(RDA_ROLE_RESPONSE)];

	return alike->refused_place == at->place;
}

bool rda_answer_some_copied(const struct rda_flow *asker)
{
	unsigned kind = rda_copies_kind(RDA_ROLE_RESPONSE);

	return asker->peer && rda_copies_are_few(rda_flow_rare(asker->peer)->alike[kind].copies,
						 rda_flow_ids(asker->peer, kind)->packets);
}

bool rda_answer_ids_tell(const struct rda_flow *answerer)
{
	const struct rda_flow_ids *ids = rda_flow_ids(answerer, rda_copies_kind(RDA_ROLE_RESPONSE));

	return rda_copies_ids_tell(ids) && ids->independent;
}

struct rda_finding *rda_answer_find(struct rda_judge *judge, enum rda_check check,
				    const struct rda_flow *sender, uint64_t count,
				    const struct rda_answer_places *places)
{
	struct rda_finding *finding =
		rda_finding_add_as(&judge->findings, check, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED,
				   rda_about_flow(sender), 0);

	finding->withheld = false;
	finding->count += count - 1;
	for (unsigned i = 0; i < places->count; i++)
		rda_finding_frame(finding, places->at[i]);
	return finding;
}

/* Nothing is known yet, perhaps, of what identifications tell: that is asked in the end. */
static void came_behind(const struct rda_at *at, struct rda_answer_watch *answer, uint64_t behind)
{
	struct rda_answer_late *late = answer->late;

	if (!late)
		late = answer->late = g_new0(struct rda_answer_late, 1);
	late->behind = behind;
	if (rda_answer_passed_before(at))
		return;
	rda_answer_note(&late->places, at->place);
	late->count++;
}

void rda_answer_order(const struct rda_at *at, struct rda_answer_watch *answer, int64_t psn)
{
	uint64_t behind = rda_account_answers_behind(rda_asked(at));

	if (at->packet->opcode->roles & RDA_ROLE_ACK &&
	    rda_aeth_kind(&at->packet->aeth) == RDA_AETH_ACK)
		rda_ack_order(at, answer, psn);
	else if (rda_has(at->packet, AETH))
		rda_ack_order_other(at, answer, psn);
	if (behind != (answer->late ? answer->late->behind : 0))
		came_behind(at, answer, behind);
}

static void tell(struct rda_judge *judge, const struct rda_flow *asker,
		 const struct rda_answer_late *late)
{
	rda_finding_say_more(
		rda_answer_find(judge, RDA_CHECK_Q10, asker->peer, late->count, &late->places),
		RDA_SAY_Q10_ANSWERS, RDA_ARG_NUMBER("late_answers", late->count),
		RDA_ARG_FLAG("perhaps_copies", !rda_answer_ids_tell(asker->peer)));
}

void rda_answer_order_end(struct rda_judge *judge, const struct rda_flow *asker)
{
	const struct rda_answer_late *late = rda_answer_watched(asker)->late;

	rda_ack_order_end(judge, asker);
	/* else more than this is told of some of them, as of ACKs, NAKs or responses */
	if (late && late->count && !rda_ack_order_tells(asker) &&
	    !rda_account_late_responses(asker) && !rda_account_was_anew(asker) &&
	    rda_account_answers_numbered(asker->account))
		tell(judge, asker, late);
}
