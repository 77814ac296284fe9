/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers, hosts, services and reasons in sentences.
 */
#include "analyzer/base/words.h"

#include "dissectors/values.h"
#include "tests/unit/suite.h"

#include <string.h>

START_TEST(times_have_three_digits)
{
	static const struct {
		int64_t ns;
		const char *words;
	} cases[] = {
		{0, "0 ns"},
		{999, "999 ns"},
		{1000, "1 us"},
		{1234567, "1.23 ms"},
		{12345678, "12.3 ms"},
		{123456789, "123 ms"},
		{1050000, "1.05 ms"},
		{999499, "999 us"},
		{999500, "1 ms"},
		{2500000000, "2.5 s"},
		{3600000000000, "3600 s"},
		{-1500, "-1.5 us"},
		{INT64_MAX, "9223372037 s"},
		{INT64_MIN, "-9223372037 s"},
	};
	char text[RDA_WORDS_TEXT];

	for (unsigned i = 0; i < RDA_COUNT(cases); i++)
		ck_assert_str_eq(rda_words_time(text, cases[i].ns), cases[i].words);
}
END_TEST

START_TEST(moments)
{
	static const struct {
		int64_t ns;
		const char *words;
	} cases[] = {
		{0, "1970-01-01T00:00:00.000000000Z"},
		{-1, "1969-12-31T23:59:59.999999999Z"},
		{1700000000123456789, "2023-11-14T22:13:20.123456789Z"},
		{951782400000000000, "2000-02-29T00:00:00.000000000Z"},
		{951868799999999999, "2000-02-29T23:59:59.999999999Z"},
		{4107542400000000000, "2100-03-01T00:00:00.000000000Z"},
		{INT64_MAX, "2262-04-11T23:47:16.854775807Z"},
		{INT64_MIN, "1677-09-21T00:12:43.145224192Z"},
	};
	char text[RDA_WORDS_MOMENT];

	for (unsigned i = 0; i < RDA_COUNT(cases); i++)
		ck_assert_str_eq(rda_words_moment(text, cases[i].ns), cases[i].words);
}
END_TEST

START_TEST(decimals)
{
	char text[RDA_WORDS_TEXT];

	ck_assert_str_eq(rda_words_decimal(text, 1205, 2), "12.05");
	ck_assert_str_eq(rda_words_decimal(text, -5, 1), "-0.5");
	ck_assert_str_eq(rda_words_decimal(text, 100, 1), "10.0");
	ck_assert_str_eq(rda_words_decimal(text, 7, 0), "7");
}
END_TEST

START_TEST(shares)
{
	static const struct {
		uint64_t part, whole;
		const char *words;
	} cases[] = {
		{0, 10, "0 %"},
		{0, 0, "0 %"},
		{1, 3, "33.3 %"},
		{1234, 100000, "1.23 %"},
		{1, 1000000, "under 0.01 %"},
		{1, 10000, "0.01 %"},
		{7, 7, "100 %"},
		{UINT64_C(50000000000000), UINT64_C(100000000000000), "50 %"},
	};
	char text[RDA_WORDS_TEXT];

	for (unsigned i = 0; i < RDA_COUNT(cases); i++)
		ck_assert_str_eq(rda_words_percent(text, cases[i].part, cases[i].whole),
				 cases[i].words);
}
END_TEST

START_TEST(rates)
{
	static const struct {
		uint64_t bits;
		const char *words;
	} cases[] = {
		{0, "0 bit/s"},
		{999, "999 bit/s"},
		{1000, "1 kbit/s"},
		{999499, "999 kbit/s"},
		{1234567, "1.23 Mbit/s"},
		{99840000000, "99.8 Gbit/s"},
		{UINT64_C(1500000000000000), "1500 Tbit/s"},
	};
	char text[RDA_WORDS_TEXT];

	for (unsigned i = 0; i < RDA_COUNT(cases); i++)
		ck_assert_str_eq(rda_words_rate(text, cases[i].bits), cases[i].words);
}
END_TEST

START_TEST(one_has_no_s)
{
	ck_assert_str_eq(rda_words_plural(1), "");
	ck_assert_str_eq(rda_words_plural(0), "s");
	ck_assert_str_eq(rda_words_plural(2), "s");
}
END_TEST

START_TEST(services)
{
	static const struct {
		uint64_t id;
		const char *words;
	} cases[] = {
		{UINT64_C(0x0000000001061c06), "TCP port 7174"},
		{UINT64_C(0x0000000001110001), "UDP port 1"},
		{UINT64_C(0x00000000013f0001), "IP port 1"},
		{UINT64_C(0x1000000000000123), "service ID 0x1000000000000123"},
		{0, "an unknown service"},
	};
	char text[RDA_WORDS_NAME];

	for (unsigned i = 0; i < RDA_COUNT(cases); i++)
		ck_assert_str_eq(rda_words_service(text, cases[i].id), cases[i].words);
}
END_TEST

/* Each reason that has words of its own is one that the table knows. */
START_TEST(reasons)
{
	unsigned explained = 0;

	for (int32_t reason = -1; reason < 70000; reason++) {
		const char *means = rda_words_reject(reason);

		explained += means != NULL;
		if (means)
			ck_assert_ptr_nonnull(rda_words(RDA_SET_REJ_REASON, (uint64_t)reason));
	}
	ck_assert_uint_eq(explained, 12);
	ck_assert_ptr_nonnull(strstr(rda_words_reject(8), "nobody listens"));
}
END_TEST

Suite *rda_suite_words(void)
{
	Suite *suite = suite_create("words");
	TCase *tcase = tcase_create("words");

	tcase_add_test(tcase, times_have_three_digits);
	tcase_add_test(tcase, rates);
	tcase_add_test(tcase, moments);
	tcase_add_test(tcase, decimals);
	tcase_add_test(tcase, shares);
	tcase_add_test(tcase, one_has_no_s);
	tcase_add_test(tcase, services);
	tcase_add_test(tcase, reasons);
	suite_add_tcase(suite, tcase);
	return suite;
}
