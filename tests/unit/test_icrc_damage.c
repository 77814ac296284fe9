/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failed ICRCs are damage when their sender sends good ones, and absent when it sends none.
 */
#include "analyzer/track/roce/icrc_damage.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { SEND_ONLY = 0x04, MANY = 25 };

/* Packets of host 1 to host 2, of which `good` have a good ICRC and `bad` have not. */
static const struct rda_capture *feed_packets(struct rda_feed *feed, unsigned good, unsigned bad)
{
	rda_feed_begin(feed);
	for (unsigned i = 0; i < good + bad; i++) {
		struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, SEND_ONLY, 5 + i);

		recipe.damaged = i < bad;
		rda_feed(feed, &recipe);
	}
	rda_engine_finish(feed->engine);
	return rda_engine_capture(feed->engine, 0);
}

START_TEST(of_a_sender_with_good_ones_they_are_damage)
{
	struct rda_feed feed;
	const struct rda_capture *capture = feed_packets(&feed, MANY, 2);

	ck_assert_uint_eq(capture->icrc[RDA_ICRC_BAD], 2);
	ck_assert_uint_eq(capture->icrc[RDA_ICRC_ABSENT], 0);
	ck_assert_uint_eq(rda_engine_host(feed.engine, 1)->icrc_errors_received, 2);
	ck_assert_uint_eq(rda_engine_host(feed.engine, 0)->icrc_errors_received, 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(of_a_sender_without_they_are_absent)
{
	struct rda_feed feed;
	const struct rda_capture *capture = feed_packets(&feed, 0, MANY);

	ck_assert_uint_eq(capture->icrc[RDA_ICRC_BAD], 0);
	ck_assert_uint_eq(capture->icrc[RDA_ICRC_ABSENT], MANY);
	ck_assert_uint_eq(rda_engine_host(feed.engine, 1)->icrc_errors_received, 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_icrc_damage(void)
{
	Suite *suite = suite_create("icrc_damage");
	TCase *tcase = tcase_create("icrc_damage");

	tcase_add_test(tcase, of_a_sender_with_good_ones_they_are_damage);
	tcase_add_test(tcase, of_a_sender_without_they_are_absent);
	suite_add_tcase(suite, tcase);
	return suite;
}
