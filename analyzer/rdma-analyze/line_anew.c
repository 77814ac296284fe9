/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of a line of text, told by their digits and their order. See line_anew.h.
 */
#include "analyzer/rdma-analyze/line_anew.h"

#include <glib.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

/* Replaces `count` hex digits by those of the pseudonym; all zeros where it needs more. */
static void replace_digits(struct rda_pseudonyms *p, enum rda_secret kind, unsigned length,
			   uint8_t *text, unsigned count)
{
	uint8_t bytes[16] = {0};

	for (unsigned i = 0; i < count; i++) {
		unsigned at = length * 2 - count + i;

		bytes[at / 2] |= (uint8_t)(g_ascii_xdigit_value((char)text[i]) << (at % 2 ? 0 : 4));
	}
	rda_pseudonyms_secret(p, kind, bytes, length);
	for (unsigned i = 0; i < count; i++) {
		unsigned at = length * 2 - count + i;

		text[i] = (uint8_t)digits[bytes[at / 2] >> (at % 2 ? 0 : 4) & 15];
	}
}

static unsigned count_digits(const uint8_t *text, uint32_t length)
{
	unsigned count = 0;

	while (count < length && g_ascii_isxdigit((char)text[count]))
		count++;
	return count;
}

/* "0a:00:01:..." of 16 bytes */
static void replace_gid(struct rda_pseudonyms *p, uint8_t *text)
{
	uint8_t gid[16];

	for (unsigned i = 0; i < 16; i++)
		gid[i] = (uint8_t)(g_ascii_xdigit_value((char)text[i * 3]) << 4 |
				   g_ascii_xdigit_value((char)text[i * 3 + 1]));
	rda_pseudonyms_secret(p, RDA_SECRET_IP6, gid, sizeof(gid));
	for (unsigned i = 0; i < 16; i++) {
		text[i * 3] = (uint8_t)digits[gid[i] >> 4];
		text[i * 3 + 1] = (uint8_t)digits[gid[i] & 15];
	}
}

enum { GID_TEXT = 16 * 3 - 1 };

/*
 * Numbers between colons are told by their digits and their order: LID (4), READs (4), QPN (6), PSN
 * (6), key (8), address (16), GID (32, or 16 of 2).
 */
static void replace_colons(struct rda_pseudonyms *p, uint8_t *text, uint32_t length)
{
	unsigned sixes = 0;
	uint32_t at = 0;

	while (at < length) {
		unsigned count = count_digits(text + at, length - at);

		if (at == 0 && count == 4)
			replace_digits(p, RDA_SECRET_LID, 2, text, count);
		else if (count == 6 && sixes++ == 0)
			replace_digits(p, RDA_SECRET_QPN, 3, text + at, count);
		else if (count == 8)
			replace_digits(p, RDA_SECRET_KEY, 4, text + at, count);
		else if (count == 16)
			replace_digits(p, RDA_SECRET_VA, 8, text + at, count);
		else if (count == 32)
			replace_digits(p, RDA_SECRET_IP6, 16, text + at, count);
		else if (count == 2 && length - at >= GID_TEXT) {
			replace_gid(p, text + at);
			return;
		}
		at += count + 1;
	}
}

/* "qp QPN PSN GID KEY ADDRESS"; nobody reads the GID, which becomes dashes. */
static void replace_words(struct rda_pseudonyms *p, uint8_t *text, uint32_t length)
{
	static const enum rda_secret kinds[] = {RDA_SECRET_COUNT, RDA_SECRET_QPN, RDA_SECRET_COUNT,
						RDA_SECRET_DATA,  RDA_SECRET_KEY, RDA_SECRET_VA};
	static const unsigned lengths[] = {0, 3, 0, 0, 4, 8};
	uint32_t at = 0;

	for (unsigned word = 0; word < G_N_ELEMENTS(kinds) && at < length; word++) {
		uint32_t end = at;

		while (end < length && text[end] > ' ')
			end++;
		if (kinds[word] == RDA_SECRET_DATA)
			memset(text + at, '-', end - at);
		else if (kinds[word] != RDA_SECRET_COUNT &&
			 count_digits(text + at, end - at) == end - at)
			replace_digits(p, kinds[word], lengths[word], text + at, end - at);
		at = end + 1;
	}
}

void rda_line_anew(struct rda_pseudonyms *p, uint8_t *text, uint32_t length)
{
	if (length && text[0] == 'q')
		replace_words(p, text, length);
	else
		replace_colons(p, text, length);
}
