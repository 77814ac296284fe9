/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames analyzed by several threads, each with an engine of its own:
 *
 *     reader --- splitter ---> batches of frames of some pairs of hosts ---> engine 0 --+
 *                    |                          ...                                     +--> one
 *                    |         batches ...                            ---> engine N-1 --+  result
 *                    +------ times of all frames -----------------------------------------+
 *
 * A class of pairs of hosts (RDA_SHARES) goes to whoever has had the fewest frames when its first
 * one comes. Batches are few, and used again: a reader that is too fast waits. What comes out is
 * what one engine says.
 */
#ifndef RDA_SHARDS_H
#define RDA_SHARDS_H

#include "analyzer/engine/engine.h"

struct rda_shards;

/* `threads` of them, at least 2; NULL: the system gives no threads. */
struct rda_shards *rda_shards_new(const struct rda_config *config, unsigned threads);

/* Ends the threads, if rda_shards_result did not; takes NULL. */
void rda_shards_free(struct rda_shards *shards);

/* Another capture; another file in which the same taps go on. */
void rda_shards_begin_capture(struct rda_shards *shards);
void rda_shards_continue_capture(struct rda_shards *shards);
void rda_shards_dropped(struct rda_shards *shards, uint64_t packets);

/* The next frame, which is copied. Dissected, as far as that was needed; NULL: it is of RoCEv2. */
const struct rda_packet *rda_shards_frame(struct rda_shards *shards, const struct rda_meta *meta,
					  const struct rda_frame *frame);

/* No more frames come: what all say. The caller's. */
struct rda_result *rda_shards_result(struct rda_shards *shards);

#endif
