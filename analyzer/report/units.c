/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for people. Integers throughout, so that the last digit is the same everywhere.
 */
#include "analyzer/report/units.h"

#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)

const char *rda_units_grouped(char text[RDA_UNITS_TEXT], uint64_t number)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, number);
	char *to = text;

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

/* `number` / `unit` with three significant digits, rounded half up. */
static void three_digits(char *text, uint64_t number, uint64_t unit)
{
	uint64_t scale = 100, scaled;
	int decimals = 2;

	for (; unit > 1000000000; unit /= 1000) /* a product with 100 must fit */
		number /= 1000;
	for (;; scale /= 10, decimals--) {
		scaled = number / unit * scale + (number % unit * scale + unit / 2) / unit;
		if (scaled < 1000 || decimals == 0)
			break;
	}
	if (decimals)
		snprintf(text, RDA_UNITS_TEXT, "%" PRIu64 ".%0*" PRIu64, scaled / scale, decimals,
			 scaled % scale);
	else
		snprintf(text, RDA_UNITS_TEXT, "%" PRIu64, scaled);
}

const char *rda_units_compact(char text[RDA_UNITS_TEXT], uint64_t number)
{
	static const char prefixes[] = "kMGTPE";
	uint64_t unit = 1000;
	unsigned i = 0;

	if (number < 100000) {
		snprintf(text, RDA_UNITS_TEXT, "%" PRIu64, number);
		return text;
	}
	/* 999,500 reads "1.00M", not "1000k" */
	while (i < 5 && number / unit >= 999 && number >= unit * 999 + unit / 2) {
		unit *= 1000;
		i++;
	}
	three_digits(text, number, unit);
	g_strlcat(text, (const char[]){prefixes[i], '\0'}, RDA_UNITS_TEXT);
	return text;
}

const char *rda_units_duration(char text[RDA_UNITS_TEXT], int64_t ns)
{
	static const struct {
		int64_t ns;
		const char *unit;
	} units[] = {{NS_PER_S, " s"}, {1000000, " ms"}, {1000, " us"}};
	uint64_t length = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	unsigned i = 0;

	while (i < 3 && length < (uint64_t)units[i].ns)
		i++;
	if (i == 3) {
		snprintf(text, RDA_UNITS_TEXT, "%" PRIu64 " ns", length);
		return text;
	}
	if (i == 0 && length >= 1000 * (uint64_t)NS_PER_S) /* "12,345 s" */
		rda_units_grouped(text, (length + NS_PER_S / 2) / NS_PER_S);
	else
		three_digits(text, length, (uint64_t)units[i].ns);
	g_strlcat(text, units[i].unit, RDA_UNITS_TEXT);
	return text;
}

/* Seconds since 1970 and the nanoseconds in the second, also before 1970. */
static int64_t split(int64_t ns, int64_t *rest)
{
	int64_t second = ns / NS_PER_S;

	*rest = ns % NS_PER_S;
	if (*rest < 0) {
		*rest += NS_PER_S;
		second--;
	}
	return second;
}

const char *rda_units_time_of_day(char text[RDA_UNITS_TEXT], int64_t ns)
{
	int64_t rest, second = split(ns, &rest) % 86400;

	if (second < 0)
		second += 86400;
	snprintf(text, RDA_UNITS_TEXT, "%02u:%02u:%02u.%09u", (unsigned)(second / 3600),
		 (unsigned)(second / 60 % 60), (unsigned)(second % 60), (unsigned)rest);
	return text;
}

const char *rda_units_date(char text[RDA_UNITS_TEXT], int64_t ns)
{
	char moment[RDA_WORDS_MOMENT];

	rda_words_moment(moment, ns); /* YYYY-MM-DDTHH:MM:SS.123456789Z */
	snprintf(text, RDA_UNITS_TEXT, "%.10s %.18s UTC", moment, moment + 11);
	return text;
}

bool rda_units_size(const char *text, uint64_t least, uint64_t *bytes)
{
	static const char letters[] = "KMG";
	size_t digits = strspn(text, "0123456789");
	const char *letter = text[digits] ? strchr(letters, g_ascii_toupper(text[digits])) : NULL;
	unsigned shift = letter ? 10 * (unsigned)(letter - letters + 1) : 0;
	char *number = g_strndup(text, digits);
	uint64_t value;
	bool ok = g_ascii_string_to_unsigned(number, 10, 0, UINT64_MAX >> shift, &value, NULL) &&
		  (!text[digits] || (letter && !text[digits + 1]));

	g_free(number);
	*bytes = ok && value << shift >= least ? value << shift : 0;
	return *bytes != 0;
}
