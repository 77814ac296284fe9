/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * H01: packets that passed one tap and did not come to the next; what T13 says of waits. See hop.h.
 *
 * That they were lost there is certain when the second tap had told if it had only missed them.
 * What the tap that is told says of the same loss is an effect of it.
 */
#include "analyzer/checks/hop/hop.h"

#include "analyzer/base/meta.h"

#include <glib.h>

static struct rda_subject subject_of(const struct rda_hop_loss *loss)
{
	if (loss->flow < 0)
		return (struct rda_subject){RDA_SUBJECT_CONNECTION, loss->connection};
	return (struct rda_subject){RDA_SUBJECT_FLOW, (uint32_t)loss->flow};
}

static struct rda_finding *add(struct rda_judge *judge, const struct rda_hop_loss *loss,
			       enum rda_proof proof, uint64_t count)
{
	struct rda_finding *finding;

	/* of several hops of a direction each is one finding */
	judge->findings.overall = loss->number ? RDA_FINDING_HOP + loss->number : 0;
	finding =
		rda_finding_add_proof(&judge->findings, RDA_CHECK_H01, proof, subject_of(loss), 0);
	judge->findings.overall = 0;
	finding->count = count;
	finding->connection = (int32_t)loss->connection;
	finding->flow = (int8_t)loss->side;
	finding->stands_alone = true; /* what the second tap lacks was considered */
	for (unsigned i = 0; i < loss->place_count; i++)
		rda_finding_frame(finding, loss->places[i]);
	rda_judge_weigh(judge, finding);
	return finding;
}

/* What the told tap says of the direction, if it is of no more cases than the hop lost packets;
 * returns what that cost. */
static int64_t explain(struct rda_judge *judge, const struct rda_hop_loss *loss,
		       enum rda_check check, enum rda_proof proof, int32_t flow)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, (uint32_t)flow};
	struct rda_finding *effect =
		flow < 0 ? NULL
			 : rda_finding_find_as(&judge->findings, check, RDA_SEVERITY_WARNING, proof,
					       subject);

	if (!effect || effect->count > loss->lost)
		return 0;
	rda_finding_explain(effect, RDA_CHECK_H01, subject_of(loss));
	return effect->cost_ns;
}

/* Requests that were sent again though their answer had passed: nothing else is told of them. */
static bool is_of_lost_answers(const struct rda_judge *judge, int32_t flow)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, (uint32_t)flow};
	const struct rda_finding *finding =
		flow < 0 ? NULL
			 : rda_finding_find_as(&judge->findings, RDA_CHECK_S05,
					       RDA_SEVERITY_WARNING, RDA_PROOF_PROVEN, subject);

	return finding && finding->said && finding->said->sayings[0] == RDA_SAY_S05_ANSWERED;
}

/*
 * Everything that the told tap says of the packets that the hop lost; returns what that cost: of
 * each run of resends one finding has the cost. Which hop made a timer fire the taps do not say:
 * of all that lost enough it is told of the one that lost the most.
 */
static int64_t explain_all(struct rda_judge *judge, const struct rda_hop_loss *loss)
{
	int64_t before_ns[] = {
		explain(judge, loss, RDA_CHECK_S01, RDA_PROOF_PROVEN, loss->flow),
		explain(judge, loss, RDA_CHECK_S01, RDA_PROOF_SUSPECTED, loss->flow),
	};
	int64_t cost_ns = MAX(before_ns[0], before_ns[1]); /* both have the sum of the direction */

	for (int proof = 0; proof < RDA_PROOF_COUNT; proof++)
		explain(judge, loss, RDA_CHECK_W27, (enum rda_proof)proof, loss->flow);
	cost_ns = rda_ns_sum(cost_ns,
			     explain(judge, loss, RDA_CHECK_S02, RDA_PROOF_SUSPECTED, loss->flow));
	if (loss->is_most) {
		cost_ns = rda_ns_sum(cost_ns, explain(judge, loss, RDA_CHECK_S04,
						      RDA_PROOF_SUSPECTED, loss->flow));
		cost_ns = rda_ns_sum(cost_ns, explain(judge, loss, RDA_CHECK_S04,
						      RDA_PROOF_SUSPECTED, loss->other));
	}
	if (loss->is_behind && is_of_lost_answers(judge, loss->other))
		cost_ns = rda_ns_sum(cost_ns, explain(judge, loss, RDA_CHECK_S05, RDA_PROOF_PROVEN,
						      loss->other));
	return cost_ns;
}

void rda_check_hop_lost(struct rda_judge *judge, const struct rda_hop_loss *loss)
{
	int64_t cost_ns = explain_all(judge, loss);
	uint64_t perhaps = loss->lost - loss->certain;
	struct rda_finding *finding;

	if (loss->certain) {
		finding = add(judge, loss, RDA_PROOF_PROVEN, loss->certain);
		finding->cost_ns = cost_ns;
		rda_finding_retell(finding, RDA_SAY_H01_LOST, RDA_ARG_NUMBER("lost", loss->certain),
				   RDA_ARG_NUMBER("packets", loss->packets),
				   RDA_ARG_TEXT("from", loss->from), RDA_ARG_TEXT("to", loss->to),
				   RDA_ARG_IF(perhaps, RDA_ARG_NUMBER("more", perhaps)));
		return;
	}
	finding = add(judge, loss, RDA_PROOF_SUSPECTED, loss->lost);
	finding->cost_ns = cost_ns;
	rda_finding_retell(finding, RDA_SAY_H01_MISSING, RDA_ARG_NUMBER("lost", loss->lost),
			   RDA_ARG_NUMBER("packets", loss->packets),
			   RDA_ARG_TEXT("from", loss->from), RDA_ARG_TEXT("to", loss->to));
}

static int64_t per_mille(int64_t ns, int64_t all)
{
	return (int64_t)((double)ns * 1000 / (double)all + 0.5);
}

void rda_check_hop_waits(struct rda_judge *judge, const struct rda_hop_waits *waits)
{
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_T13,
				 (struct rda_subject){RDA_SUBJECT_FLOW, (uint32_t)waits->flow});
	int64_t all = waits->network_ns + waits->responder_ns + waits->unknown_ns;
	enum rda_saying saying;

	if (!finding || !finding->said || all <= 0 || all == waits->unknown_ns)
		return;
	saying = finding->said->sayings[0];
	if (saying != RDA_SAY_T13_LIMITED && saying != RDA_SAY_T13_WAITING)
		return;
	rda_finding_say_more(
		finding, RDA_SAY_T13_WHERE,
		RDA_ARG_DECIMAL("network_percent", per_mille(waits->network_ns, all), 1),
		RDA_ARG_DECIMAL("responder_percent", per_mille(waits->responder_ns, all), 1),
		RDA_ARG_TEXT("from", waits->from), RDA_ARG_TEXT("to", waits->to));
}
