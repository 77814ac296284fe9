/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests of one direction that are not yet settled: what was sent, how often, and when.
 *
 * One record covers one request packet, or all the PSNs of one READ, or a hole: PSNs that never
 * appeared. Records are in PSN order without gaps between them:
 *
 *     base                                                        end
 *     | WRITE First | WRITE Last | hole: 3 PSNs | READ: 8 PSNs | ... |
 *
 * To note what was sent: rda_window_append. To look: rda_window_find, then the neighbours by index.
 * To settle what was acknowledged: read the first record, rda_window_drop_first. Any call but
 * rda_window_find may move the records; they are in a ring, so neighbours are told by index only.
 *
 * The number of records is capped; when the cap is hit the oldest is dropped unsettled, and
 * `dropped` counts it.
 */
#ifndef RDA_WINDOW_H
#define RDA_WINDOW_H

#include "analyzer/track/roce/request.h"

struct rda_window {
	struct rda_sent *records; /* owned, a ring; the live ones are [head, head + count) */
	uint32_t head, count, cap;
	uint32_t allocated; /* a power of two, or 0 */
	uint64_t dropped;   /* by the cap */
};

void rda_window_init(struct rda_window *window, uint32_t cap);
void rda_window_cleanup(struct rda_window *window);

/* Adds a record, all zero, behind the last, for the caller to fill: it begins where that one ends.
 */
struct rda_sent *rda_window_append(struct rda_window *window);

/* The index of the record that holds a PSN, or -1. */
int64_t rda_window_find(const struct rda_window *window, int64_t psn);

static inline struct rda_sent *rda_window_at(const struct rda_window *window, int64_t index)
{
	return &window->records[(window->head + (uint32_t)index) & (window->allocated - 1)];
}

/*
 * Cuts record `index` so that [begin, end) is a record of its own, copies of the rest on either
 * side. Returns its index. At the cap the oldest records are dropped, but never this one.
 */
int64_t rda_window_split(struct rda_window *window, int64_t index, int64_t begin, int64_t end);

/* Record `index` takes the PSNs of the one behind it, which is no more. */
void rda_window_join(struct rda_window *window, int64_t index);

static inline void rda_window_drop_first(struct rda_window *window)
{
	window->head++;
	window->count--;
}

#endif
