/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U13; M03 of a login that is refused.
 */
#include "analyzer/checks/ulp/srp.h"

#include "tests/unit/said.h"
#include "tests/unit/srp_feed.h"
#include "tests/unit/suite.h"

#include <string.h>

START_TEST(refused)
{
	struct rda_nvme_feed n;

	rda_srp_feed_begin(&n, _i, 64);
	rda_srp_read(&n, 1, 0x1000, 512);
	rda_srp_send(&n, 0,
		     "01 00000000000000 0000000080000000 00000000 0003000000000000"
		     "0000 01 00 0000000000000001 0000000000000000");
	rda_srp_respond(&n, &(struct rda_srp_answer){.tag = 0x80000000, .response = "00000005"});
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U13), 1);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U13,
				"refused an ABORT TASK (tag 0x0000000080000000, frame"));
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U13,
				"with \"Task management function failed\" (code 0x05)"));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(logged_out)
{
	struct rda_nvme_feed n;

	rda_srp_feed_begin(&n, _i, 64);
	rda_srp_read(&n, 1, 0x1000, 512);
	rda_srp_send(&n, 1, "80 000000 00000000 0000000000000009");
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U13), 1);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U13,
				"\"No reason specified\" (reason 0x00); 1 command was"));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(login_refused)
{
	struct rda_nvme_feed n;

	memset(&n, 0, sizeof(n));
	rda_iwarp_feed_begin(&n.w);
	rda_feed_cm(&n.w.feed, &(struct rda_cm_message){.from = 1,
							.to = 2,
							.attribute = 0x10,
							.local_id = 1,
							.qpn = 0x11,
							.private_data = RDA_SRP_LOGIN_HEX});
	rda_feed_cm(&n.w.feed, &(struct rda_cm_message){.from = 2,
							.to = 1,
							.attribute = 0x12,
							.local_id = 2,
							.remote_id = 1,
							.reason = 28,
							.private_data = "c2000000 00010003"});
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_M03), 1);
	ck_assert(rda_nvme_says(
		&n, RDA_CHECK_M03,
		"it refused the login of SRP: \"Unable to associate RDMA channel with the I_T "
		"nexus\" (0x00010003)"));
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_check_ulp_srp(void)
{
	Suite *suite = suite_create("check_ulp_srp");
	TCase *tcase = tcase_create("check_ulp_srp");

	tcase_add_loop_test(tcase, refused, 0, 2);
	tcase_add_loop_test(tcase, logged_out, 0, 2);
	tcase_add_test(tcase, login_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
