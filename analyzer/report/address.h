/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses as people write them.
 */
#ifndef RDA_ADDRESS_H
#define RDA_ADDRESS_H

#include "dissectors/packet.h"

#include <glib.h>

/* Room for the longest text of each, with its end. */
#define RDA_ADDRESS_TEXT 48
#define RDA_MAC_TEXT	 18

/* All return `text`. */
const char *rda_ip4_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[4]);
const char *rda_ip6_text(char text[RDA_ADDRESS_TEXT], const uint8_t bytes[16]);
const char *rda_mac_text(char text[RDA_MAC_TEXT], const uint8_t bytes[6]);

/* "10.10.0.1", "fd00:10::1", "LID 12"; "" for no address. */
const char *rda_address_text(char text[RDA_ADDRESS_TEXT], const struct rda_address *address);

#endif
