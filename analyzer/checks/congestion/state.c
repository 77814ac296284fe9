/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of what group G watches of a half-flow, and what it begins with.
 */
#include "analyzer/checks/congestion/state.h"

#include <glib.h>

RDA_COLD struct rda_congestion_watch *rda_congestion_watch_of(struct rda_flow *flow,
							      const struct rda_packet *packet)
{
	bool counts = packet && !(packet->opcode->roles & RDA_ROLE_CNP);
	struct rda_classes *classes;

	if (flow->watch.congestion)
		return flow->watch.congestion;
	flow->watch.congestion = g_new0(struct rda_congestion_watch, 1);
	classes = &flow->watch.congestion->classes;
	if (flow->packets == flow->damaged + flow->cnps + counts)
		return flow->watch.congestion;
	classes->dscps = 1;
	classes->first_place = flow->first_place;
	if (flow->payload_bytes > (counts && packet->payload_known ? packet->payload_length : 0)) {
		classes->incapable = 1; /* or more: that there are some is what is told */
		classes->incapable_place = flow->first_place;
	}
	return flow->watch.congestion;
}

void rda_congestion_watch_free(struct rda_flow *flow)
{
	if (flow->watch.congestion)
		g_free(flow->watch.congestion->rate);
	g_free(flow->watch.congestion);
	flow->watch.congestion = NULL;
}
