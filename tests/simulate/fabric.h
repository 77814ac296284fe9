/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold of captures of fabrics and NICs: soundness before completeness, completeness
 * before exactness.
 */
#ifndef RDA_SIM_FABRIC_H
#define RDA_SIM_FABRIC_H

#include "tests/simulate/properties.h"
#include "tests/simulate/world.h"

#define SIM_QPS_MAX 4

/* Several QPs between the same hosts, in one capture. */
struct sim_qps {
	uint32_t count;
	struct sim_plan plans[SIM_QPS_MAX];
	struct sim_world worlds[SIM_QPS_MAX];
	struct sim_capture capture;
};

void sim_qps_run(struct sim_qps *qps, enum sim_faults faults, uint64_t seed);
void sim_qps_cleanup(struct sim_qps *qps);

/* Ways of struct sim_property to hold. */
bool sim_holds_sound(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_sound_qps(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_named(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_exact(const struct sim_property *property, uint64_t seed, uint64_t *packets);

#endif
