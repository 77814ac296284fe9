/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans of fabrics and NICs: what draw.c has drawn, changed further. Plans of the other faults do
 * not pass here, so their seeds draw what they always drew.
 */
#ifndef RDA_SIM_DRAW_FABRIC_H
#define RDA_SIM_DRAW_FABRIC_H

#include "tests/simulate/plan.h"
#include "tests/simulate/random.h"

void sim_draw_fabric(struct sim_plan *plan, enum sim_faults faults, struct sim_random *random);

/* draw_spent.c */
void sim_draw_spent(struct sim_plan *plan, struct sim_random *random);

#endif
