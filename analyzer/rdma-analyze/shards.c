/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads with engines, and the batches that go to and fro. See shards.h.
 */
#include "analyzer/rdma-analyze/shards.h"

#include "analyzer/engine/ahead.h"
#include "analyzer/engine/budget.h"
#include "analyzer/engine/part.h"
#include "analyzer/engine/part_keys.h"
#include "analyzer/engine/splitter.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

/* A batch fits the cache of a core; so many of them for each thread hide that threads take turns.
 */
enum { BATCH_BYTES = 256 * 1024, BATCH_STEPS = 2048, BATCHES_PER_THREAD = 8 };

/* Frames after which events of memory keys are put in order: they are few bytes each. */
enum { KEYS_EVERY = 32768, KEYS_EVERY_MIN = 1024 };

/* Then engines see whether they have enough memory: frames may add so much before, of a share. */
enum { FRAME_BYTES = 8192, SHARE_BETWEEN = 32 };

/* The system's default is 8 MiB each, which limits of the process (ulimit -d) count as used. */
enum { STACK = 1 << 20 };

enum step_kind {
	STEP_FRAME,
	STEP_PAUSE,   /* a frame of another engine that stops a link */
	STEP_BETWEEN, /* others had frames */
	STEP_OTHERS,
	STEP_TOLD,
	STEP_CAPTURE,  /* another one begins */
	STEP_CONTINUE, /* another file, in which the same taps go on */
	STEP_DROPPED,
	STEP_KEYS, /* what was kept of keys is taken */
};

/* What an engine is to do. */
struct step {
	struct rda_meta meta;
	uint32_t
		offset; /* of the bytes in the batch: a frame's, or of struct rda_part_others ... */
	uint32_t captured, wire;
	uint16_t link;
	uint8_t kind; /* enum step_kind */
};

struct batch {
	struct step steps[BATCH_STEPS];
	uint32_t count, used, room;
	bool last;
	uint8_t *bytes; /* owned */
};

struct worker {
	struct rda_shards *shards;
	pthread_t thread;
	bool runs;
	GAsyncQueue *work;   /* struct batch */
	struct batch *batch; /* that is being filled */
	struct rda_engine *engine;
	struct rda_result *result; /* once the thread has ended */
	uint64_t frames;
	uint64_t seen; /* of all frames of the capture, when others were told last */
};

struct rda_shards {
	struct rda_splitter *splitter;
	struct rda_part_keys *keys; /* owned; NULL: nothing but counts */
	GMutex keys_lock;	    /* held by a thread that uses them */
	GAsyncQueue *unused;	    /* struct batch */
	struct worker *workers;
	unsigned count, threads;       /* that there are, and that were asked for */
	int16_t worker_of[RDA_SHARES]; /* -1: none yet */
	int16_t latest;		       /* that had the frame before; -1: none */
	bool begun;		       /* a frame came, of this file or one before */
	/* of the capture at hand */
	uint64_t frames;
	struct rda_part_others span; /* its times */
	struct rda_meta latest_meta;
	uint32_t since_keys, keys_every; /* frames since keys were taken, and until they are */
};

/* ---- in the threads -------------------------------------------------------------------------- */

static void take_keys(struct worker *worker)
{
	struct rda_shards *shards = worker->shards;

	g_mutex_lock(&shards->keys_lock);
	rda_part_keys_take(shards->keys, (unsigned)(worker - shards->workers), worker->engine);
	g_mutex_unlock(&shards->keys_lock);
}

static void take_step(struct worker *worker, const struct batch *batch, const struct step *step)
{
	struct rda_engine *engine = worker->engine;
	const uint8_t *bytes = batch->bytes + step->offset;
	const struct rda_frame frame = {bytes, step->captured, step->wire, step->link};
	struct rda_part_others others;
	struct rda_cm_said said[2];

	switch (step->kind) {
	case STEP_FRAME: rda_engine_packet(engine, &step->meta, &frame); break;
	case STEP_PAUSE:
		rda_engine_elsewhere(engine, &step->meta, &frame,
				     &(struct rda_share){.stops_link = true});
		break;
	case STEP_BETWEEN: rda_part_between(engine, &step->meta); break;
	case STEP_OTHERS:
		memcpy(&others, bytes, sizeof(others));
		rda_part_others(engine, &others);
		break;
	case STEP_TOLD:
		memcpy(said, bytes, sizeof(said));
		rda_part_told(engine, &step->meta, said);
		break;
	case STEP_CAPTURE: rda_engine_begin_capture(engine); break;
	case STEP_CONTINUE: rda_engine_continue_capture(engine); break;
	case STEP_DROPPED: rda_engine_dropped(engine, step->meta.number); break;
	case STEP_KEYS:
		if (worker->shards->keys)
			take_keys(worker);
		rda_budget_look(engine, worker->shards->keys_every / RDA_BUDGET_FRAMES);
		break;
	}
}

static void look_ahead(const struct worker *worker, const struct batch *batch, uint32_t index)
{
	const struct step *step;

	if (index >= batch->count || batch->steps[index].kind != STEP_FRAME ||
	    !rda_ahead_is_worth(worker->engine))
		return;
	step = &batch->steps[index];
	rda_ahead_frame(worker->engine,
			&(struct rda_frame){batch->bytes + step->offset, step->captured, step->wire,
					    step->link});
}

static void *work(void *data)
{
	struct worker *worker = data;
	bool last = false;

	while (!last) {
		struct batch *batch = g_async_queue_pop(worker->work);

		for (uint32_t i = 0; i < batch->count; i++) {
			look_ahead(worker, batch, i + RDA_AHEAD_FRAMES);
			take_step(worker, batch, &batch->steps[i]);
		}
		last = batch->last;
		batch->count = batch->used = 0;
		g_async_queue_push(worker->shards->unused, batch);
	}
	rda_engine_end(worker->engine);
	worker->result = rda_engine_spend(g_steal_pointer(&worker->engine));
	return NULL;
}

/* ---- batches --------------------------------------------------------------------------------- */

static void send(struct worker *worker)
{
	g_async_queue_push(worker->work, worker->batch);
	worker->batch = NULL;
}

/* One with room for so many bytes: that which is being filled, or the next. */
static struct batch *batch_for(struct worker *worker, uint32_t length)
{
	struct batch *batch = worker->batch;

	if (batch && (batch->count == BATCH_STEPS || batch->room - batch->used < length))
		send(worker);
	if (!worker->batch)
		worker->batch = g_async_queue_pop(worker->shards->unused);
	batch = worker->batch;
	if (batch->room < length) {
		batch->room = length;
		batch->bytes = g_realloc(batch->bytes, length);
	}
	return batch;
}

/* A step, with a copy of its bytes. */
static struct step *add_step(struct worker *worker, enum step_kind kind,
			     const struct rda_meta *meta, const void *bytes, uint32_t length)
{
	struct batch *batch = batch_for(worker, length);
	struct step *step = &batch->steps[batch->count++];

	step->meta = *meta;
	step->kind = (uint8_t)kind;
	step->offset = batch->used;
	if (length)
		memcpy(batch->bytes + batch->used, bytes, length);
	batch->used += length;
	return step;
}

static void add_frame(struct worker *worker, enum step_kind kind, const struct rda_meta *meta,
		      const struct rda_frame *frame)
{
	struct step *step = add_step(worker, kind, meta, frame->bytes, frame->captured);

	step->captured = frame->captured;
	step->wire = frame->wire;
	step->link = frame->link;
}

/* ---- the reader ------------------------------------------------------------------------------ */

static struct batch *new_batch(void)
{
	struct batch *batch = g_new(struct batch, 1);

	*batch = (struct batch){.room = BATCH_BYTES, .bytes = g_malloc(BATCH_BYTES)};
	return batch;
}

static void free_batch(void *data)
{
	struct batch *batch = data;

	g_free(batch->bytes);
	g_free(batch);
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

static bool begin_worker(struct rda_shards *shards, const struct rda_config *config)
{
	struct worker *worker = &shards->workers[shards->count];
	struct rda_config part = *config;

	part.part = true;
	part.part_number = shards->count;
	part.memory = config->memory / (shards->threads + 1);
	worker->shards = shards;
	worker->engine = rda_engine_new(&part);
	worker->work = g_async_queue_new_full(free_batch);
	if (!begin_thread(worker)) {
		rda_engine_free(worker->engine);
		g_async_queue_unref(worker->work);
		return false;
	}
	for (unsigned i = 0; i < BATCHES_PER_THREAD; i++)
		g_async_queue_push(shards->unused, new_batch());
	shards->count++;
	return true;
}

struct rda_shards *rda_shards_new(const struct rda_config *config, unsigned threads)
{
	struct rda_shards *shards = g_new0(struct rda_shards, 1);
	struct rda_config limited = *config;

	g_mutex_init(&shards->keys_lock);
	shards->splitter = rda_splitter_new(config);
	shards->unused = g_async_queue_new_full(free_batch);
	shards->workers = g_new0(struct worker, threads);
	shards->threads = threads;
	shards->keys_every = KEYS_EVERY;
	if (config->memory)
		shards->keys_every = (uint32_t)CLAMP(config->memory / SHARE_BETWEEN / FRAME_BYTES,
						     KEYS_EVERY_MIN, KEYS_EVERY);
	shards->latest = -1;
	memset(shards->worker_of, -1, sizeof(shards->worker_of));
	while (shards->count < threads && begin_worker(shards, config))
		continue;
	if (shards->count < 2) {
		rda_shards_free(shards);
		return NULL;
	}
	limited.memory = config->memory / (threads + 1);
	rda_budget_limits(&limited);
	if (!config->count_only)
		shards->keys = rda_part_keys_new(&limited, shards->count);
	return shards;
}

/* The one that has what is of a pair. */
static int16_t worker_of(struct rda_shards *shards, uint64_t pair)
{
	int16_t *worker = &shards->worker_of[rda_share_class(pair)];

	if (*worker >= 0)
		return *worker;
	*worker = 0;
	for (unsigned i = 1; i < shards->count; i++)
		if (shards->workers[i].frames < shards->workers[*worker].frames)
			*worker = (int16_t)i;
	return *worker;
}

/* A capture is at its end: all learn of what they did not see of it. */
static void end_capture(struct rda_shards *shards)
{
	for (unsigned i = 0; i < shards->count && shards->frames; i++) {
		struct rda_part_others others = shards->span;

		others.frames = shards->frames - shards->workers[i].seen;
		add_step(&shards->workers[i], STEP_OTHERS, &shards->latest_meta, &others,
			 sizeof(others));
	}
}

static void next_capture(struct rda_shards *shards, enum step_kind kind)
{
	const struct rda_meta none = {0};

	end_capture(shards);
	shards->frames = 0;
	if (kind == STEP_CAPTURE) {
		shards->begun = false;
		shards->latest = -1;
	}
	for (unsigned i = 0; i < shards->count; i++) {
		shards->workers[i].seen = 0;
		add_step(&shards->workers[i], kind, &none, NULL, 0);
	}
}

void rda_shards_begin_capture(struct rda_shards *shards)
{
	next_capture(shards, STEP_CAPTURE);
	rda_splitter_begin_capture(shards->splitter);
}

void rda_shards_continue_capture(struct rda_shards *shards)
{
	next_capture(shards, STEP_CONTINUE);
	rda_splitter_continue_capture(shards->splitter);
}

void rda_shards_dropped(struct rda_shards *shards, uint64_t packets)
{
	add_step(&shards->workers[0], STEP_DROPPED, &(struct rda_meta){.number = packets}, NULL, 0);
}

/* All know when the capture, be it of several files, began. */
static void span(struct rda_shards *shards, const struct rda_meta *meta)
{
	struct rda_part_others *times = &shards->span;

	if (shards->frames++ == 0)
		times->first_ns = times->last_ns = meta->time_ns;
	for (unsigned i = 0; i < shards->count && !shards->begun; i++)
		add_step(&shards->workers[i], STEP_BETWEEN, meta, NULL, 0);
	shards->begun = true;
	times->first_ns = MIN(times->first_ns, meta->time_ns);
	times->last_ns = MAX(times->last_ns, meta->time_ns);
	shards->latest_meta = *meta;
}

static void send_keys(struct rda_shards *shards)
{
	const struct rda_meta none = {0};

	shards->since_keys = 0;
	for (unsigned i = 0; i < shards->count; i++) {
		add_step(&shards->workers[i], STEP_KEYS, &none, NULL, 0);
		send(&shards->workers[i]);
	}
}

const struct rda_packet *rda_shards_frame(struct rda_shards *shards, const struct rda_meta *meta,
					  const struct rda_frame *frame)
{
	struct rda_share share = rda_splitter_frame(shards->splitter, meta, frame);
	int16_t index = worker_of(shards, share.pair);
	struct worker *worker = &shards->workers[index];

	span(shards, meta);
	if (share.told)
		add_step(&shards->workers[worker_of(shards, share.told_pair)], STEP_TOLD, meta,
			 share.told, 2 * sizeof(struct rda_cm_said));
	if (shards->latest != index)
		add_step(worker, STEP_BETWEEN, meta, NULL, 0);
	shards->latest = index;
	add_frame(worker, STEP_FRAME, meta, frame);
	worker->frames++;
	worker->seen++;
	if (++shards->since_keys == shards->keys_every)
		send_keys(shards);
	for (unsigned i = 0; share.stops_link && i < shards->count; i++)
		if (i != (unsigned)index)
			add_frame(&shards->workers[i], STEP_PAUSE, meta, frame);
	return rda_splitter_packet(shards->splitter);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void end_threads(struct rda_shards *shards)
{
	for (unsigned i = 0; i < shards->count; i++) {
		batch_for(&shards->workers[i], 0)->last = true;
		send(&shards->workers[i]);
	}
	for (unsigned i = 0; i < shards->count; i++) {
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
	struct rda_result *merged = rda_splitter_result(shards->splitter);

	end_capture(shards);
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
	if (shards->count && shards->workers[0].runs)
		end_threads(shards);
	for (unsigned i = 0; i < shards->count; i++) {
		rda_result_free(shards->workers[i].result);
		g_async_queue_unref(shards->workers[i].work);
	}
	g_async_queue_unref(shards->unused);
	rda_splitter_free(shards->splitter);
	rda_part_keys_free(shards->keys);
	g_mutex_clear(&shards->keys_lock);
	g_free(shards->workers);
	g_free(shards);
}
