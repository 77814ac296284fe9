/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as text.
 */
#include "analyzer/base/address.h"

#include <glib.h>
#include <string.h>

enum { GROUPS = 8 };

static unsigned group(const uint8_t bytes[16], unsigned index)
{
	return (unsigned)bytes[2 * index] << 8 | bytes[2 * index + 1];
}

/* The longest run of zero groups, the first of several; of less than two, none. */
static unsigned longest_zeros(const uint8_t bytes[16], unsigned *length)
{
	unsigned best = 0, run = 0;

	*length = 1;
	for (unsigned i = 0; i < GROUPS; i++) {
		run = group(bytes, i) ? 0 : run + 1;
		if (run > *length) {
			*length = run;
			best = i + 1 - run;
		}
	}
	if (*length < 2)
		*length = 0;
	return best;
}

static char *put_number(char *to, unsigned number, unsigned base)
{
	if (number >= base)
		to = put_number(to, number / base, base);
	*to++ = "0123456789abcdef"[number % base];
	return to;
}

static char *put_ip4(char *to, const uint8_t bytes[4])
{
	for (unsigned i = 0; i < 4; i++) {
		if (i)
			*to++ = '.';
		to = put_number(to, bytes[i], 10);
	}
	return to;
}

/* RFC 5952, section 5: an IPv4 address is written as one where zeros, or ffff, tell that it is. */
static bool ends_in_ip4(const uint8_t bytes[16], unsigned zeros, unsigned length)
{
	return zeros == 0 && (length == 6 || (length == 5 && group(bytes, 5) == 0xffff));
}

static char *put_ip6(char *to, const uint8_t bytes[16])
{
	unsigned length, zeros = longest_zeros(bytes, &length);

	for (unsigned i = 0; i < GROUPS;) {
		if (length && i == zeros) {
			*to++ = ':';
			*to++ = ':';
			i += length;
			continue;
		}
		if (i && !(length && i == zeros + length))
			*to++ = ':';
		if (i == 6 && ends_in_ip4(bytes, zeros, length))
			return put_ip4(to, bytes + 12);
		to = put_number(to, group(bytes, i++), 16);
	}
	return to;
}

const char *rda_address_text(char text[RDA_ADDRESS_TEXT], const struct rda_address *address)
{
	char *to = text;

	switch ((enum rda_address_kind)address->kind) {
	case RDA_ADDRESS_IP4: to = put_ip4(to, address->bytes + 12); break;
	case RDA_ADDRESS_IP6: to = put_ip6(to, address->bytes); break;
	case RDA_ADDRESS_LID:
		memcpy(to, "LID ", 4);
		to = put_number(to + 4, group(address->bytes, 7), 10);
		break;
	case RDA_ADDRESS_NONE: break;
	}
	*to = '\0';
	return text;
}

const char *rda_address_ip4_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[4])
{
	*put_ip4(text, bytes) = '\0';
	return text;
}

const char *rda_address_ip6_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[16])
{
	*put_ip6(text, bytes) = '\0';
	return text;
}

const char *rda_address_mac_text(char text[RDA_MAC_TEXT], const uint8_t bytes[6])
{
	char *to = text;

	for (unsigned i = 0; i < 6; i++) {
		*to++ = "0123456789abcdef"[bytes[i] >> 4];
		*to++ = "0123456789abcdef"[bytes[i] & 15];
		*to++ = i < 5 ? ':' : '\0';
	}
	return text;
}

static uint64_t mixed_halves(uint64_t first, uint64_t second, uint8_t kind)
{
	uint64_t sum = (first + kind) * UINT64_C(0x9e3779b97f4a7c15);

	sum = (sum ^ sum >> 32 ^ second) * UINT64_C(0xa0761d6478bd642f);
	/* the last byte of an address is the highest of a half: once more, for the bits below */
	sum = (sum ^ sum >> 32) * UINT64_C(0xe7037ed1a0b428db);
	return sum ^ sum >> 32;
}

static uint64_t mixed(const struct rda_address *address)
{
	uint64_t halves[2];

	memcpy(halves, address->bytes, sizeof(halves));
	return mixed_halves(halves[0], halves[1], address->kind);
}

/* In registers only: bytes that are written one by one are slow to be read as one number. */
static uint64_t mixed_ip4(uint32_t word)
{
	uint64_t second = UINT64_C(0xffff) << 32 | GUINT32_FROM_BE(word);

	return mixed_halves(0, GUINT64_FROM_BE(second), RDA_ADDRESS_IP4);
}

uint64_t rda_address_ip4_pair(uint32_t one, uint32_t other)
{
	return (mixed_ip4(one) + mixed_ip4(other)) | 1;
}

uint64_t rda_address_pair(const struct rda_address *one, const struct rda_address *other)
{
	return (mixed(one) + mixed(other)) | 1;
}

/* Eight bytes as the number whose order is theirs. */
static uint64_t half_of(const uint8_t *bytes)
{
	uint64_t half;

	memcpy(&half, bytes, sizeof(half));
	return GUINT64_FROM_BE(half);
}

/* By halves, as hosts are sorted and looked for by the thousand: memcmp is a call for each. */
int rda_address_compare(const struct rda_address *a, const struct rda_address *b)
{
	uint64_t one = half_of(a->bytes), other = half_of(b->bytes);

	if (a->kind != b->kind)
		return a->kind - b->kind;
	if (one == other) {
		one = half_of(a->bytes + sizeof(one));
		other = half_of(b->bytes + sizeof(other));
	}
	return (one > other) - (one < other);
}

uint64_t rda_address_mac_number(const uint8_t bytes[6])
{
	uint64_t number = 0;

	for (unsigned i = 0; i < 6; i++)
		number = number << 8 | bytes[i];
	return number;
}
