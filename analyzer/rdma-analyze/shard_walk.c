/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A follower's way through a file. See shard_walk.h.
 */
#include "analyzer/rdma-analyze/shard_walk.h"

#include "analyzer/base/cold.h"
#include "analyzer/engine/ahead.h"

struct rda_shard_walk *rda_shard_walk_new(struct rda_source *const *sources, unsigned followers,
					  uint64_t before)
{
	struct rda_shard_walk *walk = g_new0(struct rda_shard_walk, 1);

	walk->pace = rda_shard_pace_new(followers);
	walk->sources = g_memdup2(sources, followers * sizeof(*sources));
	walk->before = before;
	return walk;
}

void rda_shard_walk_free(void *data)
{
	struct rda_shard_walk *walk = data;

	rda_shard_pace_free(walk->pace);
	g_free(walk->sources);
	g_free(walk);
}

void rda_shard_walk_end(struct rda_shard_walk *walk)
{
	rda_shard_pace_end(walk->pace, &walk->at);
}

bool rda_shard_walk_is_lost(const struct rda_shard_walk *walk)
{
	return rda_shard_pace_was_left(walk->pace);
}

RDA_APART static void tell_ahead(const struct rda_shard_worker *worker, struct rda_shard_view *view,
				 struct rda_source *source)
{
	struct rda_frame frame;

	for (unsigned i = 0; i < 2 && source->ahead(source, RDA_AHEAD_FRAMES, &frame); i++)
		if (rda_shard_view_owner(view, &frame) == worker->number)
			rda_ahead_frame(worker->engine, &frame);
}

void rda_shard_walk_look_ahead(const struct rda_shard_worker *worker, struct rda_shard_view *view,
			       struct rda_source *source)
{
	if (source->ahead && rda_ahead_is_worth(worker->engine))
		tell_ahead(worker, view, source);
}

/* Up to a mark; false: what is there is not what the leader read. */
static bool walk_to(const struct rda_shard_pace_mark *mark, uint64_t *frames, uint64_t before,
		    struct rda_source *source, struct rda_shard_worker *worker,
		    struct rda_shard_view *view)
{
	struct rda_frame frame;
	struct rda_meta meta = {0};

	for (; *frames < mark->frames; ++*frames) {
		if (source->next(source, &meta, &frame) != RDA_SOURCE_FRAME)
			return false;
		meta.number += before;
		rda_shard_walk_look_ahead(worker, view, source);
		rda_shard_worker_see(worker, view, &meta, &frame);
	}
	return meta.number == mark->number && meta.time_ns == mark->time_ns;
}

void rda_shard_walk_follow(struct rda_shard_walk *walk, struct rda_shard_worker *worker,
			   struct rda_shard_view *view)
{
	const unsigned follower = (unsigned)worker->number - 1;
	struct rda_source *source = walk->sources[follower];
	struct rda_shard_pace_mark mark;
	uint64_t frames = 0;

	while (rda_shard_pace_follow(walk->pace, follower, frames, &mark)) {
		if (walk_to(&mark, &frames, walk->before, source, worker, view))
			continue;
		rda_shard_pace_leave(walk->pace, follower);
		break;
	}
	source->close(source);
}
