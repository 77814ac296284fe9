/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accesses of one flow that the responder has not yet acknowledged, in order of PSN.
 *
 *     acknowledged | WRITE 10-12 | READ 13-20 | WRITE 21 | SEND with Invalidate 22 |
 *
 * A request goes in when it is first seen, and out when the acknowledgments have passed all of its
 * PSNs. The number is capped: past it the oldest goes out unsettled, and `dropped` counts it.
 */
#ifndef RDA_KEY_QUEUE_H
#define RDA_KEY_QUEUE_H

#include "analyzer/track/keys/key_event.h"

/* As many as the tracker remembers (window.h); of a flow whose responses nobody knows, fewer. */
#define RDA_KEY_QUEUE_CAP     2048
#define RDA_KEY_QUEUE_ONE_WAY 64

struct rda_key_pending {
	int64_t begin; /* PSN, widened */
	uint64_t va, place;
	uint64_t changed_place; /* of the latest transmission that asked for something else; or 0 */
	uint32_t psns;		/* that it takes */
	uint32_t key, length;
	uint8_t mac[6]; /* this and the next two: struct rda_key_path, closed up */
	uint16_t source_port;
	uint8_t ttl;
	uint8_t use;
	bool atomic_write; /* as rda_key_event.atomic_write */
	bool passed;	   /* was told by rda_key_queue_passed */
	bool unchecked;	   /* no ICRC vouches for it */
};

/* Behind its last PSN. */
static inline int64_t rda_key_pending_end(const struct rda_key_pending *item)
{
	return item->begin + item->psns;
}

/* They ask for the same. */
static inline bool rda_key_pending_is_alike(const struct rda_key_pending *item,
					    const struct rda_key_pending *other)
{
	return item->key == other->key && item->va == other->va && item->length == other->length &&
	       item->use == other->use;
}

void rda_key_pending_set_path(struct rda_key_pending *item, const struct rda_key_path *path);
struct rda_key_path rda_key_pending_path(const struct rda_key_pending *item);

struct rda_key_queue {
	struct rda_key_pending *items; /* owned; the live ones are [head, head + count) */
	uint32_t head, count, allocated;
	bool changed; /* one was sent again, and asked for something else than the first time */
	uint64_t dropped;
};

void rda_key_queue_cleanup(struct rda_key_queue *queue);

/* Adds one in its place; `cap` as above. */
void rda_key_queue_add(struct rda_key_queue *queue, const struct rda_key_pending *item,
		       uint32_t cap);

/* It was sent again; notes where it asks for something else than the first time. False: it is not
 * in the queue, or only as this very transmission. */
bool rda_key_queue_again(struct rda_key_queue *queue, const struct rda_key_pending *item);

/* The first, if all its PSNs are below `psn`; else NULL. It goes with rda_key_queue_pop. */
const struct rda_key_pending *rda_key_queue_below(const struct rda_key_queue *queue, int64_t psn);
void rda_key_queue_pop(struct rda_key_queue *queue);

/* One that begins below `psn` and ends behind it; each of them once; NULL: no more. */
const struct rda_key_pending *rda_key_queue_passed(struct rda_key_queue *queue, int64_t psn);

/* The oldest, or NULL. */
const struct rda_key_pending *rda_key_queue_first(const struct rda_key_queue *queue);

/* The one that holds a PSN, or NULL. */
const struct rda_key_pending *rda_key_queue_find(const struct rda_key_queue *queue, int64_t psn);

#endif
