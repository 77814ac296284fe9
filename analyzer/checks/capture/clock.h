/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capture's clock: times that go backwards, jump, or are too coarse to measure by.
 */
#ifndef RDA_CHECKS_CAPTURE_CLOCK_H
#define RDA_CHECKS_CAPTURE_CLOCK_H

#include "analyzer/checks/judge.h"

/* Interfaces whose clock is watched; packets of later ones are not. */
#define RDA_CLOCK_TAPS 64

struct rda_clock {
	bool begun;
	uint32_t capture;		   /* whose packets are at hand */
	int64_t previous_ns;		   /* time of the packet before */
	struct rda_flow *previous_flow;	   /* that carried it, or NULL */
	int64_t latest_ns[RDA_CLOCK_TAPS]; /* by interface; INT64_MIN before the first */
	int64_t most_back_ns[2];	   /* by which time went back: by much, by little */
	uint64_t frames, equal;		   /* of this capture; with the time of the one before */
	uint64_t first;			   /* place of the first with such a time */
	bool finer_than_us, finer_than_ms; /* times that are no multiples of it were seen */
};

void rda_clock_frame(struct rda_clock *clock, const struct rda_at *at);
void rda_clock_end(const struct rda_clock *clock, struct rda_judge *judge);

#endif
