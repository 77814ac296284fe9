/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of two taps each direction between two hosts passes first: known where two hosts talk both
 * ways, as a packet and one that comes back show differences of the clocks that lie a round trip
 * apart, and the greater one is that of the direction that passes x first; of one direction alone
 * where the clocks are known from others.
 */
#ifndef RDA_ROUTES_H
#define RDA_ROUTES_H

#include "analyzer/base/table.h"
#include "analyzer/taps/clocks.h"
#include "analyzer/taps/passage.h"

/* Two hosts that talk past both taps; by direction: [forward]. */
struct rda_routes_pair {
	uint64_t pair; /* first: the table's key */
	int64_t latest[2];
	bool any[2];		   /* of that direction something was seen at both */
	int64_t votes;		   /* above 0: forward packets pass x first */
	int64_t above, below;	   /* matched packets above and below the line of the clocks */
	uint64_t strays[2][2];	   /* of x, of y; by direction: damaged, and not of the other */
	uint64_t fit[2], unfit[2]; /* seen at both: at the second its checksum fits, or does not */
};

struct rda_routes {
	struct rda_table table;		/* struct rda_routes_pair */
	uint64_t latest_pair;		/* that was looked for, and what was found: */
	struct rda_routes_pair *latest; /* packets of two hosts follow each other */
};

/* Two taps, and of each packet of x that of y. */
struct rda_routes_of {
	const struct rda_passages *x, *y;
	const uint32_t *to_y;
	bool far_apart; /* times are so far apart that nothing is made of them */
};

void rda_routes_init(struct rda_routes *routes);
void rda_routes_cleanup(struct rda_routes *routes);

void rda_routes_find(struct rda_routes *routes, const struct rda_routes_of *of);

/* The clocks are known now: routes of one direction only. */
void rda_routes_settle(struct rda_routes *routes, const struct rda_routes_of *of,
		       const struct rda_clocks *clocks);

/* NULL: of these hosts nothing was seen at both. */
struct rda_routes_pair *rda_routes_at(struct rda_routes *routes, uint64_t pair);

/* Whether packets of this direction pass x first: 1; y first: -1; 0: not known. */
int rda_routes_way(struct rda_routes *routes, const struct rda_passage *packet);

/* Whether the second tap of a direction has not the checksums of the wire: nothing fits there, or
 * nearly nothing of many, as F02 judges of a sender. */
bool rda_routes_lack_checksums(const struct rda_routes_pair *route, bool forward);

#endif
