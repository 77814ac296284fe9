/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The published law: alpha and rate behind CNPs, against the formulas with floating point.
 */
#include "analyzer/track/congestion/dcqcn.h"

#include "tests/unit/suite.h"

enum { US = 1000 };

#define IS_NEAR(fraction, expected)                                                                \
	ck_assert_double_eq_tol((double)(fraction) / RDA_DCQCN_ONE, expected, 0.0005)

START_TEST(alpha_grows_with_each_and_the_rate_falls)
{
	struct rda_dcqcn law = {0};
	double alpha = 0, rate = 1;

	for (unsigned i = 0; i < 300; i++) {
		ck_assert(rda_dcqcn_notice(&law, i * 50 * US) == (i > 0));
		IS_NEAR(law.cut, alpha / 2);
		rate *= 1 - alpha / 2;
		alpha = alpha * 255 / 256 + 1.0 / 256;
		IS_NEAR(law.alpha, alpha);
		IS_NEAR(law.rate, rate);
	}
	ck_assert_double_gt(alpha, 0.6);
	ck_assert_double_lt(rate, 0.0001);
}
END_TEST

START_TEST(a_pause_ends_the_row_and_alpha_falls)
{
	struct rda_dcqcn law = {0};
	double alpha;

	for (unsigned i = 0; i < 100; i++)
		rda_dcqcn_notice(&law, i * 50 * US);
	alpha = (double)law.alpha / RDA_DCQCN_ONE;
	ck_assert(!rda_dcqcn_notice(&law, 99 * 50 * US + 10 * 55 * US));
	for (unsigned i = 0; i < 10; i++)
		alpha = alpha * 255 / 256;
	IS_NEAR(law.cut, alpha / 2);
	IS_NEAR(law.rate, 1 - alpha / 2);
	ck_assert(!rda_dcqcn_notice(&law, INT64_MAX));
	ck_assert_uint_eq(law.cut, 0);
	ck_assert(rda_dcqcn_notice(&law, INT64_MIN)); /* a clock that goes back is no pause */
}
END_TEST

Suite *rda_suite_dcqcn(void)
{
	Suite *suite = suite_create("dcqcn");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, alpha_grows_with_each_and_the_rate_falls);
	tcase_add_test(tests, a_pause_ends_the_row_and_alpha_falls);
	suite_add_tcase(suite, tests);
	return suite;
}
