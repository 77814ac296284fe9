/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collectives, from who sends to whom, and which of their hosts starts late. A function of values,
 * so parts may be merged first.
 *
 *     edges: a host's steps to another; hosts that edges join, directly or not, are one collective
 *     ring        each host sends to one and hears of one
 *     two rings   of the same hosts in different order, as libraries with channels have: each host
 *                 sends to two and hears of two, and there is one way only to part that into rings
 *     tree        one edge less than hosts, in either direction or both
 *     all-to-all  each host sends to each
 *
 * Hosts that just happen to send each other messages may have one of these shapes too. Without
 * immediate data, and before one is said to be late, the steps must be in step: as many for each
 * edge, and none begins before all inputs of the step before it were there.
 */
#ifndef RDA_COLLECTIVE_H
#define RDA_COLLECTIVE_H

#include "analyzer/rda.h"

struct rda_collectives {
	struct rda_collective *list; /* owned, with their ranks */
	uint32_t count;
};

void rda_collectives_of(struct rda_collectives *collectives, struct rda_flow_facts *const *flows,
			uint32_t flow_count, const struct rda_connection_facts *connections);
void rda_collectives_cleanup(struct rda_collectives *collectives);

/* An edge: what one host sends another, by their numbers. */
struct rda_edge {
	uint32_t from, to;
	uint32_t count;
	struct rda_step *steps; /* owned */
	bool immediate;
	uint64_t clock; /* equal for edges that were stamped by one clock */
};

/*
 * The shape of `count` edges between `hosts` hosts, that are connected; `order` (of `hosts`): the
 * hosts of a ring as the data goes, from the lowest on, else in order. RDA_SHAPE_COUNT: none.
 */
uint8_t rda_shape_of(const struct rda_edge *edges, uint32_t count, uint32_t hosts, uint32_t *order);

/*
 * Whether the edges are two rings of all hosts, and there is but one way to part them so;
 * `second` (of `count`): which edges are of the ring that the first edge is not of.
 */
bool rda_shape_two_rings(const struct rda_edge *edges, uint32_t count, uint32_t hosts,
			 bool *second);

/*
 * Fills in_step, steps, late and what belongs to it of a collective with `edges` in the numbers of
 * its ranks.
 */
void rda_lateness_of(struct rda_collective *collective, const struct rda_edge *edges,
		     uint32_t count);

#endif
