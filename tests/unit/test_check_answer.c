/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is acknowledged and was not sent, and what was sent and is not acknowledged.
 */
#include "analyzer/check_answer.h"

#include "tests/unit/dialog.h"
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

START_TEST(dialogs)
{
	static const struct rda_dialog cases[] = {
		/* A01: what was acknowledged is sent only now */
		{"send 10 ack 10 11/1 wait 5 send 11 ack 11", "A01e?1"},
		{"send 10 ack 10 11/1 us 5 send 11 ack 11", ""},   /* times may be off so far */
		{"send 10 ack 10 12/3 wait 5 send 13 ack 13", ""}, /* missed: Q01 */
		{"send 10 ack 10 900000/1", "A01e?1"},
		{"send 10 ack 10 900000/1 wait 5 send 11 ack 11/2", "A01e!1"},
		{"send 10 ack 10 900000/1 wait 5 send 900001", ""}, /* missed */
		/* A02 */
		{"send 10 ack 10 send 11 wait 1001 other", "A02w?1"},
		{"send 10 ack 10 send 11 wait 999 other", ""},
		{"send 10 wait 1001 other", ""}, /* nothing of the other side: Q03 */
		{"send 10 ack 10 read 11 wait 1001 other", "A02w?1"},
		/* A06 */
		{"read 10 send 11 ack 11 send 12 ack 12 wait 1001 other", "A06w?1"},
		{"read 10 send 11 ack 11 wait 5 read 10 response 10 wait 1001 other", ""},
		{"read 10 send 11 ack 11 response 10 wait 1001 other", ""},
		/* A13 */
		{"send 10 syndrome 40 10", "A13e!1"},
		{"send 10 syndrome 5f 10", "A13e!1"},
		{"send 10 syndrome 65 10", "A13e!1"},
		{"send 10 syndrome 7f 10", "A13e!1"},
		{"send 10 syndrome 9f 10", "A13e!1"},
		{"send 10 syndrome 0 10", ""},
		/* A24 */
		{"flush 10 ack 10", "A24w?1"},
		{"flush 10 response 10", ""},
		/* A25 */
		{"send 1-49 ack 1-49 1-49", ""},
		{"send 1-49 ack 1-49 1-49 1-49", "A25n?1"},
		{"send 1-9 ack 1-9 1-9 1-9", ""},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

Suite *rda_suite_check_answer(void)
{
	Suite *suite = suite_create("check_answer");
	TCase *tcase = tcase_create("check_answer");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	tcase_add_test(tcase, dialogs);
	suite_add_tcase(suite, tcase);
	return suite;
}
