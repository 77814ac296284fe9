/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sorted array of ranges.
 */
#include "analyzer/base/ranges.h"

#include <glib.h>
#include <string.h>

void rda_ranges_init(struct rda_ranges *set)
{
	memset(set, 0, sizeof(*set));
}

void rda_ranges_cleanup(struct rda_ranges *set)
{
	g_free(set->more);
	rda_ranges_init(set);
}

/* How many ranges lie wholly below `number` and do not touch it. */
static uint16_t ranges_below(const struct rda_ranges *set, int64_t number)
{
	const struct rda_range *ranges = rda_ranges_array(set);
	uint16_t low = 0, high = set->count;

	while (low < high) {
		uint16_t middle = (uint16_t)((low + high) / 2);

		if (ranges[middle].end < number)
			low = (uint16_t)(middle + 1);
		else
			high = middle;
	}
	return low;
}

/* Makes room for one more range at index `at`. */
static void insert(struct rda_ranges *set, uint16_t at, int64_t begin, int64_t end)
{
	struct rda_range *ranges;

	if (set->count == 0) {
		set->one = (struct rda_range){begin, end};
		set->count = 1;
		return;
	}
	if (!set->more) {
		set->allocated = 4;
		set->more = g_new(struct rda_range, set->allocated);
		set->more[0] = set->one;
	} else if (set->count == set->allocated) {
		set->allocated = (uint16_t)(set->allocated * 2);
		set->more = g_renew(struct rda_range, set->more, set->allocated);
	}
	ranges = set->more;
	memmove(ranges + at + 1, ranges + at, (size_t)(set->count - at) * sizeof(*ranges));
	ranges[at] = (struct rda_range){begin, end};
	set->count++;
}

/* Forgets the oldest hole when there are too many. */
static void enforce_cap(struct rda_ranges *set)
{
	struct rda_range *ranges = set->more;

	if (set->count <= RDA_RANGES_CAP)
		return;
	ranges[1].begin = ranges[0].begin;
	set->count--;
	memmove(ranges, ranges + 1, (size_t)set->count * sizeof(*ranges));
	set->forgotten += set->forgotten < UINT32_MAX;
}

int64_t rda_ranges_insert(struct rda_ranges *set, int64_t begin, int64_t end)
{
	struct rda_range *ranges = rda_ranges_array(set);
	int64_t fresh = end - begin;
	uint16_t first, last;

	if (begin >= end)
		return 0;
	first = ranges_below(set, begin);
	for (last = first; last < set->count && ranges[last].begin <= end; last++) {
		int64_t from = MAX(begin, ranges[last].begin), to = MIN(end, ranges[last].end);

		fresh -= MAX(to - from, 0);
	}
	if (first == last) {
		insert(set, first, begin, end);
		enforce_cap(set);
		return fresh;
	}
	ranges[first].begin = MIN(begin, ranges[first].begin);
	ranges[first].end = MAX(end, ranges[last - 1].end);
	memmove(ranges + first + 1, ranges + last, (size_t)(set->count - last) * sizeof(*ranges));
	set->count = (uint16_t)(set->count - (last - first - 1));
	return fresh;
}

bool rda_ranges_has(const struct rda_ranges *set, int64_t number)
{
	uint16_t at = ranges_below(set, number);
	const struct rda_range *ranges = rda_ranges_array(set);

	/* a range that ends at `number` touches it and does not hold it */
	if (at < set->count && ranges[at].end == number)
		at++;
	return at < set->count && ranges[at].begin <= number;
}

int64_t rda_ranges_hole(const struct rda_ranges *set, int64_t number)
{
	uint16_t at = ranges_below(set, number);
	const struct rda_range *ranges = rda_ranges_array(set);

	if (at < set->count && ranges[at].end == number)
		at++;
	if (at == 0 || at >= set->count || ranges[at].begin <= number)
		return 0;
	return ranges[at].begin - ranges[at - 1].end;
}
