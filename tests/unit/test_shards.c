/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads with engines: what all say is what one engine says. Whole captures: program/jobs.
 */
#include "analyzer/rdma-analyze/shards.h"

#include "dissectors/link.h"
#include "tests/unit/seen_frames.h"
#include "tests/unit/suite.h"

enum { HOSTS = RDA_SEEN_HOSTS, FRAMES = 30000, CAPTURES = 3, BEHIND = 100000 };

static void check_equal(struct rda_result *one, struct rda_result *all)
{
	ck_assert_uint_eq(rda_result_capture_count(all), CAPTURES);
	for (unsigned i = 0; i < CAPTURES; i++)
		ck_assert_mem_eq(rda_result_capture(all, i), rda_result_capture(one, i),
				 sizeof(struct rda_capture));
	ck_assert_uint_eq(rda_result_connection_count(all), HOSTS - 1);
	for (unsigned i = 0; i < HOSTS - 1; i++) {
		const struct rda_connection_facts *c = rda_result_connection(all, i);

		ck_assert_mem_eq(&c->endpoints[1].address,
				 &rda_result_connection(one, i)->endpoints[1].address,
				 sizeof(c->endpoints[1].address));
		ck_assert_uint_eq(rda_result_flow(all, c, 0)->packets,
				  rda_result_flow(one, rda_result_connection(one, i), 0)->packets);
	}
	ck_assert_uint_eq(rda_result_finding_count(all), rda_result_finding_count(one));
	rda_result_free(one);
	rda_result_free(all);
}

/* The second capture is empty; the third is of two hosts only. */
START_TEST(they_say_what_one_says)
{
	static const uint32_t frames[CAPTURES] = {FRAMES, 0, 20};
	const struct rda_config config = {.hash_seed = 1};

	for (unsigned threads = 2; threads < 12; threads += 3) {
		struct rda_shards *shards = rda_shards_new(&config, threads, false);
		struct rda_engine *engine = rda_engine_new(&config);
		struct rda_built built;

		for (unsigned capture = 0; capture < CAPTURES; capture++) {
			rda_engine_begin_capture(engine);
			rda_shards_begin_capture(shards);
			for (uint32_t i = 0; i < frames[capture]; i++) {
				uint32_t n = capture ? i * (HOSTS - 1) + BEHIND : i;
				struct rda_frame frame = rda_seen_frame(&built, n);
				struct rda_meta meta = {.time_ns = n * INT64_C(1000),
							.number = i + 1};

				rda_engine_packet(engine, &meta, &frame);
				ck_assert_ptr_null(rda_shards_frame(shards, &meta, &frame));
			}
			rda_engine_dropped(engine, capture);
			rda_shards_dropped(shards, capture);
		}
		rda_engine_end(engine);
		check_equal(rda_engine_result(engine), rda_shards_result(shards));
		rda_engine_free(engine);
		rda_shards_free(shards);
	}
}
END_TEST

static void begin_file(struct rda_shards *shards, const uint32_t *frames, uint64_t before)
{
	struct rda_source *sources[16];

	for (unsigned i = 1; i < rda_shards_count(shards); i++)
		sources[i - 1] = rda_seen_source(frames[i % 2]);
	rda_shards_begin_file(shards, sources, before);
}

/* Frames 0 to `count` as a file behind `before` others, by one engine and by all threads. */
static void read_file(struct rda_engine *engine, struct rda_shards *shards, uint32_t count,
		      uint64_t before)
{
	struct rda_built built;

	begin_file(shards, (const uint32_t[]){count, count + 9}, before);
	for (uint32_t i = 0; i < count; i++) {
		struct rda_frame frame = rda_seen_frame(&built, i);
		struct rda_meta meta = rda_seen_meta(i);

		meta.number += before;
		rda_engine_packet(engine, &meta, &frame);
		ck_assert_ptr_null(rda_shards_frame(shards, &meta, &frame));
	}
	rda_shards_end_file(shards);
}

/* The second capture is of two files. */
START_TEST(side_by_side_they_say_it_too)
{
	const struct rda_config config = {.hash_seed = 1};

	for (unsigned threads = 2; threads < 12; threads += 3) {
		struct rda_shards *shards = rda_shards_new(&config, threads, true);
		struct rda_engine *engine = rda_engine_new(&config);

		rda_engine_begin_capture(engine);
		rda_shards_begin_capture(shards);
		read_file(engine, shards, FRAMES, 0);
		rda_engine_begin_capture(engine);
		rda_shards_begin_capture(shards);
		read_file(engine, shards, 3000, 0);
		rda_shards_dropped(shards, 5);
		rda_engine_dropped(engine, 5);
		rda_engine_continue_capture(engine);
		rda_shards_continue_capture(shards);
		read_file(engine, shards, 20, 3000);
		rda_engine_end(engine);
		check_equal(rda_engine_result(engine), rda_shards_result(shards));
		ck_assert(!rda_shards_are_lost(shards));
		rda_engine_free(engine);
		rda_shards_free(shards);
	}
}
END_TEST

/* Some threads find less of a file than the one that reads; and nobody asks for a result. */
START_TEST(a_file_that_changes)
{
	const struct rda_config config = {.hash_seed = 1};

	for (unsigned threads = 2; threads < 5; threads++) {
		struct rda_shards *shards = rda_shards_new(&config, threads, true);
		struct rda_built built;

		rda_shards_begin_capture(shards);
		begin_file(shards, (const uint32_t[]){FRAMES, 100}, 0);
		for (uint32_t i = 0; i < FRAMES; i++) {
			struct rda_frame frame = rda_seen_frame(&built, i);
			struct rda_meta meta = rda_seen_meta(i);

			rda_shards_frame(shards, &meta, &frame);
		}
		if (threads < 4) {
			rda_shards_end_file(shards);
			rda_result_free(rda_shards_result(shards));
			ck_assert(rda_shards_are_lost(shards));
		}
		rda_shards_free(shards);
	}
}
END_TEST

/* A frame that is longer than a batch, one that is none of RDMA; and nobody asks for a result. */
START_TEST(long_and_foreign_frames)
{
	static uint8_t bytes[1 << 20] = {[12] = 0x88, [13] = 0xb5};
	const struct rda_config config = {.count_only = true};
	struct rda_frame frame = {bytes, sizeof(bytes), sizeof(bytes), RDA_LINK_ETHERNET};
	struct rda_shards *shards = rda_shards_new(&config, 2, false);
	struct rda_result *result;

	rda_shards_begin_capture(shards);
	for (uint64_t i = 1; i <= 40; i++) {
		const struct rda_meta meta = {.number = i};
		const struct rda_packet *packet = rda_shards_frame(shards, &meta, &frame);

		ck_assert_ptr_nonnull(packet);
		ck_assert_uint_eq(packet->carrier, RDA_CARRIER_NONE);
	}
	result = rda_shards_result(shards);
	ck_assert_uint_eq(rda_result_capture(result, 0)->packets, 40);
	rda_result_free(result);
	rda_shards_free(shards);
	rda_shards_free(rda_shards_new(&config, 3, false));
	rda_shards_free(NULL);
}
END_TEST

Suite *rda_suite_shards(void)
{
	Suite *suite = suite_create("shards");
	TCase *tcase = tcase_create("shards");

	tcase_add_test(tcase, they_say_what_one_says);
	tcase_add_test(tcase, side_by_side_they_say_it_too);
	tcase_add_test(tcase, a_file_that_changes);
	tcase_add_test(tcase, long_and_foreign_frames);
	suite_add_tcase(suite, tcase);
	return suite;
}
