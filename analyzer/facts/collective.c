/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edges of flows, and collectives of edges. See collective.h; shapes are told in shape.c, who is
 * late in lateness.c.
 */
#include "analyzer/facts/collective.h"

#include "analyzer/base/address.h"
#include "analyzer/base/assert.h"
#include "analyzer/base/fetch.h"
#include "analyzer/facts/flow_facts.h"

#include <glib.h>

/* More hosts than this are not looked at as one: all-to-all of them has a million edges. */
enum { HOSTS_MAX = 1024 };

struct graph {
	struct rda_address *hosts; /* in order */
	uint32_t host_count;
	struct rda_edge *edges; /* in order of from, to */
	uint32_t edge_count;
	uint32_t *group; /* by host: the lowest host that it is joined with */
};

static gint compare_hosts(gconstpointer one, gconstpointer two, gpointer unused)
{
	(void)unused;
	return rda_address_compare(one, two);
}

static gint compare_flows(gconstpointer one, gconstpointer two, gpointer flows)
{
	const struct rda_flow_facts *a =
		((struct rda_flow_facts *const *)flows)[*(const uint32_t *)one];
	const struct rda_flow_facts *b =
		((struct rda_flow_facts *const *)flows)[*(const uint32_t *)two];
	int order = rda_address_compare(&a->key.source, &b->key.source);

	if (!order)
		order = rda_address_compare(&a->key.destination, &b->key.destination);
	return order ? order
		     : (a->first_place > b->first_place) - (a->first_place < b->first_place);
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Where the other direction has immediate data, WRITEs without it only say where it may go. */
static bool is_edge(struct rda_flow_facts *const *flows, uint32_t index,
		    const struct rda_connection_facts *connections)
{
	const struct rda_flow_facts *flow = flows[index];
	int32_t back = connections[flow->connection].flows[!flow->side];
	const struct rda_steps *others = back < 0 ? NULL : flows[back]->steps;

	if (!flow->steps || !flow->steps->count)
		return false;
	if (rda_address_compare(&flow->key.source, &flow->key.destination) == 0)
		return false;
	return flow->steps->immediate || !others || !others->immediate;
}

static uint32_t number_of(const struct graph *graph, const struct rda_address *address)
{
	uint32_t low = 0, high = graph->host_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rda_address_compare(&graph->hosts[middle], address) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* They have the same hosts: in their order most follow one of which that is true. */
static bool are_alike(const struct rda_flow_facts *one, const struct rda_flow_facts *two)
{
	return rda_address_compare(&one->key.source, &two->key.source) == 0 &&
	       rda_address_compare(&one->key.destination, &two->key.destination) == 0;
}

static void number_hosts(struct graph *graph, struct rda_flow_facts *const *flows,
			 const uint32_t *list, uint32_t count)
{
	uint32_t length = 0;

	graph->hosts = g_new(struct rda_address, 2 * (gsize)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		if (count - i > RDA_FETCH_ITEMS)
			rda_fetch(flows[list[i + RDA_FETCH_ITEMS]]);
		if (i && are_alike(flows[list[i]], flows[list[i - 1]]))
			continue;
		graph->hosts[length++] = flows[list[i]]->key.source;
		graph->hosts[length++] = flows[list[i]]->key.destination;
	}
	g_qsort_with_data(graph->hosts, (gint)length, sizeof(*graph->hosts), compare_hosts, NULL);
	for (uint32_t i = 0; i < length; i++)
		if (i == 0 || rda_address_compare(&graph->hosts[i], &graph->hosts[i - 1]) != 0)
			graph->hosts[graph->host_count++] = graph->hosts[i];
}

/* The steps of one more flow between the same hosts: several QPs share the steps, so the k-th of
 * each are one; those of a QP with fewer are not looked at. */
static void add_steps(struct rda_edge *edge, const struct rda_flow_facts *flow)
{
	const struct rda_steps *steps = flow->steps;

	if (edge->immediate && !steps->immediate)
		return;
	if ((steps->immediate && !edge->immediate) || steps->count > edge->count) {
		g_free(edge->steps);
		edge->steps = g_memdup2(steps->list, steps->count * sizeof(*steps->list));
		edge->count = steps->count;
		edge->immediate = steps->immediate;
		edge->clock = rda_flow_clock(flow);
		return;
	}
	for (uint32_t k = 0; steps->count == edge->count && k < edge->count; k++) {
		struct rda_step *to = &edge->steps[k];
		const struct rda_step *from = &steps->list[k];

		if (from->start_ns < to->start_ns)
			to->place = from->place;
		to->start_ns = MIN(to->start_ns, from->start_ns);
		to->sent_ns = MAX(to->sent_ns, from->sent_ns);
		to->done_ns = MAX(to->done_ns, from->done_ns);
	}
}

static void make_edges(struct graph *graph, struct rda_flow_facts *const *flows,
		       const uint32_t *list, uint32_t count)
{
	graph->edges = g_new0(struct rda_edge, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		const struct rda_flow_facts *flow = flows[list[i]];
		struct rda_edge *edge = &graph->edges[graph->edge_count];

		if (i && are_alike(flow, flows[list[i - 1]])) {
			edge--;
		} else {
			*edge = (struct rda_edge){.from = number_of(graph, &flow->key.source),
						  .to = number_of(graph, &flow->key.destination)};
			RDA_ASSERT(edge->from < graph->host_count && edge->to < graph->host_count);
			graph->edge_count++;
		}
		add_steps(edge, flow);
	}
}

/* ---- groups ---------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *group, uint32_t host)
{
	while (group[host] != host)
		host = group[host] = group[group[host]];
	return host;
}

static void group_hosts(struct graph *graph)
{
	graph->group = g_new(uint32_t, graph->host_count + 1);
	for (uint32_t i = 0; i < graph->host_count; i++)
		graph->group[i] = i;
	for (uint32_t i = 0; i < graph->edge_count; i++) {
		uint32_t a = root_of(graph->group, graph->edges[i].from);
		uint32_t b = root_of(graph->group, graph->edges[i].to);

		graph->group[MAX(a, b)] = MIN(a, b);
	}
	for (uint32_t i = 0; i < graph->host_count; i++)
		graph->group[i] = root_of(graph->group, i);
}

/* The edges of one group, with its hosts numbered from 0; *edges borrows their steps. */
static uint32_t edges_of(const struct graph *graph, uint32_t root, uint32_t *hosts, uint32_t *count,
			 struct rda_edge *edges)
{
	uint32_t *number = g_new(uint32_t, graph->host_count), length = 0;

	*count = 0;
	for (uint32_t i = root; i < graph->host_count; i++)
		if (graph->group[i] == root) {
			number[i] = *count;
			hosts[(*count)++] = i;
		}
	for (uint32_t i = 0; i < graph->edge_count; i++) {
		if (graph->group[graph->edges[i].from] != root)
			continue;
		edges[length] = graph->edges[i];
		edges[length].from = number[graph->edges[i].from];
		edges[length++].to = number[graph->edges[i].to];
	}
	g_free(number);
	return length;
}

/* Ranks in their order, which the edges take over. */
static void make_ranks(struct rda_collective *collective, const struct graph *graph,
		       const uint32_t *hosts, const uint32_t *order, struct rda_edge *edges,
		       uint32_t edge_count)
{
	uint32_t *rank = g_new(uint32_t, collective->rank_count);

	collective->ranks = g_new0(struct rda_rank, collective->rank_count);
	for (uint32_t i = 0; i < collective->rank_count; i++) {
		collective->ranks[i].address = graph->hosts[hosts[order[i]]];
		rank[order[i]] = i;
	}
	for (uint32_t i = 0; i < edge_count; i++) {
		edges[i].from = rank[edges[i].from];
		edges[i].to = rank[edges[i].to];
	}
	g_free(rank);
}

/* Each way is used in one direction only. */
static bool is_one_way(const struct rda_collective *collective, uint32_t count)
{
	return count < collective->rank_count; /* of a tree */
}

/* All edges are of one host: so it looks from a tap at that host, whatever the others do. */
static bool is_star(const struct rda_edge *edges, uint32_t count)
{
	bool first = true, second = true;

	for (uint32_t i = 0; i < count; i++) {
		first &= edges[i].from == edges[0].from || edges[i].to == edges[0].from;
		second &= edges[i].from == edges[0].to || edges[i].to == edges[0].to;
	}
	return first || second;
}

/* A row of hosts: a piece of a ring, or a pipeline. */
static bool is_row(const struct rda_edge *edges, uint32_t count, uint32_t hosts)
{
	uint32_t *degrees = g_new0(uint32_t, 2 * (gsize)hosts);
	bool row = true;

	for (uint32_t i = 0; i < count; i++) {
		row &= ++degrees[2 * edges[i].from] < 2;
		row &= ++degrees[2 * edges[i].to + 1] < 2;
	}
	g_free(degrees);
	return row;
}

static bool all_immediate(const struct rda_edge *edges, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!edges[i].immediate)
			return false;
	return true;
}

static bool is_one_clock(const struct rda_edge *edges, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (edges[i].clock != edges[0].clock)
			return false;
	return true;
}

/* Whether its shape is more than chance, or than a part of another. */
static bool is_sure(const struct rda_collective *one, const struct rda_edge *edges, uint32_t count)
{
	bool in_step = one->in_step && one->steps > 1;

	if (one->shape == RDA_SHAPE_TREE && is_one_way(one, count))
		return all_immediate(edges, count) && !is_row(edges, count, one->rank_count) &&
		       !(is_star(edges, count) && is_one_clock(edges, count));
	if (one->shape == RDA_SHAPE_TREE && is_star(edges, count) && is_one_clock(edges, count))
		return in_step;
	return in_step || all_immediate(edges, count);
}

/* A collective of these hosts, if it is sure. */
static void take(struct rda_collectives *collectives, const struct graph *graph,
		 struct rda_collective one, const uint32_t *hosts, const uint32_t *order,
		 struct rda_edge *edges, uint32_t count)
{
	make_ranks(&one, graph, hosts, order, edges, count);
	rda_lateness_of(&one, edges, count);
	if (is_sure(&one, edges, count))
		collectives->list[collectives->count++] = one;
	else
		g_free(one.ranks);
}

/* The first ring is that of the lowest edge. */
static void take_rings(struct rda_collectives *collectives, const struct graph *graph,
		       struct rda_collective one, const uint32_t *hosts,
		       const struct rda_edge *edges, uint32_t count)
{
	struct rda_edge *ring = g_new(struct rda_edge, count);
	uint32_t *order = g_new(uint32_t, one.rank_count);
	bool *second = g_new(bool, count);

	for (unsigned half = 0;
	     rda_shape_two_rings(edges, count, one.rank_count, second) && half < 2; half++) {
		uint32_t length = 0;

		for (uint32_t i = 0; i < count; i++)
			if (second[i] == half)
				ring[length++] = edges[i];
		one.shape = rda_shape_of(ring, length, one.rank_count, order);
		take(collectives, graph, one, hosts, order, ring, length);
	}
	g_free(ring);
	g_free(order);
	g_free(second);
}

/* The group of `root`, if it is a collective. */
static void look_at(struct rda_collectives *collectives, const struct graph *graph, uint32_t root)
{
	uint32_t *hosts = g_new(uint32_t, graph->host_count);
	struct rda_edge *edges = g_new(struct rda_edge, graph->edge_count);
	struct rda_collective one = {0};
	uint32_t count = edges_of(graph, root, hosts, &one.rank_count, edges);
	uint32_t *order = g_new(uint32_t, one.rank_count);

	one.shape = one.rank_count > HOSTS_MAX ? RDA_SHAPE_COUNT
					       : rda_shape_of(edges, count, one.rank_count, order);
	if (one.shape != RDA_SHAPE_COUNT)
		take(collectives, graph, one, hosts, order, edges, count);
	else if (one.rank_count <= HOSTS_MAX)
		take_rings(collectives, graph, one, hosts, edges, count);
	g_free(order);
	g_free(edges);
	g_free(hosts);
}

void rda_collectives_of(struct rda_collectives *collectives, struct rda_flow_facts *const *flows,
			uint32_t flow_count, const struct rda_connection_facts *connections)
{
	uint32_t *list = g_new(uint32_t, flow_count + 1), count = 0;
	struct graph graph = {0};

	for (uint32_t i = 0; i < flow_count; i++) {
		rda_fetch_item(flows, i, flow_count, 0);
		rda_fetch_item(flows, i, flow_count, offsetof(struct rda_flow_facts, connection));
		rda_fetch_item(flows, i, flow_count, offsetof(struct rda_flow_facts, steps));
		if (flow_count - i > RDA_FETCH_ITEMS / 2)
			rda_fetch(flows[i + RDA_FETCH_ITEMS / 2]->steps);
		if (is_edge(flows, i, connections))
			list[count++] = i;
	}
	if (count)
		g_qsort_with_data(list, (gint)count, sizeof(*list), compare_flows,
				  (gpointer)(uintptr_t)flows);
	number_hosts(&graph, flows, list, count);
	make_edges(&graph, flows, list, count);
	group_hosts(&graph);
	/* there are at most two of three hosts or more */
	*collectives = (struct rda_collectives){
		.list = g_new(struct rda_collective, graph.host_count + 1)};
	for (uint32_t i = 0; i < graph.host_count; i++)
		if (graph.group[i] == i)
			look_at(collectives, &graph, i);
	for (uint32_t i = 0; i < graph.edge_count; i++)
		g_free(graph.edges[i].steps);
	g_free(graph.edges);
	g_free(graph.hosts);
	g_free(graph.group);
	g_free(list);
}

void rda_collectives_cleanup(struct rda_collectives *collectives)
{
	for (uint32_t i = 0; i < collectives->count; i++)
		g_free(collectives->list[i].ranks);
	g_free(collectives->list);
}
