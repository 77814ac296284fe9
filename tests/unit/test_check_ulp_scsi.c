/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U08, U09: what SCSI could not do, and what it reports.
 */
#include "analyzer/checks/ulp/scsi.h"

#include "tests/unit/said.h"
#include "tests/unit/srp_feed.h"
#include "tests/unit/suite.h"

#include <string.h>

START_TEST(commands)
{
	struct rda_srp_answer answer = {.status = 2};
	struct rda_nvme_feed n;

	rda_srp_feed_begin(&n, _i, 64);
	rda_srp_read(&n, 1, 0x1000, 512);
	answer.tag = 1;
	answer.sense = "7000030000000000 00000000 1100 00000000";
	rda_srp_respond(&n, &answer);
	rda_srp_read(&n, 2, 0x1000, 512);
	answer.tag = 2;
	answer.sense = "7000060000000000 00000000 2900 00000000"; /* the unit was reset */
	rda_srp_respond(&n, &answer);
	rda_srp_ask(&n, 3, 0xa3);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 3, .status = 0x18});
	rda_srp_ask(&n, 4, 0x28);
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 4, .status = 0x77});
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U08), 2);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U09), 2);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U13), 0);
	ck_assert(
		rda_nvme_says(&n, RDA_CHECK_U08,
			      "task 0x0000000000000001, LUN 3, 512 bytes, frame") &&
		rda_nvme_says(&n, RDA_CHECK_U08,
			      "with CHECK CONDITION, MEDIUM ERROR: UNRECOVERED READ ERROR after"));
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_check_ulp_scsi(void)
{
	Suite *suite = suite_create("check_ulp_scsi");
	TCase *tcase = tcase_create("check_ulp_scsi");

	tcase_add_loop_test(tcase, commands, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
