/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers of MPA (RFC 5044, 4.3): where they are in a stream, and where they say that an FPDU
 * begins.
 *
 *     full operation begins
 *     | marker | FPDU ...      | marker | FPDU, goes on ... | marker |
 *     0        4               512      516                 1024
 *
 * Each says how far in front of it the FPDU begins that it lies in; 0: right behind it. One in
 * front of an FPDU belongs to that, and one in front of a CRC to that CRC's FPDU: the CRC covers
 * both.
 */
#ifndef RDA_MARKERS_H
#define RDA_MARKERS_H

#include "analyzer/track/iwarp/stream.h"

#include <stdbool.h>
#include <stdint.h>

enum { RDA_MARKER_BYTES = 4 };

/* How a stack writes them: the distance of 16 bits behind two zeros; two that begin with its lowest
 * byte, of 16 and of 32 bits. */
enum { RDA_MARKER_ORDERS = 3 };

/* How far in front of a marker its FPDU begins, as that order has it; -1: it is none of that. */
int64_t rda_marker_distance(const uint8_t marker[RDA_MARKER_BYTES], unsigned order);

/* Headers inside of segments that chance does not put one behind the other. */
enum { RDA_MARKER_FAR_MIN = 3 };

/* It has that distance in the order of hosts that begin with the lowest byte. */
bool rda_marker_is_swapped(const uint8_t marker[RDA_MARKER_BYTES], int64_t distance);

/* Bytes from `offset` until the next marker begins; 0 inside of one, *inside: how far inside. */
int64_t rda_marker_next(int64_t operation_begin, int64_t offset, uint32_t *inside);

/* Whether bytes, with no marker among them, begin with an FPDU whose header is all there. */
bool rda_marker_free_fpdu(const uint8_t *bytes, int64_t length);

/* Where in a piece from `at` on an FPDU begins, as a marker in it says; -1: none says it. */
int64_t rda_marker_finds(int64_t operation_begin, const struct rda_piece *piece, int64_t at);

#endif
