/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads with engines, and what each does at a step. See shards.h.
 */
#include "analyzer/rdma-analyze/shards.h"

#include "analyzer/base/cold.h"
#include "analyzer/engine/ahead.h"
#include "analyzer/engine/budget.h"
#include "analyzer/engine/part.h"
#include "analyzer/engine/part_keys.h"
#include "analyzer/engine/splitter.h"
#include "analyzer/rdma-analyze/shard_steps.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

/* Batches for each thread: so many hide that threads take turns. */
enum { BATCHES_PER_THREAD = 8 };

/* Frames after which events of memory keys are put in order: they are few bytes each. */
enum { KEYS_EVERY = 32768, KEYS_EVERY_MIN = 1024 };

/* Then engines see whether they have enough memory: frames may add so much before, of a share. */
enum { FRAME_BYTES = 8192, SHARE_BETWEEN = 32 };

/* What a frame costs its engine, and what it costs to read it and to know whose it is. */
enum { LOAD_FRAME = 4, LOAD_READ = 1 };

/* The system's default is 8 MiB each, which limits of the process (ulimit -d) count as used. */
enum { STACK = 1 << 20 };

struct worker {
	struct rda_shards *shards;
	pthread_t thread;
	bool runs;
	struct rda_engine *engine;
	struct rda_result *result; /* once the thread has ended */
	struct given *given;
	GAsyncQueue *work; /* that of given->feed */
};

/* What the reader writes at each frame: in lines apart from what a thread reads at each. */
struct given {
	struct rda_shard_feed feed;
	uint64_t frames,
		before; /* before: of captures before the one at hand, or its latest file */
};

struct rda_shards {
	struct rda_splitter *splitter;
	struct rda_part_keys *keys; /* owned; NULL: nothing but counts */
	GMutex keys_lock;	    /* held by a thread that uses them */
	GAsyncQueue *unused;	    /* struct rda_batch */
	struct worker *workers;
	struct given *given;	       /* of each */
	unsigned count, threads;       /* that there are, and that were asked for */
	int16_t worker_of[RDA_SHARES]; /* -1: none yet */
	int16_t latest;		       /* that had the frame before; -1: none */
	bool begun;		       /* a frame came, of this file or one before */
	uint64_t read;		       /* frames */
	uint64_t keys_at;	       /* when so many are, keys are taken */
	uint32_t keys_every;
};

/* The thread that reads has an engine as well, and needs no batches. */
static bool is_reader(const struct worker *worker)
{
	return worker == worker->shards->workers;
}

/* ---- in the threads -------------------------------------------------------------------------- */

static void take_keys(struct worker *worker)
{
	struct rda_shards *shards = worker->shards;

	g_mutex_lock(&shards->keys_lock);
	rda_part_keys_take(shards->keys, (unsigned)(worker - shards->workers), worker->engine);
	g_mutex_unlock(&shards->keys_lock);
}

static void take_step(struct worker *worker, const struct rda_shard_step *step,
		      const uint8_t *bytes)
{
	struct rda_engine *engine = worker->engine;
	const struct rda_frame frame = {bytes, step->captured, step->wire, step->link};
	struct rda_part_others others;
	struct rda_cm_said said[2];

	if (step->between)
		rda_part_between(engine, &step->meta);
	switch (step->kind) {
	case RDA_STEP_FRAME: rda_engine_packet(engine, &step->meta, &frame); break;
	case RDA_STEP_PAUSE:
		rda_engine_elsewhere(engine, &step->meta, &frame,
				     &(struct rda_share){.stops_link = true});
		break;
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
	case RDA_STEP_KEYS:
		if (worker->shards->keys)
			take_keys(worker);
		rda_budget_look(engine, worker->shards->keys_every / RDA_BUDGET_FRAMES);
		break;
	}
}

static void look_ahead(const struct worker *worker, const struct rda_batch *batch, uint32_t index)
{
	const struct rda_shard_step *step;

	if (index >= batch->count || batch->steps[index].kind != RDA_STEP_FRAME ||
	    !rda_ahead_is_worth(worker->engine))
		return;
	step = &batch->steps[index];
	rda_ahead_frame(worker->engine,
			&(struct rda_frame){batch->bytes + step->offset, step->captured, step->wire,
					    step->link});
}

static void end_engine(struct worker *worker)
{
	rda_engine_end(worker->engine);
	worker->result = rda_engine_spend(g_steal_pointer(&worker->engine));
}

static void *work(void *data)
{
	struct worker *worker = data;
	bool last = false;

	while (!last) {
		struct rda_batch *batch = g_async_queue_pop(worker->work);

		for (uint32_t i = 0; i < batch->count; i++) {
			rda_batch_fetch(batch, i);
			look_ahead(worker, batch, i + RDA_AHEAD_FRAMES);
			take_step(worker, &batch->steps[i], batch->bytes + batch->steps[i].offset);
		}
		last = batch->last;
		batch->count = batch->used = 0;
		g_async_queue_push(worker->shards->unused, batch);
	}
	end_engine(worker);
	return NULL;
}

/* ---- the reader ------------------------------------------------------------------------------ */

static void give_frame(struct worker *worker, enum rda_shard_step_kind kind,
		       const struct rda_meta *meta, const struct rda_frame *frame, bool between)
{
	struct rda_shard_step *step =
		rda_shard_feed_step(&worker->given->feed, frame->bytes, frame->captured);

	step->meta.time_ns = meta->time_ns;
	step->meta.number = meta->number;
	step->meta.tap = meta->tap;
	step->captured = frame->captured;
	step->wire = frame->wire;
	step->link = frame->link;
	step->kind = (uint8_t)kind;
	step->between = between;
}

/* The reader takes a frame as it is. */
static void take_frame(struct worker *worker, const struct rda_meta *meta,
		       const struct rda_frame *frame, bool between)
{
	if (between)
		rda_part_between(worker->engine, meta);
	rda_engine_packet(worker->engine, meta, frame);
}

static void give_news(struct worker *worker, enum rda_shard_step_kind kind,
		      const struct rda_meta *meta, const void *news, uint32_t length)
{
	struct rda_shard_step step = {.meta = *meta, .kind = (uint8_t)kind}, *given;

	if (is_reader(worker)) {
		take_step(worker, &step, news);
		return;
	}
	given = rda_shard_feed_step(&worker->given->feed, news, length);
	step.offset = given->offset;
	*given = step;
}

/* GLib's threads have no say in the size of their stack. */
static bool begin_thread(struct worker *worker)
{
	pthread_attr_t attributes;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	worker->runs = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
		       pthread_create(&worker->thread, &attributes, work, worker) == 0;
	pthread_attr_destroy(&attributes);
	return worker->runs;
}

static void free_worker(struct worker *worker)
{
	rda_engine_free(worker->engine);
	rda_result_free(worker->result);
	rda_shard_feed_cleanup(&worker->given->feed);
}

static bool begin_worker(struct rda_shards *shards, const struct rda_config *config)
{
	struct worker *worker = &shards->workers[shards->count];
	struct rda_config part = *config;

	part.part = true;
	part.part_number = shards->count;
	part.memory = config->memory / (shards->threads + 1);
	worker->shards = shards;
	worker->given = &shards->given[shards->count];
	worker->engine = rda_engine_new(&part);
	shards->count++;
	if (is_reader(worker))
		return true;
	rda_shard_feed_begin(&worker->given->feed, shards->unused);
	worker->work = worker->given->feed.work;
	if (!begin_thread(worker)) {
		free_worker(worker);
		shards->count--;
		return false;
	}
	for (unsigned i = 0; i < BATCHES_PER_THREAD; i++)
		g_async_queue_push(shards->unused, rda_batch_new());
	return true;
}

struct rda_shards *rda_shards_new(const struct rda_config *config, unsigned threads)
{
	struct rda_shards *shards = g_new0(struct rda_shards, 1);
	struct rda_config limited = *config;

	g_mutex_init(&shards->keys_lock);
	shards->splitter = rda_splitter_new(config);
	shards->unused = g_async_queue_new_full(rda_batch_free);
	shards->workers = g_new0(struct worker, threads);
	shards->given = g_new0(struct given, threads);
	shards->threads = threads;
	shards->keys_every = KEYS_EVERY;
	if (config->memory)
		shards->keys_every = (uint32_t)CLAMP(config->memory / SHARE_BETWEEN / FRAME_BYTES,
						     KEYS_EVERY_MIN, KEYS_EVERY);
	shards->keys_at = shards->keys_every;
	shards->latest = -1;
	memset(shards->worker_of, -1, sizeof(shards->worker_of));
	while (shards->count < threads && begin_worker(shards, config))
		continue;
	if (shards->count < 2) {
		rda_shards_free(shards);
		return NULL;
	}
	/* as many keys as one engine remembers, so that the report is that of one */
	rda_budget_limits(&limited);
	if (!config->count_only)
		shards->keys = rda_part_keys_new(&limited, shards->count);
	return shards;
}

static uint64_t load_of(const struct worker *worker)
{
	return worker->given->frames * LOAD_FRAME +
	       (is_reader(worker) ? worker->shards->read * LOAD_READ : 0);
}

/* The one that has what is of a pair. */
static int16_t worker_of(struct rda_shards *shards, uint64_t pair)
{
	int16_t *worker = &shards->worker_of[rda_share_class(pair)];

	if (*worker >= 0)
		return *worker;
	*worker = 0;
	for (unsigned i = 1; i < shards->count; i++)
		if (load_of(&shards->workers[i]) <= load_of(&shards->workers[*worker]))
			*worker = (int16_t)i;
	return *worker;
}

/* A capture is at its end: all learn of what they did not see of it. */
static void end_capture(struct rda_shards *shards)
{
	const struct rda_part_others *all = rda_splitter_span(shards->splitter);
	const struct rda_meta none = {0};

	for (unsigned i = 0; i < shards->count && all->frames; i++) {
		struct rda_part_others others = *all;

		others.frames -= shards->given[i].frames - shards->given[i].before;
		give_news(&shards->workers[i], RDA_STEP_OTHERS, &none, &others, sizeof(others));
	}
}

static void next_capture(struct rda_shards *shards, enum rda_shard_step_kind kind)
{
	const struct rda_meta none = {0};

	end_capture(shards);
	if (kind == RDA_STEP_CAPTURE) {
		shards->begun = false;
		shards->latest = -1;
	}
	for (unsigned i = 0; i < shards->count; i++) {
		shards->given[i].before = shards->given[i].frames;
		give_news(&shards->workers[i], kind, &none, NULL, 0);
	}
}

void rda_shards_begin_capture(struct rda_shards *shards)
{
	next_capture(shards, RDA_STEP_CAPTURE);
	rda_splitter_begin_capture(shards->splitter);
}

void rda_shards_continue_capture(struct rda_shards *shards)
{
	next_capture(shards, RDA_STEP_CONTINUE);
	rda_splitter_continue_capture(shards->splitter);
}

void rda_shards_dropped(struct rda_shards *shards, uint64_t packets)
{
	give_news(&shards->workers[0], RDA_STEP_DROPPED, &(struct rda_meta){.number = packets},
		  NULL, 0);
}

/* All know when the capture, be it of several files, began. */
RDA_COLD static void begin(struct rda_shards *shards, const struct rda_meta *meta)
{
	for (unsigned i = 0; i < shards->count; i++)
		give_news(&shards->workers[i], RDA_STEP_BETWEEN, meta, NULL, 0);
	shards->begun = true;
}

static void send_keys(struct rda_shards *shards)
{
	const struct rda_meta none = {0};

	shards->keys_at += shards->keys_every;
	for (unsigned i = 0; i < shards->count; i++) {
		give_news(&shards->workers[i], RDA_STEP_KEYS, &none, NULL, 0);
		if (i > 0)
			rda_shard_feed_send(&shards->given[i].feed);
	}
}

/* Of all engines but that which had the frame. */
static void stop_links(struct rda_shards *shards, const struct rda_meta *meta,
		       const struct rda_frame *frame, int16_t index)
{
	for (int16_t i = 0; i < (int16_t)shards->count; i++)
		if (i != index && i == 0)
			rda_engine_elsewhere(shards->workers[0].engine, meta, frame,
					     &(struct rda_share){.stops_link = true});
		else if (i != index)
			give_frame(&shards->workers[i], RDA_STEP_PAUSE, meta, frame, false);
}

const struct rda_packet *rda_shards_frame(struct rda_shards *shards, const struct rda_meta *meta,
					  const struct rda_frame *frame)
{
	const struct rda_share *share = rda_splitter_share(shards->splitter, meta, frame);
	int16_t index = worker_of(shards, share->pair);
	struct worker *worker = &shards->workers[index];

	if (!shards->begun)
		begin(shards, meta);
	if (share->told)
		give_news(&shards->workers[worker_of(shards, share->told_pair)], RDA_STEP_TOLD,
			  meta, share->told, 2 * sizeof(struct rda_cm_said));
	if (is_reader(worker))
		take_frame(worker, meta, frame, shards->latest != index);
	else
		give_frame(worker, RDA_STEP_FRAME, meta, frame, shards->latest != index);
	shards->latest = index;
	worker->given->frames++;
	if (++shards->read == shards->keys_at)
		send_keys(shards);
	if (share->stops_link)
		stop_links(shards, meta, frame, index);
	return rda_splitter_packet(shards->splitter);
}

struct rda_engine *rda_shards_engine(const struct rda_shards *shards)
{
	return shards->workers[0].engine;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void end_threads(struct rda_shards *shards)
{
	for (unsigned i = 1; i < shards->count; i++) {
		rda_shard_feed_end(&shards->given[i].feed);
	}
	end_engine(&shards->workers[0]);
	for (unsigned i = 1; i < shards->count; i++) {
		pthread_join(shards->workers[i].thread, NULL);
		shards->workers[i].runs = false;
	}
}

/* Of the last two there is what is known of keys. */
static struct rda_result *merge_next(struct rda_shards *shards, struct rda_result *merged,
				     struct worker *worker)
{
	bool last = worker == &shards->workers[shards->count - 1];
	struct rda_result *both =
		last && shards->keys ? rda_part_keys_unite(shards->keys, merged, worker->result)
				     : rda_result_unite(merged, worker->result);

	worker->result = NULL;
	return both;
}

struct rda_result *rda_shards_result(struct rda_shards *shards)
{
	struct rda_result *merged;

	end_capture(shards);
	merged = rda_splitter_result(shards->splitter);
	end_threads(shards);
	for (unsigned i = 0; i < shards->count && shards->keys; i++)
		rda_part_keys_end(shards->keys, i, shards->workers[i].result);
	for (unsigned i = 0; i < shards->count; i++)
		merged = merge_next(shards, merged, &shards->workers[i]);
	return merged;
}

void rda_shards_free(struct rda_shards *shards)
{
	if (!shards)
		return;
	if (shards->count > 1 && shards->workers[1].runs)
		end_threads(shards);
	for (unsigned i = 0; i < shards->count; i++)
		free_worker(&shards->workers[i]);
	g_async_queue_unref(shards->unused);
	rda_splitter_free(shards->splitter);
	rda_part_keys_free(shards->keys);
	g_mutex_clear(&shards->keys_lock);
	g_free(shards->workers);
	g_free(shards->given);
	g_free(shards);
}
