/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records one behind the other, of numbers of 7 bits a byte, the lowest first: a small one takes a
 * byte. For key_log.c.
 */
#ifndef RDA_KEY_RECORDS_H
#define RDA_KEY_RECORDS_H

#include "analyzer/base/cold.h"
#include "analyzer/base/pack.h"

#include <glib.h>

struct rda_key_records {
	uint8_t *bytes; /* owned */
	size_t length, room;
};

/* Bytes that a number takes at most, and room that there is at least. */
#define RDA_KEY_NUMBER	     10
#define RDA_KEY_RECORDS_ROOM 256

/* In place of a bitwise copy: what it points to is its own. */
static inline void rda_key_records_copy(struct rda_key_records *records)
{
	records->bytes = g_memdup2(records->bytes, records->length);
	records->room = records->length;
}

/* Others, where somebody else has these: with room for as many, as about as many will come. */
static inline void rda_key_records_begin(struct rda_key_records *records)
{
	records->room = MIN(records->room, 2 * records->length);
	records->bytes = g_malloc(records->room);
	records->length = 0;
}

static inline void rda_key_records_pack(struct rda_pack *pack, struct rda_key_records *records)
{
	rda_pack_bytes(pack, &records->length, sizeof(records->length));
	rda_pack_block(pack, &records->bytes, records->length, 1);
	if (!records->bytes)
		records->length = 0;
	if (pack->reads)
		records->room = records->length;
}

/* Behind the last record. */
static inline const uint8_t *rda_key_records_end(const struct rda_key_records *records)
{
	return records->bytes ? records->bytes + records->length : NULL;
}

RDA_COLD static void rda_key_records_grow(struct rda_key_records *records, size_t more)
{
	records->room = MAX(2 * records->room, records->length + more + RDA_KEY_RECORDS_ROOM);
	records->bytes = g_realloc(records->bytes, records->room);
}

/* Where the next record goes, of at most so many bytes. */
static inline uint8_t *rda_key_records_room(struct rda_key_records *records, size_t more)
{
	if (records->room - records->length < more)
		rda_key_records_grow(records, more);
	return records->bytes + records->length;
}

/* Writes a number; where the next one goes. */
static inline uint8_t *rda_key_put(uint8_t *to, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		*to++ = (uint8_t)(number | 0x80);
	*to++ = (uint8_t)number;
	return to;
}

/* Most numbers take a byte. */
static inline uint64_t rda_key_get(const uint8_t **at)
{
	uint64_t byte = *(*at)++, number = byte & 0x7f;

	for (unsigned shift = 7; byte & 0x80; shift += 7) {
		byte = *(*at)++;
		number |= (byte & 0x7f) << shift;
	}
	return number;
}

/* Of a small number either way a small one. */
static inline uint64_t rda_key_folded(uint64_t difference)
{
	return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t rda_key_unfolded(uint64_t number)
{
	return number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
}

#endif
