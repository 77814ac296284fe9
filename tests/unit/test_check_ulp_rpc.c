/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U06, U07: calls that were refused, and operations that failed; what is no finding.
 */
#include "analyzer/checks/ulp/rpc.h"

#include "tests/unit/rpc_feed.h"
#include "tests/unit/suite.h"

START_TEST(operations)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_rpc_ask(&n, 1);
	rda_rpc_answer(&n, 1, 2); /* no such file */
	rda_rpc_ask(&n, 2);
	rda_rpc_answer(&n, 2, 70);
	rda_rpc_ask(&n, 3);
	rda_rpc_answer(&n, 3, 0);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.failed, 2);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U07), 1);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U06), 0);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U07,
				"with NFS4ERR_STALE (status 70) for its PUTROOTFH"));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(refused)
{
	struct rda_build b = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_rpc_ask(&n, 1);
	rda_rpc_head(&b, 1, 0, (struct rda_rpc_lent){0});
	rda_rpc_reply(&b, 1, 2);
	rda_nvme_send(&n, 1, &b);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U06), 1);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U06, "with PROG_MISMATCH (status 2)"));
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_check_ulp_rpc(void)
{
	Suite *suite = suite_create("check_ulp_rpc");
	TCase *tcase = tcase_create("check_ulp_rpc");

	tcase_add_loop_test(tcase, operations, 0, 2);
	tcase_add_loop_test(tcase, refused, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
