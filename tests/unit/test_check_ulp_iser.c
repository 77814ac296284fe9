/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U08, U09, U10: what SCSI could not do, what it reports, and what iSCSI refuses.
 */
#include "analyzer/checks/ulp/iser.h"

#include "tests/unit/iser_feed.h"
#include "tests/unit/suite.h"

START_TEST(commands)
{
	struct rda_iser_pdu sense = {.opcode = 0x21, .flags = 0x80, .status = 2};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_iser_read(&n, 1, 0x1000, 512);
	sense.task = 1;
	sense.data = "0012 7000030000000000 00000000 1100 00000000";
	rda_iser_send(&n, 1, &sense);
	rda_iser_read(&n, 2, 0x1000, 512);
	sense.task = 2;
	sense.data = "0012 7000060000000000 00000000 2900 00000000"; /* the unit was reset */
	rda_iser_send(&n, 1, &sense);
	rda_iser_send(&n, 0,
		      &(struct rda_iser_pdu){.opcode = 1, .flags = 0x80, .task = 3, .cdb = 0xa3});
	rda_iser_respond(&n, 3, 0x18);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U08), 1);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U09), 2);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U10), 0);
	ck_assert(
		rda_nvme_says(&n, RDA_CHECK_U08, "LUN 3, 512 bytes, frame") &&
		rda_nvme_says(&n, RDA_CHECK_U08,
			      "with CHECK CONDITION, MEDIUM ERROR: UNRECOVERED READ ERROR after"));
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U09,
				"with CHECK CONDITION, UNIT ATTENTION: POWER ON, RESET"));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(refused)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_iser_send(&n, 0, &(struct rda_iser_pdu){.opcode = 0x43, .flags = 0x87});
	rda_iser_send(&n, 1, &(struct rda_iser_pdu){.opcode = 0x23, .login = 0x0203});
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U10), 1);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U10, "refused a Login (task 0x00000000, frame"));
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U10, "with \"Not found\" (code 0x203)"));
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_check_ulp_iser(void)
{
	Suite *suite = suite_create("check_ulp_iser");
	TCase *tcase = tcase_create("check_ulp_iser");

	tcase_add_loop_test(tcase, commands, 0, 2);
	tcase_add_loop_test(tcase, refused, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
