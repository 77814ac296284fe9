/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding a half-flow's other direction while packets still come, so that responses can be held
 * against the requests that they answer.
 *
 * What is joined here stays joined, so only evidence that no later packet can overturn counts: a CM
 * exchange, the UDP source port that is the product of both QPNs, and a response that fits the
 * outstanding requests of exactly one flow (fit.h). What is left is paired at the end (pair.c).
 */
#ifndef RDA_MATCHER_H
#define RDA_MATCHER_H

#include "analyzer/track/flows.h"

/* Unpaired flows that are kept of a group in each direction, and tries that a flow has one after
 * the other since one came that goes back. */
#define RDA_MATCHER_GROUP_MAX 64
#define RDA_MATCHER_TRIES     16

struct rda_matcher {
	struct rda_table groups;
	uint64_t not_kept; /* flows that found their group full */
	bool sifted;	   /* flows went: where none stands now, some may have stood */
};

void rda_matcher_init(struct rda_matcher *matcher, uint64_t seed);
void rda_matcher_cleanup(struct rda_matcher *matcher);

/* A flow of a reliable service whose source port is known by now, once. */
void rda_matcher_add(struct rda_matcher *matcher, struct rda_flow *flow);

/*
 * Pairs a flow as the exchange says that set it up. True when there was one: the peer is that flow
 * or, until that one is seen, none.
 */
bool rda_matcher_try_pair(struct rda_matcher *matcher, const struct rda_flows *flows,
			  struct rda_flow *flow);

/* A new life of a flow (flows.h): its peer is the new life of the one before's, once that is seen.
 */
void rda_matcher_follow(struct rda_matcher *matcher, const struct rda_flows *flows,
			struct rda_flow *flow);

/* Tries to find the peer of a flow that just brought this response. */
void rda_matcher_try(struct rda_matcher *matcher, const struct rda_flows *flows,
		     struct rda_flow *flow, const struct rda_packet *response);

/* Flows go, as rda_flows_sift has it: before they do. */
void rda_matcher_sift(struct rda_matcher *matcher, const uint32_t *moved);

/* About what all groups take. */
uint64_t rda_matcher_bytes(const struct rda_matcher *matcher);

#endif
