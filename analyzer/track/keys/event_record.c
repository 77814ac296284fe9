/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of memory keys as records; see event_record.h.
 */
#include "analyzer/track/keys/event_record.h"

#include "analyzer/track/keys/clear_text.h"
#include "analyzer/track/keys/key_records.h"

#include <string.h>

enum { NUMBERS = 18 };

size_t rda_key_event_more(const struct rda_key_event *event)
{
	if (!event->more)
		return 0;
	switch (event->kind) {
	case RDA_KEY_MESSAGE: return MIN(event->length, RDA_CLEAR_BYTES);
	case RDA_KEY_RIVAL: return sizeof(struct rda_key_rival);
	case RDA_KEY_REFUSED: return sizeof(struct rda_key_change);
	default: return sizeof(struct rda_key_atomic);
	}
}

size_t rda_key_event_room(const struct rda_key_event *event)
{
	return RDA_KEY_NUMBER * NUMBERS + rda_key_event_more(event);
}

static inline bool has_time(const struct rda_key_event *event)
{
	return event->kind == RDA_KEY_ASKED || event->kind == RDA_KEY_AGAIN;
}

/* The difference to what was before, which the number at hand is from then on. */
static inline uint64_t step(int64_t *before, int64_t now)
{
	uint64_t difference = (uint64_t)now - (uint64_t)*before;

	*before = now;
	return rda_key_folded(difference);
}

static inline int64_t stepped(int64_t *before, uint64_t number)
{
	return *before = (int64_t)((uint64_t)*before + rda_key_unfolded(number));
}

/* ODD: what most events have not follows; ATOMIC: it is an ATOMIC WRITE. */
enum { HAS_MORE = 1, ANSWERS = 2, STAG = 4, ODD = 8, ATOMIC = 16, USE_SHIFT = 5, DOUBT_SHIFT = 8 };

uint8_t *rda_key_event_put(uint8_t *to, uint64_t when, const struct rda_key_event *event,
			   struct rda_key_before *before)
{
	const bool odd = event->tap || event->other || event->syndrome;
	const size_t more = rda_key_event_more(event);

	to = rda_key_put(to, event->kind);
	to = rda_key_put(to, when - before->when);
	to = rda_key_put(to, event->responder);
	to = rda_key_put(to, (event->more ? HAS_MORE : 0u) | (event->answers ? ANSWERS : 0u) |
				     (event->stag ? STAG : 0u) | (odd ? ODD : 0u) |
				     (unsigned)event->doubt << DOUBT_SHIFT |
				     (event->atomic_write ? ATOMIC : 0u) |
				     (unsigned)event->use << USE_SHIFT);
	to = rda_key_put(to, rda_key_folded(when - event->place));
	to = rda_key_put(to, rda_key_folded(when - event->asked_place));
	to = rda_key_put(to, rda_key_folded(event->va - before->va));
	to = rda_key_put(to, step(&before->psn, event->psn));
	to = rda_key_put(to, event->flow);
	to = rda_key_put(to, event->peer + 1u); /* none: 0 */
	to = rda_key_put(to, event->requester);
	to = rda_key_put(to, event->key);
	to = rda_key_put(to, event->kind == RDA_KEY_MESSAGE ? more : event->length);
	if (has_time(event)) {
		to = rda_key_put(to, step(&before->time_ns, event->time_ns));
		to = rda_key_put(to, step(&before->wait_ns, event->wait_ns));
	}
	if (odd) {
		to = rda_key_put(to, event->tap);
		to = rda_key_put(to, event->other);
		to = rda_key_put(to, event->syndrome);
	}
	before->when = when;
	before->va = event->va;
	if (event->more)
		memcpy(to, event->more, more);
	return to + more;
}

/* What comes behind the numbers: bytes where they are, others where they are aligned. */
static void get_more(const uint8_t **at, struct rda_key_event *event, union rda_key_more *more)
{
	size_t length;

	event->more = *at;
	length = rda_key_event_more(event);
	if (event->kind != RDA_KEY_MESSAGE) {
		memcpy(more, *at, length);
		event->more = more;
	}
	*at += length;
}

void rda_key_event_get(const uint8_t **at, struct rda_key_event *event, union rda_key_more *more,
		       struct rda_key_before *before)
{
	unsigned flags;
	uint64_t when;

	event->kind = (uint8_t)rda_key_get(at);
	when = before->when += rda_key_get(at);
	event->responder = (uint32_t)rda_key_get(at);
	flags = (unsigned)rda_key_get(at);
	event->answers = flags & ANSWERS;
	event->stag = flags & STAG;
	event->doubt = (uint8_t)(flags >> DOUBT_SHIFT);
	event->atomic_write = flags & ATOMIC;
	event->use = (uint8_t)(flags >> USE_SHIFT & 7);
	event->place = when - rda_key_unfolded(rda_key_get(at));
	event->asked_place = when - rda_key_unfolded(rda_key_get(at));
	event->va = before->va += rda_key_unfolded(rda_key_get(at));
	event->psn = stepped(&before->psn, rda_key_get(at));
	event->flow = (uint32_t)rda_key_get(at);
	event->peer = (uint32_t)rda_key_get(at) - 1;
	event->requester = (uint32_t)rda_key_get(at);
	event->key = (uint32_t)rda_key_get(at);
	event->length = (uint32_t)rda_key_get(at);
	event->time_ns = has_time(event) ? stepped(&before->time_ns, rda_key_get(at)) : 0;
	event->wait_ns = has_time(event) ? stepped(&before->wait_ns, rda_key_get(at)) : 0;
	event->tap = flags & ODD ? (uint32_t)rda_key_get(at) : 0;
	event->other = flags & ODD ? (uint32_t)rda_key_get(at) : 0;
	event->syndrome = flags & ODD ? (uint8_t)rda_key_get(at) : 0;
	event->more = NULL;
	if (flags & HAS_MORE)
		get_more(at, event, more);
}
