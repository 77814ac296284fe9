/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a run can have begun, as far as the tap tells.
 */
#ifndef RDA_SIM_REASONS_H
#define RDA_SIM_REASONS_H

#include "tests/simulate/known.h"
#include "tests/simulate/world.h"

/*
 * The triggers (1 << enum rda_trigger) that fit a run whose first packet is at `place` of the tap's
 * order, from 0, and the one before it at `before_ns`: the true one, and others whose answer
 * passed. Whether such an answer arrived is not on the wire, and each makes a requester go back to
 * the same PSN.
 */
unsigned sim_reasons(const struct sim_world *world, uint32_t place, int64_t before_ns);

/* One more run; when several reasons fit it, none of them is certain. */
void sim_count_reasons(struct sim_known *known, unsigned reasons);

#endif
