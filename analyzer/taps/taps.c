/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of taps as a value. See taps.h.
 */
#include "analyzer/taps/taps.h"

#include <glib.h>
#include <stdlib.h>

const struct rda_hop *rda_taps_hops(const struct rda_taps *taps, uint32_t connection,
				    uint32_t *count)
{
	uint32_t low = 0, high = taps->hop_count;

	*count = 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (taps->hops[middle].connection < connection)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + *count < taps->hop_count && taps->hops[low + *count].connection == connection)
		++*count;
	return *count ? &taps->hops[low] : NULL;
}

static int compare_waits(const void *one, const void *two)
{
	const struct rda_taps_waits *a = one, *b = two;

	if (a->connection != b->connection)
		return a->connection < b->connection ? -1 : 1;
	return (a->flow > b->flow) - (a->flow < b->flow);
}

const struct rda_taps_waits *rda_taps_waits(const struct rda_taps *taps, uint32_t connection,
					    uint8_t flow)
{
	const struct rda_taps_waits wanted = {.connection = connection, .flow = flow};

	return taps->wait_count ? bsearch(&wanted, taps->waits, taps->wait_count, sizeof(wanted),
					  compare_waits)
				: NULL;
}

static int compare_parts(const void *one, const void *two)
{
	const struct rda_taps_part *a = one, *b = two;

	if (a->connection != b->connection)
		return a->connection < b->connection ? -1 : 1;
	if (a->flow != b->flow)
		return a->flow < b->flow ? -1 : 1;
	return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

const struct rda_taps_part *rda_taps_part(const struct rda_taps *taps, uint32_t connection,
					  uint8_t flow, int64_t begin_ns)
{
	const struct rda_taps_part wanted = {connection, flow, begin_ns, 0, 0};

	return taps && taps->part_count ? bsearch(&wanted, taps->parts, taps->part_count,
						  sizeof(wanted), compare_parts)
					: NULL;
}

void rda_taps_sort_waits(struct rda_taps *taps)
{
	if (taps->wait_count)
		qsort(taps->waits, taps->wait_count, sizeof(*taps->waits), compare_waits);
	if (taps->part_count)
		qsort(taps->parts, taps->part_count, sizeof(*taps->parts), compare_parts);
}

void rda_hop_show(struct rda_hop *hop, enum rda_hop_fate fate, uint64_t place)
{
	if (!hop->shown)
		hop->shown = g_new0(struct rda_hop_shown, 1);
	if (hop->shown->counts[fate] < RDA_HOP_PLACES)
		hop->shown->places[fate][hop->shown->counts[fate]++] = place;
}

void rda_hop_cleanup(struct rda_hop *hop)
{
	rda_latency_cleanup(&hop->delay);
	g_free(hop->shown);
}

void rda_taps_free(struct rda_taps *taps)
{
	if (!taps)
		return;
	for (uint32_t i = 0; i < taps->count; i++)
		g_free(taps->taps[i].name);
	for (uint32_t i = 0; i < taps->hop_count; i++)
		rda_hop_cleanup(&taps->hops[i]);
	g_free(taps->taps);
	g_free(taps->hops);
	g_free(taps->tap_of);
	g_free(taps->waits);
	g_free(taps->parts);
	g_free(taps);
}
