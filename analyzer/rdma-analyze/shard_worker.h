/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An engine that is one of several, each in a thread of its own, and what it is given.
 */
#ifndef RDA_SHARD_WORKER_H
#define RDA_SHARD_WORKER_H

#include "analyzer/engine/part_keys.h"
#include "analyzer/rdma-analyze/shard_steps.h"
#include "analyzer/rdma-analyze/shard_view.h"

/* What all of them share. */
struct rda_shard_keys {
	struct rda_part_keys *keys; /* NULL: nothing but counts */
	GMutex lock;		    /* held by a thread that uses them */
	uint32_t every;		    /* frames after which they are taken */
};

/* `memory`: that all have together; 0: without limit. */
uint32_t rda_shard_keys_every(uint64_t memory);

struct rda_shard_worker {
	int16_t number;
	struct rda_engine *engine;   /* owned */
	struct rda_shard_keys *keys; /* of all */
};

/* A step, with its bytes; not RDA_STEP_WALK. */
void rda_shard_worker_step(struct rda_shard_worker *worker, const struct rda_shard_step *step,
			   const void *bytes);

/* Keys of some frames more are taken, and it is seen whether there is memory enough. */
void rda_shard_worker_keys(struct rda_shard_worker *worker);

/* A frame of the worker's own, whose owner was known; others had the frame before, or not. */
void rda_shard_worker_own(struct rda_shard_worker *worker, const struct rda_meta *meta,
			  const struct rda_frame *frame, bool between);

/* Any frame, whoever has it. */
void rda_shard_worker_any(struct rda_shard_worker *worker, struct rda_shard_view *view,
			  const struct rda_meta *meta, const struct rda_frame *frame);

/* A frame that the worker sees for itself, its own or, for a few instructions, another's. */
static inline void rda_shard_worker_see(struct rda_shard_worker *worker,
					struct rda_shard_view *view, const struct rda_meta *meta,
					const struct rda_frame *frame)
{
	const int16_t owner = rda_shard_view_owner(view, frame);

	if (owner < 0) {
		rda_shard_worker_any(worker, view, meta, frame);
		return;
	}
	if (worker->number == 0) /* it has the splitter that all frames are told */
		rda_splitter_known(view->splitter, meta, frame);
	if (owner == worker->number)
		rda_shard_worker_own(worker, meta, frame, view->latest != owner);
	if (rda_shard_view_pass(view, owner))
		rda_shard_worker_keys(worker);
}

/* No more comes: what it found. The caller's. */
struct rda_result *rda_shard_worker_end(struct rda_shard_worker *worker);

#endif
