/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that several threads read side by side, each with a source of its own: each sees all
 * frames, knows whose they are by all that came before (shard_view.h), and analyzes its own. To
 * pass by a frame takes less than to copy it for another thread, and nothing goes from one core's
 * cache to another's.
 *
 *     thread 0    source 0 ---- all frames ----> view 0 ---- its own ----> engine 0
 *     thread 1    source 1 ---- all frames ----> view 1 ---- its own ----> engine 1
 *                                      ...
 *
 * The first is the thread that reads for the program: it says how far the others go (shard_pace.h).
 */
#ifndef RDA_SHARD_WALK_H
#define RDA_SHARD_WALK_H

#include "analyzer/rdma-analyze/shard_pace.h"
#include "analyzer/rdma-analyze/shard_worker.h"
#include "analyzer/rdma-analyze/source.h"

struct rda_shard_walk {
	struct rda_shard_pace *pace;   /* owned */
	struct rda_source **sources;   /* owned, of the followers, who close them */
	struct rda_shard_pace_mark at; /* the leader's */
	uint64_t before;	       /* frames of the tap's files before it */
};

/* Takes the sources, all of which are at the beginning of the same file. */
struct rda_shard_walk *rda_shard_walk_new(struct rda_source *const *sources, unsigned followers,
					  uint64_t before);
void rda_shard_walk_free(void *walk); /* all are done */

/* The leader had a frame. */
static inline void rda_shard_walk_lead(struct rda_shard_walk *walk, const struct rda_meta *meta)
{
	walk->at.number = meta->number;
	walk->at.time_ns = meta->time_ns;
	if (++walk->at.frames % RDA_SHARD_PACE_FRAMES == 0)
		rda_shard_pace_lead(walk->pace, &walk->at);
}

/* It comes to no more: so do the others then. */
void rda_shard_walk_end(struct rda_shard_walk *walk);

/* What a follower does until then. */
void rda_shard_walk_follow(struct rda_shard_walk *walk, struct rda_shard_worker *worker,
			   struct rda_shard_view *view);

/* Tells the engine its own frames behind the latest one, where that helps (ahead.h). */
void rda_shard_walk_look_ahead(const struct rda_shard_worker *worker, struct rda_shard_view *view,
			       struct rda_source *source);

/* Whether somebody read another file than the leader: it changed meanwhile. All are done. */
bool rda_shard_walk_is_lost(const struct rda_shard_walk *walk);

#endif
