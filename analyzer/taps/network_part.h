/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that put taps together share.
 */
#ifndef RDA_NETWORK_PART_H
#define RDA_NETWORK_PART_H

#include "analyzer/engine/result.h"
#include "analyzer/taps/network.h"

struct rda_network {
	struct rda_network_tap *taps;
	uint32_t count;
	struct rda_between *between; /* count x count, of x < y */
	uint32_t *base;		     /* of each tap the first of its nodes */
	uint32_t *views;	     /* sets.h: of each connection of each tap those that are one */
	uint32_t nodes;
};

static inline const struct rda_flow_facts *rda_network_flow_at(const struct rda_network_tap *tap,
							       uint32_t connection, unsigned side)
{
	return rda_result_flow(tap->result, rda_result_connection(tap->result, connection), side);
}

static inline struct rda_between *rda_network_between_of(const struct rda_network *n, uint32_t x,
							 uint32_t y)
{
	return &n->between[x * n->count + y];
}

/* The flow of tap y that is the same as one of tap x. */
static inline uint32_t rda_network_peer_of(const struct rda_network *n, uint32_t x, uint32_t y,
					   uint32_t flow)
{
	return x < y ? rda_network_between_of(n, x, y)->peer[0][flow]
		     : rda_network_between_of(n, y, x)->peer[1][flow];
}

/* The hop of a flow that goes from tap x to tap y; NULL: it goes the other way, or none is known.
 */
static inline struct rda_hop *rda_network_hop_at(const struct rda_network *n, uint32_t x,
						 uint32_t y, uint32_t flow)
{
	struct rda_hop *hop = x < y ? &rda_network_between_of(n, x, y)->hops[0][flow]
				    : &rda_network_between_of(n, y, x)->hops[1][flow];

	return hop->packets + hop->not_compared ? hop : NULL;
}

/* Taps that the packets of a flow pass before this one. */
uint32_t rda_network_taps_before(const struct rda_network *n, uint32_t tap, uint32_t flow);

static inline uint64_t rda_network_place_of(const struct rda_network_tap *tap, uint32_t connection)
{
	const struct rda_flow_facts *first = rda_network_flow_at(tap, connection, 0);

	return first ? first->first_place : rda_network_flow_at(tap, connection, 1)->first_place;
}

/* The view of a connection that is told; `tap` RDA_PASSAGE_NONE: none yet. */
struct rda_network_told {
	uint32_t tap, connection;
};

/* By the set of its views (rda_network.views); the caller's. Of a tap that has it twice the first
 * is told, and both are. Fills in rda_network_tap.connections. */
struct rda_network_told *rda_network_choose_views(struct rda_network *n);

/* Fills in rda_network_tap.hosts, once connections are known. */
void rda_network_choose_hosts(struct rda_network *n);

/* How waits of told connections of a tap are parted; appended. */
void rda_network_waits(const struct rda_network *n, uint32_t x,
		       const struct rda_network_found *found);

#endif
