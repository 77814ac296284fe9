/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as text; IPv6 as RFC 5952 wants it, which is what inet_ntop writes.
 */
#include "analyzer/report/address.h"

#include <arpa/inet.h>
#include <stdio.h>

const char *rda_ip4_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[4])
{
	return inet_ntop(AF_INET, bytes, text, RDA_ADDRESS_TEXT);
}

const char *rda_ip6_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[16])
{
	return inet_ntop(AF_INET6, bytes, text, RDA_ADDRESS_TEXT);
}

const char *rda_mac_text(char text[RDA_MAC_TEXT], const uint8_t bytes[6])
{
	snprintf(text, RDA_MAC_TEXT, "%02x:%02x:%02x:%02x:%02x:%02x", bytes[0], bytes[1], bytes[2],
		 bytes[3], bytes[4], bytes[5]);
	return text;
}

const char *rda_address_text(char text[RDA_ADDRESS_TEXT], const struct rda_address *address)
{
	switch ((enum rda_address_kind)address->kind) {
	case RDA_ADDRESS_IP4: return rda_ip4_text(text, address->bytes + 12);
	case RDA_ADDRESS_IP6: return rda_ip6_text(text, address->bytes);
	case RDA_ADDRESS_LID:
		snprintf(text, RDA_ADDRESS_TEXT, "LID %u", rda_be16(address->bytes + 14));
		return text;
	case RDA_ADDRESS_NONE: break;
	}
	text[0] = '\0';
	return text;
}
