/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's word held against what is known.
 */
#ifndef RDA_SIM_HOLD_H
#define RDA_SIM_HOLD_H

#include "tests/unit/finish.h"
#include "tests/simulate/known.h"

/* What an account says, in the order of SIM_QUANTITIES. */
struct sim_found {
#define SIM_Q(name, where) uint64_t name;
	SIM_QUANTITIES(SIM_Q)
#undef SIM_Q
};

/* An engine that has read a capture; one of two or more begins anew at each. */
struct rda_engine *sim_engine_new(void);
void sim_engine_read(struct rda_engine *engine, const struct sim_capture *capture, uint32_t begin,
		     uint32_t end);

/* What the account of a flow says; false: there is none, and all is 0. */
bool sim_take(struct sim_found *found, const struct rda_flow *flow);

/* What it found of the requests that go to a QP; false: there is no account of them. */
bool sim_find(struct sim_found *found, const struct rda_engine *engine, uint32_t dest_qp);

/* Prints what is not within the bounds to stderr, behind `title`; returns how many. */
unsigned sim_hold(const struct sim_found *found, const struct sim_known *known, const char *title);

/* Prints what differs between two of them to stderr, behind `title`; returns how many. */
unsigned sim_compare(const struct sim_found *a, const struct sim_found *b, const char *title);

#endif
