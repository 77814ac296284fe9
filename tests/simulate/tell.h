/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run as text, for those who look at one seed: the truth, and what the engine counts with each
 * frame.
 */
#ifndef RDA_SIM_TELL_H
#define RDA_SIM_TELL_H

#include "tests/simulate/world.h"

void sim_tell(const struct sim_world *world);

#endif
