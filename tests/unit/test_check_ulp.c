/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U04: commands without an answer.
 */
#include "analyzer/checks/ulp/ulp.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

START_TEST(unanswered)
{
	static const struct {
		int64_t after_ns;
		bool event, answered;
		uint64_t cases;
	} cases[] = {
		{INT64_C(6000000000), false, false, 1},
		{INT64_C(4000000000), false, false, 0}, /* it may only be slow */
		{INT64_C(6000000000), true, false, 0},	/* an event may never happen */
		{INT64_C(6000000000), false, true, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_nvme_feed n;

		rda_nvme_feed_begin(&n, _i);
		rda_nvme_connect(&n, 0, 0);
		rda_nvme_admin(&n, cases[i].event ? 0x0c : 0x06, 1);
		if (cases[i].answered)
			rda_nvme_complete(&n, 1, 0);
		rda_nvme_wait(&n, cases[i].after_ns);
		rda_nvme_admin(&n, 0x18, 2);
		rda_nvme_complete(&n, 2, 0);
		rda_nvme_finish(&n);
		ck_assert_msg(rda_feed_cases(&n.w.feed, RDA_CHECK_U04) == cases[i].cases, "case %u",
			      i);
		rda_nvme_feed_end(&n);
	}
}
END_TEST

Suite *rda_suite_check_ulp(void)
{
	Suite *suite = suite_create("check_ulp");
	TCase *tcase = tcase_create("check_ulp");

	tcase_add_loop_test(tcase, unanswered, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
