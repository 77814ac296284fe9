/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which PSNs have been seen: a sorted set of half-open ranges of 64-bit numbers, with a cap.
 *
 * A lossless flow is one range. When a new hole would exceed the cap, the two lowest ranges are
 * joined: the oldest hole is forgotten, and `forgotten` counts it. So memory is bounded by the
 * number of holes that are open at once, and never by packets.
 */
#ifndef RDA_RANGES_H
#define RDA_RANGES_H

#include "analyzer/base/cold.h"

#include <stdbool.h>
#include <stdint.h>

#define RDA_RANGES_CAP 64

struct rda_range {
	int64_t begin, end; /* [begin, end) */
};

struct rda_ranges {
	struct rda_range one;	/* the only range, while `more` is NULL */
	struct rda_range *more; /* owned; ascending, never touching */
	uint16_t count, allocated;
	uint32_t forgotten; /* holes that the cap closed; saturates */
};

/* All ranges, `count` of them, ascending. */
#define rda_ranges_array(set) ((set)->more ? (set)->more : &(set)->one)

void rda_ranges_init(struct rda_ranges *set);
void rda_ranges_cleanup(struct rda_ranges *set);

/* rda_ranges_add for a range that does not extend the last one. */
RDA_COLD int64_t rda_ranges_insert(struct rda_ranges *set, int64_t begin, int64_t end);

/* Adds [begin, end). Returns how many of its numbers were not in the set before. */
static inline int64_t rda_ranges_add(struct rda_ranges *set, int64_t begin, int64_t end)
{
	struct rda_range *last;

	if (set->count && begin < end) { /* nearly always it extends the last one */
		last = &rda_ranges_array(set)[set->count - 1];
		if (last->end == begin) {
			last->end = end;
			return end - begin;
		}
	}
	return rda_ranges_insert(set, begin, end);
}

bool rda_ranges_has(const struct rda_ranges *set, int64_t number);

/* How wide the hole between two ranges is in which a number lies; 0: in none. */
int64_t rda_ranges_hole(const struct rda_ranges *set, int64_t number);

/* The highest number plus one, or `otherwise` when the set is empty. */
static inline int64_t rda_ranges_end(const struct rda_ranges *set, int64_t otherwise)
{
	return set->count ? rda_ranges_array(set)[set->count - 1].end : otherwise;
}

#endif
