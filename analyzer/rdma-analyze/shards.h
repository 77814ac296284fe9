/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames analyzed by several threads, each with an engine of its own; the one that reads is the
 * first of them. Either it reads for all:
 *
 *     reader --- splitter --- frames of some pairs of hosts ----------------> engine 0 ---+
 *                    |------> batches of frames of others ---> thread 1, engine 1 --------+--> one
 *                    |                          ...                                       | result
 *                    |------> batches ...                ---> thread N-1, engine N-1 -----+
 *                    +------- times of all frames ----------------------------------------+
 *
 * or they read plain files side by side (shard_walk.h), and nothing but what files there are goes
 * from one to another.
 *
 * A class of pairs of hosts (RDA_SHARES) goes to whoever has had the least to do when its first one
 * comes (shard_view.h). Batches are few, and used again: a reader that is too fast waits. What
 * comes out is what one engine says.
 */
#ifndef RDA_SHARDS_H
#define RDA_SHARDS_H

#include "analyzer/engine/engine.h"
#include "analyzer/rdma-analyze/source.h"

struct rda_shards;

/* `threads` with the one that calls, at least 2; NULL: the system gives no threads. `side_by_side`:
 * all frames are of files that rda_shards_begin_file tells. */
struct rda_shards *rda_shards_new(const struct rda_config *config, unsigned threads,
				  bool side_by_side);

/* With the one that calls: fewer than were asked for where the system gives no more. */
unsigned rda_shards_count(const struct rda_shards *shards);

/* Ends the threads, if rda_shards_result did not; takes NULL. */
void rda_shards_free(struct rda_shards *shards);

/* Another capture; another file in which the same taps go on. */
void rda_shards_begin_capture(struct rda_shards *shards);
void rda_shards_continue_capture(struct rda_shards *shards);
void rda_shards_dropped(struct rda_shards *shards, uint64_t packets);

/*
 * Side by side: the frames that come are of one file, of which each of the other threads has a
 * source of its own, at its beginning, and closes it; numbers of frames count on from `before`.
 */
void rda_shards_begin_file(struct rda_shards *shards, struct rda_source *const *sources,
			   uint64_t before);
void rda_shards_end_file(struct rda_shards *shards); /* no more frames of it come */

/* The next frame, which is copied for another thread. Dissected, as far as that was needed; NULL:
 * it is of RoCEv2. */
const struct rda_packet *rda_shards_frame(struct rda_shards *shards, const struct rda_meta *meta,
					  const struct rda_frame *frame);

/* Tells the reader's engine frames before they come, where that helps (ahead.h). */
void rda_shards_look_ahead(const struct rda_shards *shards, struct rda_source *source);

/* No more frames come: what all say. The caller's. */
struct rda_result *rda_shards_result(struct rda_shards *shards);

/* Whether a thread found other frames in a file than another: it changed meanwhile. After the
 * result.
 */
bool rda_shards_are_lost(const struct rda_shards *shards);

#endif
