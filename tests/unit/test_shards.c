/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads with engines: what all say is what one engine says. Whole captures: program/jobs.
 */
#include "analyzer/rdma-analyze/shards.h"

#include "dissectors/link.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { HOSTS = 9, FRAMES = 30000, CAPTURES = 3, SEND_ONLY = 0x04, BEHIND = 100000 };

/* Frame `i` of a capture: between host 1 and one of the others. */
static struct rda_frame frame_of(struct rda_built *built, uint32_t i)
{
	struct rda_recipe recipe =
		rda_packet_of(1, (uint8_t)(2 + i % (HOSTS - 1)), 0x11, SEND_ONLY, i / (HOSTS - 1));

	rda_build_packet(built, &recipe);
	return (struct rda_frame){built->b.bytes, built->b.length, built->b.length, built->link};
}

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
		struct rda_shards *shards = rda_shards_new(&config, threads);
		struct rda_engine *engine = rda_engine_new(&config);
		struct rda_built built;

		for (unsigned capture = 0; capture < CAPTURES; capture++) {
			rda_engine_begin_capture(engine);
			rda_shards_begin_capture(shards);
			for (uint32_t i = 0; i < frames[capture]; i++) {
				uint32_t n = capture ? i * (HOSTS - 1) + BEHIND : i;
				struct rda_frame frame = frame_of(&built, n);
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

/* A frame that is longer than a batch, one that is none of RDMA; and nobody asks for a result. */
START_TEST(long_and_foreign_frames)
{
	static uint8_t bytes[1 << 20] = {[12] = 0x88, [13] = 0xb5};
	const struct rda_config config = {.count_only = true};
	struct rda_frame frame = {bytes, sizeof(bytes), sizeof(bytes), RDA_LINK_ETHERNET};
	struct rda_shards *shards = rda_shards_new(&config, 2);
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
	rda_shards_free(rda_shards_new(&config, 3));
	rda_shards_free(NULL);
}
END_TEST

Suite *rda_suite_shards(void)
{
	Suite *suite = suite_create("shards");
	TCase *tcase = tcase_create("shards");

	tcase_add_test(tcase, they_say_what_one_says);
	tcase_add_test(tcase, long_and_foreign_frames);
	suite_add_tcase(suite, tcase);
	return suite;
}
