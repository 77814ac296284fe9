/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bound is kept per PSN: a response raises it for those before it, down to the first that has
 * it already.
 */
#include "analyzer/track/roce/response_bound.h"

#include <glib.h>

/* Of one PSN; they saturate. */
struct rda_response_sightings {
	uint8_t seen, asked;
	uint8_t least; /* times sent, as later ones tell */
	uint8_t owed;  /* most that had not come of these, less what came late */
};

void rda_response_bounds_free(struct rda_response_bounds *bounds)
{
	for (unsigned i = 0; bounds && i < RDA_RESPONSE_BOUND_READS; i++)
		g_free(bounds->items[i].sightings);
	g_free(bounds);
}

uint64_t rda_response_bounds_bytes(const struct rda_response_bounds *bounds)
{
	uint64_t bytes = bounds ? sizeof(*bounds) : 0;

	for (unsigned i = 0; bounds && i < RDA_RESPONSE_BOUND_READS; i++)
		bytes += (uint64_t)(bounds->items[i].end - bounds->items[i].begin) *
			 sizeof(struct rda_response_sightings);
	return bytes;
}

struct rda_response_bound *rda_response_bounds_find(struct rda_response_bounds *bounds, int64_t psn)
{
	for (unsigned i = 0; bounds && i < RDA_RESPONSE_BOUND_READS; i++)
		if (psn >= bounds->items[i].begin && psn < bounds->items[i].end)
			return &bounds->items[i];
	return NULL;
}

void rda_response_bounds_open(struct rda_response_bounds **bounds, int64_t begin, int64_t end,
			      int64_t expected)
{
	struct rda_response_bound *bound;

	if (end - begin > RDA_RESPONSE_BOUND_PSNS || rda_response_bounds_find(*bounds, begin))
		return;
	/* responses may have gone past where the READ ends, as is known by now */
	expected = MIN(expected, end);
	if (!*bounds)
		*bounds = g_new0(struct rda_response_bounds, 1);
	bound = &(*bounds)->items[(*bounds)->next++ % RDA_RESPONSE_BOUND_READS];
	g_free(bound->sightings);
	*bound = (struct rda_response_bound){
		.begin = begin,
		.end = end,
		.sightings = g_new0(struct rda_response_sightings, (gsize)(end - begin)),
	};
	bound->sightings[0].asked = 1;
	for (int64_t psn = begin; psn < expected; psn++)
		bound->sightings[psn - begin].seen = bound->sightings[psn - begin].least = 1;
}

void rda_response_bounds_asked(struct rda_response_bounds *bounds, int64_t psn)
{
	struct rda_response_bound *bound = rda_response_bounds_find(bounds, psn);

	if (bound && bound->sightings[psn - bound->begin].asked < UINT8_MAX)
		bound->sightings[psn - bound->begin].asked++;
}

/* It was sent so often, at least. */
static bool raise_least(struct rda_response_bound *bound, struct rda_response_sightings *at,
			int least)
{
	if (at->least >= least)
		return false;
	bound->lost += (uint32_t)(MAX(least - at->seen, 0) - MAX(at->least - at->seen, 0));
	at->least = (uint8_t)least;
	if (least - at->seen > at->owed)
		at->owed = (uint8_t)(least - at->seen);
	return true;
}

/* It was sent once more, and not lost; false: more often than is counted. */
static bool appear(struct rda_response_bound *bound, struct rda_response_sightings *at)
{
	if (at->seen == UINT8_MAX)
		return false;
	if (at->least > at->seen && bound->lost)
		bound->lost--;
	at->seen++;
	if (at->least < at->seen)
		at->least = at->seen;
	return true;
}

void rda_response_bounds_damaged(struct rda_response_bounds *bounds, int64_t psn)
{
	struct rda_response_bound *bound = rda_response_bounds_find(bounds, psn);

	if (bound)
		appear(bound, &bound->sightings[psn - bound->begin]);
}

/* Of a READ: requests from this PSN or before; no more of them than `enough`. */
static uint32_t asked_for(const struct rda_response_bound *bound, int64_t psn, uint32_t enough)
{
	uint32_t asked = 0;

	for (int64_t i = 0; i <= psn - bound->begin && asked < enough; i++)
		asked += bound->sightings[i].asked;
	return asked;
}

void rda_response_bounds_seen(struct rda_response_bounds *bounds, int64_t psn)
{
	struct rda_response_bound *bound = rda_response_bounds_find(bounds, psn);
	struct rda_response_sightings *at;
	int least;

	if (!bound)
		return;
	at = &bound->sightings[psn - bound->begin];
	if (!appear(bound, at))
		return;
	least = at->seen;
	bounds->unasked |= asked_for(bound, psn, at->seen) < at->seen;
	while (at > bound->sightings && (least -= at->asked) > 0 &&
	       raise_least(bound, at - 1, least))
		at--;
}

bool rda_response_bounds_is_due(struct rda_response_bounds *bounds, int64_t psn)
{
	const struct rda_response_bound *bound = rda_response_bounds_find(bounds, psn);

	return bound &&
	       asked_for(bound, psn, UINT32_MAX) > bound->sightings[psn - bound->begin].seen;
}

bool rda_response_bounds_late(struct rda_response_bounds *bounds, int64_t psn, uint32_t unseen)
{
	struct rda_response_bound *bound = rda_response_bounds_find(bounds, psn);
	struct rda_response_sightings *at;
	uint32_t asked;

	if (!bound)
		return false;
	at = &bound->sightings[psn - bound->begin];
	asked = unseen + asked_for(bound, psn, UINT32_MAX);
	if (!at->owed || (uint32_t)at->owed + at->seen <= asked)
		return false;
	at->owed--;
	return true;
}

uint32_t rda_response_bounds_behind(struct rda_response_bounds *bounds, int64_t psn, uint32_t most)
{
	const struct rda_response_bound *bound = rda_response_bounds_find(bounds, psn);
	uint32_t seen = 0;

	for (int64_t i = psn + 1; bound && i < bound->end && seen < most; i++)
		seen += bound->sightings[i - bound->begin].seen > 0;
	return seen;
}
