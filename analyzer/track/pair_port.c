/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ports tell of pairs that answers made; pair_port.h has the figure.
 */
#include "analyzer/track/pair_port.h"

#include "analyzer/track/pair_order.h"

#include <glib.h>

static bool is_doubtful(const struct rda_flow *flow, struct rda_flow *const *peer,
			const uint8_t *by)
{
	const struct rda_flow *other = peer[flow->index];

	return other && by[flow->index] == RDA_PAIRED_BY_RESPONSES &&
	       rda_flow_ports_differ(flow, other);
}

/* Those from `begin` to `end` are of two hosts, and have one port. */
static void doubt_group(const GPtrArray *flows, guint begin, guint end,
			struct rda_flow *const *peer, uint8_t *by)
{
	bool ways[2] = {false, false};

	for (guint i = begin; i < end; i++)
		ways[rda_flow_is_upward(flows->pdata[i])] = true;
	for (guint i = begin; ways[0] && ways[1] && i < end; i++) {
		const struct rda_flow *flow = flows->pdata[i];

		if (is_doubtful(flow, peer, by))
			by[flow->index] = by[peer[flow->index]->index] =
				RDA_PAIRED_BY_ONLY_CANDIDATE;
	}
}

void rda_pair_port_doubts(const struct rda_table *flows, struct rda_flow *const *peer, uint8_t *by)
{
	GPtrArray *known = g_ptr_array_new();
	bool any = false;

	for (uint32_t i = 0; i < flows->count; i++) {
		struct rda_flow *flow = flows->items[i];

		any |= is_doubtful(flow, peer, by);
		if (!flow->key.datagram && flow->source_port_known)
			g_ptr_array_add(known, flow);
	}
	if (any)
		rda_order_sort(known, rda_order_hosts_port);
	for (guint begin = 0, end; any && begin < known->len; begin = end) {
		for (end = begin; end < known->len &&
				  rda_order_hosts_port(known->pdata[begin], known->pdata[end]) == 0;
		     end++)
			;
		doubt_group(known, begin, end, peer, by);
	}
	g_ptr_array_free(known, TRUE);
}
