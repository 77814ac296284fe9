/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * H01 to H06: what became of packets between a tap and the next; what T13 says of waits. See hop.h.
 *
 * That packets were lost there is certain when the second tap had told if it had only missed them.
 * What followed from it is in effects.c.
 */
#include "analyzer/checks/hop/state.h"

static struct rda_subject subject_of(const struct rda_hop_way *way)
{
	if (way->flow < 0)
		return (struct rda_subject){RDA_SUBJECT_CONNECTION, way->connection};
	return (struct rda_subject){RDA_SUBJECT_FLOW, (uint32_t)way->flow};
}

static struct rda_finding *add_as(struct rda_judge *judge, const struct rda_hop_way *way,
				  enum rda_check check, enum rda_severity severity,
				  enum rda_proof proof, const struct rda_hop_cases *cases)
{
	struct rda_finding *finding;

	/* of several ways of a direction each is one finding */
	judge->findings.overall = way->number ? RDA_FINDING_HOP + way->number : 0;
	finding = rda_finding_add_as(&judge->findings, check, severity, proof, subject_of(way), 0);
	judge->findings.overall = 0;
	finding->count = cases->count;
	finding->connection = (int32_t)way->connection;
	finding->flow = (int8_t)way->side;
	finding->stands_alone = true; /* what the second tap lacks was considered */
	for (unsigned i = 0; i < cases->place_count; i++)
		rda_finding_frame(finding, cases->places[i]);
	return finding;
}

static struct rda_finding *add(struct rda_judge *judge, const struct rda_hop_way *way,
			       enum rda_check check, enum rda_proof proof,
			       const struct rda_hop_cases *cases)
{
	return add_as(judge, way, check, rda_check_row(check)->severity, proof, cases);
}

/* ---- what happened --------------------------------------------------------------------------- */

static enum rda_proof proof_of(bool is_sure)
{
	return is_sure ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED;
}

/* H01 */
static struct rda_finding *tell_lost(struct rda_judge *judge, const struct rda_hop_way *way)
{
	uint64_t perhaps = way->lost.count - way->certain;
	struct rda_finding *finding;

	if (!way->lost.count)
		return NULL;
	if (!way->certain) {
		finding = add(judge, way, RDA_CHECK_H01, RDA_PROOF_SUSPECTED, &way->lost);
		rda_finding_retell(finding, RDA_SAY_H01_MISSING,
				   RDA_ARG_NUMBER("lost", way->lost.count),
				   RDA_ARG_NUMBER("packets", way->packets),
				   RDA_ARG_TEXT("from", way->from), RDA_ARG_TEXT("to", way->to));
		return finding;
	}
	finding = add(judge, way, RDA_CHECK_H01, RDA_PROOF_PROVEN, &way->lost);
	finding->count = way->certain;
	rda_finding_retell(finding, RDA_SAY_H01_LOST, RDA_ARG_NUMBER("lost", way->certain),
			   RDA_ARG_NUMBER("packets", way->packets), RDA_ARG_TEXT("from", way->from),
			   RDA_ARG_TEXT("to", way->to),
			   RDA_ARG_IF(perhaps, RDA_ARG_NUMBER("more", perhaps)));
	return finding;
}

/* H02 */
static struct rda_finding *tell_damaged(struct rda_judge *judge, const struct rda_hop_way *way)
{
	struct rda_finding *finding;

	if (!way->damaged.count)
		return NULL;
	finding = add(judge, way, RDA_CHECK_H02, proof_of(way->damaged_is_sure), &way->damaged);
	rda_finding_retell(finding, RDA_SAY_H02_DAMAGED,
			   RDA_ARG_NUMBER("damaged", way->damaged.count),
			   RDA_ARG_NUMBER("packets", way->packets), RDA_ARG_TEXT("from", way->from),
			   RDA_ARG_TEXT("to", way->to));
	return finding;
}

/* H02 of what came whole all the same: nothing of it is on the way. */
static void tell_misread(struct rda_judge *judge, const struct rda_hop_way *way)
{
	struct rda_finding *finding;

	if (!way->misread.count)
		return;
	finding = add_as(judge, way, RDA_CHECK_H02, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED,
			 &way->misread);
	rda_finding_retell(finding, RDA_SAY_H02_MISREAD,
			   RDA_ARG_NUMBER("damaged", way->misread.count),
			   RDA_ARG_NUMBER("packets", way->packets), RDA_ARG_TEXT("from", way->from),
			   RDA_ARG_TEXT("to", way->to));
	rda_judge_weigh(judge, finding);
}

/* H03, which a receiver may tolerate. */
static struct rda_finding *tell_overtaken(struct rda_judge *judge, const struct rda_hop_way *way)
{
	struct rda_finding *finding;

	if (!way->overtaken.count)
		return NULL;
	finding = add(judge, way, RDA_CHECK_H03, RDA_PROOF_SUSPECTED, &way->overtaken);
	rda_finding_retell(finding, RDA_SAY_H03_OVERTAKEN,
			   RDA_ARG_NUMBER("overtaken", way->overtaken.count),
			   RDA_ARG_NUMBER("packets", way->packets), RDA_ARG_TEXT("from", way->from),
			   RDA_ARG_TEXT("to", way->to));
	return finding;
}

/* H04, H05, H06: what makes nobody send anything again. */
static void tell_others(struct rda_judge *judge, const struct rda_hop_way *way)
{
	struct rda_finding *finding;

	if (way->reclassed.count) {
		finding = add(judge, way, RDA_CHECK_H04, proof_of(way->reclassed_is_sure),
			      &way->reclassed);
		rda_finding_retell(finding, RDA_SAY_H04_RECLASSED,
				   RDA_ARG_NUMBER("reclassed", way->reclassed.count),
				   RDA_ARG_NUMBER("packets", way->packets),
				   RDA_ARG_TEXT("from", way->from), RDA_ARG_TEXT("to", way->to),
				   RDA_ARG_NUMBER("dscp", way->dscp),
				   RDA_ARG_NUMBER("other_dscp", way->other_dscp));
		rda_judge_weigh(judge, finding);
	}
	if (way->marked.count) {
		finding =
			add(judge, way, RDA_CHECK_H05, proof_of(way->marked_is_sure), &way->marked);
		rda_finding_retell(finding, RDA_SAY_H05_MARKED,
				   RDA_ARG_NUMBER("marked", way->marked.count),
				   RDA_ARG_NUMBER("packets", way->packets),
				   RDA_ARG_TEXT("from", way->from), RDA_ARG_TEXT("to", way->to));
		rda_judge_weigh(judge, finding);
	}
	if (way->doubled.count) {
		finding = add(judge, way, RDA_CHECK_H06, RDA_PROOF_SUSPECTED, &way->doubled);
		rda_finding_retell(finding, RDA_SAY_H06_DOUBLED,
				   RDA_ARG_NUMBER("doubled", way->doubled.count),
				   RDA_ARG_TEXT("from", way->from), RDA_ARG_TEXT("to", way->to));
		rda_judge_weigh(judge, finding);
	}
}

/* ---------------------------------------------------------------------------------------------- */

void rda_check_hop_way(struct rda_judge *judge, const struct rda_hop_way *way)
{
	const struct rda_hop_told told = {tell_lost(judge, way), tell_damaged(judge, way),
					  tell_overtaken(judge, way)};

	rda_hop_effects(judge, way, &told);
	if (told.lost)
		rda_judge_weigh(judge, told.lost);
	if (told.damaged)
		rda_judge_weigh(judge, told.damaged);
	if (told.overtaken)
		rda_judge_weigh(judge, told.overtaken);
	tell_misread(judge, way);
	tell_others(judge, way);
}

/* ---- waits ----------------------------------------------------------------------------------- */

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
