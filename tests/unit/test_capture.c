/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What frames count for in their capture.
 */
#include "analyzer/track/capture.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

START_TEST(frames_without_rdma_count_too)
{
	const struct rda_capture *capture;
	struct rda_build b = {.length = 14};
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_frame(&feed, &b, 10, 1);
	rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5);
	rda_engine_finish(feed.engine);
	capture = rda_engine_capture(feed.engine, 0);
	ck_assert_uint_eq(capture->packets, 2);
	ck_assert_uint_eq(capture->cut_by_snaplen, 1);
	ck_assert_uint_eq(capture->rdma_packets[RDA_CARRIER_ROCEV2], 1);
	rda_feed_end(&feed);
}
END_TEST

/* Files that follow each other are one; the next of another day is not. */
START_TEST(how_long_it_was_watched)
{
	enum { SECOND = 1000000000 };
	struct rda_capture captures[] = {
		{.packets = 1, .first_time_ns = 0, .last_time_ns = 10},
		{.packets = 1, .first_time_ns = 20, .last_time_ns = 30},
		{.packets = 1,
		 .first_time_ns = 40 + INT64_C(2) * SECOND,
		 .last_time_ns = INT64_MAX},
	};

	ck_assert_int_eq(rda_captures_until(captures, 3, rda_place_id(0, 1)), 30);
	ck_assert_int_eq(rda_captures_until(captures, 3, rda_place_id(1, 1)), 30);
	ck_assert_int_eq(rda_captures_until(captures, 3, rda_place_id(2, 1)), INT64_MAX);
}
END_TEST

Suite *rda_suite_capture(void)
{
	Suite *suite = suite_create("capture");
	TCase *tcase = tcase_create("capture");

	tcase_add_test(tcase, frames_without_rdma_count_too);
	tcase_add_test(tcase, how_long_it_was_watched);
	suite_add_tcase(suite, tcase);
	return suite;
}
