/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of addresses as people write them; those of endpoints and hosts: rda_address_text (rda.h).
 */
#ifndef RDA_BASE_ADDRESS_H
#define RDA_BASE_ADDRESS_H

#include "analyzer/rda.h"

#define RDA_MAC_TEXT 18 /* room for the text and its end */

/* All return `text`; IPv6 as RFC 5952 wants it. */
const char *rda_address_ip4_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[4]);
const char *rda_address_ip6_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[16]);
const char *rda_address_mac_text(char text[RDA_MAC_TEXT], const uint8_t bytes[6]);

#endif
