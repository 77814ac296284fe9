/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only door to packet bytes.
 *
 * A cursor walks one frame. It knows two ends: where the captured bytes stop and where the packet
 * stopped on the wire. Every header is taken whole with one length check (rda_cursor_take); the
 * fields are then plain loads inside it. When a header is not there, the two ends tell why: behind
 * the captured end but before the wire's, the capture was cut; behind both, the packet is
 * malformed.
 *
 *            offset            captured_end              wire_end
 *     |--------|===================|- - - - - - - - - - - - |
 *              ^ next header       ^ snaplen cut here       ^ the sender stopped here
 *
 * A length that a packet claims for itself (IP total length, GRH PayLen, UDP length) only ever
 * shrinks the cursor (rda_cursor_limit). Nothing grows it.
 */
#ifndef RDA_CURSOR_H
#define RDA_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Inlined even where the compiler would rather not: with constant arguments these are one load. */
#define RDA_INLINE static inline __attribute__((always_inline))

struct rda_cursor {
	const uint8_t *base;   /* first byte of the frame; borrowed */
	uint32_t offset;       /* of the next byte to take, from base */
	uint32_t captured_end; /* bytes at and after this offset are not in memory */
	uint32_t wire_end;     /* bytes at and after this offset are not of this packet */
};

/* Takes the next `length` bytes whole, or nothing: NULL leaves the cursor where it was. */
RDA_INLINE const uint8_t *rda_cursor_take(struct rda_cursor *c, uint32_t length)
{
	if ((uint64_t)c->offset + length > c->captured_end)
		return NULL;
	c->offset += length;
	return c->base + c->offset - length;
}

/* The next byte without taking it, or NULL. */
RDA_INLINE const uint8_t *rda_cursor_peek(const struct rda_cursor *c)
{
	return c->offset < c->captured_end ? c->base + c->offset : NULL;
}

/* Bytes from here to the end of the packet on the wire. */
RDA_INLINE uint32_t rda_cursor_wire_left(const struct rda_cursor *c)
{
	return c->wire_end > c->offset ? c->wire_end - c->offset : 0;
}

/* Bytes from here that are in memory. */
RDA_INLINE uint32_t rda_cursor_captured_left(const struct rda_cursor *c)
{
	return c->captured_end > c->offset ? c->captured_end - c->offset : 0;
}

/*
 * The packet says that it ends `length` bytes from here. False when that is behind what was on the
 * wire: the claim is wrong, and the cursor keeps its ends.
 */
RDA_INLINE bool rda_cursor_limit(struct rda_cursor *c, uint32_t length)
{
	if (length > rda_cursor_wire_left(c))
		return false;
	c->wire_end = c->offset + length;
	if (c->captured_end > c->wire_end)
		c->captured_end = c->wire_end;
	return true;
}

/* Big-endian loads. The caller took the bytes. */
RDA_INLINE uint16_t rda_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

RDA_INLINE uint32_t rda_be24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

RDA_INLINE uint32_t rda_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Little endian: CRCs. */
RDA_INLINE uint32_t rda_le32(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

RDA_INLINE uint64_t rda_be64(const uint8_t *p)
{
	return (uint64_t)rda_be32(p) << 32 | rda_be32(p + 4);
}

/*
 * A field of `width` bits (1..64), `bit` bits from the start of its header, most significant bit
 * first as every figure of the specifications draws them. With constant arguments, as the readers
 * that headers.def makes use it, this folds to one load, shift and mask.
 */
RDA_INLINE uint64_t rda_bits(const uint8_t *header, unsigned bit, unsigned width)
{
	const uint8_t *p = header + bit / 8;
	unsigned skip = bit % 8, span = (skip + width + 7) / 8;
	uint64_t value = 0;

	if (skip == 0 && width == 64)
		return rda_be64(p);
	if (skip == 0 && width == 32)
		return rda_be32(p);
	if (skip == 0 && width == 24) /* one load, where there is a byte before it */
		return bit >= 8 ? rda_be32(p - 1) & 0xffffff : rda_be24(p);
	if (skip == 0 && width == 16)
		return rda_be16(p);
	for (unsigned i = 0; i < span;
	     i++) /* span <= 8: no field of the table straddles nine bytes */
		value = value << 8 | p[i];
	value >>= span * 8 - skip - width;
	return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

#endif
