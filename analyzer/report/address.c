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
