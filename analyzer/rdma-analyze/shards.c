/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads with engines, and what is told each. See shards.h.
 */
#include "analyzer/rdma-analyze/shards.h"

#include "analyzer/base/cold.h"
#include "analyzer/engine/ahead.h"
#include "analyzer/engine/budget.h"
#include "analyzer/engine/part.h"
#include "analyzer/engine/part_keys.h"
#include "analyzer/rdma-analyze/shard_walk.h"
#include "analyzer/rdma-analyze/shard_worker.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

/* Batches for each thread: so many hide that threads take turns. */
enum { BATCHES_PER_THREAD = 8 };

/*
 * What a frame costs its engine, where 1 is what all frames cost the first one besides: of a reader
 * for all to read them and to know whose they are; side by side to follow times.
 */
enum { LOAD_OF_READER = 4, LOAD_SIDE_BY_SIDE = 16 };

/* The system's default is 8 MiB each, which limits of the process (ulimit -d) count as used. */
enum { STACK = 1 << 20 };

struct thread {
	struct rda_shards *shards;
	struct rda_shard_worker worker;
	pthread_t thread;
	bool runs;
	struct rda_result *result;   /* once the thread has ended */
	struct rda_shard_feed *feed; /* what the reader tells it; of the others only */
	struct rda_shard_view *view; /* of the reader; side by side each has one */
	GAsyncQueue *work;	     /* that of `feed` */
};

struct rda_shards {
	struct rda_shard_keys keys;
	GAsyncQueue *unused; /* struct rda_batch */
	struct thread *threads;
	/* what the reader writes at each frame: in lines apart from what a thread reads at each */
	struct rda_shard_feed *feeds; /* of each */
	unsigned count, wanted;	      /* threads that there are, and that were asked for */
	bool side_by_side;
	struct rda_shard_walk *walk; /* through the file at hand; NULL: a reader for all */
	GPtrArray *walks;	     /* struct rda_shard_walk */
};

/* The thread that reads has an engine as well, and needs no batches. */
static bool is_reader(const struct thread *thread)
{
	return thread->worker.number == 0;
}

/* ---- in the threads -------------------------------------------------------------------------- */

static void look_ahead(const struct thread *thread, const struct rda_batch *batch, uint32_t index)
{
	const struct rda_shard_step *step;

	if (index >= batch->count || batch->steps[index].kind != RDA_STEP_FRAME ||
	    !rda_ahead_is_worth(thread->worker.engine))
		return;
	step = &batch->steps[index];
	rda_ahead_frame(thread->worker.engine,
			&(struct rda_frame){batch->bytes + step->offset, step->captured, step->wire,
					    step->link});
}

/* What changes what a thread that sees all frames knows of them. */
RDA_COLD static void follow_step(struct thread *thread, const struct rda_shard_step *step,
				 const void *bytes)
{
	struct rda_shard_walk *walk;

	switch (step->kind) {
	case RDA_STEP_CAPTURE: rda_shard_view_begin_capture(thread->view); break;
	case RDA_STEP_CONTINUE: rda_shard_view_continue_capture(thread->view); break;
	case RDA_STEP_WALK:
		memcpy(&walk, bytes, sizeof(walk));
		rda_shard_walk_follow(walk, &thread->worker, thread->view);
		break;
	default: break;
	}
}

static void take_step(struct thread *thread, const struct rda_batch *batch, uint32_t index)
{
	const struct rda_shard_step *step = &batch->steps[index];
	const void *bytes = batch->bytes + step->offset;

	rda_batch_fetch(batch, index);
	look_ahead(thread, batch, index + RDA_AHEAD_FRAMES);
	if (thread->view)
		follow_step(thread, step, bytes);
	rda_shard_worker_step(&thread->worker, step, bytes);
}

static void *work(void *data)
{
	struct thread *thread = data;
	bool last = false;

	while (!last) {
		struct rda_batch *batch = g_async_queue_pop(thread->work);

		for (uint32_t i = 0; i < batch->count; i++)
			take_step(thread, batch, i);
		last = batch->last;
		batch->count = batch->used = 0;
		g_async_queue_push(thread->shards->unused, batch);
	}
	thread->result = rda_shard_worker_end(&thread->worker);
	return NULL;
}

/* ---- the reader ------------------------------------------------------------------------------ */

static struct rda_shard_view *reader_view(const struct rda_shards *shards)
{
	return shards->threads[0].view;
}

static void give_frame(struct thread *thread, enum rda_shard_step_kind kind,
		       const struct rda_meta *meta, const struct rda_frame *frame, bool between)
{
	struct rda_shard_step *step =
		rda_shard_feed_step(thread->feed, frame->bytes, frame->captured);

	step->meta.time_ns = meta->time_ns;
	step->meta.number = meta->number;
	step->meta.tap = meta->tap;
	step->captured = frame->captured;
	step->wire = frame->wire;
	step->link = frame->link;
	step->kind = (uint8_t)kind;
	step->between = between;
}

static void give_news(struct thread *thread, enum rda_shard_step_kind kind,
		      const struct rda_meta *meta, const void *news, uint32_t length)
{
	struct rda_shard_step step = {.meta = *meta, .kind = (uint8_t)kind}, *given;

	if (is_reader(thread)) {
		rda_shard_worker_step(&thread->worker, &step, news);
		return;
	}
	given = rda_shard_feed_step(thread->feed, news, length);
	step.offset = given->offset;
	*given = step;
}

/* GLib's threads have no say in the size of their stack. */
static bool begin_thread(struct thread *thread)
{
	pthread_attr_t attributes;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	thread->runs = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
		       pthread_create(&thread->thread, &attributes, work, thread) == 0;
	pthread_attr_destroy(&attributes);
	return thread->runs;
}

static void free_thread(struct thread *thread)
{
	rda_engine_free(thread->worker.engine);
	rda_result_free(thread->result);
	rda_shard_feed_cleanup(thread->feed);
	if (thread->view)
		rda_shard_view_cleanup(thread->view);
	g_free(thread->view);
}

static void begin_view(struct thread *thread, const struct rda_config *config)
{
	const bool side_by_side = thread->shards->side_by_side;

	if (!side_by_side && !is_reader(thread))
		return;
	thread->view = g_new(struct rda_shard_view, 1);
	rda_shard_view_init(
		thread->view,
		is_reader(thread) ? rda_splitter_new(config) : rda_splitter_of_hosts(config),
		side_by_side ? LOAD_SIDE_BY_SIDE : LOAD_OF_READER, thread->shards->keys.every);
}

static bool begin_worker(struct rda_shards *shards, const struct rda_config *config)
{
	struct thread *thread = &shards->threads[shards->count];
	struct rda_config part = *config;

	part.part = true;
	part.part_number = shards->count;
	part.memory = config->memory / (shards->wanted + 1);
	thread->shards = shards;
	thread->feed = &shards->feeds[shards->count];
	thread->worker = (struct rda_shard_worker){
		.number = (int16_t)shards->count,
		.engine = rda_engine_new(&part),
		.keys = &shards->keys,
	};
	begin_view(thread, config);
	shards->count++;
	if (is_reader(thread))
		return true;
	rda_shard_feed_begin(thread->feed, shards->unused);
	thread->work = thread->feed->work;
	if (!begin_thread(thread)) {
		free_thread(thread);
		shards->count--;
		return false;
	}
	for (unsigned i = 0; i < BATCHES_PER_THREAD; i++)
		g_async_queue_push(shards->unused, rda_batch_new());
	return true;
}

/* All threads that there will be are there, and none has got a frame. */
static void begin_keys(struct rda_shards *shards, const struct rda_config *config)
{
	struct rda_config limited = *config;

	/* as many keys as one engine remembers, so that the report is that of one */
	rda_budget_limits(&limited);
	if (!config->count_only)
		shards->keys.keys = rda_part_keys_new(&limited, shards->count);
	for (unsigned i = 0; i < shards->count; i++)
		if (shards->threads[i].view)
			shards->threads[i].view->count = shards->count;
}

struct rda_shards *rda_shards_new(const struct rda_config *config, unsigned threads,
				  bool side_by_side)
{
	struct rda_shards *shards = g_new0(struct rda_shards, 1);

	g_mutex_init(&shards->keys.lock);
	shards->unused = g_async_queue_new_full(rda_batch_free);
	shards->threads = g_new0(struct thread, threads);
	shards->feeds = g_new0(struct rda_shard_feed, threads);
	shards->walks = g_ptr_array_new_with_free_func(rda_shard_walk_free);
	shards->wanted = threads;
	shards->side_by_side = side_by_side;
	shards->keys.every = rda_shard_keys_every(config->memory);
	while (shards->count < threads && begin_worker(shards, config))
		continue;
	if (shards->count < 2) {
		rda_shards_free(shards);
		return NULL;
	}
	begin_keys(shards, config);
	return shards;
}

unsigned rda_shards_count(const struct rda_shards *shards)
{
	return shards->count;
}

/* A capture is at its end: all learn of what they did not see of it. */
static void end_capture(struct rda_shards *shards)
{
	const struct rda_meta none = {0};

	for (unsigned i = 0; i < shards->count; i++) {
		struct rda_part_others others = rda_shard_view_others(reader_view(shards), i);

		give_news(&shards->threads[i], RDA_STEP_OTHERS, &none, &others, sizeof(others));
	}
}

static void next_capture(struct rda_shards *shards, enum rda_shard_step_kind kind)
{
	const struct rda_meta none = {0};

	end_capture(shards);
	for (unsigned i = 0; i < shards->count; i++)
		give_news(&shards->threads[i], kind, &none, NULL, 0);
}

void rda_shards_begin_capture(struct rda_shards *shards)
{
	next_capture(shards, RDA_STEP_CAPTURE);
	rda_shard_view_begin_capture(reader_view(shards));
}

void rda_shards_continue_capture(struct rda_shards *shards)
{
	next_capture(shards, RDA_STEP_CONTINUE);
	rda_shard_view_continue_capture(reader_view(shards));
}

void rda_shards_dropped(struct rda_shards *shards, uint64_t packets)
{
	give_news(&shards->threads[0], RDA_STEP_DROPPED, &(struct rda_meta){.number = packets},
		  NULL, 0);
}

/* All know when the capture, be it of several files, began. */
RDA_COLD static void begin(struct rda_shards *shards, const struct rda_meta *meta)
{
	for (unsigned i = 0; i < shards->count; i++)
		give_news(&shards->threads[i], RDA_STEP_BETWEEN, meta, NULL, 0);
}

static void send_keys(struct rda_shards *shards)
{
	const struct rda_meta none = {0};

	for (unsigned i = 0; i < shards->count; i++) {
		give_news(&shards->threads[i], RDA_STEP_KEYS, &none, NULL, 0);
		if (i > 0)
			rda_shard_feed_send(&shards->feeds[i]);
	}
}

/* Of all engines but that which had the frame. */
static void stop_links(struct rda_shards *shards, const struct rda_meta *meta,
		       const struct rda_frame *frame, int16_t index)
{
	for (int16_t i = 0; i < (int16_t)shards->count; i++)
		if (i != index && i == 0)
			rda_engine_elsewhere(shards->threads[0].worker.engine, meta, frame,
					     &(struct rda_share){.stops_link = true});
		else if (i != index)
			give_frame(&shards->threads[i], RDA_STEP_PAUSE, meta, frame, false);
}

static inline void give_or_take(struct rda_shards *shards, int16_t owner,
				const struct rda_meta *meta, const struct rda_frame *frame,
				bool between)
{
	struct thread *thread = &shards->threads[owner];

	if (is_reader(thread))
		rda_shard_worker_own(&thread->worker, meta, frame, between);
	else
		give_frame(thread, RDA_STEP_FRAME, meta, frame, between);
}

/* Any frame. */
RDA_APART static void read_any(struct rda_shards *shards, const struct rda_meta *meta,
			       const struct rda_frame *frame)
{
	struct rda_shard_seen seen;

	rda_shard_view_frame(reader_view(shards), meta, frame, &seen);
	if (seen.begins)
		begin(shards, meta);
	if (seen.told_owner >= 0)
		give_news(&shards->threads[seen.told_owner], RDA_STEP_TOLD, meta, seen.share->told,
			  2 * sizeof(struct rda_cm_said));
	give_or_take(shards, seen.owner, meta, frame, seen.between);
	if (seen.keys)
		send_keys(shards);
	if (seen.share->stops_link)
		stop_links(shards, meta, frame, seen.owner);
}

static void read_for_all(struct rda_shards *shards, const struct rda_meta *meta,
			 const struct rda_frame *frame)
{
	struct rda_shard_view *view = reader_view(shards);
	const int16_t owner = rda_shard_view_owner(view, frame);
	const bool between = view->latest != owner;

	if (owner < 0) {
		read_any(shards, meta, frame);
		return;
	}
	rda_splitter_known(view->splitter, meta, frame);
	give_or_take(shards, owner, meta, frame, between);
	if (rda_shard_view_pass(view, owner))
		send_keys(shards);
}

const struct rda_packet *rda_shards_frame(struct rda_shards *shards, const struct rda_meta *meta,
					  const struct rda_frame *frame)
{
	struct thread *reader = &shards->threads[0];

	if (shards->walk) {
		rda_shard_worker_see(&reader->worker, reader->view, meta, frame);
		rda_shard_walk_lead(shards->walk, meta);
	} else {
		read_for_all(shards, meta, frame);
	}
	return rda_splitter_packet(reader->view->splitter);
}

void rda_shards_look_ahead(const struct rda_shards *shards, struct rda_source *source)
{
	const struct thread *reader = &shards->threads[0];

	rda_shard_walk_look_ahead(&reader->worker, reader->view, source);
}

/* ---- a file that is read side by side -------------------------------------------------------- */

void rda_shards_begin_file(struct rda_shards *shards, struct rda_source *const *sources,
			   uint64_t before)
{
	const struct rda_meta none = {0};

	shards->walk = rda_shard_walk_new(sources, shards->count - 1, before);
	g_ptr_array_add(shards->walks, shards->walk);
	for (unsigned i = 1; i < shards->count; i++) {
		give_news(&shards->threads[i], RDA_STEP_WALK, &none, &shards->walk,
			  sizeof(shards->walk));
		rda_shard_feed_send(&shards->feeds[i]);
	}
}

void rda_shards_end_file(struct rda_shards *shards)
{
	if (shards->walk)
		rda_shard_walk_end(shards->walk);
	shards->walk = NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void end_threads(struct rda_shards *shards)
{
	rda_shards_end_file(shards);
	for (unsigned i = 1; i < shards->count; i++)
		rda_shard_feed_end(&shards->feeds[i]);
	shards->threads[0].result = rda_shard_worker_end(&shards->threads[0].worker);
	for (unsigned i = 1; i < shards->count; i++) {
		pthread_join(shards->threads[i].thread, NULL);
		shards->threads[i].runs = false;
	}
}

/* Of the last two there is what is known of keys. */
static struct rda_result *merge_next(struct rda_shards *shards, struct rda_result *merged,
				     struct thread *thread)
{
	bool last = thread == &shards->threads[shards->count - 1];
	struct rda_result *both =
		last && shards->keys.keys
			? rda_part_keys_unite(shards->keys.keys, merged, thread->result)
			: rda_result_unite(merged, thread->result);

	thread->result = NULL;
	return both;
}

struct rda_result *rda_shards_result(struct rda_shards *shards)
{
	struct rda_result *merged;

	end_capture(shards);
	merged = rda_splitter_result(reader_view(shards)->splitter);
	end_threads(shards);
	for (unsigned i = 0; i < shards->count && shards->keys.keys; i++)
		rda_part_keys_end(shards->keys.keys, i, shards->threads[i].result);
	rda_part_keys_close(shards->keys.keys);
	for (unsigned i = 0; i < shards->count; i++)
		merged = merge_next(shards, merged, &shards->threads[i]);
	return merged;
}

bool rda_shards_are_lost(const struct rda_shards *shards)
{
	bool lost = false;

	for (unsigned i = 0; i < shards->walks->len; i++)
		lost |= rda_shard_walk_is_lost(g_ptr_array_index(shards->walks, i));
	return lost;
}

void rda_shards_free(struct rda_shards *shards)
{
	if (!shards)
		return;
	if (shards->count > 1 && shards->threads[1].runs)
		end_threads(shards);
	for (unsigned i = 0; i < shards->count; i++)
		free_thread(&shards->threads[i]);
	g_async_queue_unref(shards->unused);
	g_ptr_array_unref(shards->walks);
	rda_part_keys_free(shards->keys.keys);
	g_mutex_clear(&shards->keys.lock);
	g_free(shards->threads);
	g_free(shards->feeds);
	g_free(shards);
}
