/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as text; see put_address.h.
 */
#include "analyzer/base/put_address.h"

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

static void put_ip6(GString *to, const struct rda_address *address)
{
	unsigned length, zeros = longest_zeros(address, &length);

	for (unsigned i = 0; i < GROUPS;) {
		if (length && i == zeros) {
			g_string_append(to, "::");
			i += length;
			continue;
		}
		if (i && !(length && i == zeros + length))
			g_string_append_c(to, ':');
		g_string_append_printf(to, "%x", group(address, i++));
	}
}

void rda_put_address(GString *to, const struct rda_address *address)
{
	const uint8_t *b = address->bytes;

	switch ((enum rda_address_kind)address->kind) {
	case RDA_ADDRESS_IP4:
		g_string_append_printf(to, "%u.%u.%u.%u", b[12], b[13], b[14], b[15]);
		break;
	case RDA_ADDRESS_IP6: put_ip6(to, address); break;
	case RDA_ADDRESS_LID: g_string_append_printf(to, "LID %u", b[14] << 8 | b[15]); break;
	case RDA_ADDRESS_NONE: break;
	}
}
