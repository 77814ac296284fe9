/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of packets between two taps of one traffic: the order of the taps on the way, how
 * their clocks stand to each other, and for each flow what was lost, doubled, overtaken, changed,
 * and how long it took.
 *
 * What is missing at the second tap was lost, or missed by it: not lost is what a tap farther on
 * has, and what was acknowledged and sent but once (delivered.h).
 */
#ifndef RDA_BETWEEN_H
#define RDA_BETWEEN_H

#include "analyzer/base/latency.h"
#include "analyzer/taps/clocks.h"
#include "analyzer/taps/passage.h"
#include "analyzer/taps/routes.h"
#include "analyzer/taps/taps.h"

/* One of the two. */
struct rda_between_tap {
	const struct rda_passages *passages;
	uint32_t flow_count;
	int64_t first_ns, last_ns; /* when it was capturing */
	const uint32_t *back; /* of each flow the other direction, or RDA_PASSAGE_NO_FLOW; or NULL
			       */
	const struct rda_lost_before *lost; /* of each flow; or NULL */
	const uint8_t *beyond; /* a bit of each packet: a tap behind the other one has it; or NULL
				*/
};

struct rda_between {
	struct rda_clocks clocks; /* of y, against x */
	struct rda_routes routes; /* owned */
	uint8_t *seen[2];	  /* owned; a bit of each packet of x, of y: the other tap has it */
	uint32_t matched;
	/* owned, by flow of the tap that its packets pass first: 0 x, 1 y. `packets` and
	 * `not_compared` 0: there is no such hop. The members that name flows and taps are not
	 * set. */
	struct rda_hop *hops[2];
	uint32_t *peer[2]; /* owned, by flow of x, of y: the other tap's, or RDA_PASSAGE_NO_FLOW */
};

void rda_between_find(struct rda_between *between, const struct rda_between_tap *x,
		      const struct rda_between_tap *y);
void rda_between_cleanup(struct rda_between *between, uint32_t x_flows, uint32_t y_flows);

#endif
