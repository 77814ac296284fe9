/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an answer was while its requester waited for it: on the way between two taps, or behind the
 * second one.
 *
 *     x  (requester)   q ------------------------------------------- a     q a: as x saw them
 *                        \  there        behind        back        /
 *     y  (responder)       q' --------------------------------- a'         as y saw them
 *
 * How long the answer was behind y tell the times of y alone, and how long it took in all those of
 * x: of the clocks only the drift matters. Where a wait began later than the request passed, the
 * way there was over by then or not: that the bounds of the offset tell, or leave open. So a wait
 * is parted into what was certainly the way, what was certainly behind y, and what is not known.
 */
#ifndef RDA_RESIDENCE_H
#define RDA_RESIDENCE_H

#include "analyzer/taps/clocks.h"
#include "analyzer/taps/passage.h"

#include <glib.h>

/* Two taps; `clocks` are of y against x, or of x against y where they are `swapped`. */
struct rda_residence_taps {
	const struct rda_passages *x, *y;
	const struct rda_clocks *clocks;
	bool swapped;
};

/* A wait as it was parted: what is left is not known. */
struct rda_residence_part {
	uint32_t wait; /* index in x's waits */
	int64_t network_ns, responder_ns;
};

struct rda_residence;

/* The caller's; `flow_count`: of x. */
struct rda_residence *rda_residence_new(const struct rda_residence_taps *taps, uint32_t flow_count);
void rda_residence_free(struct rda_residence *residence);

/* Appends the waits of a flow of x whose answers come as the flow `back`, as far as something is
 * known of them. Returns how long all waits are. */
int64_t rda_residence_flow(const struct rda_residence *residence, uint32_t flow, uint32_t back,
			   GArray *parts);

#endif
