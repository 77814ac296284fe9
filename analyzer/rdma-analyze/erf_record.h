/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ERF records as frames of LINKTYPE_ERF: the record header, its extensions and the packet, without
 * the padding behind it.
 *
 *     time 8 (little endian) | type | flags | rlen 2 | lctr 2 | wlen 2 | extension 8 * n | sub 0-4
 *
 * libpcap hands out the record with its padding, libwiretap the packet and the header's numbers;
 * both readers make the same frame of it.
 */
#ifndef RDA_ERF_RECORD_H
#define RDA_ERF_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define RDA_ERF_HEADER_BYTES 16

/* Bytes between the extensions and the packet, for a record type (without its bit 7). */
unsigned rda_erf_sub_header_bytes(uint8_t type);

/*
 * Takes the padding off a whole record, and makes its lengths those of the packet with the headers
 * before it. Nothing is changed where the headers are cut.
 */
void rda_erf_trim(const uint8_t *bytes, uint32_t *captured, uint32_t *wire);

/* Nanoseconds since 1970, rounded as libwiretap does; `bytes` holds a whole header. */
int64_t rda_erf_time(const uint8_t *bytes);

/* The port of the card that saw the packet. */
static inline uint32_t rda_erf_port(uint8_t flags)
{
	return flags & 3;
}

#endif
