/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is lost or damaged on a hop, and for how long nothing stands for it at the second tap: who
 * waits for that sends again when a timer fires.
 *
 *     request   30 lost   31 comes   32 comes    ....    30 comes: it was missed for all that time
 *     answer    30 lost                          ....    31 comes, and stands for those before it
 *
 * Of several that are missed the latest is looked at: with go-back-N what repeats an earlier one
 * repeats that too, and one that only the second capture missed comes never again. Where a round
 * trip takes longer than RDA_HOP_STALL_NS, what a NAK repairs looks the same.
 */
#ifndef RDA_GAPS_H
#define RDA_GAPS_H

#include "analyzer/taps/passage.h"
#include "analyzer/taps/taps.h"

/* Of the requests of a flow, or of the answers, the latest that is missed. */
struct rda_hop_gap {
	bool open, damaged; /* it came damaged */
	int64_t since_ns;   /* when it passed the first tap */
	int64_t psn;	    /* widened */
	uint64_t tries[2]; /* that were lost, that came damaged, one after the other, each missed */
};

struct rda_gaps {
	struct rda_hop_gap of[RDA_GAPS];
};

/* A packet passed the first tap: it did not come to the second one, or was damaged on the way; it
 * came whole; or nothing tells whether it did. Counts in the hop. */
void rda_gaps_gone(struct rda_gaps *gaps, struct rda_hop *hop, const struct rda_passage *packet,
		   bool damaged);
void rda_gaps_came(struct rda_gaps *gaps, struct rda_hop *hop, const struct rda_passage *packet);
void rda_gaps_unknown(struct rda_gaps *gaps);

/* No more packets come: what is missed then made no timer fire that anybody saw. */
void rda_gaps_end(const struct rda_gaps *gaps, struct rda_hop *hop);

#endif
