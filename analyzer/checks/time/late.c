/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group T, a host that lets the others of a collective wait: T14. Who is late is a fact of the
 * whole (facts/collective.h).
 */
#include "analyzer/checks/time/state.h"

#include "analyzer/facts/collective.h"

static void tell(struct rda_judge *judge, const struct rda_collective *collective)
{
	const struct rda_rank *late = &collective->ranks[collective->late];
	const struct rda_host *host = rda_overall_host(judge->overall, &late->address);
	struct rda_finding *finding =
		rda_finding_add(&judge->findings, RDA_CHECK_T14, rda_about_host(host), late->place);

	finding->cost_ns = MAX(finding->cost_ns,
			       rda_ns_times(late->after_ns, MAX(collective->late_starts, 1)));
	rda_finding_say(finding, RDA_SAY_T14_LATE,
			RDA_ARG_WORD("shape", rda_shape_words(collective->shape)),
			RDA_ARG_NUMBER("hosts", collective->rank_count),
			RDA_ARG_NUMBER("steps", collective->steps),
			RDA_ARG_ADDRESS("late", &late->address),
			RDA_ARG_TIME("after_ns", late->after_ns),
			RDA_ARG_NUMBER("late_starts", collective->late_starts),
			RDA_ARG_NUMBER("starts", late->starts),
			RDA_ARG_TIME("others_ns", collective->others_ns),
			RDA_ARG_FLAG("held", collective->held));
}

void rda_late_overall(struct rda_judge *judge)
{
	const struct rda_collectives *collectives = judge->overall->collectives;

	for (uint32_t i = 0; i < collectives->count; i++)
		if (collectives->list[i].late >= 0)
			tell(judge, &collectives->list[i]);
}
