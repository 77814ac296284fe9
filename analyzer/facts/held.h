/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom senders of pause frames held: the sums of rda_flow_facts.held by port, priority and host.
 */
#ifndef RDA_FACTS_HELD_H
#define RDA_FACTS_HELD_H

#include "analyzer/rda.h"

/* Owned: in the order of rda_result_held. */
struct rda_held_hosts {
	struct rda_held_host *list;
	uint32_t count;
};

void rda_held_hosts_of(struct rda_held_hosts *hosts, struct rda_flow_facts *const *flows,
		       uint32_t flow_count);
/*
 * Whom the port with this MAC held in a capture with this priority (-1: all): the one with the
 * longest gap, the first of equal ones. NULL: nobody. `others`: how many more.
 */
const struct rda_held_host *rda_held_hosts_by(const struct rda_held_hosts *hosts,
					      const uint8_t sender[6], uint32_t capture,
					      int8_t priority, uint32_t *others);

void rda_held_hosts_cleanup(struct rda_held_hosts *hosts);

#endif
