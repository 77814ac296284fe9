/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group S as a whole: what is silent. The parts have suites of their own.
 */
#include "analyzer/checks/judge.h"

#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

static struct rda_feed feed;

static unsigned of_group_s(void)
{
	unsigned found = 0;

	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++)
		found += rda_check_row(rda_engine_finding(feed.engine, i)->key.check)->code[0] ==
			 'S';
	return found;
}

START_TEST(nothing_is_found_in_nothing)
{
	rda_talk(&feed, NULL, 0);
	ck_assert_uint_eq(rda_engine_finding_count(feed.engine), 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(nothing_is_found_in_clean_traffic)
{
	RDA_TALK(&feed, {'A', 0x00, 10}, {'A', 0x01, 11}, {'A', 0x02, 12}, {'B', 0x11, 12},
		 {'A', 0x0c, 13, 3000}, {'A', 0x04, 16}, {'B', 0x0d, 13}, {'B', 0x0e, 14},
		 {.from = 'B', .opcode = 0x0f, .psn = 15, .payload = 952}, {'B', 0x11, 16},
		 {'A', 0x14, 17}, {'B', 0x12, 17}, {'B', 0x04, 500}, {'A', 0x11, 500});
	ck_assert_uint_eq(of_group_s(), 0);
	rda_feed_end(&feed);
}
END_TEST

/* Frames of other things, and a packet of an unknown opcode. */
START_TEST(what_is_no_request_or_response_is_nothing)
{
	RDA_TALK(&feed, {'A', 0x81, 0}, {'A', 0xff, 1}, {'B', 0x11, 5}, {'B', 0x0d, 6});
	ck_assert_uint_eq(of_group_s(), 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_sequence(void)
{
	Suite *suite = suite_create("check_sequence");
	TCase *tcase = tcase_create("check_sequence");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	tcase_add_test(tcase, nothing_is_found_in_clean_traffic);
	tcase_add_test(tcase, what_is_no_request_or_response_is_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
