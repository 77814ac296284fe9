/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many READs and ATOMICs are under way.
 */
#include "analyzer/checks/answer/reads.h"

#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

START_TEST(reads_at_once)
{
	static const struct rda_dialog cases[] = {
		{"cm 7 7 2 read 10-11 response 10-11", ""},
		{"cm 7 7 2 read 10-12 wait 1 response 10-12", "A22e!1"},
		{"cm 7 7 2 read 10-12 response 10-12", "A22n?1"},  /* shown late, perhaps */
		{"cm 7 7 2 read 10-12 wait 1 response 11-12", ""}, /* 10 answered unseen, perhaps */
		{"cm 7 7 2 read 10-12 wait 1 response 10-12 read 13-15 wait 1 response 13-15",
		 "A22e!2"},
		{"cm 7 7 2 read 10-12 14 13 wait 1 response 10-14", "A22n?1"}, /* not in order */
		{"cm 7 7 2 read 10-11 response 10 read 12 response 11-12", ""},
		{"cm 7 7 2 read 10-11 response 11 read 12-13 response 12-13", ""}, /* 10 unseen */
		{"cm 7 7 2 read 10 faa 11-12=1 wait 1 response 10 result 11=0 12=1", "A22e!1"},
		{"cm 7 7 2 read 10-11 wait 200 read 10-11 response 10-11", ""}, /* again */
		{"cm 7 7 0 read 10-12 response 10-12", ""}, /* no limit is told */
		{"read 10-99 response 10-99", ""},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

Suite *rda_suite_check_answer_reads(void)
{
	Suite *suite = suite_create("check_reads");
	TCase *tcase = tcase_create("check_reads");

	tcase_add_test(tcase, reads_at_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
