/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window (window.h) in its lean form: request packets that were sent once, each behind the one
 * before it, and appeared once, in 18 bytes each instead of a record of 170. Nearly all windows are
 * lean nearly all the time, and a connection that is visited again after thousands of packets of
 * others finds its requests in few cache lines.
 *
 *     lean    first    | 18 | 18 | 18 | ... |      PSNs without gaps; the headers beside them
 *     else    records  |     170     |     170     | ... |
 *
 * Anything else (a READ or ATOMIC, a hole, a resend, a damaged packet) needs records:
 * rda_window_thicken makes them, and rda_window_thin takes them back when all have become ordinary
 * again. What a window tells does not depend on its form.
 */
#ifndef RDA_LEAN_H
#define RDA_LEAN_H

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/window.h"
#include "dissectors/opcode.h"

#define RDA_LEAN_ROLES                                                                             \
	(RDA_ROLE_SEND | RDA_ROLE_WRITE | RDA_ROLE_FIRST | RDA_ROLE_MIDDLE | RDA_ROLE_LAST |       \
	 RDA_ROLE_USES_RECEIVE)

/* Bits of what a lean packet has: five hours, the path of 268 million frames, two MTUs. */
enum { RDA_LEAN_TIME_BITS = 44, RDA_LEAN_PLACE_BITS = 28, RDA_LEAN_PAYLOAD_BITS = 14 };

enum { RDA_LEAN_PLACE_LOW_BITS = 64 - RDA_LEAN_TIME_BITS, RDA_LEAN_FLAG_BITS = 2 };

enum rda_lean_flag {
	RDA_LEAN_ASKS = 1,   /* for an acknowledgment */
	RDA_LEAN_HEADED = 2, /* has a header in the ring of headers */
};

/* A request packet; its PSN follows from its index, its roles from its opcode. Without holes: 18
 * bytes. */
struct rda_lean_packet {
	uint64_t when; /* ns behind the time of the window, above them the low bits of the place */
	uint32_t icrc;
	uint16_t ip_id;
	uint16_t payload; /* above enum rda_lean_flag */
	uint8_t place_high;
	uint8_t opcode;
} __attribute__((packed, aligned(2)));

_Static_assert(sizeof(struct rda_lean_packet) == 18, "without holes");

/* The time of a window lies so long before its first packet, as clocks may go backwards. */
#define RDA_LEAN_BEFORE_NS (INT64_C(1) << 42)

static inline int64_t rda_lean_time(const struct rda_window *window,
				    const struct rda_lean_packet *packet)
{
	return window->time_ns +
	       (int64_t)(packet->when & ((UINT64_C(1) << RDA_LEAN_TIME_BITS) - 1));
}

static inline uint64_t rda_lean_place(const struct rda_window *window,
				      const struct rda_lean_packet *packet)
{
	return window->place + ((uint64_t)packet->place_high << RDA_LEAN_PLACE_LOW_BITS |
				packet->when >> RDA_LEAN_TIME_BITS);
}

static inline uint32_t rda_lean_payload(const struct rda_lean_packet *packet)
{
	return packet->payload >> RDA_LEAN_FLAG_BITS;
}

/* What RETH, ImmDt or IETH of one of them say. */
struct rda_lean_header {
	uint64_t va;
	uint32_t psn; /* its lowest bits: headers of one window are less than 2^31 PSNs apart */
	uint32_t rkey, length, extra;
};

/* Whether its time and place can be told by those of the window. */
static inline bool rda_lean_is_near(const struct rda_window *window, const struct rda_request *q)
{
	return (q->frame - window->place) >> RDA_LEAN_PLACE_BITS == 0 &&
	       ((uint64_t)q->time_ns - (uint64_t)window->time_ns) >> RDA_LEAN_TIME_BITS == 0;
}

/* Whether a request that is new and in order fits. */
static inline bool rda_lean_takes(const struct rda_window *window, const struct rda_request *q)
{
	return window->lean && window->count < window->cap &&
	       (q->roles & ~RDA_LEAN_ROLES) == RDA_ROLE_REQUEST &&
	       q->roles == rda_opcode_roles[q->opcode] && q->end == q->begin + 1 && !q->damaged &&
	       q->payload >> RDA_LEAN_PAYLOAD_BITS == 0 &&
	       (!window->count || rda_lean_is_near(window, q));
}

/* Room for more packets; and what the headers of the latest packet say. */
RDA_COLD void rda_lean_grow(struct rda_window *window);
void rda_lean_add_header(struct rda_window *window, const struct rda_request *q);

/*
 * Where a packet lies in the ring. Rings of less than this are no powers of two: they are at their
 * end before any packet is forgotten, so that the first one lies at 0.
 */
#define RDA_LEAN_RING 64

static inline struct rda_lean_packet *rda_lean_place_of(const struct rda_window *window,
							uint32_t index)
{
	return &window->packets[(window->head + index) &
				((window->allocated - 1) | (RDA_LEAN_RING - 1))];
}

/* Adds it, behind all others. */
static inline void rda_lean_append(struct rda_window *w, const struct rda_request *q,
				   uint64_t ordinal)
{
	struct rda_lean_packet *packet;
	uint64_t place;

	RDA_ASSERT(rda_lean_takes(w, q));
	RDA_ASSERT(!w->count || q->begin == w->first + w->count);
	RDA_ASSERT(!w->count || ordinal == w->ordinal + 1);
	if (!w->count) {
		w->first = q->begin;
		w->place = q->frame;
		w->time_ns = q->time_ns - RDA_LEAN_BEFORE_NS;
	}
	if (w->count == w->allocated)
		rda_lean_grow(w);
	packet = rda_lean_place_of(w, w->count++);
	place = q->frame - w->place;
	packet->when = (uint64_t)(q->time_ns - w->time_ns) | place << RDA_LEAN_TIME_BITS;
	packet->icrc = q->icrc;
	packet->ip_id = q->ip_id;
	packet->payload =
		(uint16_t)(q->payload << RDA_LEAN_FLAG_BITS | (q->ack_req ? RDA_LEAN_ASKS : 0));
	packet->place_high = (uint8_t)(place >> RDA_LEAN_PLACE_LOW_BITS);
	packet->opcode = q->opcode;
	w->ordinal = ordinal;
	if (q->va | q->rkey | q->length | q->extra) {
		packet->payload |= RDA_LEAN_HEADED;
		rda_lean_add_header(w, q);
	}
}

static inline const struct rda_lean_packet *rda_lean_at(const struct rda_window *window,
							int64_t index)
{
	RDA_ASSERT(window->lean && index >= 0 && index < (int64_t)window->count);
	return rda_lean_place_of(window, (uint32_t)index);
}

/* The record that packet `index` would be. */
void rda_lean_record(const struct rda_window *window, int64_t index, struct rda_sent *record);

/* The first packet, which is the first request of all, will be forgotten or become a record, which
 * later ones change. */
RDA_COLD void rda_lean_keep_first(struct rda_window *window);

/* Forgets the oldest `gone`, and gives back the room of what is not there, in either form. */
void rda_window_shrink(struct rda_window *window, uint32_t gone);

/* Messages that end among the packets from an index on, up to a PSN: without making records. */
uint32_t rda_lean_ended(const struct rda_window *window, uint32_t from, int64_t psn);

/* Forgets the oldest packets. */
static inline void rda_lean_drop(struct rda_window *window, uint32_t count)
{
	if (!window->origin)
		rda_lean_keep_first(window);
	window->first += count;
	window->head += count;
	window->count -= count;
}

#endif
