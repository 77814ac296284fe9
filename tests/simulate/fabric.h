/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold of captures of fabrics and NICs: soundness before completeness, completeness
 * before exactness.
 */
#ifndef RDA_SIM_FABRIC_H
#define RDA_SIM_FABRIC_H

#include "tests/simulate/properties.h"

/* Ways of struct sim_property to hold. */
bool sim_holds_sound(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_sound_qps(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_named(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_exact(const struct sim_property *property, uint64_t seed, uint64_t *packets);

#endif
