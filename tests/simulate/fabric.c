/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs into engines, and the engine's word to those who hold it against the truth.
 */
#include "tests/simulate/fabric.h"

#include "tests/simulate/exact.h"
#include "tests/simulate/named.h"
#include "tests/simulate/rewrite.h"
#include "tests/simulate/sound.h"

#include <glib.h>
#include <stdio.h>

/* A run, and what the engine made of its capture. */
struct tried {
	struct sim_plan plan;
	struct sim_world world;
	struct rda_engine *engine;
};

static struct rda_engine *read_all(const struct sim_capture *capture)
{
	struct rda_engine *engine = sim_engine_new();

	sim_engine_read(engine, capture, 0, capture->count);
	rda_engine_finish(engine);
	return engine;
}

static void begin(struct tried *tried, enum sim_faults faults, uint64_t seed, uint64_t *packets)
{
	sim_draw(&tried->plan, faults, seed);
	sim_run(&tried->world, &tried->plan);
	*packets += tried->world.capture.count;
	tried->engine = read_all(&tried->world.capture);
}

static bool end(struct tried *tried, unsigned wrong)
{
	rda_engine_drop(tried->engine);
	sim_world_cleanup(&tried->world);
	return wrong == 0;
}

bool sim_holds_sound(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct tried tried;

	begin(&tried, property->faults, seed, packets);
	return end(&tried, sim_sound(tried.engine, &tried.world, 1));
}

bool sim_holds_named(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct tried tried;

	begin(&tried, property->faults, seed, packets);
	return end(&tried, sim_named(tried.engine, &tried.world, property->faults));
}

bool sim_holds_exact(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	bool in_order = !sim_reorders(property->faults) && property->faults != SIM_EXHAUSTED &&
			property->faults != SIM_DAMAGED;
	unsigned wrong = 0;
	struct tried tried;

	begin(&tried, property->faults, seed, packets);
	for (uint8_t asker = 0; asker < 2; asker++) {
		struct sim_known known;
		struct sim_found found;

		if (in_order)
			sim_know(&known, &tried.world, asker);
		else
			sim_know_of_fabric(&known, &tried.world, asker);
		if (known.packets && !sim_find(&found, tried.engine, tried.plan.qpn[!asker])) {
			fprintf(stderr, "host %u: no account\n", asker);
			wrong++;
		} else if (known.packets) {
			wrong += sim_hold(&found, &known, asker ? "host 1" : "host 0");
		}
	}
	return end(&tried, wrong);
}

void sim_qps_run(struct sim_qps *qps, enum sim_faults faults, uint64_t seed)
{
	qps->count = 2 + (uint32_t)(seed % (SIM_QPS_MAX - 1));
	for (uint32_t i = 0; i < qps->count; i++) {
		struct sim_capture longer;
		int32_t *places;

		sim_draw(&qps->plans[i], faults, seed + i * UINT64_C(0x100000000));
		sim_run(&qps->worlds[i], &qps->plans[i]);
		if (i == 0) {
			sim_copy(&qps->capture, &qps->worlds[i].capture);
			continue;
		}
		sim_merge(&longer, &qps->capture, &qps->worlds[i].capture, &places);
		sim_capture_cleanup(&qps->capture);
		qps->capture = longer;
		g_free(places);
	}
}

void sim_qps_cleanup(struct sim_qps *qps)
{
	sim_capture_cleanup(&qps->capture);
	for (uint32_t i = 0; i < qps->count; i++)
		sim_world_cleanup(&qps->worlds[i]);
}

bool sim_holds_sound_qps(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct rda_engine *engine;
	struct sim_qps qps;
	unsigned wrong;

	sim_qps_run(&qps, property->faults, seed);
	*packets += qps.capture.count;
	engine = read_all(&qps.capture);
	wrong = sim_sound(engine, qps.worlds, qps.count);
	rda_engine_drop(engine);
	sim_qps_cleanup(&qps);
	return wrong == 0;
}
