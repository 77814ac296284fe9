/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CRC32c as MPA uses it (RFC 5044 4.4, RFC 3720 12.1): reflected, ones at the start and the end.
 */
#ifndef RDA_CRC32C_H
#define RDA_CRC32C_H

#include <stdint.h>

/* Goes on from the CRC of the bytes before; 0 to begin. */
uint32_t rda_crc32c(uint32_t crc, const uint8_t *bytes, uint32_t length);

#endif
