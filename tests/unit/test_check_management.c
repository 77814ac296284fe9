/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks of check_management.c: what fires each, and what does not.
 */
#include "analyzer/checks/judge.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

START_TEST(nothing_is_found_in_nothing)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_finding_count(feed.engine), 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_management(void)
{
	Suite *suite = suite_create("check_management");
	TCase *tcase = tcase_create("check_management");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
