/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CRCs of InfiniBand, a bit at a time, from their definitions: what the tests hold the fast
 * ones to, and build packets with.
 */
#ifndef RDA_TEST_REFERENCE_H
#define RDA_TEST_REFERENCE_H

#include <stdint.h>

/* what the first header of the packet is, and so what the CRC leaves out */
enum rda_route {
	RDA_ROUTE_IP4,	  /* RoCEv2 */
	RDA_ROUTE_IP6,	  /* RoCEv2 */
	RDA_ROUTE_ROCEV1, /* GRH */
	RDA_ROUTE_LOCAL,  /* native InfiniBand, LNH 2: LRH */
	RDA_ROUTE_GLOBAL, /* native InfiniBand, LNH 3: LRH, GRH */
	RDA_ROUTE_COUNT
};

/* CRC-32 of Ethernet, as one number: initial and final ones. */
uint32_t rda_reference_crc32(const uint8_t *bytes, uint32_t length);

/*
 * The ICRC of the packet whose L3 header (LRH, in native InfiniBand) is at `packet`, its BTH `bth`
 * bytes behind, and its ICRC `icrc` bytes behind.
 */
uint32_t rda_reference_icrc(enum rda_route route, const uint8_t *packet, uint32_t bth,
			    uint32_t icrc);

/* The VCRC of `length` bytes, from the LRH to the end of the ICRC. */
uint16_t rda_reference_vcrc(const uint8_t *lrh, uint32_t length);

#endif
