/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an engine does at a step, or at a frame. See shard_worker.h.
 */
#include "analyzer/rdma-analyze/shard_worker.h"

#include "analyzer/engine/budget.h"
#include "analyzer/engine/engine.h"
#include "analyzer/engine/part.h"

#include <string.h>

/* Frames after which events of memory keys are put in order: they are few bytes each. */
enum { KEYS_EVERY = 32768, KEYS_EVERY_MIN = 1024 };

/* Then engines see whether they have enough memory: frames may add so much before, of a share. */
enum { FRAME_BYTES = 8192, SHARE_BETWEEN = 32 };

uint32_t rda_shard_keys_every(uint64_t memory)
{
	return memory ? (uint32_t)CLAMP(memory / SHARE_BETWEEN / FRAME_BYTES, KEYS_EVERY_MIN,
					KEYS_EVERY)
		      : KEYS_EVERY;
}

void rda_shard_worker_keys(struct rda_shard_worker *worker)
{
	struct rda_shard_keys *of_all = worker->keys;

	if (of_all->keys) {
		g_mutex_lock(&of_all->lock);
		rda_part_keys_take(of_all->keys, (unsigned)worker->number, worker->engine);
		g_mutex_unlock(&of_all->lock);
	}
	rda_budget_look(worker->engine, of_all->every / RDA_BUDGET_FRAMES);
}

static void stop_link(struct rda_engine *engine, const struct rda_meta *meta,
		      const struct rda_frame *frame)
{
	rda_engine_elsewhere(engine, meta, frame, &(struct rda_share){.stops_link = true});
}

void rda_shard_worker_step(struct rda_shard_worker *worker, const struct rda_shard_step *step,
			   const void *bytes)
{
	struct rda_engine *engine = worker->engine;
	const struct rda_frame frame = {bytes, step->captured, step->wire, step->link};
	struct rda_part_others others;
	struct rda_cm_said said[2];

	if (step->between)
		rda_part_between(engine, &step->meta);
	switch (step->kind) {
	case RDA_STEP_FRAME: rda_engine_packet(engine, &step->meta, &frame); break;
	case RDA_STEP_PAUSE: stop_link(engine, &step->meta, &frame); break;
	case RDA_STEP_BETWEEN: rda_part_between(engine, &step->meta); break;
	case RDA_STEP_OTHERS:
		memcpy(&others, bytes, sizeof(others));
		rda_part_others(engine, &others);
		break;
	case RDA_STEP_TOLD:
		memcpy(said, bytes, sizeof(said));
		rda_part_told(engine, &step->meta, said);
		break;
	case RDA_STEP_CAPTURE: rda_engine_begin_capture(engine); break;
	case RDA_STEP_CONTINUE: rda_engine_continue_capture(engine); break;
	case RDA_STEP_DROPPED: rda_engine_dropped(engine, step->meta.number); break;
	case RDA_STEP_KEYS: rda_shard_worker_keys(worker); break;
	default: break;
	}
}

void rda_shard_worker_own(struct rda_shard_worker *worker, const struct rda_meta *meta,
			  const struct rda_frame *frame, bool between)
{
	if (between)
		rda_part_between(worker->engine, meta);
	rda_engine_packet(worker->engine, meta, frame);
}

void rda_shard_worker_any(struct rda_shard_worker *worker, struct rda_shard_view *view,
			  const struct rda_meta *meta, const struct rda_frame *frame)
{
	struct rda_shard_seen seen;

	rda_shard_view_frame(view, meta, frame, &seen);
	if (seen.begins)
		rda_part_between(worker->engine, meta);
	if (seen.told_owner == worker->number)
		rda_part_told(worker->engine, meta, seen.share->told);
	if (seen.owner == worker->number)
		rda_shard_worker_own(worker, meta, frame, seen.between);
	if (seen.keys)
		rda_shard_worker_keys(worker);
	if (seen.share->stops_link && seen.owner != worker->number)
		stop_link(worker->engine, meta, frame);
}

struct rda_result *rda_shard_worker_end(struct rda_shard_worker *worker)
{
	rda_engine_end(worker->engine);
	return rda_engine_spend(g_steal_pointer(&worker->engine));
}
