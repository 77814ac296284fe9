/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An engine that is one of several: its own frames, given or seen, and what it learns of others.
 */
#include "analyzer/rdma-analyze/shard_worker.h"

#include "tests/unit/seen_frames.h"
#include "tests/unit/suite.h"

enum { FRAMES = 800, WORKERS = 2, KEYS_EVERY = 128 };

static void begin(struct rda_shard_worker *worker, unsigned number, struct rda_shard_keys *keys)
{
	const struct rda_config config = {.hash_seed = 1, .part = true, .part_number = number};

	*worker = (struct rda_shard_worker){(int16_t)number, rda_engine_new(&config), keys};
}

/* Each has its own, and together all; keys are taken of both, else the first is not told. */
START_TEST(each_takes_its_own_of_what_it_sees)
{
	const struct rda_config config = {.hash_seed = 1};
	struct rda_shard_keys keys = {.keys = rda_part_keys_new(&config, WORKERS),
				      .every = KEYS_EVERY};
	struct rda_shard_worker workers[WORKERS];
	struct rda_shard_view views[WORKERS];
	uint64_t connections = 0;

	g_mutex_init(&keys.lock);
	for (unsigned k = 0; k < WORKERS; k++) {
		struct rda_built built;

		begin(&workers[k], k, &keys);
		rda_shard_view_init(&views[k],
				    k ? rda_splitter_of_hosts(&config) : rda_splitter_new(&config),
				    16, KEYS_EVERY);
		views[k].count = WORKERS;
		for (uint32_t i = 0; i < FRAMES; i++) {
			struct rda_frame frame = rda_seen_frame(&built, i);
			struct rda_meta meta = rda_seen_meta(i);

			rda_shard_worker_see(&workers[k], &views[k], &meta, &frame);
		}
	}
	for (unsigned k = 0; k < WORKERS; k++) {
		struct rda_result *result = rda_shard_worker_end(&workers[k]);

		ck_assert_ptr_null(workers[k].engine);
		ck_assert_uint_eq(rda_result_capture(result, 0)->packets, views[k].frames[k]);
		connections += rda_result_connection_count(result);
		rda_part_keys_end(keys.keys, k, result);
		rda_result_free(result);
		rda_shard_view_cleanup(&views[k]);
	}
	ck_assert_uint_eq(connections, RDA_SEEN_HOSTS - 1);
	rda_part_keys_free(keys.keys);
	g_mutex_clear(&keys.lock);
}
END_TEST

/* Packets that a capture is said to have dropped; a second capture; frames of others. */
START_TEST(steps)
{
	const struct rda_part_others others = {7, 0, 5000, false};
	struct rda_shard_keys keys = {.every = KEYS_EVERY};
	struct rda_shard_worker worker;
	struct rda_built built;
	struct rda_frame frame = rda_seen_frame(&built, 0);
	struct rda_shard_step step = {.meta = rda_seen_meta(0),
				      .captured = frame.captured,
				      .wire = frame.wire,
				      .link = frame.link,
				      .kind = RDA_STEP_FRAME,
				      .between = true};
	struct rda_result *result;

	begin(&worker, 1, &keys);
	rda_shard_worker_step(&worker, &step, frame.bytes);
	step = (struct rda_shard_step){.meta.number = 9, .kind = RDA_STEP_DROPPED};
	rda_shard_worker_step(&worker, &step, NULL);
	step.kind = RDA_STEP_OTHERS;
	rda_shard_worker_step(&worker, &step, &others);
	step.kind = RDA_STEP_CAPTURE;
	rda_shard_worker_step(&worker, &step, NULL);
	step.kind = RDA_STEP_KEYS; /* none are kept, where only counts are asked for */
	rda_shard_worker_step(&worker, &step, NULL);
	result = rda_shard_worker_end(&worker);
	ck_assert_uint_eq(rda_result_capture_count(result), 2);
	ck_assert_uint_eq(rda_result_capture(result, 0)->packets, 1);
	ck_assert_uint_eq(rda_result_capture(result, 0)->dropped, 9);
	ck_assert_int_eq(rda_result_capture(result, 0)->last_time_ns, 5000);
	rda_result_free(result);
}
END_TEST

START_TEST(keys_are_taken_the_more_often_the_less_memory_there_is)
{
	uint32_t before = rda_shard_keys_every(0);

	for (uint64_t memory = UINT64_C(1) << 40; memory; memory /= 2) {
		ck_assert_uint_le(rda_shard_keys_every(memory), before);
		before = rda_shard_keys_every(memory);
	}
	ck_assert_uint_eq(rda_shard_keys_every(1), 1024);
	ck_assert_uint_eq(rda_shard_keys_every(0), 32768);
}
END_TEST

Suite *rda_suite_shard_worker(void)
{
	Suite *suite = suite_create("shard_worker");
	TCase *tcase = tcase_create("shard_worker");

	tcase_add_test(tcase, each_takes_its_own_of_what_it_sees);
	tcase_add_test(tcase, steps);
	tcase_add_test(tcase, keys_are_taken_the_more_often_the_less_memory_there_is);
	suite_add_tcase(suite, tcase);
	return suite;
}
