/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a capture has of a connection.
 */
#include "analyzer/track/seen.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

static uint8_t seen_of_first(struct rda_feed *feed)
{
	rda_engine_finish(feed->engine);
	return rda_engine_connection(feed->engine, rda_engine_connection_count(feed->engine) - 1)
		->seen;
}

START_TEST(one_direction_is_not_both)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5);
	ck_assert_uint_eq(seen_of_first(&feed), RDA_SEEN_UNBROKEN | RDA_SEEN_WHOLE);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(management_tells_the_start)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange_at(&feed, 1, 2, 0x11, 0x12, 7, 5, 900);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 5);
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 5);
	ck_assert_uint_eq(seen_of_first(&feed), RDA_SEEN_BOTH | RDA_SEEN_START | RDA_SEEN_UNBROKEN |
							RDA_SEEN_WHOLE | RDA_SEEN_CM);
	rda_feed_end(&feed);
}
END_TEST

/* The first PSN that was agreed is missing: some of the beginning may be. */
START_TEST(a_later_psn_is_no_start)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange_at(&feed, 1, 2, 0x11, 0x12, 7, 5, 900);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 6);
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 6);
	ck_assert_uint_eq(seen_of_first(&feed),
			  RDA_SEEN_BOTH | RDA_SEEN_UNBROKEN | RDA_SEEN_WHOLE | RDA_SEEN_CM);
	rda_feed_end(&feed);
}
END_TEST

/* An acknowledgment of what was never captured. */
START_TEST(a_gap_breaks_it)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 5);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 7);
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 7);
	ck_assert_uint_eq(seen_of_first(&feed), RDA_SEEN_BOTH | RDA_SEEN_WHOLE);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_seen(void)
{
	Suite *suite = suite_create("seen");
	TCase *tcase = tcase_create("seen");

	tcase_add_test(tcase, one_direction_is_not_both);
	tcase_add_test(tcase, management_tells_the_start);
	tcase_add_test(tcase, a_later_psn_is_no_start);
	tcase_add_test(tcase, a_gap_breaks_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
