/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of a capture that has less than another one: nothing that is proven in it is not
 * proven in the other.
 */
#ifndef RDA_SIM_POORER_H
#define RDA_SIM_POORER_H

#include "tests/simulate/outcome.h"

/*
 * Prints what `poorer` has proven and `whole` has not; returns how many. Its frame 1 is the whole's
 * `offset` + 1.
 */
unsigned sim_hold_poorer(const char *title, const struct sim_outcome *whole,
			 const struct sim_outcome *poorer, uint32_t offset);

#endif
