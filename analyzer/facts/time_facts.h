/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of a direction of a connection went, as a value: rda_flow_time in rda.h.
 *
 * A requester that may have no more than so many requests outstanding waits with as many, again and
 * again: most of the time that it waits for an answer before it goes on belongs to one depth.
 *
 *     depth       1    2    3    4   5-6  7-8  9-12  13-16
 *     waited      .    .    .    .    .    |    |||  ||||||      limited, by 16 at once
 *     waited     ||   |||   |   ||   |||   ||   |||   |||        waiting: no limit shows
 */
#ifndef RDA_TIME_FACTS_H
#define RDA_TIME_FACTS_H

#include "analyzer/rda.h"

struct rda_flow;
struct rda_time_told;

/* Of a flow's requests, and what of it ports held. Unknown where its account is not whole. */
void rda_time_facts_of(struct rda_flow_time *time, struct rda_held held[RDA_HELD_KINDS],
		       const struct rda_flow *flow);

/* What a part of that time was (enum rda_time_cause). */
uint8_t rda_time_facts_cause(const struct rda_flow_time *time, const struct rda_time_told *told);

/* The time of several directions together; `total` starts as zeros. */
void rda_time_facts_add(struct rda_flow_time *total, const struct rda_flow_time *time);

/* The cause of most of it; RDA_TIME_CAUSE_COUNT of none. */
uint8_t rda_time_facts_most(const struct rda_flow_time *time);

#endif
