/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UDP source ports by pair of hosts: what switches that choose among equal paths (ECMP), and the
 * links of a bond, can tell the QPs of two hosts apart by. A function of values, so parts may be
 * merged first.
 */
#ifndef RDA_WAYS_H
#define RDA_WAYS_H

#include "analyzer/rda.h"

/* All owned. */
struct rda_ways {
	struct rda_way *ways; /* by source, then destination */
	struct rda_way_port *ports;
	uint32_t *flows; /* indices, as ports have them */
	uint32_t count;
};

/* `flows` by index; their connections by id. */
void rda_ways_of(struct rda_ways *ways, struct rda_flow_facts *const *flows, uint32_t flow_count,
		 const struct rda_connection_facts *connections);
void rda_ways_cleanup(struct rda_ways *ways);

#endif
