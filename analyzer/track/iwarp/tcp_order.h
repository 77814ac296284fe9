/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In what order a TCP sender sent its segments, by their IPv4 identifications: many senders (Linux)
 * count them up by one with each packet of a connection.
 *
 *     bytes            1 2 3 4 5 6     3 comes behind 6:
 *     identification   1 2 . 4 5 6       3: it was sent before 4, and overtaken
 *                                        7: it was sent behind 6, once more
 *
 * Bytes are sent in order the first time, so a segment that was sent behind one with later bytes
 * was sent again. Where identifications are none, random or shared with much else, nothing is told.
 */
#ifndef RDA_TCP_ORDER_H
#define RDA_TCP_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct rda_tcp_order {
	int64_t end;	/* of the latest segment's bytes */
	uint16_t ip_id; /* its */
	bool begun;
	/* segments right behind the one before, by how much they rise; both saturate */
	uint32_t rising, leaping;
	/* segments that came behind later ones: */
	uint64_t overtaken, again;
};

/* The next segment in order of arrival, with these bytes (widened). */
void rda_tcp_order_take(struct rda_tcp_order *order, int64_t begin, int64_t end, uint16_t ip_id);

/* A segment of which later bytes came first. `behind`: one of the segments with them was sent
 * before it. */
void rda_tcp_order_late(struct rda_tcp_order *order, bool behind);

/* Whether one identification was given before another: half of them were. */
static inline bool rda_tcp_order_is_before(uint16_t one, uint16_t other)
{
	return one != other && (uint16_t)(other - one) < 0x8000;
}

/* Whether identifications tell the order of sending. */
bool rda_tcp_order_is_known(const struct rda_tcp_order *order);

#endif
