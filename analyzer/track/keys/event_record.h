/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event of memory keys as a record: numbers that are small, or differ little from those of the
 * record before, and what the event points to behind them. For key_log.c.
 */
#ifndef RDA_KEY_EVENT_RECORD_H
#define RDA_KEY_EVENT_RECORD_H

#include "analyzer/track/keys/key_event.h"

#include <stddef.h>

/* What a record is told from. */
struct rda_key_before {
	uint64_t when, va;
	int64_t psn, time_ns, wait_ns;
};

/* What an event that was read points to, but for bytes of a message, which are where they were. */
union rda_key_more {
	struct rda_key_rival rival;
	struct rda_key_change change;
	struct rda_key_atomic atomic;
};

/* Bytes of what an event points to; that its record takes at most. */
size_t rda_key_event_more(const struct rda_key_event *event);
size_t rda_key_event_room(const struct rda_key_event *event);

/* Writes it, told at `when`; where the next record goes. */
uint8_t *rda_key_event_put(uint8_t *to, uint64_t when, const struct rda_key_event *event,
			   struct rda_key_before *before);

/* Reads the one at `*at`, which moves on; before->when is when it was told. */
void rda_key_event_get(const uint8_t **at, struct rda_key_event *event, union rda_key_more *more,
		       struct rda_key_before *before);

#endif
