/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of addresses as people write them; those of endpoints and hosts: rda_address_text (rda.h).
 * And two of them as one number, or compared.
 */
#ifndef RDA_BASE_ADDRESS_H
#define RDA_BASE_ADDRESS_H

#include "analyzer/rda.h"

#define RDA_MAC_TEXT 18 /* room for the text and its end */

/* All return `text`; IPv6 as RFC 5952 wants it. */
const char *rda_address_ip4_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[4]);
const char *rda_address_ip6_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[16]);
const char *rda_address_mac_text(char text[RDA_MAC_TEXT], const uint8_t bytes[6]);

/* The six bytes as a number, as RDA_ARG_MAC wants it. */
uint64_t rda_address_mac_number(const uint8_t bytes[6]);

/* By kind, then by bytes: below 0, 0 or above, as memcmp. */
int rda_address_compare(const struct rda_address *a, const struct rda_address *b);

/* rda_share.pair of two hosts: the same whichever is first, and not 0. */
uint64_t rda_address_pair(const struct rda_address *one, const struct rda_address *other);

/* The same of two IPv4 addresses, as they are in the packet. */
uint64_t rda_address_ip4_pair(uint32_t one, uint32_t other);

#endif
