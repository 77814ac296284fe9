/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iWARP in the engine.
 */
#include "analyzer/iwarp_detect.h"

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

Suite *rda_suite_iwarp_detect(void)
{
	Suite *suite = suite_create("iwarp_detect");
	TCase *tcase = tcase_create("iwarp_detect");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
