/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How memory is bounded (rda_config.memory). What is allocated is not counted: now and then all of
 * it is measured, so much later as there is room for what a frame can add at most.
 *
 *     0 ............ half ................... three quarters ....... all
 *                     ^ idle connections go until so much is left
 *                                              ^ from here on they go
 *
 * Where many small things are kept, a share of the memory bounds their number (rda_budget_begin).
 */
#ifndef RDA_BUDGET_H
#define RDA_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct rda_engine;
struct rda_config;

/* Frames between two looks at whether it is time to measure; a power of two. */
#define RDA_BUDGET_FRAMES 64

struct rda_budget {
	uint64_t left; /* looks until all is measured */
};

/* Smaller limits in a config whose memory is bounded, where its owner set none. */
void rda_budget_limits(struct rda_config *config);

/* A new engine: limits that are in no config. */
void rda_budget_begin(struct rda_engine *engine);

/* About what a flow, and all of an engine, take, with what they come to in the result. */
struct rda_flow;
uint64_t rda_budget_of_flow(const struct rda_flow *flow);
uint64_t rda_budget_used(const struct rda_engine *engine);

/* So many looks later: connections go if it is time (retire.h). Between two frames. */
void rda_budget_look(struct rda_engine *engine, uint64_t looks);

#endif
