/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as text; see put_address.h.
 */
#include "analyzer/base/put_address.h"

#include <string.h>

enum { GROUPS = 8 };

static unsigned group(const struct rda_address *address, unsigned index)
{
	return (unsigned)address->bytes[2 * index] << 8 | address->bytes[2 * index + 1];
}

/* The longest run of zero groups, the first of several; of less than two, none. */
static unsigned longest_zeros(const struct rda_address *address, unsigned *length)
{
	unsigned best = 0, run = 0;

	*length = 1;
	for (unsigned i = 0; i < GROUPS; i++) {
		run = group(address, i) ? 0 : run + 1;
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
static bool ends_in_ip4(const struct rda_address *address, unsigned zeros, unsigned length)
{
	return zeros == 0 && (length == 6 || (length == 5 && group(address, 5) == 0xffff));
}

static char *put_ip6(char *to, const struct rda_address *address)
{
	unsigned length, zeros = longest_zeros(address, &length);

	for (unsigned i = 0; i < GROUPS;) {
		if (length && i == zeros) {
			*to++ = ':';
			*to++ = ':';
			i += length;
			continue;
		}
		if (i && !(length && i == zeros + length))
			*to++ = ':';
		if (i == 6 && ends_in_ip4(address, zeros, length))
			return put_ip4(to, address->bytes + 12);
		to = put_number(to, group(address, i++), 16);
	}
	return to;
}

const char *rda_address_text(char text[RDA_ADDRESS_TEXT], const struct rda_address *address)
{
	char *to = text;

	switch ((enum rda_address_kind)address->kind) {
	case RDA_ADDRESS_IP4: to = put_ip4(to, address->bytes + 12); break;
	case RDA_ADDRESS_IP6: to = put_ip6(to, address); break;
	case RDA_ADDRESS_LID:
		memcpy(to, "LID ", 4);
		to = put_number(to + 4, group(address, 7), 10);
		break;
	case RDA_ADDRESS_NONE: break;
	}
	*to = '\0';
	return text;
}

void rda_put_address(GString *to, const struct rda_address *address)
{
	char text[RDA_ADDRESS_TEXT];

	g_string_append(to, rda_address_text(text, address));
}
