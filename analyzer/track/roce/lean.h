/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window (window.h) in its lean form: request packets that were sent once, each behind the one
 * before it, and appeared once, in 20 bytes each instead of a record of 170. Nearly all windows are
 * lean nearly all the time, and a connection that is visited again after thousands of packets of
 * others finds its requests in few cache lines.
 *
 *     lean    first    | 20 | 20 | 20 | ... |      PSNs without gaps; the headers beside them
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

/* What a packet is: the roles that a lean one may have, closed up, and two flags. */
enum rda_lean_kind {
	RDA_LEAN_SEND = 1,
	RDA_LEAN_WRITE = 2,
	RDA_LEAN_FIRST = 4,
	RDA_LEAN_MIDDLE = 8, /* of a SEND or WRITE: nothing else has one here */
	RDA_LEAN_LAST = 16,
	RDA_LEAN_USES_RECEIVE = 32,
	RDA_LEAN_ASKS = 64,    /* for an acknowledgment */
	RDA_LEAN_HEADED = 128, /* has a header in the ring of headers */
};

#define RDA_LEAN_ROLES                                                                             \
	(RDA_ROLE_SEND | RDA_ROLE_WRITE | RDA_ROLE_FIRST | RDA_ROLE_MIDDLE | RDA_ROLE_LAST |       \
	 RDA_ROLE_USES_RECEIVE)

_Static_assert(RDA_ROLE_SEND >> 2 == RDA_LEAN_SEND && RDA_ROLE_WRITE >> 2 == RDA_LEAN_WRITE,
	       "rda_lean_kind_of shifts them");
_Static_assert(RDA_ROLE_FIRST >> 8 == RDA_LEAN_FIRST && RDA_ROLE_MIDDLE >> 8 == RDA_LEAN_MIDDLE &&
		       RDA_ROLE_LAST >> 8 == RDA_LEAN_LAST &&
		       RDA_ROLE_USES_RECEIVE >> 8 == RDA_LEAN_USES_RECEIVE,
	       "rda_lean_kind_of shifts them");

/* A request packet; its PSN follows from its index. */
struct rda_lean_packet {
	uint32_t time_low; /* ns behind the time of the window, 48 bits: three days */
	uint16_t time_high;
	uint16_t ip_id;
	uint32_t place; /* behind that of the window */
	uint32_t icrc;
	uint16_t payload;
	uint8_t opcode;
	uint8_t kind; /* enum rda_lean_kind */
};

/* The time of a window lies so long before its first packet, as clocks may go backwards. */
#define RDA_LEAN_BEFORE_NS (INT64_C(1) << 46)

static inline int64_t rda_lean_time(const struct rda_window *window,
				    const struct rda_lean_packet *packet)
{
	return window->time_ns + (int64_t)((uint64_t)packet->time_high << 32 | packet->time_low);
}

static inline uint16_t rda_lean_roles(const struct rda_lean_packet *packet)
{
	return (uint16_t)(RDA_ROLE_REQUEST | (packet->kind & 0x03) << 2 |
			  (packet->kind & 0x3c) << 8);
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
	return q->frame - window->place <= UINT32_MAX &&
	       ((uint64_t)q->time_ns - (uint64_t)window->time_ns) >> 48 == 0;
}

/* Whether a request that is new and in order fits. */
static inline bool rda_lean_takes(const struct rda_window *window, const struct rda_request *q)
{
	return window->lean && window->count < window->cap &&
	       (q->roles & ~RDA_LEAN_ROLES) == RDA_ROLE_REQUEST && q->end == q->begin + 1 &&
	       !q->damaged && q->payload <= UINT16_MAX &&
	       (!window->count || rda_lean_is_near(window, q));
}

/* Room for more packets; and what the headers of the latest packet say. */
RDA_COLD void rda_lean_grow(struct rda_window *window);
void rda_lean_add_header(struct rda_window *window, const struct rda_request *q);

static inline uint8_t rda_lean_kind_of(const struct rda_request *q)
{
	unsigned kind =
		(q->roles >> 2 & 0x03) | (q->roles >> 8 & 0x3c) | (q->ack_req ? RDA_LEAN_ASKS : 0);

	if (q->va | q->rkey | q->length | q->extra)
		kind |= RDA_LEAN_HEADED;
	return (uint8_t)kind;
}

/* Adds it, behind all others. */
static inline void rda_lean_append(struct rda_window *w, const struct rda_request *q,
				   uint64_t ordinal)
{
	struct rda_lean_packet *packet;
	uint64_t time;

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
	packet = &w->packets[(w->head + w->count++) & (w->allocated - 1)];
	time = (uint64_t)(q->time_ns - w->time_ns);
	*packet = (struct rda_lean_packet){
		.time_low = (uint32_t)time,
		.time_high = (uint16_t)(time >> 32),
		.place = (uint32_t)(q->frame - w->place),
		.icrc = q->icrc,
		.payload = (uint16_t)q->payload,
		.ip_id = q->ip_id,
		.opcode = q->opcode,
		.kind = rda_lean_kind_of(q),
	};
	w->ordinal = ordinal;
	if (packet->kind & RDA_LEAN_HEADED)
		rda_lean_add_header(w, q);
}

static inline const struct rda_lean_packet *rda_lean_at(const struct rda_window *window,
							int64_t index)
{
	RDA_ASSERT(window->lean && index >= 0 && index < (int64_t)window->count);
	return &window->packets[(window->head + (uint32_t)index) & (window->allocated - 1)];
}

/* The record that packet `index` would be. */
void rda_lean_record(const struct rda_window *window, int64_t index, struct rda_sent *record);

/* Forgets the oldest `gone`, and gives back the room of what is not there, in either form. */
void rda_window_shrink(struct rda_window *window, uint32_t gone);

/* Forgets the oldest packets. */
static inline void rda_lean_drop(struct rda_window *window, uint32_t count)
{
	window->first += count;
	window->head += count;
	window->count -= count;
}

#endif
