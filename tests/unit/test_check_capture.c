/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the capture missed, cut or has twice. tests/scenarios/capture tells the stories; here are
 * the thresholds.
 */
#include "analyzer/checks/judge.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

static unsigned count_of(enum rda_check check)
{
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++)
		if (rda_engine_finding(feed.engine, i)->key.check == check)
			return (unsigned)rda_engine_finding(feed.engine, i)->count;
	return 0;
}

START_TEST(nothing_is_found_in_nothing)
{
	rda_feed_begin(&feed);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_finding_count(feed.engine), 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(drops_are_the_capturing_programs_word)
{
	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5);
	rda_engine_dropped(feed.engine, 3);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(count_of(RDA_CHECK_Q08), 1);
	ck_assert_uint_eq(rda_engine_capture(feed.engine, 0)->dropped, 3);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_capture(void)
{
	Suite *suite = suite_create("check_capture");
	TCase *tcase = tcase_create("check_capture");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	tcase_add_test(tcase, drops_are_the_capturing_programs_word);
	suite_add_tcase(suite, tcase);
	return suite;
}
