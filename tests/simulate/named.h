/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is knowable is named: for each thing that the tap's evidence proves (known.h, sums.h) some
 * finding, proven or suspected, that speaks of it and of the right host.
 */
#ifndef RDA_SIM_NAMED_H
#define RDA_SIM_NAMED_H

#include "tests/simulate/world.h"
#include "tests/unit/finish.h"

/* Prints what is not named to stderr; returns how much. */
unsigned sim_named(const struct rda_engine *engine, const struct sim_world *world,
		   enum sim_faults faults);

/* Whether the tap showed each of the tries before a requester gave up, two at least. */
bool sim_give_up_is_knowable(const struct sim_world *world, uint8_t asker);

#endif
