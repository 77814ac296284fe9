/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is lost or damaged on a hop, and for how long nothing stands for it at the second tap: who
 * waits for that sends again when a timer fires.
 *
 *     request   30 lost   31 comes   32 comes    ....    30 comes: it was missed for all that time
 *     answer    30 lost                          ....    31 comes, and stands for those before it
 */
#ifndef RDA_GAPS_H
#define RDA_GAPS_H

#include "analyzer/taps/passage.h"
#include "analyzer/taps/taps.h"

/* Of the requests of a flow, or of all its other packets, those that are missed. */
struct rda_hop_gap {
	bool open, damaged; /* the first of them came damaged */
	int64_t since_ns;   /* when that passed the first tap */
	int64_t psn;	    /* its own, widened; requests */
	uint64_t tries;	    /* times that it passed, each for RDA_HOP_STALL_NS the only one */
};

/* Those of a flow: RDA_GAP_REQUESTS, RDA_GAP_OTHERS. */
struct rda_gaps {
	struct rda_hop_gap of[RDA_GAPS];
};

/* A packet passed the first tap: it did not come to the second one, or damaged; it came whole; or
 * nothing tells whether it did. Counts in the hop. */
void rda_gaps_gone(struct rda_gaps *gaps, struct rda_hop *hop, const struct rda_passage *packet,
		   bool damaged);
void rda_gaps_came(struct rda_gaps *gaps, struct rda_hop *hop, const struct rda_passage *packet);
void rda_gaps_unknown(struct rda_gaps *gaps);

/* No more packets come. */
void rda_gaps_end(const struct rda_gaps *gaps, struct rda_hop *hop);

#endif
