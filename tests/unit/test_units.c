/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for people: widths, rounding where a unit ends, and times of any year.
 */
#include "analyzer/report/units.h"
#include "tests/unit/suite.h"

#include <string.h>

static char text[RDA_UNITS_TEXT];

START_TEST(thousands_are_grouped)
{
	ck_assert_str_eq(rda_units_grouped(text, 0), "0");
	ck_assert_str_eq(rda_units_grouped(text, 999), "999");
	ck_assert_str_eq(rda_units_grouped(text, 1000), "1,000");
	ck_assert_str_eq(rda_units_grouped(text, 1234567), "1,234,567");
	ck_assert_str_eq(rda_units_grouped(text, UINT64_MAX), "18,446,744,073,709,551,615");
}
END_TEST

START_TEST(compact_numbers_round_at_the_end_of_a_unit)
{
	ck_assert_str_eq(rda_units_compact(text, 0), "0");
	ck_assert_str_eq(rda_units_compact(text, 99999), "99999");
	ck_assert_str_eq(rda_units_compact(text, 100000), "100k");
	ck_assert_str_eq(rda_units_compact(text, 999499), "999k");
	ck_assert_str_eq(rda_units_compact(text, 999500), "1.00M");
	ck_assert_str_eq(rda_units_compact(text, 1234567), "1.23M");
	ck_assert_str_eq(rda_units_compact(text, 9994999), "9.99M");
	ck_assert_str_eq(rda_units_compact(text, 9995000), "10.0M");
	ck_assert_str_eq(rda_units_compact(text, 99950000), "100M");
	ck_assert_str_eq(rda_units_compact(text, 400000000000), "400G");
	ck_assert_str_eq(rda_units_compact(text, UINT64_MAX), "18.4E");
}
END_TEST

START_TEST(compact_numbers_have_five_characters)
{
	for (uint64_t number = 1; number < UINT64_MAX / 3; number += number / 7 + 1) {
		rda_units_compact(text, number);
		RDA_CHECK(strlen(text) <= 5, "%s", text);
	}
}
END_TEST

START_TEST(durations_take_the_unit_that_fits)
{
	ck_assert_str_eq(rda_units_duration(text, 0), "0 ns");
	ck_assert_str_eq(rda_units_duration(text, 999), "999 ns");
	ck_assert_str_eq(rda_units_duration(text, 1000), "1.00 us");
	ck_assert_str_eq(rda_units_duration(text, 1234567), "1.23 ms");
	ck_assert_str_eq(rda_units_duration(text, 36700000000), "36.7 s");
	ck_assert_str_eq(rda_units_duration(text, 12345000000000), "12,345 s");
	ck_assert_str_eq(rda_units_duration(text, INT64_MIN), "9,223,372,037 s");
}
END_TEST

START_TEST(times_are_utc_in_any_year)
{
	ck_assert_str_eq(rda_units_date(text, 0), "1970-01-01 00:00:00.000000000 UTC");
	ck_assert_str_eq(rda_units_date(text, 1795218577078447275),
			 "2026-11-20 23:49:37.078447275 UTC");
	ck_assert_str_eq(rda_units_date(text, 1709164799999999999),
			 "2024-02-28 23:59:59.999999999 UTC");
	ck_assert_str_eq(rda_units_date(text, -1), "1969-12-31 23:59:59.999999999 UTC");
	ck_assert_str_eq(rda_units_date(text, INT64_MIN), "1677-09-21 00:12:43.145224192 UTC");
	ck_assert_str_eq(rda_units_date(text, INT64_MAX), "2262-04-11 23:47:16.854775807 UTC");
	ck_assert_str_eq(rda_units_time_of_day(text, 1795218577078447275), "23:49:37.078447275");
	ck_assert_str_eq(rda_units_time_of_day(text, -1), "23:59:59.999999999");
}
END_TEST

START_TEST(sizes_are_read)
{
	uint64_t bytes;

	ck_assert(rda_units_size("17179869183G", 1, &bytes));
	ck_assert_uint_eq(bytes, UINT64_C(0xffffffffc0000000));
	ck_assert(!rda_units_size("17179869184G", 1, &bytes));
	ck_assert_uint_eq(bytes, 0);
	ck_assert(rda_units_size("5k", 1, &bytes));
	ck_assert_uint_eq(bytes, 5120);
	ck_assert(!rda_units_size("5k", 5121, &bytes));
	ck_assert(!rda_units_size("5kB", 1, &bytes));
	ck_assert(!rda_units_size("K", 1, &bytes));
}
END_TEST

Suite *rda_suite_units(void)
{
	Suite *suite = suite_create("units");
	TCase *tc = tcase_create("units");

	tcase_add_test(tc, thousands_are_grouped);
	tcase_add_test(tc, compact_numbers_round_at_the_end_of_a_unit);
	tcase_add_test(tc, compact_numbers_have_five_characters);
	tcase_add_test(tc, durations_take_the_unit_that_fits);
	tcase_add_test(tc, times_are_utc_in_any_year);
	tcase_add_test(tc, sizes_are_read);
	suite_add_tcase(suite, tc);
	return suite;
}
