/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Widening PSNs: the whole number nearest to one seen before, across every wrap.
 */
#include "analyzer/base/psn.h"
#include "tests/unit/suite.h"

enum { WRAP = 1 << 24, HALF = 1 << 23 };

START_TEST(nearest_of_all_numbers_with_these_24_bits)
{
	static const int64_t near_origin[] = {0,	1,	  HALF - 1, HALF,
					      HALF + 1, WRAP - 1, WRAP,	    3 * WRAP + 5};
	static const int64_t away[] = {-HALF, -HALF + 1, -70000, -1, 0, 1, 2, 70000, HALF - 1};

	for (unsigned i = 0; i < RDA_COUNT(near_origin); i++) {
		int64_t near = RDA_PSN_ORIGIN + near_origin[i];

		for (unsigned j = 0; j < RDA_COUNT(away); j++) {
			int64_t want = near + away[j];

			ck_assert_int_eq(rda_psn_widen(near, (uint32_t)(want & 0xffffff)), want);
		}
		/* half the space ahead is the same number as half behind: behind it is */
		ck_assert_int_eq(rda_psn_widen(near, (uint32_t)((near + HALF) & 0xffffff)),
				 near - HALF);
	}
}
END_TEST

START_TEST(a_flow_counts_on_across_wraps)
{
	int64_t psn = rda_psn_first(0xfffffe);

	ck_assert_int_eq(psn, RDA_PSN_ORIGIN + 0xfffffe);
	for (int64_t i = 1; i < INT64_C(3) * WRAP; i += 4099) {
		int64_t next = RDA_PSN_ORIGIN + 0xfffffe + i;

		psn = rda_psn_widen(psn, (uint32_t)next & 0xffffff);
		RDA_CHECK(psn == next, "after %lld", (long long)i);
		RDA_CHECK(rda_psn_narrow(psn) == ((0xfffffe + i) & 0xffffff), "after %lld",
			  (long long)i);
	}
}
END_TEST

START_TEST(numbers_below_the_first_stay_positive)
{
	int64_t first = rda_psn_first(0);

	ck_assert_int_eq(rda_psn_widen(first, 0xffffff), RDA_PSN_ORIGIN - 1);
	ck_assert_int_gt(rda_psn_widen(first, 0x800000), 0);
	ck_assert_uint_eq(rda_psn_narrow(RDA_PSN_ORIGIN - 1), 0xffffff);
}
END_TEST

Suite *rda_suite_psn(void)
{
	Suite *suite = suite_create("psn");
	TCase *tcase = tcase_create("psn");

	tcase_add_test(tcase, nearest_of_all_numbers_with_these_24_bits);
	tcase_add_test(tcase, a_flow_counts_on_across_wraps);
	tcase_add_test(tcase, numbers_below_the_first_stay_positive);
	suite_add_tcase(suite, tcase);
	return suite;
}
