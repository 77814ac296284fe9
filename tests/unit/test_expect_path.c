/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparing values: what is not known or of another type never passes, and 64-bit numbers are
 * exact.
 */
#include "analyzer/report/expect_path.h"
#include "tests/unit/suite.h"

/* a value as JSON, the sign, the number that it is compared with, what comes of it */
static const struct {
	const char *value;
	enum rda_compare compare;
	long double number;
	enum rda_truth truth;
} cases[] = {
	{"5", RDA_COMPARE_EQ, 5, RDA_TRUTH_YES},
	{"5", RDA_COMPARE_NE, 5, RDA_TRUTH_NO},
	{"5", RDA_COMPARE_LT, 5, RDA_TRUTH_NO},
	{"5", RDA_COMPARE_LE, 5, RDA_TRUTH_YES},
	{"-5", RDA_COMPARE_LT, 0, RDA_TRUTH_YES},
	{"5.5", RDA_COMPARE_GT, 5, RDA_TRUTH_YES},
	{"null", RDA_COMPARE_GE, 0, RDA_TRUTH_UNKNOWN},
	{"null", RDA_COMPARE_NE, 0, RDA_TRUTH_UNKNOWN},
	{"\"5\"", RDA_COMPARE_EQ, 5, RDA_TRUTH_UNKNOWN},
	{"true", RDA_COMPARE_NE, 0, RDA_TRUTH_UNKNOWN},
	{"9007199254740993", RDA_COMPARE_GT, 9007199254740992.0L, RDA_TRUTH_YES},
	{"18446744073709551615", RDA_COMPARE_EQ, 18446744073709551615.0L, RDA_TRUTH_YES},
	{"18446744073709551615", RDA_COMPARE_EQ, 18446744073709551614.0L, RDA_TRUTH_NO},
	{"9223372036854775807", RDA_COMPARE_LT, 9223372036854775808.0L, RDA_TRUTH_YES},
};

START_TEST(a_value_passes_or_not)
{
	struct rda_comparison comparison = {
		.compare = (uint8_t)cases[_i].compare,
		.operand = {.type = RDA_OPERAND_NUMBER, .number = cases[_i].number},
	};
	json_object *value = json_tokener_parse(cases[_i].value);

	ck_assert_int_eq(rda_compare_value(&comparison, value, NULL), cases[_i].truth);
	json_object_put(value);
}
END_TEST

Suite *rda_suite_expect_path(void)
{
	Suite *suite = suite_create("expect_path");
	TCase *tc = tcase_create("expect_path");

	tcase_add_loop_test(tc, a_value_passes_or_not, 0, RDA_COUNT(cases));
	suite_add_tcase(suite, tc);
	return suite;
}
