/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings of merged results: counted together where they are about one capture, told anew where
 * they are about all of it.
 */
#include "analyzer/rda.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <glib.h>

/* A capture from which `dropped` packets are missing, and whose frame 1 or 2 another engine has. */
static struct rda_result *result_of(uint64_t dropped, bool second)
{
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	feed.meta.number += second;
	rda_feed_send(&feed, 1, second ? 3 : 2, 0x11, 0xc000, 5);
	rda_engine_dropped(feed.engine, dropped);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	return result;
}

START_TEST(of_a_capture_in_all)
{
	struct rda_result *a = result_of(3, false), *b = result_of(4, true);
	struct rda_result *merged = rda_result_merge(a, b);
	char *text;

	ck_assert_uint_eq(rda_result_capture(merged, 0)->dropped, 7);
	ck_assert_uint_eq(rda_result_finding_count(merged), 1);
	text = rda_finding_text(rda_result_finding(merged, 0));
	ck_assert_str_eq(rda_finding_check(rda_result_finding(merged, 0))->code, "Q08");
	ck_assert_msg(strstr(text, "7 packets, beside the 2") != NULL, "%s", text);
	g_free(text);
	rda_result_free(a);
	rda_result_free(b);
	rda_result_free(merged);
}
END_TEST

Suite *rda_suite_merge_findings(void)
{
	Suite *suite = suite_create("merge_findings");
	TCase *tcase = tcase_create("merge_findings");

	tcase_add_test(tcase, of_a_capture_in_all);
	suite_add_tcase(suite, tcase);
	return suite;
}
