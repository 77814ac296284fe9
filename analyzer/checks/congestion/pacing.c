/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, by what a receiver paces its CNPs: G19. What tells it is pacing.h.
 */
#include "analyzer/checks/congestion/state.h"

#include "analyzer/facts/congestion_facts.h"

/* The scope whose pace is told, of those that cannot be told apart the first. */
static unsigned scope_of(uint8_t by)
{
	if (by == RDA_PACING_QP || by == RDA_PACING_QP_OR_PAIR)
		return RDA_PACING_OF_QP;
	return by == RDA_PACING_PORT ? RDA_PACING_OF_PORT : RDA_PACING_OF_PAIR;
}

static void tell(struct rda_judge *judge, const struct rda_pacing *pacing)
{
	const struct rda_host *host = rda_overall_host(judge->overall, &pacing->host);
	struct rda_finding *finding = rda_finding_add(&judge->findings, RDA_CHECK_G19,
						      rda_about_host(host), pacing->place);

	finding->count += pacing->cnps - 1;
	rda_finding_say(finding, RDA_SAY_G19_PACED, RDA_ARG_ADDRESS("receiver", &pacing->host),
			RDA_ARG_WORD("scope", rda_pacing_words(pacing->by)),
			RDA_ARG_TIME("spacing_ns", pacing->spacing_ns[scope_of(pacing->by)]),
			RDA_ARG_NUMBER("cnps", pacing->cnps), RDA_ARG_NUMBER("qps", pacing->qps),
			RDA_ARG_NUMBER("by_qp", pacing->expected[RDA_PACING_OF_QP]),
			RDA_ARG_NUMBER("by_pair", pacing->expected[RDA_PACING_OF_PAIR]),
			RDA_ARG_NUMBER("by_port", pacing->expected[RDA_PACING_OF_PORT]),
			RDA_ARG_IF(pacing->left_out, RDA_ARG_NUMBER("left_out", pacing->left_out)));
}

void rda_congestion_pacing_overall(struct rda_judge *judge)
{
	const struct rda_pacings *pacings = &judge->overall->congestion->pacings;

	for (uint32_t i = 0; i < pacings->count; i++)
		if (pacings->list[i].by != RDA_PACING_UNKNOWN)
			tell(judge, &pacings->list[i]);
}
