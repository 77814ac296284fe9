/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine counts with a frame is the difference between two readings, one with it and one
 * without: the square of the frames in time, and nothing of it in the engine.
 */
#include "tests/simulate/tell.h"

#include "tests/simulate/hold.h"

#include <stdio.h>

static void tell_truth(const struct sim_truth *truth)
{
	static const char *const words[] = {
#define WORD(id, name, words) name,
		RDA_TRIGGERS(WORD)
#undef WORD
			"first of all"};

	for (uint32_t i = 0; i < truth->run_count; i++)
		printf("run %u: host %u from %lld at %.4f, %s, cause %u\n", i, truth->runs[i].asker,
		       (long long)truth->runs[i].psn, (double)truth->runs[i].begin_ns / 1e6,
		       words[truth->runs[i].trigger], truth->runs[i].cause);
	for (uint32_t i = 0; i < truth->sent_count; i++)
		if (truth->sent[i].lost_before)
			printf("lost before the tap: host %u %02x %lld run %u at %.3f\n",
			       truth->sent[i].from, truth->sent[i].opcode,
			       (long long)truth->sent[i].psn, truth->sent[i].run,
			       (double)truth->sent[i].sent_ns / 1e6);
}

static const char *word_of(const struct sim_sent *sent)
{
	if (!sent->response || sent->data || sim_is_ack(sent->syndrome))
		return sent->response ? "" : sent->resent ? " again" : "";
	return sent->syndrome == 0x60 ? " NAK" : " RNR";
}

static void tell_seen(const struct sim_world *world, const struct sim_seen *seen)
{
	const struct sim_sent *sent = &world->truth.sent[seen->sent];

	printf("%10.4f %u%s%u %02x %lld-%lld %s %u%s%s%s%s", (double)seen->time_ns / 1e6,
	       sent->asker, sent->response ? "<" : ">", !sent->asker, sent->opcode,
	       (long long)sent->psn, (long long)sent->end - 1, sent->response ? "no." : "run",
	       sent->response ? seen->sent + 1 : sent->run, word_of(sent),
	       sent->lost_after ? ", lost behind" : "", sent->missed ? ", missed" : "",
	       seen->mirrored ? ", copy" : "");
}

static void tell_counted(struct sim_found before[2], const struct sim_world *world, uint32_t count)
{
	struct rda_engine *engine = sim_engine_new();

	sim_engine_read(engine, &world->capture, 0, count);
	rda_engine_finish(engine);
	for (uint8_t asker = 0; asker < 2; asker++) {
		struct sim_found found;

		sim_find(&found, engine, world->plan->qpn[!asker]);
#define SIM_Q(name, where)                                                                         \
	if (found.name != before[asker].name)                                                      \
		printf("  [%u] %s %+lld", asker, #name,                                            \
		       (long long)(found.name - before[asker].name));
		SIM_QUANTITIES(SIM_Q)
#undef SIM_Q
		before[asker] = found;
	}
	rda_engine_drop(engine);
	printf("\n");
}

void sim_tell(const struct sim_world *world)
{
	const struct sim_truth *truth = &world->truth;
	uint32_t managed = world->capture.count - truth->seen_count;
	struct sim_found before[2] = {0};

	tell_truth(truth);
	for (uint32_t i = 0; i < truth->seen_count; i++) {
		printf("%4u ", managed + i + 1);
		tell_seen(world, &truth->seen[i]);
		tell_counted(before, world, managed + i + 1);
	}
}
