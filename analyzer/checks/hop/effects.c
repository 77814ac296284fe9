/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tap that is told says of packets to which something happened between two taps: an effect
 * of that, with its cost. See state.h.
 */
#include "analyzer/checks/hop/state.h"

#include "analyzer/base/meta.h"

#include <glib.h>

/* As the check tells it, where nothing made it milder. */
static struct rda_finding *told_of(const struct rda_judge *judge, enum rda_check check,
				   enum rda_proof proof, int32_t flow)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, (uint32_t)flow};

	return flow < 0 ? NULL
			: rda_finding_find_as(&judge->findings, check,
					      rda_check_row(check)->severity, proof, subject);
}

/* An effect that nothing else explains, if it is of no more cases than there were of what made it;
 * returns what that cost. */
static int64_t explain(const struct rda_judge *judge, const struct rda_finding *cause,
		       struct rda_finding *effect, uint64_t cases)
{
	if (!cause || !effect || judge->off[cause->key.check] || effect->explained ||
	    effect->count > cases)
		return 0;
	rda_finding_explain_by(effect, cause);
	return effect->cost_ns;
}

static bool is_effect(const struct rda_finding *effect, const struct rda_finding *cause)
{
	return effect && cause && effect->explained && effect->cause_check == cause->key.check &&
	       effect->cause_overall == cause->key.overall;
}

static void charge(struct rda_finding *cause, int64_t cost_ns)
{
	if (cause)
		cause->cost_ns = rda_ns_sum(cause->cost_ns, cost_ns);
}

/* S01: what did not come to the told tap. */
static int64_t explain_missing(const struct rda_judge *judge, const struct rda_hop_way *way,
			       const struct rda_finding *lost)
{
	int64_t cost_ns[RDA_PROOF_COUNT] = {0};

	for (int proof = 0; way->is_before && proof < RDA_PROOF_COUNT; proof++)
		cost_ns[proof] =
			explain(judge, lost,
				told_of(judge, RDA_CHECK_S01, (enum rda_proof)proof, way->flow),
				way->lost.count);
	return MAX(cost_ns[0], cost_ns[1]); /* both have the sum of the direction */
}

/* F01, which is of all that a host sent, and of one tap: of that at the end of this way, if the
 * first packet is the same. */
static struct rda_finding *damage_of(const struct rda_judge *judge, const struct rda_hop_way *way)
{
	const struct rda_subject sender = {RDA_SUBJECT_HOST, (uint32_t)way->sender};
	struct rda_finding *finding =
		way->sender < 0 || way->damaged.place_count < 2
			? NULL
			: rda_finding_find(&judge->findings, RDA_CHECK_F01, sender);

	return finding && finding->place_count && finding->places[0] == way->damaged.places[1]
		       ? finding
		       : NULL;
}

/* What came broken, or behind others, to the told tap. */
static void explain_seen(const struct rda_judge *judge, const struct rda_hop_way *way,
			 const struct rda_finding *damaged, const struct rda_finding *overtaken)
{
	explain(judge, damaged, damage_of(judge, way), way->damaged.count);
	if (!way->is_before)
		return;
	explain(judge, damaged, told_of(judge, RDA_CHECK_W30, RDA_PROOF_PROVEN, way->flow),
		way->damaged.count);
	explain(judge, overtaken, told_of(judge, RDA_CHECK_Q10, RDA_PROOF_SUSPECTED, way->flow),
		way->overtaken.count);
}

/* W27, if nothing but lost or overtaken segments is told there. */
static struct rda_finding *of_segments(const struct rda_judge *judge, const struct rda_hop_way *way,
				       enum rda_proof proof)
{
	struct rda_finding *finding = told_of(judge, RDA_CHECK_W27, proof, way->flow);

	return finding && finding->said && !rda_finding_find_argument(finding, "zero_windows")
		       ? finding
		       : NULL;
}

/* S02, W27: what did not come in its turn behind the told tap, or to it. */
static int64_t explain_behind(const struct rda_judge *judge, const struct rda_hop_way *way,
			      const struct rda_finding *cause)
{
	uint64_t cases = way->lost.count + way->damaged.count + way->overtaken.count;

	for (int proof = 0; proof < RDA_PROOF_COUNT; proof++)
		explain(judge, cause, of_segments(judge, way, (enum rda_proof)proof), cases);
	return way->is_behind
		       ? explain(judge, cause,
				 told_of(judge, RDA_CHECK_S02, RDA_PROOF_SUSPECTED, way->flow),
				 cases)
		       : 0;
}

/* S05, if nothing else is told there than that answers had passed the told tap. */
static struct rda_finding *of_lost_answers(const struct rda_judge *judge,
					   const struct rda_hop_way *way)
{
	struct rda_finding *finding = told_of(judge, RDA_CHECK_S05, RDA_PROOF_PROVEN, way->other);
	bool only = finding && finding->said && finding->said->sayings[0] == RDA_SAY_S05_ANSWERED;

	return only && way->is_behind ? finding : NULL;
}

/* What is told of most of the packets that are missed; NULL: neither is. */
static struct rda_finding *cause_of(const struct rda_hop_told *told, uint64_t lost,
				    uint64_t damaged)
{
	return damaged > lost ? told->damaged : told->lost;
}

/* S04, if most of its timeouts were made between taps, `all` of them; others may have fired as
 * something was lost elsewhere. */
static void explain_timeouts(const struct rda_judge *judge, const struct rda_hop_told *told,
			     const struct rda_hop_missed *missed, uint64_t all, int32_t flow)
{
	struct rda_finding *cause = cause_of(told, missed->lost_stalls, missed->damaged_stalls);
	struct rda_finding *effect = told_of(judge, RDA_CHECK_S04, RDA_PROOF_SUSPECTED, flow);
	uint64_t made = missed->lost_stalls + missed->damaged_stalls;

	if (!effect || all * 2 <= effect->count)
		return;
	made = MIN(made, effect->count);
	charge(cause, (int64_t)((double)explain(judge, cause, effect, effect->count) *
				(double)made / (double)effect->count));
}

/* M09 of a QP of which all tries, or the answers to all of them, were lost or damaged. */
static void explain_giving_up(const struct rda_judge *judge, const struct rda_hop_told *told,
			      const struct rda_hop_missed *missed, int32_t flow)
{
	struct rda_finding *cause = cause_of(told, missed->lost_tries, missed->damaged_tries);
	const struct rda_finding *timeouts =
		told_of(judge, RDA_CHECK_S04, RDA_PROOF_SUSPECTED, flow);
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, (uint32_t)flow};
	int64_t cost_ns = 0;

	for (unsigned i = 0; flow >= 0 && i < RDA_SEVERITY_COUNT * RDA_PROOF_COUNT; i++) {
		struct rda_finding *effect = rda_finding_find_as(
			&judge->findings, RDA_CHECK_M09, (enum rda_severity)(i / RDA_PROOF_COUNT),
			(enum rda_proof)(i % RDA_PROOF_COUNT), subject);
		const struct rda_argument *tries =
			effect ? rda_finding_find_argument(effect, "transmissions") : NULL;

		if (tries && (uint64_t)tries->number <= missed->lost_tries + missed->damaged_tries)
			cost_ns = rda_ns_sum(cost_ns, explain(judge, cause, effect, effect->count));
	}
	if (!is_effect(timeouts, cause)) /* which have that time */
		charge(cause, cost_ns);
}

/* H03 is a warning where the receiver did not tolerate it. */
static void weigh_overtaken(const struct rda_judge *judge, const struct rda_hop_way *way,
			    struct rda_finding *overtaken)
{
	const struct rda_finding *late =
		told_of(judge, RDA_CHECK_Q10, RDA_PROOF_SUSPECTED, way->flow);

	if (is_effect(told_of(judge, RDA_CHECK_S02, RDA_PROOF_SUSPECTED, way->flow), overtaken) ||
	    (is_effect(late, overtaken) && late->severity > RDA_SEVERITY_NOTE))
		overtaken->severity = RDA_SEVERITY_WARNING;
}

void rda_hop_effects(struct rda_judge *judge, const struct rda_hop_way *way,
		     const struct rda_hop_told *told)
{
	struct rda_finding *gone = cause_of(told, way->lost.count, way->damaged.count);
	uint64_t most = MAX(way->lost.count, way->damaged.count);
	struct rda_finding *behind = way->overtaken.count > most ? told->overtaken : gone;

	charge(told->lost, explain_missing(judge, way, told->lost));
	explain_seen(judge, way, told->damaged, told->overtaken);
	charge(behind, explain_behind(judge, way, behind));
	charge(gone, explain(judge, gone, of_lost_answers(judge, way),
			     way->lost.count + way->damaged.count));
	if (way->most_requests)
		explain_timeouts(judge, told, &way->requests, way->all_requests, way->flow);
	if (way->most_answers)
		explain_timeouts(judge, told, &way->answers, way->all_answers, way->other);
	explain_giving_up(judge, told, &way->requests, way->flow);
	explain_giving_up(judge, told, &way->answers, way->other);
	if (told->overtaken)
		weigh_overtaken(judge, way, told->overtaken);
}
