/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MSNs, the order of acknowledgments, credits.
 */
#include "analyzer/checks/answer/msn.h"

#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

START_TEST(dialogs)
{
	static const struct rda_dialog cases[] = {
		{"send 10-13 ack 10-13", ""},
		{"send 10-13 ack 13", ""},
		/* A03: later PSN, lower MSN */
		{"send 10-13 ack 10/5 11/4", "A03e!1"},
		{"send 10-13 ack 11 10", ""}, /* late */
		/* A04: a message done, and not counted */
		{"send 9 ack 9/6 send 10 ack 10/7 send 11 ack 11/7", "A04w!1"},
		{"send 10 ack 10/7 send 11 ack 11/7", "A04n?1"}, /* or to duplicates */
		{"first 10 ack 10/7 middle 11 ack 11/7 last 12 ack 12/8", ""},
		{"first 10 middle 11 last 12 ack 12/7 first 13 ack 13/7", ""},
		/* READs count when they begin: what a response tells is not compared */
		{"read 10-11 response 10/9 11/9", ""},
		{"read 10 send 11 response 10/9 ack 11/9", ""},
		{"send 10 ack 10/7 nak 11/7", ""},
		/* A05: more than were sent */
		{"send 10-12 ack 10/1 11/4", "A05w?1"},
		{"send 10-12 ack 10/1 11/3", ""}, /* an MSN may be newer than its PSN */
		{"send 10-12 ack 10/1 10/5", "A05w?1"},
		{"send 9 ack 9/7 wait 9000 send 10-12 ack 10/8 11/11", "A05e?1"},
		/* what was not captured may hold messages */
		{"send 10 ack 10/1 send 14 ack 14/5", ""},
		/* A19: less than before, by its MSN made later */
		{"send 10-12 ack 11/2 10/2", "A19w?1"}, /* to a duplicate, perhaps */
		{"send 10-12 ack 11/2 10/3", "A19e?1"},
		{"first 10 middle 11-12 ack 12/7 11/7", ""}, /* late: no message ended between */
		{"send 10-12 ack 11/2 11/2", ""},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

/* Without a start that is known, an MSN of 0 after a message still tells. */
START_TEST(the_first_message_is_not_counted)
{
	static const struct rda_dialog dialog = {"send 10 ack 10/0", "A04w!1"};
	struct rda_feed feed;

	rda_dialog_tell(&feed, dialog.script, 0);
	ck_assert_uint_eq(rda_engine_finding_count(feed.engine), 1);
	ck_assert_int_eq(rda_engine_finding(feed.engine, 0)->key.check, RDA_CHECK_A04);
	rda_feed_end(&feed);
}
END_TEST

/* Code 1: one credit; 31: none of them counts. */
START_TEST(credits)
{
	static const struct rda_dialog cases[] = {
		{"send 10 credits 1 10/1 send 11", ""},
		{"send 10 credits 1 10/1 send 11-12", ""}, /* one more may be sent */
		{"send 10 credits 1 10/1 send 11-13", "A23w?1"},
		{"send 10 credits 1 10/1 write 11-13", ""}, /* needs no receive */
		{"send 10 credits 4 10/1 send 11-14", ""},
		{"send 10 credits 1 10/1 credits 1f 10/1 send 11-14", ""},
		{"send 10 credits 1 10/1 wait 5 send 11 wait 200 11 12", ""}, /* a resend */
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

START_TEST(which_was_made_later)
{
	struct rda_msn_watch watch = {.known = true, .msn = (INT64_C(1) << 32) + 7};

	ck_assert(!rda_msn_made_later(&watch, 6));
	ck_assert(!rda_msn_made_later(&watch, 7));
	ck_assert(rda_msn_made_later(&watch, 8));
	watch.ends = true;
	ck_assert(rda_msn_made_later(&watch, 7));
	ck_assert(!rda_msn_made_later(&watch, 6));
	watch.known = false;
	ck_assert(!rda_msn_made_later(&watch, 8));
}
END_TEST

Suite *rda_suite_check_answer_msn(void)
{
	Suite *suite = suite_create("check_msn");
	TCase *tcase = tcase_create("check_msn");

	tcase_add_test(tcase, dialogs);
	tcase_add_test(tcase, the_first_message_is_not_counted);
	tcase_add_test(tcase, credits);
	tcase_add_test(tcase, which_was_made_later);
	suite_add_tcase(suite, tcase);
	return suite;
}
