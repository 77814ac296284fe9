/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranges of addresses; spans.h has the figure. There are few, so all searches are linear.
 */
#include "analyzer/track/keys/spans.h"

#include <glib.h>
#include <string.h>

void rda_spans_init(struct rda_spans *set)
{
	memset(set, 0, sizeof(*set));
}

void rda_spans_cleanup(struct rda_spans *set)
{
	g_free(set->more);
	rda_spans_init(set);
}

/* Whether `b`, which does not begin before `a`, overlaps it or follows it without a hole. */
static bool touches(const struct rda_span *a, const struct rda_span *b)
{
	return b->begin <= a->last || b->begin - a->last == 1;
}

/* Makes one span of those at index `at` and behind it. */
static void join(struct rda_spans *set, uint32_t at)
{
	struct rda_span *spans = set->more;

	spans[at].last = MAX(spans[at].last, spans[at + 1].last);
	set->count--;
	memmove(spans + at + 1, spans + at + 2, (set->count - at - 1) * sizeof(*spans));
}

static void enforce_cap(struct rda_spans *set)
{
	struct rda_span *spans = set->more;
	uint32_t best = 0;

	if (set->count <= RDA_SPANS_CAP)
		return;
	for (uint32_t i = 1; i + 1 < set->count; i++)
		if (spans[i + 1].begin - spans[i].last < spans[best + 1].begin - spans[best].last)
			best = i;
	join(set, best);
	if (set->joined < UINT32_MAX)
		set->joined++;
}

/* A span that overlaps none but may touch its neighbours, in its place. */
static void insert(struct rda_spans *set, const struct rda_span *span)
{
	uint32_t at;

	if (set->count == 0) {
		set->one = *span;
		set->count = 1;
		return;
	}
	if (!set->more) {
		set->more = g_new(struct rda_span, RDA_SPANS_CAP + 1);
		set->more[0] = set->one;
	}
	/* without `more` there was one span, which is there now
	 * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
	for (at = set->count; at > 0 && set->more[at - 1].begin > span->begin; at--)
		set->more[at] = set->more[at - 1];
	set->more[at] = *span;
	set->count++;
}

void rda_spans_add(struct rda_spans *set, uint64_t begin, uint64_t last)
{
	struct rda_span span = {begin, last}, *spans = rda_spans_array(set);
	uint32_t at;

	for (at = 0; at < set->count; at++)
		if (begin >= spans[at].begin && last <= spans[at].last)
			return;
	if (set->count == 1 && begin >= spans[0].begin && touches(&spans[0], &span)) {
		spans[0].last = last; /* one behind the other, as most are */
		return;
	}
	insert(set, &span);
	for (at = 0; at + 1 < set->count;)
		if (touches(&set->more[at], &set->more[at + 1]))
			join(set, at);
		else
			at++;
	enforce_cap(set);
}

const struct rda_span *rda_spans_cover(const struct rda_spans *set, uint64_t begin, uint64_t last)
{
	const struct rda_span *spans = rda_spans_array(set);

	for (uint32_t i = 0; i < set->count; i++)
		if (begin >= spans[i].begin && last <= spans[i].last)
			return &spans[i];
	return NULL;
}

const struct rda_span *rda_spans_nearest(const struct rda_spans *set, uint64_t begin, uint64_t last)
{
	const struct rda_span *spans = rda_spans_array(set), *nearest = NULL;
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < set->count; i++) {
		uint64_t distance = 0;

		if (spans[i].begin > last)
			distance = spans[i].begin - last;
		else if (begin > spans[i].last)
			distance = begin - spans[i].last;
		if (!nearest || distance < least) {
			nearest = &spans[i];
			least = distance;
		}
	}
	return nearest;
}
