/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Congestion, from marks to rates: by what CNPs are paced, which senders they told to slow down,
 * and whom pause frames held. A function of values, so parts may be merged first.
 */
#ifndef RDA_CONGESTION_FACTS_H
#define RDA_CONGESTION_FACTS_H

#include "analyzer/facts/held.h"
#include "analyzer/facts/pacing.h"

/* All owned. */
struct rda_congestion_facts {
	uint32_t *slowed; /* indices of flows with a slowdown, in their order */
	uint32_t slowed_count;
	struct rda_pacings pacings;
	struct rda_held_hosts held;
};

void rda_congestion_facts_of(struct rda_congestion_facts *facts,
			     struct rda_flow_facts *const *flows, uint32_t flow_count);
void rda_congestion_facts_cleanup(struct rda_congestion_facts *facts);

#endif
