/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The properties.
 */
#include "tests/simulate/properties.h"

#include "tests/simulate/blame.h"
#include "tests/simulate/fabric.h"
#include "tests/simulate/metamorphic.h"

#include <stdio.h>

/* How much is wrong with what the engine made of a run's capture; says it on stderr. */
typedef unsigned judge_run(const struct rda_engine *engine, const struct sim_world *world);

static bool try_run(const struct sim_property *property, uint64_t seed, uint64_t *packets,
		    judge_run *judge)
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
	wrong = judge(engine, &world);
	rda_engine_drop(engine);
	sim_world_cleanup(&world);
	return wrong == 0;
}

static unsigned compare_with_known(const struct rda_engine *engine, const struct sim_world *world)
{
	unsigned wrong = 0;

	if (world->truth.gave_up) {
		fprintf(stderr, "the simulation did not end\n");
		wrong++;
	}
	for (uint8_t asker = 0; asker < 2; asker++) {
		struct sim_known known;
		struct sim_found found;

		sim_know(&known, world, asker);
		if (known.packets && !sim_find(&found, engine, world->plan->qpn[!asker])) {
			fprintf(stderr, "host %u: no account\n", asker);
			wrong++;
		} else if (known.packets) {
			wrong += sim_hold(&found, &known, asker ? "host 1" : "host 0");
		}
	}
	return wrong;
}

/* The engine finds what is known of both directions. */
static bool agrees(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	return try_run(property, seed, packets, compare_with_known);
}

/* What only the tap lost is not put on the network. */
static bool blames_rightly(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	return try_run(property, seed, packets, sim_blame);
}

#define HELD				     false
#define OPEN				     true
#define P(name, faults, seeds, holds, state) {#name, faults, seeds, holds, state},
const struct sim_property sim_properties[] = {
#include "tests/simulate/properties.def"
	{NULL, SIM_PERFECT, 0, NULL, HELD},
};
