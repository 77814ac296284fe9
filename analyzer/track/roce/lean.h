/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A window (window.h) in its lean form: request packets that were sent once, each behind the one
 * before it, and appeared once, in 24 bytes each instead of a record of 170. Nearly all windows are
 * lean nearly all the time, and a connection that is visited again after thousands of packets of
 * others finds its requests in few cache lines.
 *
 *     lean    first    | 24 | 24 | 24 | ... |      PSNs without gaps; the headers beside them
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

enum rda_lean_flag {
	RDA_LEAN_ASKS = 1,   /* for an acknowledgment */
	RDA_LEAN_HEADED = 2, /* has a header in the ring of headers */
	RDA_LEAN_INSIDE = 4, /* of a SEND or WRITE, and neither first nor last of its message */
	RDA_LEAN_ENDS = 8,   /* last of its message */
};

/* A request packet; its PSN follows from its index. */
struct rda_lean_packet {
	int64_t time_ns;
	uint32_t place; /* behind that of the window */
	uint32_t icrc;
	uint16_t payload, ip_id, roles;
	uint8_t opcode;
	uint8_t flags;
};

/* What RETH, ImmDt or IETH of one of them say. */
struct rda_lean_header {
	uint64_t va;
	uint32_t psn; /* its lowest bits: headers of one window are less than 2^31 PSNs apart */
	uint32_t rkey, length, extra;
};

/* Whether a request that is new and in order fits. */
static inline bool rda_lean_takes(const struct rda_window *window, const struct rda_request *q)
{
	return window->lean && window->count < window->cap && q->roles &&
	       !(q->roles & RDA_ROLE_ANSWERED) && q->end == q->begin + 1 && !q->damaged &&
	       q->payload <= UINT16_MAX &&
	       (!window->count || q->frame - window->place <= UINT32_MAX);
}

/* Room for more packets; and what the headers of the latest packet say. */
RDA_COLD void rda_lean_grow(struct rda_window *window);
void rda_lean_add_header(struct rda_window *window, const struct rda_request *q);

static inline uint8_t rda_lean_flags(const struct rda_request *q)
{
	const uint16_t ends = RDA_ROLE_FIRST | RDA_ROLE_LAST;
	unsigned flags = q->ack_req ? RDA_LEAN_ASKS : 0;

	if (q->va | q->rkey | q->length | q->extra)
		flags |= RDA_LEAN_HEADED;
	if (q->roles & RDA_ROLE_LAST)
		flags |= RDA_LEAN_ENDS;
	if (q->roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE) && !(q->roles & ends))
		flags |= RDA_LEAN_INSIDE;
	return (uint8_t)flags;
}

/* Adds it, behind all others. */
static inline void rda_lean_append(struct rda_window *w, const struct rda_request *q,
				   uint64_t ordinal)
{
	struct rda_lean_packet *packet;

	RDA_ASSERT(rda_lean_takes(w, q));
	RDA_ASSERT(!w->count || q->begin == w->first + w->count);
	RDA_ASSERT(!w->count || ordinal == w->ordinal + 1);
	if (!w->count) {
		w->first = q->begin;
		w->place = q->frame;
	}
	if (w->count == w->allocated)
		rda_lean_grow(w);
	packet = &w->packets[(w->head + w->count++) & (w->allocated - 1)];
	*packet = (struct rda_lean_packet){
		.time_ns = q->time_ns,
		.place = (uint32_t)(q->frame - w->place),
		.icrc = q->icrc,
		.payload = (uint16_t)q->payload,
		.ip_id = q->ip_id,
		.roles = q->roles,
		.opcode = q->opcode,
		.flags = rda_lean_flags(q),
	};
	w->ordinal = ordinal;
	if (packet->flags & RDA_LEAN_HEADED)
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
