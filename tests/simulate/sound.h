/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nothing is said to be proven that is not true of the run. What truth makes a finding right is
 * written at each check in sound.c.
 */
#ifndef RDA_SIM_SOUND_H
#define RDA_SIM_SOUND_H

#include "tests/simulate/world.h"
#include "tests/unit/finish.h"

/* A finding, and the run that it is about. */
struct sim_claim {
	const struct rda_engine *engine;
	const struct rda_finding *finding;
	const struct sim_world *world;
	int8_t sender; /* the host that sent what it is about; -1: neither */
};

/* Whose the packets are that a finding is about; false: of none of these runs. */
bool sim_claim_of(struct sim_claim *claim, const struct rda_engine *engine,
		  const struct rda_finding *finding, const struct sim_world *worlds,
		  uint32_t count);

/* Prints what is claimed and not so to stderr; returns how much. */
unsigned sim_sound(const struct rda_engine *engine, const struct sim_world *worlds, uint32_t count);

#endif
