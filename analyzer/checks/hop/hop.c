/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * H01 to H06: what became of packets between a tap and the next; what T13 says of waits. See hop.h.
 *
 * That packets were lost there is certain when the second tap had told if it had only missed them.
 * What the tap that is told says of the same packets is an effect of what happened to them.
 */
#include "analyzer/checks/hop/hop.h"

#include "analyzer/base/meta.h"

#include <glib.h>

static struct rda_subject subject_of(const struct rda_hop_way *way)
{
	if (way->flow < 0)
		return (struct rda_subject){RDA_SUBJECT_CONNECTION, way->connection};
	return (struct rda_subject){RDA_SUBJECT_FLOW, (uint32_t)way->flow};
}

static struct rda_finding *add(struct rda_judge *judge, const struct rda_hop_way *way,
			       enum rda_check check, enum rda_proof proof,
			       const struct rda_hop_cases *cases)
{
	struct rda_finding *finding;

	/* of several ways of a direction each is one finding */
	judge->findings.overall = way->number ? RDA_FINDING_HOP + way->number : 0;
	finding = rda_finding_add_proof(&judge->findings, check, proof, subject_of(way), 0);
	judge->findings.overall = 0;
	finding->count = cases->count;
	finding->connection = (int32_t)way->connection;
	finding->flow = (int8_t)way->side;
	finding->stands_alone = true; /* what the second tap lacks was considered */
	for (unsigned i = 0; i < cases->place_count; i++)
		rda_finding_frame(finding, cases->places[i]);
	return finding;
}

/* ---- what happened --------------------------------------------------------------------------- */

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

/* H02. Of two packets that look alike, and came damaged to one tap each, nothing tells which is
 * which. */
static struct rda_finding *tell_damaged(struct rda_judge *judge, const struct rda_hop_way *way)
{
	struct rda_finding *finding;

	if (!way->damaged.count)
		return NULL;
	finding = add(judge, way, RDA_CHECK_H02,
		      way->broken_before ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN, &way->damaged);
	rda_finding_retell(finding, RDA_SAY_H02_DAMAGED,
			   RDA_ARG_NUMBER("damaged", way->damaged.count),
			   RDA_ARG_NUMBER("packets", way->packets), RDA_ARG_TEXT("from", way->from),
			   RDA_ARG_TEXT("to", way->to));
	return finding;
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
		finding = add(judge, way, RDA_CHECK_H04, RDA_PROOF_PROVEN, &way->reclassed);
		rda_finding_retell(finding, RDA_SAY_H04_RECLASSED,
				   RDA_ARG_NUMBER("reclassed", way->reclassed.count),
				   RDA_ARG_NUMBER("packets", way->packets),
				   RDA_ARG_TEXT("from", way->from), RDA_ARG_TEXT("to", way->to),
				   RDA_ARG_NUMBER("dscp", way->dscp),
				   RDA_ARG_NUMBER("other_dscp", way->other_dscp));
		rda_judge_weigh(judge, finding);
	}
	if (way->marked.count) {
		finding = add(judge, way, RDA_CHECK_H05, RDA_PROOF_PROVEN, &way->marked);
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

/* ---- what followed from it ------------------------------------------------------------------- */

static struct rda_finding *told_as(const struct rda_judge *judge, enum rda_check check,
				   enum rda_severity severity, enum rda_proof proof, int32_t flow)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, (uint32_t)flow};

	return flow < 0 ? NULL
			: rda_finding_find_as(&judge->findings, check, severity, proof, subject);
}

static struct rda_finding *told_of(const struct rda_judge *judge, enum rda_check check,
				   enum rda_proof proof, int32_t flow)
{
	return told_as(judge, check, RDA_SEVERITY_WARNING, proof, flow);
}

/* An effect, if it is of no more cases than there were of what made it; returns what that cost. */
static int64_t explain(struct rda_finding *cause, struct rda_finding *effect, uint64_t cases)
{
	if (!cause || !effect || effect->count > cases)
		return 0;
	rda_finding_explain(effect, (enum rda_check)cause->key.check, cause->key.subject);
	return effect->cost_ns;
}

/* S01: what did not come to the told tap. */
static int64_t explain_missing(const struct rda_judge *judge, const struct rda_hop_way *way,
			       struct rda_finding *lost)
{
	int64_t cost_ns[RDA_PROOF_COUNT];

	for (int proof = 0; proof < RDA_PROOF_COUNT; proof++)
		cost_ns[proof] = explain(
			lost, told_of(judge, RDA_CHECK_S01, (enum rda_proof)proof, way->flow),
			way->lost.count);
	return MAX(cost_ns[0], cost_ns[1]); /* both have the sum of the direction */
}

/* What came broken, or behind others, to the told tap. */
static void explain_seen(const struct rda_judge *judge, const struct rda_hop_way *way,
			 struct rda_finding *damaged, struct rda_finding *overtaken)
{
	const struct rda_subject sender = {RDA_SUBJECT_HOST, (uint32_t)way->sender};

	if (way->sender >= 0)
		explain(damaged,
			rda_finding_find_as(&judge->findings, RDA_CHECK_F01, RDA_SEVERITY_ERROR,
					    RDA_PROOF_PROVEN, sender),
			way->damaged.count);
	for (int proof = 0; proof < RDA_PROOF_COUNT; proof++)
		explain(damaged, told_of(judge, RDA_CHECK_W30, (enum rda_proof)proof, way->flow),
			way->damaged.count);
	explain(overtaken, told_of(judge, RDA_CHECK_Q10, RDA_PROOF_SUSPECTED, way->flow),
		way->overtaken.count);
}

/* S02, W27: what did not come in its turn behind the told tap. */
static int64_t explain_behind(const struct rda_judge *judge, const struct rda_hop_way *way,
			      struct rda_finding *cause)
{
	uint64_t cases = way->lost.count + way->damaged.count + way->overtaken.count;

	for (int proof = 0; proof < RDA_PROOF_COUNT; proof++)
		explain(cause, told_of(judge, RDA_CHECK_W27, (enum rda_proof)proof, way->flow),
			cases);
	return explain(cause, told_of(judge, RDA_CHECK_S02, RDA_PROOF_SUSPECTED, way->flow), cases);
}

/* S05, if nothing else is told there than that answers had passed the told tap. */
static struct rda_finding *of_lost_answers(const struct rda_judge *judge,
					   const struct rda_hop_way *way)
{
	struct rda_finding *finding = told_of(judge, RDA_CHECK_S05, RDA_PROOF_PROVEN, way->other);
	bool only = finding && finding->said && finding->said->sayings[0] == RDA_SAY_S05_ANSWERED;

	return only && way->is_behind ? finding : NULL;
}

/* Timers that fired, as requests or answers never arrived. Which way made one fire the taps do not
 * say: of all where enough was lost it is told of the one that lost the most. */
static int64_t explain_timers(const struct rda_judge *judge, const struct rda_hop_way *way,
			      struct rda_finding *cause)
{
	uint64_t cases = way->lost.count + way->damaged.count;
	int64_t cost_ns = explain(cause, of_lost_answers(judge, way), cases);
	const int32_t flows[] = {way->flow, way->other};

	for (unsigned i = 0; way->is_most && i < 2; i++)
		cost_ns = rda_ns_sum(
			cost_ns,
			explain(cause, told_of(judge, RDA_CHECK_S04, RDA_PROOF_SUSPECTED, flows[i]),
				cases));
	return cost_ns;
}

static bool is_effect(const struct rda_finding *effect, const struct rda_finding *cause)
{
	return effect && effect->explained && effect->cause_check == cause->key.check;
}

/* H03 is a warning where the receiver did not tolerate it. */
static void weigh_overtaken(const struct rda_judge *judge, const struct rda_hop_way *way,
			    struct rda_finding *overtaken)
{
	if (is_effect(told_of(judge, RDA_CHECK_S02, RDA_PROOF_SUSPECTED, way->flow), overtaken) ||
	    is_effect(told_of(judge, RDA_CHECK_Q10, RDA_PROOF_SUSPECTED, way->flow), overtaken))
		overtaken->severity = RDA_SEVERITY_WARNING;
}

/* M09 of a QP whose tries, or the answers to them, were the last of their direction, and lost. */
static int64_t explain_giving_up(const struct rda_judge *judge, const struct rda_hop_way *way,
				 struct rda_finding *lost)
{
	const int32_t flows[] = {way->flow, way->other};
	int64_t cost_ns = 0;

	for (unsigned i = 0; i < 2 * RDA_SEVERITY_COUNT * RDA_PROOF_COUNT; i++) {
		struct rda_finding *effect =
			told_as(judge, RDA_CHECK_M09, (enum rda_severity)(i / 2 / RDA_PROOF_COUNT),
				(enum rda_proof)(i / 2 % RDA_PROOF_COUNT), flows[i % 2]);
		const struct rda_argument *tries =
			effect ? rda_finding_find_argument(effect, "transmissions") : NULL;

		if (tries && (uint64_t)tries->number <= way->lost_last)
			cost_ns = rda_ns_sum(cost_ns, explain(lost, effect, way->lost_last));
	}
	return cost_ns;
}

static void charge(struct rda_finding *cause, int64_t cost_ns)
{
	if (cause)
		cause->cost_ns = rda_ns_sum(cause->cost_ns, cost_ns);
}

void rda_check_hop_way(struct rda_judge *judge, const struct rda_hop_way *way)
{
	struct rda_finding *told[] = {tell_lost(judge, way), tell_damaged(judge, way),
				      tell_overtaken(judge, way)};
	struct rda_finding *lost = told[0], *damaged = told[1], *overtaken = told[2];
	struct rda_finding *gone = way->damaged.count > way->lost.count ? damaged : lost;
	uint64_t most = MAX(way->damaged.count, way->lost.count);
	struct rda_finding *behind = way->overtaken.count > most ? overtaken : gone;
	int64_t timers_ns, giving_up_ns;

	charge(lost, explain_missing(judge, way, lost));
	explain_seen(judge, way, damaged, overtaken);
	charge(behind, explain_behind(judge, way, behind));
	timers_ns = explain_timers(judge, way, gone);
	charge(gone, timers_ns);
	giving_up_ns = explain_giving_up(judge, way, lost); /* of timers, too */
	charge(lost, MAX(0, giving_up_ns - timers_ns));
	if (overtaken)
		weigh_overtaken(judge, way, overtaken);
	for (unsigned i = 0; i < G_N_ELEMENTS(told); i++)
		if (told[i])
			rda_judge_weigh(judge, told[i]);
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
