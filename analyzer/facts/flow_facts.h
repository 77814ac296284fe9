/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of one direction of a connection, as a value: the numbers that outputs tell and
 * that the last checks ask for, each made in one place.
 *
 * "lost" counts requests of this direction and its READ responses alike: packets that its sender
 * sent and that did not pass the tap (before), or passed it and did not arrive (after).
 */
#ifndef RDA_FLOW_FACTS_H
#define RDA_FLOW_FACTS_H

#include "analyzer/rda.h"
#include "analyzer/base/latency.h"
#include "analyzer/track/event.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/roce/request.h"

/* All but the connection, the conversation and reads_most, which others know. */
void rda_flow_facts_of(struct rda_flow_facts *facts, const struct rda_flow *flow);

/* All of it, with what it points to. */
struct rda_flow_facts *rda_flow_facts_copy(const struct rda_flow_facts *facts);

/* Facts that were allocated; takes NULL. */
void rda_flow_facts_free(struct rda_flow_facts *facts);

/*
 * One number for what stamped its packets: a tap of a capture, or of a series of them (places of a
 * series go on). Times of two clocks are not compared.
 */
static inline uint64_t rda_flow_clock(const struct rda_flow_facts *facts)
{
	return (uint64_t)rda_place_capture(facts->first_place) << 32 | facts->key.tap;
}

/* Of whole messages of all kinds together. To be cleaned up by the caller. */
struct rda_latency rda_flow_message_latency(const struct rda_flow_facts *facts);

#endif
