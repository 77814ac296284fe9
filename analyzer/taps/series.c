/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of files of a series. See series.h.
 */
#include "analyzer/taps/series.h"

#include <stdint.h>
#include <string.h>

static const char *base_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "NAME_00012_20261120234410.pcap": where "_00012_..." begins; NULL: not so. */
static const char *series_tail(const char *name)
{
	static const char form[] = "_#####_##############";
	const char *dot = strchr(name, '.');
	size_t length = dot ? (size_t)(dot - name) : strlen(name), tail = sizeof(form) - 1;

	if (length <= tail)
		return NULL;
	name += length - tail;
	for (size_t i = 0; i < tail; i++)
		if (form[i] == '#' ? !is_digit(name[i]) : name[i] != form[i])
			return NULL;
	return name;
}

static uint32_t counter_of(const char *tail)
{
	uint32_t counter = 0;

	while (is_digit(*++tail))
		counter = counter * 10 + (uint32_t)(*tail - '0');
	return counter;
}

/* How far the second is behind the first in one series, whatever folders they are in; 0: they are
 * of none. */
static int64_t behind(const char *a, const char *b)
{
	const char *x, *y;

	a = base_of(a);
	b = base_of(b);
	x = series_tail(a);
	y = series_tail(b);
	if (!x || !y || x - a != y - b || strncmp(a, b, (size_t)(x - a)) != 0)
		return 0;
	return (int64_t)counter_of(y) - counter_of(x);
}

bool rda_series_follows(const char *a, const char *b)
{
	return behind(a, b) == 1;
}

static const char *end_of_digits(const char *text)
{
	while (is_digit(*text))
		text++;
	return text;
}

static const char *without_zeros(const char *from, const char *to)
{
	while (from < to && *from == '0')
		from++;
	return from;
}

/* Two numbers of any length, each from a first to behind a last digit: whether both are there, and
 * equal. */
static bool are_equal(const char *a, const char *a_end, const char *b, const char *b_end)
{
	if (a == a_end || b == b_end)
		return false;
	a = without_zeros(a, a_end);
	b = without_zeros(b, b_end);
	return a_end - a == b_end - b && memcmp(a, b, (size_t)(a_end - a)) == 0;
}

/* Of a number that is not there: 0, as tcpdump -C names "x" and then "x1". Of its last 18 digits.
 */
static uint64_t value_of(const char *from, const char *to)
{
	uint64_t value = 0;

	for (from = to - from > 18 ? to - 18 : from; from < to; from++)
		value = value * 10 + (uint64_t)(*from - '0');
	return value;
}

static bool are_of_one_folder(const char *a, const char *b)
{
	size_t length = (size_t)(base_of(a) - a);

	return (size_t)(base_of(b) - b) == length && strncmp(a, b, length) == 0;
}

bool rda_series_same(const char *a, const char *b)
{
	return are_of_one_folder(a, b) && behind(a, b) != 0;
}

int rda_series_differ(const char *a, const char *b, bool *next)
{
	bool apart = !are_of_one_folder(a, b);
	int places = 0;

	*next = false;
	a = base_of(a);
	b = base_of(b);
	while (*a || *b) {
		const char *a_end = end_of_digits(a), *b_end = end_of_digits(b);

		if (a_end == a && b_end == b) {
			if (*a++ != *b++)
				return -1;
			continue;
		}
		if (!are_equal(a, a_end, b, b_end))
			*next = !places++ && value_of(a, a_end) + 1 == value_of(b, b_end);
		a = a_end;
		b = b_end;
	}
	return places ? places + apart : 0;
}
