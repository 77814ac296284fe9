/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the thread that reads tells another one, in batches that go to and fro:
 *
 *     reader --> batch being filled --> work --> thread
 *                     ^                             |
 *                     +---------- unused <----------+
 *
 * Batches are few: a reader that is too fast waits for one. What is done at a step: shards.c.
 */
#ifndef RDA_SHARD_STEPS_H
#define RDA_SHARD_STEPS_H

#include "analyzer/rda.h"

#include <glib.h>

/* So many steps are in a batch: with their bytes they fit the cache of a core. */
#define RDA_STEPS 2048

enum rda_shard_step_kind {
	RDA_STEP_FRAME,
	RDA_STEP_PAUSE,	  /* a frame of another engine that stops a link */
	RDA_STEP_BETWEEN, /* others had frames */
	RDA_STEP_OTHERS,
	RDA_STEP_TOLD,
	RDA_STEP_CAPTURE,  /* another one begins */
	RDA_STEP_CONTINUE, /* another file, in which the same taps go on */
	RDA_STEP_DROPPED,
	RDA_STEP_KEYS, /* what was kept of keys is taken */
	RDA_STEP_WALK, /* a file is read side by side (shard_walk.h) */
};

struct rda_shard_step {
	struct rda_meta meta;
	uint32_t
		offset; /* of the bytes in the batch: a frame's, or of struct rda_part_others ... */
	uint32_t captured, wire;
	uint16_t link;
	uint8_t kind; /* enum rda_shard_step_kind */
	bool between; /* others had the frame before this one */
};

struct rda_batch {
	struct rda_shard_step steps[RDA_STEPS];
	uint32_t count, used, room;
	bool last;
	uint8_t *bytes; /* owned */
};

/* The reader's end of it, of one thread. */
struct rda_shard_feed {
	GAsyncQueue *work;	 /* struct rda_batch: owned */
	GAsyncQueue *unused;	 /* struct rda_batch, of all threads */
	struct rda_batch *batch; /* that is being filled; NULL: none */
};

/* For rda_batch_free, which a queue may call. */
struct rda_batch *rda_batch_new(void);
void rda_batch_free(void *batch);

void rda_shard_feed_begin(struct rda_shard_feed *feed, GAsyncQueue *unused);
void rda_shard_feed_cleanup(struct rda_shard_feed *feed);

/* The next step, to be filled in but for its offset, with a copy of its bytes. */
struct rda_shard_step *rda_shard_feed_step(struct rda_shard_feed *feed, const void *bytes,
					   uint32_t length);

/* What is there goes to the thread; and it is the last that does. */
void rda_shard_feed_send(struct rda_shard_feed *feed);
void rda_shard_feed_end(struct rda_shard_feed *feed);

/* The thread: brings steps behind `index` near. */
void rda_batch_fetch(const struct rda_batch *batch, uint32_t index);

#endif
