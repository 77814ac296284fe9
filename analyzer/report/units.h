/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers for people: grouped, compact, with units. Never for machines, and never of the locale.
 */
#ifndef RDA_UNITS_H
#define RDA_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define RDA_UNITS_TEXT 48

/* All return `text`. */

/* 1234567 -> "1,234,567" */
const char *rda_units_grouped(char text[RDA_UNITS_TEXT], uint64_t number);

/* At most 5 characters: 99999 -> "99999", 1234567 -> "1.23M"; powers of 1000 */
const char *rda_units_compact(char text[RDA_UNITS_TEXT], uint64_t number);

/* 1234567 -> "1.23 ms" */
const char *rda_units_duration(char text[RDA_UNITS_TEXT], int64_t ns);

/* "2026-11-20 12:34:56.123456789 UTC" */
const char *rda_units_date(char text[RDA_UNITS_TEXT], int64_t ns);

/* "12:34:56.123456789", in UTC */
const char *rda_units_time_of_day(char text[RDA_UNITS_TEXT], int64_t ns);

/* Reads "268435456", "262144K", "256M", "1g"; false, and 0, when it is none, too large or below
 * `least` (1 or more). */
bool rda_units_size(const char *text, uint64_t least, uint64_t *bytes);

#endif
