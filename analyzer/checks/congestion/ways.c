/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, QPs that share a UDP source port, and so a path: G17. Whether there is more than one
 * path the capture does not tell.
 */
#include "analyzer/checks/congestion/state.h"

#include "analyzer/base/address.h"
#include "analyzer/facts/ways.h"

/* Two QPs of many may fall on one port by chance: told is what leaves a quarter of the ways, or
 * puts a quarter of the QPs on one. */
enum { SHARED_MIN = 4, ONE_IN = 4 };

static bool is_crowded(const struct rda_way *way)
{
	uint32_t most = rda_way_most_shared(way)->qps;

	return most >= SHARED_MIN &&
	       (most >= (way->qps + ONE_IN - 1) / ONE_IN || way->port_count <= way->qps / ONE_IN);
}

static bool is_from_the_same(const struct rda_way *a, const struct rda_way *b)
{
	return rda_address_compare(&a->source, &b->source) == 0;
}

/* G17: one case for each other host; the words are those of the most crowded port. */
static void tell(struct rda_judge *judge, const struct rda_way *worst, uint32_t others)
{
	const struct rda_way_port *port = rda_way_most_shared(worst);
	const struct rda_host *host = rda_overall_host(judge->overall, &worst->source);
	struct rda_finding *finding =
		rda_finding_add(&judge->findings, RDA_CHECK_G17, rda_about_host(host), 0);

	for (uint32_t i = 0; i < port->flow_count; i++)
		rda_finding_frame(finding, judge->overall->flows[port->flows[i]]->first_place);
	finding->count += others;
	rda_finding_say(
		finding, RDA_SAY_G17_SHARED, RDA_ARG_NUMBER("shared", port->qps),
		RDA_ARG_NUMBER("qps", worst->qps), RDA_ARG_ADDRESS("sender", &worst->source),
		RDA_ARG_ADDRESS("receiver", &worst->destination),
		RDA_ARG_NUMBER("port", port->port), RDA_ARG_NUMBER("ports", worst->port_count),
		RDA_ARG_IF(others, RDA_ARG_NUMBER("others", others)));
}

void rda_congestion_ways_overall(struct rda_judge *judge)
{
	const struct rda_ways *ways = judge->overall->ways;
	const struct rda_way *worst = NULL;
	uint32_t others = 0;

	for (uint32_t i = 0; i < ways->count; i++) {
		const struct rda_way *way = &ways->ways[i];

		if (worst && !is_from_the_same(worst, way)) {
			tell(judge, worst, others);
			worst = NULL;
		}
		if (!is_crowded(way))
			continue;
		others = worst ? others + 1 : 0;
		if (!worst || rda_way_most_shared(way)->qps > rda_way_most_shared(worst)->qps)
			worst = way;
	}
	if (worst)
		tell(judge, worst, others);
}
