/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A summary of durations; latency.h has the figure.
 */
#include "analyzer/base/latency.h"

#include "analyzer/base/cold.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

enum {
	GROUP_BITS = 5,
	GROUP = 1 << GROUP_BITS, /* buckets of one width */
	TOP_BIT = 44,		 /* longer than 2^45 ns, 9.7 hours, counts as that long */
	FIRST_SAMPLES = 4,
};

/* ---- buckets --------------------------------------------------------------------------------- */

static unsigned bucket_of(int64_t ns)
{
	uint64_t value = MIN((uint64_t)ns, (UINT64_C(2) << TOP_BIT) - 1);
	unsigned shift;

	if (value < 2 * GROUP)
		return (unsigned)value;
	shift = 63 - (unsigned)__builtin_clzll(value) - GROUP_BITS;
	return (shift << GROUP_BITS) + (unsigned)(value >> shift);
}

/* The middle of a bucket. */
static int64_t value_of(unsigned bucket)
{
	unsigned shift;

	if (bucket < 2 * GROUP)
		return bucket;
	shift = (bucket >> GROUP_BITS) - 1;
	return ((int64_t)(bucket % GROUP + GROUP) << shift) + (INT64_C(1) << shift) / 2;
}

/* Makes room for a group of buckets, and for those between it and the others. */
static void cover(struct rda_latency *l, unsigned group)
{
	unsigned low = MIN(l->group, group), end = MAX(l->group + l->group_count, group + 1u);
	uint32_t *buckets;

	if (low == l->group && end == (unsigned)l->group + l->group_count)
		return;
	buckets = g_new0(uint32_t, (size_t)(end - low) * GROUP);
	memcpy(buckets + (size_t)(l->group - low) * GROUP, l->buckets,
	       (size_t)l->group_count * GROUP * sizeof(*buckets));
	g_free(l->buckets);
	l->buckets = buckets;
	l->group = (uint16_t)low;
	l->group_count = (uint16_t)(end - low);
}

static void count(struct rda_latency *l, int64_t ns, uint64_t times)
{
	unsigned bucket = bucket_of(ns);
	uint32_t *counter;

	cover(l, bucket / GROUP);
	counter = &l->buckets[bucket - (unsigned)l->group * GROUP];
	*counter = (uint32_t)MIN(*counter + times, UINT32_MAX);
}

static int64_t sample_of(const void *samples, bool wide, uint64_t index)
{
	return wide ? ((const int64_t *)samples)[index] : ((const uint32_t *)samples)[index];
}

static bool is_wide(const struct rda_latency *l)
{
	return rda_latency_width(l) == sizeof(int64_t);
}

static int64_t sample_at(const struct rda_latency *l, uint64_t index)
{
	return sample_of(l->samples, is_wide(l), index);
}

/* From samples to buckets. */
static void spread(struct rda_latency *l, uint64_t kept, bool wide, int64_t next)
{
	void *samples = l->samples;

	l->group = (uint16_t)(bucket_of(kept ? sample_of(samples, wide, 0) : next) / GROUP);
	l->group_count = 1;
	l->buckets = g_new0(uint32_t, GROUP);
	for (uint64_t i = 0; i < kept; i++)
		count(l, sample_of(samples, wide, i), 1);
	g_free(samples);
}

/* ---- adding ---------------------------------------------------------------------------------- */

void rda_latency_cleanup(struct rda_latency *l)
{
	g_free(l->samples);
	memset(l, 0, sizeof(*l));
} /* samples and buckets are one pointer: NOLINT(clang-analyzer-unix.Malloc) */

void rda_latency_copy(struct rda_latency *l, const struct rda_latency *from)
{
	*l = *from;
	if (from->group_count) {
		size_t size = (size_t)from->group_count * GROUP * sizeof(*l->buckets);

		l->buckets = g_malloc(size);
		memcpy(l->buckets, from->buckets, size);
	} else if (from->count) {
		l->allocated = (uint32_t)from->count;
		l->samples = g_malloc_n(from->count, rda_latency_width(from));
		memcpy(l->samples, from->samples, from->count * rda_latency_width(from));
	}
}

struct rda_latency *rda_latency_dup(const struct rda_latency *from)
{
	struct rda_latency *to;

	if (!from || !from->count)
		return NULL;
	to = g_new(struct rda_latency, 1);
	rda_latency_copy(to, from);
	return to;
}

void rda_latency_free(struct rda_latency *latency)
{
	if (!latency)
		return;
	rda_latency_cleanup(latency);
	g_free(latency);
}

/* The first one that does not fit into four bytes comes: all are kept in eight. */
static void widen(struct rda_latency *l, uint64_t kept)
{
	int64_t *wide = g_new(int64_t, l->allocated);

	for (uint64_t i = 0; i < kept; i++)
		wide[i] = sample_of(l->samples, false, i);
	g_free(l->samples);
	l->samples = wide;
}

RDA_COLD static void add(struct rda_latency *l, int64_t ns, uint64_t times)
{
	uint64_t before = l->count;
	bool wide = is_wide(l);

	ns = MAX(ns, 0);
	l->min = before ? MIN(l->min, ns) : ns;
	l->max = before ? MAX(l->max, ns) : ns;
	l->count += times;
	if (l->group_count == 0 && l->count > RDA_LATENCY_EXACT)
		spread(l, before, wide, ns);
	if (l->group_count) {
		count(l, ns, times);
		return;
	}
	if (is_wide(l) && !wide)
		widen(l, before);
	if (l->allocated < l->count) {
		while (l->allocated < l->count)
			l->allocated = l->allocated ? l->allocated * 2 : FIRST_SAMPLES;
		l->samples = g_realloc_n(l->samples, l->allocated, rda_latency_width(l));
	}
	for (uint64_t i = before; i < l->count; i++)
		if (is_wide(l))
			((int64_t *)l->samples)[i] = ns;
		else
			((uint32_t *)l->samples)[i] = (uint32_t)ns;
}

uint16_t rda_latency_bucket(int64_t ns)
{
	return (uint16_t)bucket_of(ns);
}

void rda_latency_count(struct rda_latency *l, uint16_t bucket)
{
	uint32_t *counter = &l->buckets[bucket - (unsigned)l->group * GROUP];

	*counter += *counter < UINT32_MAX;
	l->count++;
}

void rda_latency_add(struct rda_latency *l, int64_t ns)
{
	/* nearly all: what lies between the least and the greatest has its bucket */
	if (rda_latency_has_place(l, ns))
		rda_latency_count(l, rda_latency_bucket(ns));
	else
		add(l, ns, 1);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* What a bucket's durations are taken for. */
static int64_t taken_for(const struct rda_latency *l, unsigned index)
{
	return CLAMP(value_of(l->group * (unsigned)GROUP + index), l->min, l->max);
}

void rda_latency_merge(struct rda_latency *l, const struct rda_latency *from)
{
	if (!from)
		return;
	if (from->group_count == 0) {
		for (uint64_t i = 0; i < from->count; i++)
			add(l, sample_at(from, i), 1);
		return;
	}
	for (unsigned i = 0; i < from->group_count * (unsigned)GROUP; i++)
		if (from->buckets[i])
			add(l, taken_for(from, i), from->buckets[i]);
	l->min = MIN(l->min, from->min);
	l->max = MAX(l->max, from->max);
}

/* Sorted as they are taken: of so few that is less than a call of qsort. */
static int64_t exact_rank(const struct rda_latency *l, uint64_t rank)
{
	int64_t sorted[RDA_LATENCY_EXACT];

	for (uint64_t i = 0; i < l->count; i++) {
		int64_t ns = sample_at(l, i);
		uint64_t at = i;

		for (; at > 0 && sorted[at - 1] > ns; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = ns;
	}
	return sorted[rank - 1];
}

int64_t rda_latency_percentile(const struct rda_latency *l, unsigned percent)
{
	uint64_t rank = l->count / 100 * percent + (l->count % 100 * percent + 99) / 100, seen = 0;

	if (l->count == 0)
		return 0;
	if (l->group_count == 0)
		return exact_rank(l, rank);
	if (rank >= l->count)
		return l->max;
	for (unsigned i = 0; i < l->group_count * (unsigned)GROUP; i++) {
		seen += l->buckets[i];
		if (seen >= rank)
			return taken_for(l, i);
	}
	return l->max;
}

uint64_t rda_latency_above(const struct rda_latency *l, int64_t ns)
{
	uint64_t above = 0;

	if (l->group_count == 0) {
		for (uint64_t i = 0; i < l->count; i++)
			above += sample_at(l, i) > ns;
		return above;
	}
	for (unsigned i = 0; i < l->group_count * (unsigned)GROUP; i++)
		if (taken_for(l, i) > ns)
			above += l->buckets[i];
	return above;
}

int64_t rda_latency_deviation(const struct rda_latency *l, int64_t ns)
{
	struct rda_latency distances = {0};
	int64_t deviation;

	if (l->group_count == 0) {
		for (uint64_t i = 0; i < l->count; i++)
			add(&distances, ABS(sample_at(l, i) - ns), 1);
	} else {
		for (unsigned i = 0; i < l->group_count * (unsigned)GROUP; i++)
			if (l->buckets[i])
				add(&distances, ABS(taken_for(l, i) - ns), l->buckets[i]);
	}
	deviation = rda_latency_percentile(&distances, 50);
	rda_latency_cleanup(&distances);
	return deviation;
}

void rda_latency_pack(struct rda_pack *pack, struct rda_latency *latency)
{
	if (latency->group_count) {
		rda_pack_block(pack, &latency->buckets, (uint64_t)latency->group_count * GROUP,
			       sizeof(*latency->buckets));
		return;
	}
	rda_pack_block(pack, &latency->samples, latency->count, rda_latency_width(latency));
	if (pack->reads)
		latency->allocated = latency->samples ? (uint32_t)latency->count : 0;
}
