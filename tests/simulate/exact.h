/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's counts of a run of fabrics and NICs: where the order of sending is known they are
 * the truth, else they do not exceed it.
 */
#ifndef RDA_SIM_EXACT_H
#define RDA_SIM_EXACT_H

#include "tests/simulate/known.h"

/* Of what host `asker` asked; packets may have overtaken each other, or come twice. */
void sim_know_of_fabric(struct sim_known *known, const struct sim_world *world, uint8_t asker);

#endif
