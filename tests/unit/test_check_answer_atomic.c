/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of ATOMICs.
 */
#include "analyzer/checks/answer/atomic.h"

#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

START_TEST(results)
{
	static const struct rda_dialog cases[] = {
		{"faa 10=1 result 10=5 faa 11=1 result 11=6", ""},
		{"faa 10-12=1 result 10=5 11=6 12=7", ""},
		{"cas 10=5:9 result 10=5 faa 11=1 result 11=9", ""},
		{"cas 10=5:9 result 10=6 faa 11=1 result 11=6", ""}, /* did not swap */
		/* A20; behind a silence its QP may be set up anew, where MSNs are low (scenarios)
		 */
		{"faa 10=1 result 10=5 wait 200 faa 10=1 result 10=5", ""}, /* the saved result */
		{"send 9 ack 9 faa 10=1 result 10=5 wait 5 faa 10=1 result 10=6", "A20e!1"},
		/* A21 */
		{"faa 10=1 result 10=5 faa 11=1 result 11=5", "A21n?1"},
		{"faa 10=1 result 10=5 put 11 ack 11 faa 12=1 result 12=5", ""},
		/* elsewhere */
		{"faa 10=1 result 10=5 write 11 ack 11 faa 12=1 result 12=5", "A21n?1"},
		{"faa 10-11=1 result 11=6 wait 200 faa 10=1 result 10=5", ""}, /* one was missed */
		{"faa 10-12=1 result 10=5 12=7", ""},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

Suite *rda_suite_check_answer_atomic(void)
{
	Suite *suite = suite_create("check_atomic");
	TCase *tcase = tcase_create("check_atomic");

	tcase_add_test(tcase, results);
	suite_add_tcase(suite, tcase);
	return suite;
}
