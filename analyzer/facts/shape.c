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

/* ---- two rings ------------------------------------------------------------------------------- */

/* Of more ways to part the edges than 2 to the power of this nobody looks whether one is sure. */
enum { FREE_MAX = 10 };

/* By host: its two edges out, and in. */
struct ends {
	uint32_t out[2], in[2];
};

static bool fill(struct ends *ends, const struct rda_edge *edges, uint32_t count, uint32_t hosts)
{
	uint8_t *outs = g_new0(uint8_t, hosts), *ins = g_new0(uint8_t, hosts);
	bool two = true;

	for (uint32_t i = 0; i < count && two; i++) {
		uint32_t from = edges[i].from, to = edges[i].to;

		two = outs[from] < 2 && ins[to] < 2;
		if (two) {
			ends[from].out[outs[from]++] = i;
			ends[to].in[ins[to]++] = i;
		}
	}
	g_free(outs);
	g_free(ins);
	return two && count == 2 * hosts;
}

/*
 * The two edges out of a host are of different rings, and so are the two into one: of each group of
 * edges that are tied so, one edge decides. By edge: its group and whether it is of that edge's
 * ring. Returns the number of groups.
 */
static uint32_t tie(const struct ends *ends, const struct rda_edge *edges, uint32_t count,
		    uint32_t *group, bool *other)
{
	uint32_t groups = 0;

	for (uint32_t i = 0; i < count; i++)
		group[i] = count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t edge = i;

		if (group[i] != count)
			continue;
		do {
			const struct ends *from = &ends[edges[edge].from], *to;
			uint32_t beside = from->out[from->out[0] == edge];

			group[edge] = group[beside] = groups;
			other[edge] = false;
			other[beside] = true;
			to = &ends[edges[beside].to];
			edge = to->in[to->in[0] == beside];
		} while (edge != i);
		groups++;
	}
	return groups;
}

/* Whether both parts are rings. */
static bool are_rings(const struct rda_edge *edges, uint32_t count, uint32_t hosts,
		      const bool *second)
{
	struct rda_edge *ring = g_new(struct rda_edge, hosts);
	uint32_t *order = g_new(uint32_t, hosts);
	bool both = true;

	for (unsigned half = 0; half < 2 && both; half++) {
		uint32_t length = 0;

		for (uint32_t i = 0; i < count; i++)
			if (second[i] == half && length < hosts)
				ring[length++] = edges[i];
		both = is_ring(ring, length, hosts, order);
	}
	g_free(ring);
	g_free(order);
	return both;
}

bool rda_shape_two_rings(const struct rda_edge *edges, uint32_t count, uint32_t hosts, bool *second)
{
	struct ends *ends = g_new0(struct ends, hosts);
	uint32_t *group = g_new(uint32_t, count), groups = 0, found = 0;
	bool *other = g_new(bool, count), *now = g_new(bool, count);

	if (hosts > 2 && fill(ends, edges, count, hosts))
		groups = tie(ends, edges, count, group, other);
	/* the first edge's group is turned never: that would only change which ring is the first */
	for (uint32_t turned = 0;
	     groups && groups <= FREE_MAX + 1 && found < 2 && turned < UINT32_C(1) << (groups - 1);
	     turned++) {
		for (uint32_t i = 0; i < count; i++)
			now[i] = other[i] != (group[i] && turned >> (group[i] - 1) & 1);
		if (!are_rings(edges, count, hosts, now))
			continue;
		found++;
		for (uint32_t i = 0; i < count; i++)
			second[i] = now[i];
	}
	g_free(ends);
	g_free(group);
	g_free(other);
	g_free(now);
	return found == 1;
}
