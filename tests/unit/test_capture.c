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

Suite *rda_suite_capture(void)
{
	Suite *suite = suite_create("capture");
	TCase *tcase = tcase_create("capture");

	tcase_add_test(tcase, frames_without_rdma_count_too);
	suite_add_tcase(suite, tcase);
	return suite;
}
