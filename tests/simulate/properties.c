/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The properties.
 */
#include "tests/simulate/properties.h"

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

const struct sim_property sim_properties[] = {
	{"perfect", SIM_PERFECT, 500, agrees},
	{"lossy", SIM_LOSSY, 2000, agrees},
	{NULL, SIM_PERFECT, 0, NULL},
};

static void tell_sent(const struct sim_world *world, const struct sim_seen *seen)
{
	const struct sim_sent *sent = &world->truth.sent[seen->sent];

	printf("%8.3f %u>%u %02x %lld-%lld run %u%s%s%s\n", (double)seen->time_ns / 1e6, sent->from,
	       !sent->from, sent->opcode, (long long)sent->psn, (long long)sent->end - 1, sent->run,
	       sent->resent ? " again" : "", sent->lost_after ? " lost behind" : "",
	       sent->response && sent->syndrome != 0x1f && sent->syndrome ? " NAK" : "");
}

void sim_tell(const struct sim_world *world)
{
	const struct sim_truth *truth = &world->truth;

	for (uint32_t i = 0; i < truth->run_count; i++)
		printf("run %u: host %u from %lld at %.3f, trigger %u\n", i, truth->runs[i].asker,
		       (long long)truth->runs[i].psn, (double)truth->runs[i].begin_ns / 1e6,
		       truth->runs[i].trigger);
	for (uint32_t i = 0; i < truth->sent_count; i++)
		if (truth->sent[i].lost_before)
			printf("lost before the tap: host %u %02x %lld run %u at %.3f\n",
			       truth->sent[i].from, truth->sent[i].opcode,
			       (long long)truth->sent[i].psn, truth->sent[i].run,
			       (double)truth->sent[i].sent_ns / 1e6);
	for (uint32_t i = 0; i < truth->seen_count; i++)
		tell_sent(world, &truth->seen[i]);
}
