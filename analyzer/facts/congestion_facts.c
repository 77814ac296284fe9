/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Congestion in all flows. See congestion_facts.h.
 */
#include "analyzer/facts/congestion_facts.h"

#include "analyzer/base/fetch.h"

#include <glib.h>

void rda_congestion_facts_of(struct rda_congestion_facts *facts,
			     struct rda_flow_facts *const *flows, uint32_t flow_count)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < flow_count; i++) {
		rda_fetch_item(flows, i, flow_count, offsetof(struct rda_flow_facts, slowdown));
		count += flows[i]->slowdown != NULL;
	}
	*facts = (struct rda_congestion_facts){.slowed = g_new(uint32_t, count)};
	for (uint32_t i = 0; count && i < flow_count; i++)
		if (flows[i]->slowdown)
			facts->slowed[facts->slowed_count++] = i;
	rda_pacings_of(&facts->pacings, flows, flow_count);
	rda_held_hosts_of(&facts->held, flows, flow_count);
}

void rda_congestion_facts_cleanup(struct rda_congestion_facts *facts)
{
	g_free(facts->slowed);
	rda_pacings_cleanup(&facts->pacings);
	rda_held_hosts_cleanup(&facts->held);
}
