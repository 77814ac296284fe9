/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The properties.
 */
#include "tests/simulate/properties.h"

#include "tests/simulate/blame.h"
#include "tests/simulate/metamorphic.h"

#include <stdio.h>

/* The engine finds what is known of both directions. */
static bool agrees(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_plan plan;
	struct sim_world world;
	struct rda_engine *engine = sim_engine_new();
	unsigned wrong = 0;

	sim_draw(&plan, property->faults, seed);
	sim_run(&world, &plan);
	*packets += world.capture.count;
	sim_engine_read(engine, &world.capture, 0, world.capture.count);
	rda_engine_finish(engine);
	if (world.truth.gave_up) {
		fprintf(stderr, "the simulation did not end\n");
		wrong++;
	}
	for (uint8_t asker = 0; asker < 2; asker++) {
		struct sim_known known;
		struct sim_found found;

		sim_know(&known, &world, asker);
		if (known.packets && !sim_find(&found, engine, plan.qpn[!asker])) {
			fprintf(stderr, "host %u: no account\n", asker);
			wrong++;
		} else if (known.packets) {
			wrong += sim_hold(&found, &known, asker ? "host 1" : "host 0");
		}
	}
	rda_engine_free(engine);
	sim_world_cleanup(&world);
	return wrong == 0;
}

/* What only the tap lost is not put on the network. */
static bool blames_rightly(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_plan plan;
	struct sim_world world;
	struct rda_engine *engine = sim_engine_new();
	unsigned wrong;

	sim_draw(&plan, property->faults, seed);
	sim_run(&world, &plan);
	*packets += world.capture.count;
	sim_engine_read(engine, &world.capture, 0, world.capture.count);
	rda_engine_finish(engine);
	wrong = sim_blame(engine, &world);
	rda_engine_free(engine);
	sim_world_cleanup(&world);
	return wrong == 0;
}

const struct sim_property sim_properties[] = {
	{"perfect", SIM_PERFECT, 500, agrees},
	{"lossy", SIM_LOSSY, 2000, agrees},
	{"lossy_tap", SIM_TAP_LOSSY, 2000, blames_rightly},
	{"lossy_both", SIM_BOTH, 2000, blames_rightly},
	{"psns", SIM_ALL, 600, sim_holds_psns},
	{"times", SIM_ALL, 600, sim_holds_times},
	{"sides", SIM_ALL, 600, sim_holds_sides},
	{"cut", SIM_ALL, 600, sim_holds_cut},
	{"merged", SIM_ALL, 600, sim_holds_merged},
	{"halves", SIM_ALL, 600, sim_holds_halves},
	{"begun_perfect", SIM_PERFECT, 600, sim_holds_begun},
	{"begun_lossy", SIM_LOSSY, 600, sim_holds_begun},
	{"begun_tap_lossy", SIM_TAP_LOSSY, 600, sim_holds_begun},
	{NULL, SIM_PERFECT, 0, NULL},
};
