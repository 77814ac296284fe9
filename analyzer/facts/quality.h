/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How good captures are: of which connections loss, latency, memory keys and set-up can be told,
 * and what is lacking where not. A function of values, so parts may be merged first.
 *
 * What a single finding may say is weighed by its check's own columns (checks.def); this is the
 * whole, for who has to know how far to believe a report, or which capture to make next.
 */
#ifndef RDA_QUALITY_H
#define RDA_QUALITY_H

#include "analyzer/rda.h"

/* The time stamps of a capture. All zero: nothing is known. */
struct rda_stamps {
	int64_t unit_ns; /* all are multiples of it: 1, 1000, 1000000; 0: too few frames to tell */
	bool made_up; /* each is as far behind the one before, and hardly so: they tell no time */
	bool go_back; /* by more than what processors hand over out of order */
};

struct rda_quality_sources {
	const struct rda_capture *captures;
	const struct rda_stamps *stamps; /* by capture */
	const struct rda_connection_facts *connections;
	struct rda_flow_facts *const *flows;
	uint32_t capture_count, connection_count;
};

void rda_quality_of(struct rda_quality *quality, const struct rda_quality_sources *of);

#endif
