/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines read by patterns: a letter stands for one hex digit of a field, anything else for itself.
 */
#include "analyzer/track/setup/exchange_text.h"

#include <string.h>

#define GID_BYTES                                                                                  \
	"GG:GG:GG:GG:GG:GG:GG:GG:"                                                                 \
	"GG:GG:GG:GG:GG:GG:GG:GG"
#define GID_DIGITS                                                                                 \
	"GGGGGGGGGGGGGGGG"                                                                         \
	"GGGGGGGGGGGGGGGG"

/* L: LID, R: READs, Q: QPN, P: PSN, K: key, V: address, G: GID; the longer of two that begin alike
 * first */
static const char *const patterns[] = {
	"LLLL:RRRR:QQQQQQ:PPPPPP:KKKKKKKK:VVVVVVVVVVVVVVVV:" GID_BYTES,
	"LLLL:RRRR:QQQQQQ:PPPPPP:KKKKKKKK:VVVVVVVVVVVVVVVV",
	"LLLL:QQQQQQ:PPPPPP:" GID_DIGITS,
	"LLLL:QQQQQQ:PPPPPP",
};

struct fields {
	uint32_t lid, qpn, psn, reads, key;
	uint64_t va;
	bool has_reads;
	uint8_t gid[16], gid_digits;
};

static int digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static void take_digit(struct fields *fields, char letter, uint32_t value)
{
	switch (letter) {
	case 'L': fields->lid = fields->lid << 4 | value; break;
	case 'Q': fields->qpn = fields->qpn << 4 | value; break;
	case 'K': fields->key = fields->key << 4 | value; break;
	case 'V': fields->va = fields->va << 4 | value; break;
	case 'P': fields->psn = fields->psn << 4 | value; break;
	case 'R':
		fields->reads = fields->reads << 4 | value;
		fields->has_reads = true;
		break;
	case 'G':
		fields->gid[fields->gid_digits / 2] =
			(uint8_t)(fields->gid[fields->gid_digits / 2] << 4 | value);
		fields->gid_digits++;
		break;
	default: break;
	}
}

/* Whether the text begins as the pattern says, and goes on with no digit. */
static bool matches(const char *pattern, const uint8_t *text, uint32_t length,
		    struct fields *fields)
{
	uint32_t i;

	memset(fields, 0, sizeof(*fields));
	for (i = 0; pattern[i]; i++) {
		int value;

		if (i >= length)
			return false;
		if (pattern[i] == ':') {
			if (text[i] != ':')
				return false;
			continue;
		}
		value = digit(text[i]);
		if (value < 0)
			return false;
		take_digit(fields, pattern[i], (uint32_t)value);
	}
	return i == length || text[i] == 0 || text[i] == '\n' || text[i] == ':';
}

/* The address of a GID, IPv4 if it maps one; else the LID's; else none. */
static struct rda_address address_of(const struct fields *fields)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}, zeros[16];
	struct rda_address address;

	memset(&address, 0, sizeof(address));
	if (memcmp(fields->gid, zeros, sizeof(zeros)) != 0) {
		memcpy(address.bytes, fields->gid, sizeof(address.bytes));
		address.kind = memcmp(fields->gid, mapped, sizeof(mapped)) == 0 ? RDA_ADDRESS_IP4
										: RDA_ADDRESS_IP6;
	} else if (fields->lid) {
		address.bytes[14] = (uint8_t)(fields->lid >> 8);
		address.bytes[15] = (uint8_t)fields->lid;
		address.kind = RDA_ADDRESS_LID;
	}
	return address;
}

/* A number of so many hex digits at most, and the blank or the end behind it; NULL: none. */
static const uint8_t *take_number(const uint8_t *p, const uint8_t *end, unsigned digits,
				  uint64_t *value)
{
	const uint8_t *begin = p;

	for (*value = 0; p < end && digit(*p) >= 0; p++) {
		if (p - begin >= (int)digits)
			return NULL;
		*value = *value << 4 | (uint64_t)digit(*p);
	}
	if (p == begin || (p < end && *p != ' ' && *p != '\n' && *p != 0))
		return NULL;
	return p < end ? p + 1 : p;
}

/* "... GID KEY ADDRESS", if there is so much more. */
static void read_memory(const uint8_t *p, const uint8_t *end, struct fields *fields)
{
	uint64_t key, va;

	p = p < end ? memchr(p, ' ', (size_t)(end - p)) : NULL;
	p = p ? take_number(p + 1, end, 8, &key) : NULL;
	if (!p || !take_number(p, end, 16, &va))
		return;
	fields->key = (uint32_t)key;
	fields->va = va;
}

/* "qp 13d 46a5e7 ..." */
static bool read_words(const uint8_t *text, uint32_t length, struct fields *fields)
{
	const uint8_t *p, *end = text + length;
	uint64_t qpn, psn;

	memset(fields, 0, sizeof(*fields));
	if (length < 3 || memcmp(text, "qp ", 3) != 0)
		return false;
	p = take_number(text + 3, end, 6, &qpn);
	p = p ? take_number(p, end, 6, &psn) : NULL;
	if (!p)
		return false;
	fields->qpn = (uint32_t)qpn;
	fields->psn = (uint32_t)psn;
	read_memory(p, end, fields);
	return true;
}

static bool read_fields(const uint8_t *text, uint32_t length, struct fields *fields)
{
	for (unsigned i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (matches(patterns[i], text, length, fields))
			return true;
	return read_words(text, length, fields);
}

bool rda_exchange_read(const uint8_t *text, uint32_t length, struct rda_told *told)
{
	struct fields fields;

	/* nearly all segments stop here */
	if (length < 6 || length > RDA_EXCHANGE_TEXT_MAX || (text[4] != ':' && text[2] != ' '))
		return false;
	/* QPs 0 and 1 are the management's own */
	if (!read_fields(text, length, &fields) || fields.qpn <= 1)
		return false;
	told->address = address_of(&fields);
	told->qpn = fields.qpn;
	told->psn = fields.psn;
	told->key = fields.key;
	told->va = fields.va;
	told->reads = fields.has_reads && fields.reads <= INT16_MAX ? (int16_t)fields.reads : -1;
	return true;
}
