/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which half-flows are the two directions of one connection, although packets name only the
 * destination QP.
 */
#ifndef RDA_PAIR_H
#define RDA_PAIR_H

#include "analyzer/track/connection.h"
#include "analyzer/track/setup/cm_track.h"
#include "analyzer/base/table.h"

/*
 * Rules that compare every flow with every other are tried only while one direction has no more
 * than so many flows in the group that they look at.
 */
#define RDA_PAIR_COMPARE_MAX 64

/* Flows are joined across taps by their numbers among so many taps. */
#define RDA_PAIR_TAPS_MAX 64

/* Which direction of which connection a flow is. */
struct rda_seat {
	uint32_t connection; /* id */
	uint8_t side;	     /* the endpoint that sent it */
};

struct rda_pairs {
	struct rda_connection *connections; /* in order of the first packet; owned */
	uint32_t count;
	struct rda_seat *seats;	      /* by index of the flow; owned */
	uint32_t groups_not_compared; /* times that a rule met a group past RDA_PAIR_COMPARE_MAX */
	uint64_t compared;	      /* flows with flows: what pairing costs */
};

/* Pairs the flows of a table (struct rda_flow), as far as their packets tell by now. */
void rda_pair_flows(struct rda_pairs *pairs, const struct rda_table *flows);
void rda_pairs_cleanup(struct rda_pairs *pairs);

#endif
