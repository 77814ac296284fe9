/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Batches of steps, filled and handed over. See shard_steps.h.
 *
 * A line of a batch that one core has written or read has to come from its cache to that of the
 * other, which takes as long as a tenth of a frame's analysis: so lines are asked for some steps
 * before they are written, or read.
 */
#include "analyzer/rdma-analyze/shard_steps.h"

#include "analyzer/base/fetch.h"

#include <string.h>

enum { BATCH_BYTES = 256 * 1024 };

/* Steps, frames and bytes ahead that are asked for. */
enum { FETCH_STEPS = 16, FETCH_FRAMES = 8, FETCH_BYTES = 1024 };

/* Lines of a frame with headers only. */
enum { FRAME_LINES = 3 };

struct rda_batch *rda_batch_new(void)
{
	struct rda_batch *batch = g_new(struct rda_batch, 1);

	*batch = (struct rda_batch){.room = BATCH_BYTES, .bytes = g_malloc(BATCH_BYTES)};
	return batch;
}

void rda_batch_free(void *data)
{
	struct rda_batch *batch = data;

	g_free(batch->bytes);
	g_free(batch);
}

/* ---- the reader's ---------------------------------------------------------------------------- */

void rda_shard_feed_begin(struct rda_shard_feed *feed, GAsyncQueue *unused)
{
	*feed = (struct rda_shard_feed){
		.work = g_async_queue_new_full(rda_batch_free),
		.unused = unused,
	};
}

void rda_shard_feed_cleanup(struct rda_shard_feed *feed)
{
	if (feed->work)
		g_async_queue_unref(feed->work);
	feed->work = NULL;
}

void rda_shard_feed_send(struct rda_shard_feed *feed)
{
	g_async_queue_push(feed->work, feed->batch);
	feed->batch = NULL;
}

/* One with room for so many bytes: that which is being filled, or the next. */
static struct rda_batch *batch_for(struct rda_shard_feed *feed, uint32_t length)
{
	struct rda_batch *batch = feed->batch;

	if (batch && (batch->count == RDA_STEPS || batch->room - batch->used < length))
		rda_shard_feed_send(feed);
	if (!feed->batch)
		feed->batch = g_async_queue_pop(feed->unused);
	batch = feed->batch;
	if (batch->room < length) {
		batch->room = length;
		batch->bytes = g_realloc(batch->bytes, length);
	}
	return batch;
}

/* What is behind the end of a batch is asked for in vain, which does no harm. */
static void fetch_to_write(uintptr_t at, size_t size)
{
	for (size_t i = 0; i < size; i += RDA_FETCH_LINE)
		__builtin_prefetch((const void *)(at + i), 1);
}

struct rda_shard_step *rda_shard_feed_step(struct rda_shard_feed *feed, const void *bytes,
					   uint32_t length)
{
	struct rda_batch *batch = batch_for(feed, length);
	struct rda_shard_step *step = &batch->steps[batch->count++];
	uint8_t *to = batch->bytes + batch->used;

	fetch_to_write((uintptr_t)step + FETCH_STEPS * sizeof(*step), sizeof(*step));
	fetch_to_write((uintptr_t)to + FETCH_BYTES, length);
	step->offset = batch->used;
	if (length)
		memcpy(to, bytes, length);
	batch->used += length;
	return step;
}

void rda_shard_feed_end(struct rda_shard_feed *feed)
{
	batch_for(feed, 0)->last = true;
	rda_shard_feed_send(feed);
}

/* ---- the thread's ---------------------------------------------------------------------------- */

void rda_batch_fetch(const struct rda_batch *batch, uint32_t index)
{
	if (index + FETCH_STEPS < batch->count)
		rda_fetch_lines(&batch->steps[index + FETCH_STEPS], 1);
	if (index + FETCH_FRAMES < batch->count)
		rda_fetch_lines(batch->bytes + batch->steps[index + FETCH_FRAMES].offset,
				FRAME_LINES);
}
