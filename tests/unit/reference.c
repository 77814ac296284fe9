/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bitwise CRCs. Which bytes of a packet count as ones is written out here by offset, once more and
 * apart from dissectors/icrc.c, so that the two check each other.
 */
#include "tests/unit/reference.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { PACKET_MAX = 8192, BTH_FECN_BYTE = 4 };

uint32_t rda_reference_crc32(const uint8_t *bytes, uint32_t length)
{
	uint32_t crc = 0xffffffff;

	for (uint32_t i = 0; i < length * 8; i++) {
		uint32_t bit = bytes[i / 8] >> i % 8 & 1;

		crc = crc >> 1 ^ ((crc ^ bit) & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

uint16_t rda_reference_vcrc(const uint8_t *lrh, uint32_t length)
{
	uint16_t crc = 0xffff;

	for (uint32_t i = 0; i < length * 8; i++) {
		uint32_t bit = lrh[i / 8] >> i % 8 & 1;

		crc = (uint16_t)(crc >> 1 ^ ((crc ^ bit) & 1 ? 0xd008 : 0));
	}
	return (uint16_t)~crc;
}

/* IPv6 and the GRH: traffic class, flow label, hop limit */
static void mask_ip6(uint8_t *ip)
{
	ip[0] |= 0x0f;
	memset(ip + 1, 0xff, 3);
	ip[7] = 0xff;
}

uint32_t rda_reference_icrc(enum rda_route route, const uint8_t *packet, uint32_t bth,
			    uint32_t icrc)
{
	uint8_t fed[8 + PACKET_MAX], *p = fed + 8;

	RDA_CHECK(icrc <= PACKET_MAX, "the packet is too long");
	memset(fed, 0xff, 8);
	memcpy(p, packet, icrc);
	p[bth + BTH_FECN_BYTE] = 0xff;
	switch (route) {
	case RDA_ROUTE_IP4:
		p[1] = p[8] = p[10] = p[11] = 0xff; /* TOS, TTL, checksum */
		memset(p + bth - 2, 0xff, 2);	    /* UDP checksum */
		break;
	case RDA_ROUTE_IP6:
		mask_ip6(p);
		memset(p + bth - 2, 0xff, 2);
		break;
	case RDA_ROUTE_ROCEV1: mask_ip6(p); break;
	case RDA_ROUTE_LOCAL:
		p[0] |= 0xf0; /* virtual lane */
		return rda_reference_crc32(p, icrc);
	default: /* the LRH is all ones, and nothing stands before it */
		memset(p, 0xff, 8);
		mask_ip6(p + 8);
		return rda_reference_crc32(p, icrc);
	}
	return rda_reference_crc32(fed, 8 + icrc);
}
