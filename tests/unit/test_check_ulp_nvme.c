/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U01, U02, U03, U05: errors by the kind of command, and silence on an admin queue.
 */
#include "analyzer/checks/ulp/nvme.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

START_TEST(errors)
{
	struct rda_nvme_feed n;
	struct rda_build b = {0};

	rda_nvme_capsule(&b, 0x7f, 9, 1, 0x99, 1024, (uint32_t[]){0, 0, 0});
	rda_nvme_feed_begin(&n, _i);
	rda_nvme_send(&n, 0, &b);
	rda_nvme_complete(&n, 9, 0x0182);
	rda_nvme_admin(&n, 0x06, 1);
	rda_nvme_complete(&n, 1, 0x0002);
	rda_nvme_admin(&n, 0x06, 1);
	rda_nvme_complete(&n, 1, 0x0000);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U03), 1);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U02), 1);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U01), 0);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U03,
				"\"Connect Invalid Parameters\" (status code type 1, code 0x82)"));
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U02, "an Identify (command 1 on queue 0"));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(errors_of_a_namespace)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_nvme_read(&n, 1, 0x1000, 512);
	rda_nvme_complete(&n, 1, 0x07aa); /* which no standard has */
	rda_nvme_write(&n, 2, 0x1000, 512);
	rda_nvme_complete(&n, 2, 0x0080);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U01), 2);
	ck_assert(
		rda_nvme_says(&n, RDA_CHECK_U01, "with an error (status code type 7, code 0xaa)"));
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(keep_alive)
{
	static const struct {
		uint16_t queue;
		uint32_t keep_ms;
		int64_t silent_ns;
		uint64_t cases;
	} cases[] = {
		{0, 5000, INT64_C(6000000000), 1},
		{0, 5000, INT64_C(4900000000), 0},
		{0, 0, INT64_C(6000000000), 0},	   /* no timer */
		{1, 5000, INT64_C(6000000000), 0}, /* of the admin queue only */
	};

	for (unsigned i = 0; i < 3 * RDA_COUNT(cases); i++) {
		struct rda_nvme_feed n;
		unsigned k = i / 3;

		rda_nvme_feed_begin(&n, _i);
		rda_nvme_connect(&n, cases[k].queue, cases[k].keep_ms);
		rda_nvme_wait(&n, cases[k].silent_ns);
		/* silent to the end, or between two commands; it did no harm if that is answered */
		if (i % 3)
			rda_nvme_admin(&n, 0x18, 1);
		if (i % 3 != 1)
			rda_nvme_complete(&n, i % 3 ? 1 : 7, 0);
		rda_nvme_finish(&n);
		ck_assert_msg(rda_feed_cases(&n.w.feed, RDA_CHECK_U05) ==
				      (i % 3 == 2 ? 0 : cases[k].cases),
			      "case %u", i);
		rda_nvme_feed_end(&n);
	}
}
END_TEST

Suite *rda_suite_check_ulp_nvme(void)
{
	Suite *suite = suite_create("check_ulp_nvme");
	TCase *tcase = tcase_create("check_ulp_nvme");

	tcase_add_loop_test(tcase, errors, 0, 2);
	tcase_add_loop_test(tcase, errors_of_a_namespace, 0, 2);
	tcase_add_loop_test(tcase, keep_alive, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
