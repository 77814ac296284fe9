/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which frames belong together, and what an engine learns of those that others have.
 */
#include "analyzer/engine/part.h"

#include "analyzer/rda.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <string.h>

static struct rda_share share_of(uint8_t from, uint8_t to)
{
	struct rda_recipe recipe = rda_packet_of(from, to, 0x11, 0x04, 5);
	struct rda_frame frame;
	struct rda_built built;

	rda_build_packet(&built, &recipe);
	frame = (struct rda_frame){built.b.bytes, built.b.length, built.b.length, built.link};
	return rda_frame_share(&frame, NULL);
}

START_TEST(both_directions_are_one_pair)
{
	ck_assert(share_of(1, 2).rdma);
	ck_assert(!share_of(1, 2).stops_link);
	ck_assert_uint_ne(share_of(1, 2).pair, 0);
	ck_assert_uint_eq(share_of(1, 2).pair, share_of(2, 1).pair);
	ck_assert_uint_ne(share_of(1, 2).pair, share_of(1, 3).pair);
	ck_assert_uint_ne(share_of(1, 2).pair, share_of(3, 4).pair);
}
END_TEST

START_TEST(a_pause_is_of_no_two_hosts)
{
	static const uint8_t pause[60] = {1, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 8, 0, 1};
	struct rda_frame frame = {pause, sizeof(pause), sizeof(pause), 1};
	struct rda_share share = rda_frame_share(&frame, NULL);

	ck_assert(share.stops_link);
	ck_assert(!share.rdma);
	ck_assert_uint_eq(share.pair, 0);
}
END_TEST

START_TEST(other_protocols_too)
{
	uint8_t other[60] = {[12] = 0x88, [13] = 0xb5};
	struct rda_frame frame = {other, sizeof(other), sizeof(other), 1};
	struct rda_share share = rda_frame_share(&frame, NULL);

	ck_assert(!share.stops_link && !share.rdma);
	ck_assert_uint_eq(share.pair, 0);
}
END_TEST

/* The other file's last frame is elsewhere: it went on until then all the same. */
START_TEST(times_of_captures)
{
	const struct rda_share share = {.pair = 1, .rdma = true};
	const struct rda_frame frame = {.wire = 100};
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5);
	rda_engine_begin_capture(feed.engine);
	for (uint64_t number = 1; number < 4; number++) {
		const struct rda_meta meta = {.number = number, .time_ns = 1000 * (int64_t)number};

		rda_engine_elsewhere(feed.engine, &meta, &frame, &share);
	}
	result = rda_engine_result(feed.engine);
	ck_assert_uint_eq(rda_result_capture_count(result), 2);
	ck_assert_uint_eq(rda_result_capture(result, 1)->packets, 0);
	ck_assert_int_eq(rda_result_capture(result, 1)->first_time_ns, 1000);
	ck_assert_int_eq(rda_result_capture(result, 1)->last_time_ns, 3000);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

/* Frames of 0, 9 and 4 us, of which another has the second: the clock went back by 5 us, as in one
 * pass. Where others' frames are told many at once, the latest of them may be behind the third. */
START_TEST(a_clock_goes_back_behind_a_frame_of_another)
{
	const struct rda_share share = {.pair = 1, .rdma = true};
	const struct rda_frame frame = {.wire = 100};
	static const struct {
		bool one_by_one;
		int64_t back_ns;
	} rows[] = {{true, 5000}, {false, 0}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rda_config config = {.part = true};
		struct rda_feed feed = {.engine = rda_engine_new(&config)};
		const struct rda_meta other = {.number = 2, .time_ns = 9000 + RDA_FEED_STEP_NS};
		const struct rda_part_others others = {1, other.time_ns, other.time_ns, 0};
		struct rda_result *result;

		rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5);
		if (rows[i].one_by_one)
			rda_engine_elsewhere(feed.engine, &other, &frame, &share);
		else
			rda_part_others(feed.engine, &others);
		feed.meta = (struct rda_meta){.number = 2, .time_ns = 4000};
		rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 6);
		result = rda_engine_result(feed.engine);
		ck_assert_int_eq(rda_result_capture(result, 0)->back_ns, rows[i].back_ns);
		rda_result_free(result);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_part(void)
{
	Suite *suite = suite_create("part");
	TCase *tcase = tcase_create("part");

	tcase_add_test(tcase, both_directions_are_one_pair);
	tcase_add_test(tcase, a_pause_is_of_no_two_hosts);
	tcase_add_test(tcase, other_protocols_too);
	tcase_add_test(tcase, times_of_captures);
	tcase_add_test(tcase, a_clock_goes_back_behind_a_frame_of_another);
	suite_add_tcase(suite, tcase);
	return suite;
}
