/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where markers are and what they say; markers.h has the figure.
 */
#include "analyzer/track/iwarp/markers.h"

#include "analyzer/track/iwarp/fpdu.h"
#include "dissectors/rdmap.h"

int64_t rda_marker_distance(const uint8_t marker[RDA_MARKER_BYTES], unsigned order)
{
	unsigned first = rda_be16(marker), second = rda_be16(marker + 2);

	switch (order) {
	case 0: return first ? -1 : (int64_t)second;
	case 1: return first ? -1 : (int64_t)((unsigned)marker[3] << 8 | marker[2]);
	default: return second ? -1 : (int64_t)((unsigned)marker[1] << 8 | marker[0]);
	}
}

bool rda_marker_is_swapped(const uint8_t marker[RDA_MARKER_BYTES], int64_t distance)
{
	return rda_marker_distance(marker, 1) == distance ||
	       rda_marker_distance(marker, 2) == distance;
}

int64_t rda_marker_next(int64_t operation_begin, int64_t offset, uint32_t *inside)
{
	int64_t at = (offset - operation_begin) % RDA_MPA_MARKER_EVERY;

	at += at < 0 ? RDA_MPA_MARKER_EVERY : 0;
	*inside = at < RDA_MARKER_BYTES ? (uint32_t)at : 0;
	return at < RDA_MARKER_BYTES ? 0 : RDA_MPA_MARKER_EVERY - at;
}

bool rda_marker_free_fpdu(const uint8_t *bytes, int64_t length)
{
	struct rda_ulpdu ulpdu;

	if (length < 2)
		return false;
	rda_read_ulpdu(&ulpdu, bytes + 2, (uint32_t)length - 2, (uint16_t)rda_be16(bytes));
	return ulpdu.faults == 0 && ulpdu.headers > 0;
}

/* The same, where a marker may lie in the header. */
static bool begins_fpdu(int64_t operation_begin, const struct rda_piece *piece, int64_t at)
{
	uint8_t head[2 + RDA_DDP_UNTAGGED_BYTES];
	uint32_t have = 0, inside;

	for (; at < piece->length && have < sizeof(head); at++)
		if (rda_marker_next(operation_begin, piece->offset + at, &inside))
			head[have++] = piece->bytes[at];
	return rda_marker_free_fpdu(head, have);
}

int64_t rda_marker_finds(int64_t operation_begin, const struct rda_piece *piece, int64_t at)
{
	for (int64_t from = at; from + RDA_MARKER_BYTES <= piece->length;) {
		uint32_t inside;
		int64_t room = rda_marker_next(operation_begin, piece->offset + from, &inside);

		if (room || inside) {
			from += room ? room : RDA_MARKER_BYTES - (int64_t)inside;
			continue;
		}
		for (unsigned order = 0; order < RDA_MARKER_ORDERS; order++) {
			int64_t distance = rda_marker_distance(piece->bytes + from, order);
			int64_t begin = distance ? from - distance : from + RDA_MARKER_BYTES;

			if (distance >= 0 && begin >= at &&
			    begins_fpdu(operation_begin, piece, begin))
				return begin;
		}
		from += RDA_MARKER_BYTES;
	}
	return -1;
}
