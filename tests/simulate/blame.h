/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the tap lost must not be put on the network: no more losses than there were, no resends
 * that nobody sent, and no findings of them.
 */
#ifndef RDA_SIM_BLAME_H
#define RDA_SIM_BLAME_H

#include "tests/unit/finish.h"
#include "tests/simulate/world.h"

/* Prints what is claimed and not so to stderr; returns how much. */
unsigned sim_blame(const struct rda_engine *engine, const struct sim_world *world);

#endif
