/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long something took, many times: a summary that stays small.
 *
 * The first RDA_LATENCY_EXACT durations are kept as they are. More go into a histogram whose
 * buckets grow with what they hold, 32 between a power of two and the next:
 *
 *     0 1 2 ... 63 | 64-65 66-67 ... | 128-131 ... | 256-263 ...     nanoseconds
 *
 * so that a percentile is at most 1.6 % off (half a bucket). Count, least and greatest are exact.
 * Only the span of powers of two that was met takes memory, 128 bytes each.
 *
 * A percentile is the nearest rank: the least duration that so many per cent are not above.
 */
#ifndef RDA_LATENCY_H
#define RDA_LATENCY_H

#include "analyzer/base/pack.h"
#include "analyzer/rda.h"

#include <stdint.h>

#define RDA_LATENCY_EXACT 64

void rda_latency_cleanup(struct rda_latency *latency);

/* The same once more; `latency` is not initialised before. */
void rda_latency_copy(struct rda_latency *latency, const struct rda_latency *from);

/* One of its own, to be cleaned up and freed; NULL of none, or of one without durations. */
struct rda_latency *rda_latency_dup(const struct rda_latency *from);

/* What rda_latency_dup gave; takes NULL. */
void rda_latency_free(struct rda_latency *latency);

/* One more; below 0, when a clock went backwards, counts as 0. */
void rda_latency_add(struct rda_latency *latency, int64_t ns);

/* Whether a duration lies between the least and the greatest, and is counted in a bucket. */
static inline bool rda_latency_has_place(const struct rda_latency *latency, int64_t ns)
{
	return latency->group_count && ns >= latency->min && ns <= latency->max;
}

/* The bucket of such a one; and one more in a bucket, as rda_latency_add would have it, then or
 * after others were added. */
uint16_t rda_latency_bucket(int64_t ns);
void rda_latency_count(struct rda_latency *latency, uint16_t bucket);

/* All that `from` has, as if they had been added one by one; NULL: nothing. */
void rda_latency_merge(struct rda_latency *latency, const struct rda_latency *from);

/* What it points to; its own bytes are packed. */
void rda_latency_pack(struct rda_pack *pack, struct rda_latency *latency);

/* Bytes of each sample: most durations are below four seconds. */
static inline size_t rda_latency_width(const struct rda_latency *latency)
{
	return latency->max > UINT32_MAX ? sizeof(int64_t) : sizeof(uint32_t);
}

/* What was allocated for it. */
static inline uint64_t rda_latency_bytes(const struct rda_latency *latency)
{
	return latency->group_count ? latency->group_count * UINT64_C(128)
				    : latency->allocated * rda_latency_width(latency);
}

/* How many were above `ns`. */
uint64_t rda_latency_above(const struct rda_latency *latency, int64_t ns);

/* The median of how far they are from `ns`. */
int64_t rda_latency_deviation(const struct rda_latency *latency, int64_t ns);

#endif
