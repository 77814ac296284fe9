/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames analyzed by several threads, each with an engine of its own; the one that reads is the
 * first of them:
 *
 *     reader --- splitter --- frames of some pairs of hosts ----------------> engine 0 ---+
 *                    |------> batches of frames of others ---> thread 1, engine 1 --------+--> one
 *                    |                          ...                                       | result
 *                    |------> batches ...                ---> thread N-1, engine N-1 -----+
 *                    +------- times of all frames ----------------------------------------+
 *
 * A class of pairs of hosts (RDA_SHARES) goes to whoever has had the least to do when its first one
 * comes; reading counts. Batches are few, and used again: a reader that is too fast waits. What
 * comes out is what one engine says.
 */
#ifndef RDA_SHARDS_H
#define RDA_SHARDS_H

#include "analyzer/engine/engine.h"

struct rda_shards;

/* `threads` with the one that calls, at least 2; NULL: the system gives no threads. */
struct rda_shards *rda_shards_new(const struct rda_config *config, unsigned threads);

/* Ends the threads, if rda_shards_result did not; takes NULL. */
void rda_shards_free(struct rda_shards *shards);

/* Another capture; another file in which the same taps go on. */
void rda_shards_begin_capture(struct rda_shards *shards);
void rda_shards_continue_capture(struct rda_shards *shards);
void rda_shards_dropped(struct rda_shards *shards, uint64_t packets);

/* The next frame, which is copied for another thread. Dissected, as far as that was needed; NULL:
 * it is of RoCEv2. */
const struct rda_packet *rda_shards_frame(struct rda_shards *shards, const struct rda_meta *meta,
					  const struct rda_frame *frame);

/* The reader's, to be told frames before they come (ahead.h); those of others do no harm. */
struct rda_engine *rda_shards_engine(const struct rda_shards *shards);

/* No more frames come: what all say. The caller's. */
struct rda_result *rda_shards_result(struct rda_shards *shards);

#endif
