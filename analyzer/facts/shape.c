/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shape of a graph of who sends to whom. See collective.h.
 */
#include "analyzer/facts/collective.h"

#include <glib.h>

/* Each host sends to one other: `order` follows the data. */
static bool is_ring(const struct rda_edge *edges, uint32_t count, uint32_t hosts, uint32_t *order)
{
	uint32_t *next = g_new(uint32_t, hosts), at = 0, length = 0;

	for (uint32_t i = 0; i < hosts; i++)
		next[i] = hosts;
	for (uint32_t i = 0; i < count; i++)
		next[edges[i].from] = edges[i].to;
	for (; count == hosts && length < hosts && at < hosts; at = next[at]) {
		if (length && at == 0)
			break;
		order[length++] = at;
	}
	g_free(next);
	return length == hosts && at == 0;
}

static bool has_edge(const struct rda_edge *edges, uint32_t count, uint32_t from, uint32_t to)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct rda_edge *edge = &edges[middle];

		if (edge->from < from || (edge->from == from && edge->to < to))
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && edges[low].from == from && edges[low].to == to;
}

/* Pairs that have an edge, in one direction or both. */
static uint32_t count_links(const struct rda_edge *edges, uint32_t count)
{
	uint32_t links = 0;

	for (uint32_t i = 0; i < count; i++)
		links += edges[i].from < edges[i].to ||
			 !has_edge(edges, count, edges[i].to, edges[i].from);
	return links;
}

uint8_t rda_shape_of(const struct rda_edge *edges, uint32_t count, uint32_t hosts, uint32_t *order)
{
	uint32_t links = count_links(edges, count);

	if (hosts < 3)
		return RDA_SHAPE_COUNT;
	if (is_ring(edges, count, hosts, order))
		return RDA_SHAPE_RING;
	for (uint32_t i = 0; i < hosts; i++)
		order[i] = i;
	if (links == hosts - 1 && (count == links || count == 2 * links))
		return RDA_SHAPE_TREE;
	if ((uint64_t)count == (uint64_t)hosts * (hosts - 1))
		return RDA_SHAPE_ALL_TO_ALL;
	return RDA_SHAPE_COUNT;
}
