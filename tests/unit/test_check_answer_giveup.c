/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of who gives up, and of who only waits.
 */
#include "analyzer/checks/answer/giveup.h"

#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

START_TEST(retries)
{
	static const struct rda_dialog cases[] = {
		/* as often as CM says */
		{"cm 3 7 0 send 9 ack 9 send 10 wait 20 10 wait 20 10 wait 20 10 wait 31 other",
		 "M09e?1"},
		{"cm 2 7 0 send 9 ack 9 send 10 wait 20 10 wait 20 10 wait 70 other", "M09w?1"},
		{"cm 2 7 0 send 10 wait 20 10 wait 20 10 wait 70 other", ""},
		{"cm 3 7 0 send 10 wait 20 10 wait 20 10 wait 20 10 wait 70 other", "M09w?1"},
		/* not known how often */
		{"send 9 ack 9 send 10 wait 20 10 wait 20 10 wait 20 10 wait 31 other", "M09e?1"},
		{"send 9 ack 9 send 10 wait 20 10 wait 70 other", "M09w?1"},
		{"cm 5 7 0 send 9 ack 9 send 10 wait 20 10 wait 70 other", "M09w?1"},
		/* may come again */
		{"send 9 ack 9 send 10 wait 20 10 wait 20 10 wait 20 10 wait 29 other", ""},
		{"send 9 ack 9 send 10 wait 20 10 wait 40 10 wait 80 10 wait 100 other", ""},
		{"send 9 ack 9 send 10 wait 20 10 wait 20 10", ""},
		/* answered */
		{"send 10 wait 20 10 wait 20 10 ack 10 wait 900 other", ""},
		{"send 9 ack 9 wait 20 send 9 ack 9 wait 900 other", ""},
		{"read 10 wait 20 10 wait 20 10 response 10 wait 900 other", ""},
		/* nothing of the other side: perhaps answered on another way */
		{"send 10 wait 20 10 wait 20 10 wait 70 other", ""},
		{"send 10 wait 20 10 wait 20 10 wait 20 10 wait 70 other", "M09w?1"},
		{"send 10 wait 20 10 wait 20 10 wait 20 10 11 wait 70 other", ""},
		/* of several packets */
		{"send 9 ack 9 send 10-12 wait 20 10-12 wait 20 10-12 wait 70 other", "M09w?1"},
		/* more often than a count of 3 bits allows: A02 */
		{"send 9 ack 9 send 10 wait 20 10 wait 20 10 wait 20 10 wait 20 10 wait 20 10 wait "
		 "20 10 wait 20 10 wait 20 10 wait 90 other",
		 "A02w?1"},
		{"send 10 wait 20 10 wait 20 10 wait 20 10 wait 20 10 wait 20 10 wait 20 10 wait "
		 "20 "
		 "10 wait 20 10 wait 90 other",
		 "A02w?1"},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

START_TEST(rnr_retries)
{
	/* timer code 14: 1.28 ms */
	static const struct rda_dialog cases[] = {
		{"cm 7 1 0 send 10 rnr 10 wait 2 send 10 rnr 10 wait 20000 other", "A16e!1 A17n!2"},
		{"cm 7 1 0 send 10 rnr 10 wait 2 send 10 rnr 10 wait 20 other", "A16w?1 A17n!2"},
		{"cm 7 3 0 send 10 rnr 10 wait 2 send 10 rnr 10 wait 1200 other", "A16w?1 A17n!2"},
		{"send 10 rnr 10 wait 1200 other", "A16w?1 A17n!1"},
		{"send 10 rnr 10 wait 20 other", "A17n!1"}, /* a timer may be under way */
		{"send 10 rnr 10 wait 3 other", "A17n!1"},
		{"cm 7 7 0 send 10 rnr 10 wait 20 other", "A17n!1"}, /* never gives up */
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

Suite *rda_suite_check_answer_giveup(void)
{
	Suite *suite = suite_create("check_giveup");
	TCase *tcase = tcase_create("check_giveup");

	tcase_add_test(tcase, retries);
	tcase_add_test(tcase, rnr_retries);
	suite_add_tcase(suite, tcase);
	return suite;
}
