/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a capture has of a connection.
 */
#include "analyzer/track/connection.h"

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
	ck_assert_uint_eq(seen_of_first(&feed),
			  RDA_SEEN_UNBROKEN | RDA_SEEN_WHOLE | RDA_SEEN_SAID | RDA_SEEN_TIMES);
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
							RDA_SEEN_WHOLE | RDA_SEEN_CM |
							RDA_SEEN_SAID | RDA_SEEN_TIMES);
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
	ck_assert_uint_eq(seen_of_first(&feed), RDA_SEEN_BOTH | RDA_SEEN_UNBROKEN | RDA_SEEN_WHOLE |
							RDA_SEEN_CM | RDA_SEEN_SAID |
							RDA_SEEN_TIMES);
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
	ck_assert_uint_eq(seen_of_first(&feed),
			  RDA_SEEN_BOTH | RDA_SEEN_WHOLE | RDA_SEEN_SAID | RDA_SEEN_TIMES);
	rda_feed_end(&feed);
}
END_TEST

static void add_connection(Suite *suite)
{
	TCase *tcase = tcase_create("seen");

	tcase_add_test(tcase, one_direction_is_not_both);
	tcase_add_test(tcase, management_tells_the_start);
	tcase_add_test(tcase, a_later_psn_is_no_start);
	tcase_add_test(tcase, a_gap_breaks_it);
	suite_add_tcase(suite, tcase);
}

/*
 * Applications by their ports.
 */

static const char *of_ports(int32_t one, int32_t other)
{
	struct rda_connection connection = {.service = RDA_SERVICE_IWARP};
	struct rda_cm_track *cm = rda_cm_track_new(0);
	const char *name;

	connection.endpoints[0].port = one;
	connection.endpoints[1].port = other;
	name = rda_connection_application(&connection, cm);
	rda_cm_track_free(cm);
	return name;
}

START_TEST(either_end_may_have_the_port)
{
	ck_assert_str_eq(of_ports(50000, 4420), "nvme");
	ck_assert_str_eq(of_ports(20049, 50000), "nfs");
	ck_assert_ptr_null(of_ports(50000, 50001));
}
END_TEST

/* QP1 carries the management of all of them. */
START_TEST(management_is_of_no_application)
{
	struct rda_connection connection = {.service = RDA_SERVICE_CM};

	ck_assert_ptr_null(rda_connection_application(&connection, NULL));
}
END_TEST

static void add_application(Suite *suite)
{
	TCase *tcase = tcase_create("application");

	tcase_add_test(tcase, either_end_may_have_the_port);
	tcase_add_test(tcase, management_is_of_no_application);
	suite_add_tcase(suite, tcase);
}

Suite *rda_suite_connection(void)
{
	Suite *suite = suite_create("connection");

	add_connection(suite);
	add_application(suite);
	return suite;
}
