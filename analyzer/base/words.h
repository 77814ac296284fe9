/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers, hosts and services as the sentences of findings have them: never of the locale.
 */
#ifndef RDA_WORDS_H
#define RDA_WORDS_H

#include "dissectors/packet.h"

#include <stdint.h>

#define RDA_WORDS_TEXT 24 /* of numbers */
#define RDA_WORDS_NAME 64

/* 1234567 -> "1.23 ms": three digits, and the unit that makes them readable. Returns `text`. */
const char *rda_words_time(char text[RDA_WORDS_TEXT], int64_t ns);

/* Since 1970 -> "2026-11-20T12:34:56.123456789Z", as RFC 3339 has it. Returns `text`. */
#define RDA_WORDS_MOMENT 40
const char *rda_words_moment(char text[RDA_WORDS_MOMENT], int64_t ns);

/* 1234567 -> "1.23 Mbit/s". Returns `text`. */
const char *rda_words_rate(char text[RDA_WORDS_TEXT], uint64_t bits);

/* 1234 of 100000 -> "1.23 %". Returns `text`. Both are below 10^14. */
const char *rda_words_percent(char text[RDA_WORDS_TEXT], uint64_t part, uint64_t whole);

/* 1205 with 2 digits -> "12.05". Returns `text`. */
const char *rda_words_decimal(char text[RDA_WORDS_TEXT], int64_t number, unsigned digits);

/* "s" unless it is one of them: "%u packet%s" */
static inline const char *rda_words_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* "TCP port 7174", "service ID 0x1000000000000123", or "an unknown service". Returns `text`. */
const char *rda_words_service(char text[RDA_WORDS_NAME], uint64_t service_id);

/* What a REJ's reason means for who asked: "nobody listens for it there"; NULL: nothing special. */
const char *rda_words_reject(int32_t reason);

#endif
