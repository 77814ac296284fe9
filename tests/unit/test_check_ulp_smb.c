/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U11: commands that failed; what is no finding. U14, U15: credits.
 */
#include "analyzer/checks/ulp/smb.h"

#include "tests/unit/said.h"
#include "tests/unit/smb_feed.h"
#include "tests/unit/suite.h"

#include <string.h>

START_TEST(failed)
{
	struct rda_nvme_feed n;
	bool said = false;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_open(&n);
	rda_smb_ask(&n, 5, 1);
	rda_smb_answer(&n, 5, 1, 0xc0000034); /* no such file */
	rda_smb_ask(&n, 9, 2);
	rda_smb_answer(&n, 9, 2, 0xc000007f);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.failed, 2);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U11), 1);
	for (unsigned i = 0; i < rda_engine_finding_count(n.w.feed.engine); i++) {
		const struct rda_finding *f = rda_engine_finding(n.w.feed.engine, i);

		if (f->key.check == RDA_CHECK_U11)
			said = strstr(rda_said_by(f),
				      "answered a WRITE (message 2, 0 bytes, frame");
	}
	ck_assert(said);
	rda_nvme_feed_end(&n);
}
END_TEST

/* The client has two credits, and sends four times; the server's came back after 5 ms. */
START_TEST(credits)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_negotiate(&n, 2);
	rda_smb_empty(&n, 0, 1);
	rda_smb_empty(&n, 0, 0);
	rda_smb_empty(&n, 0, 0); /* one too many */
	rda_nvme_wait(&n, 1000000);
	rda_smb_empty(&n, 1, 2);
	rda_nvme_wait(&n, 5000000);
	rda_smb_empty(&n, 0, 1);
	rda_smb_answer(&n, 5, 9, 0);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U14), 1);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U14, "sent 1 SEND of SMB Direct to"));
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U15), 1);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U15, "1 time and"));
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_check_ulp_smb(void)
{
	Suite *suite = suite_create("check_ulp_smb");
	TCase *tcase = tcase_create("check_ulp_smb");

	tcase_add_loop_test(tcase, failed, 0, 2);
	tcase_add_loop_test(tcase, credits, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
