/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of two taps each direction between two hosts passes first.
 *
 * A router between them tells it, as it lowers the TTL; and so do packets that the one saw, and
 * that were lost before the other one. Else it is known where two hosts talk both ways: a packet
 * and one that comes back show differences of the clocks that lie a round trip apart, and the
 * greater one is that of the direction that passes x first; of one direction alone where the clocks
 * are known from others. A mirror may show one direction later than the other: what lies less than
 * RDA_MIRROR_NS apart is as it seems.
 */
#ifndef RDA_ROUTES_H
#define RDA_ROUTES_H

#include "analyzer/base/table.h"
#include "analyzer/engine/result.h"
#include "analyzer/taps/clocks.h"
#include "analyzer/taps/passage.h"

/* Two hosts that talk past both taps; by direction: [forward]. */
struct rda_routes_pair {
	uint64_t pair; /* first: the table's key */
	int64_t latest[2];
	bool any[2];		   /* of that direction something was seen at both */
	int64_t votes;		   /* above 0: forward packets pass x first */
	int64_t told;		   /* the same, by TTLs and losses: they go before */
	uint64_t counted, wide;	   /* differences that were compared; those that lie far apart */
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

/* What one tap saw and the other one lacks, of each flow of the first. */
struct rda_routes_lost {
	const struct rda_passages *from;
	const uint32_t *match;
	const struct rda_lost_before *lost, *lost_there; /* before each of the two; or NULL */
	const uint32_t *peer;				 /* the other tap's flow */
	uint32_t flow_count;
	uint32_t first, last; /* packets between which the other tap was capturing */
	int way;	      /* what it tells of a direction: x first (1), or y (-1) */
};

/* Packets that passed the one tap, and of which the other alone proves that they were lost before
 * it (S01), passed the one first. */
void rda_routes_tell_by_losses(struct rda_routes *routes, const struct rda_routes_lost *of);

/* Whether that is certain, whatever the mirrors. */
bool rda_routes_are_sure(struct rda_routes *routes, const struct rda_passage *packet);

/* Whether packets of this direction pass x first: 1; y first: -1; 0: not known. */
int rda_routes_way(struct rda_routes *routes, const struct rda_passage *packet);

/* Whether the second tap of a direction has not the checksums of the wire: nothing fits there, or
 * nearly nothing of many, as F02 judges of a sender. */
bool rda_routes_lack_checksums(const struct rda_routes_pair *route, bool forward);

#endif
