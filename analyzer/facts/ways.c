/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UDP source ports by pair of hosts. See ways.h.
 */
#include "analyzer/facts/ways.h"

#include "analyzer/base/address.h"
#include "analyzer/base/fetch.h"

#include <glib.h>

/* Of RoCEv2, and of a QP that sends data to one other. */
static bool has_way(const struct rda_flow_facts *flow,
		    const struct rda_connection_facts *connections)
{
	uint8_t service = connections[flow->connection].service;

	return flow->source_port_known && flow->key.carrier == RDA_CARRIER_ROCEV2 &&
	       flow->payload_bytes && !flow->management &&
	       (service == RDA_SERVICE_RC || service == RDA_SERVICE_UC ||
		service == RDA_SERVICE_XRC);
}

static int compare_pairs(const struct rda_flow_facts *a, const struct rda_flow_facts *b)
{
	int order = rda_address_compare(&a->key.source, &b->key.source);

	return order ? order : rda_address_compare(&a->key.destination, &b->key.destination);
}

static gint compare_flows(gconstpointer one, gconstpointer two, gpointer flows)
{
	const struct rda_flow_facts *a =
		((struct rda_flow_facts *const *)flows)[*(const uint32_t *)one];
	const struct rda_flow_facts *b =
		((struct rda_flow_facts *const *)flows)[*(const uint32_t *)two];
	int order = compare_pairs(a, b);

	if (order)
		return order;
	if (a->source_port != b->source_port)
		return a->source_port - b->source_port;
	if (a->key.dest_qp != b->key.dest_qp)
		return a->key.dest_qp < b->key.dest_qp ? -1 : 1;
	return (a->first_place > b->first_place) - (a->first_place < b->first_place);
}

static gint compare_numbers(gconstpointer one, gconstpointer two, gpointer unused)
{
	uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)two;

	(void)unused;
	return (a > b) - (a < b);
}

/* Different QPs among those of a path. */
static uint32_t count_qps(const struct rda_way *way, struct rda_flow_facts *const *flows,
			  uint32_t *qps)
{
	uint32_t count = 0, different = 0;

	for (uint32_t i = 0; i < way->port_count; i++)
		for (uint32_t k = 0; k < way->ports[i].flow_count; k++)
			qps[count++] = flows[way->ports[i].flows[k]]->key.dest_qp;
	g_qsort_with_data(qps, (gint)count, sizeof(*qps), compare_numbers, NULL);
	for (uint32_t i = 0; i < count; i++)
		different += i == 0 || qps[i] != qps[i - 1];
	return different;
}

/* One more flow, in their order. */
static void add_flow(struct rda_ways *ways, struct rda_way_port **next,
		     struct rda_flow_facts *const *flows, uint32_t *at)
{
	const struct rda_flow_facts *flow = flows[*at];
	const struct rda_flow_facts *before = at > ways->flows ? flows[at[-1]] : NULL;
	bool new_way = !before || compare_pairs(before, flow) != 0;
	bool new_port = new_way || before->source_port != flow->source_port;
	struct rda_way *way;
	struct rda_way_port *port;

	if (new_way)
		ways->ways[ways->count++] = (struct rda_way){
			.source = flow->key.source,
			.destination = flow->key.destination,
			.ports = *next,
		};
	way = &ways->ways[ways->count - 1];
	if (new_port) {
		*(*next)++ = (struct rda_way_port){.port = flow->source_port, .flows = at};
		way->port_count++;
	}
	port = &way->ports[way->port_count - 1];
	port->qps += new_port || before->key.dest_qp != flow->key.dest_qp;
	port->flow_count++;
	port->bytes += flow->bytes;
	way->bytes += flow->bytes;
}

void rda_ways_of(struct rda_ways *ways, struct rda_flow_facts *const *flows, uint32_t flow_count,
		 const struct rda_connection_facts *connections)
{
	struct rda_way_port *next;
	uint32_t *qps, count = 0;

	*ways = (struct rda_ways){.flows = g_new(uint32_t, flow_count)};
	for (uint32_t i = 0; i < flow_count; i++) {
		rda_fetch_item(flows, i, flow_count, offsetof(struct rda_flow_facts, key));
		rda_fetch_item(flows, i, flow_count, offsetof(struct rda_flow_facts, connection));
		rda_fetch_item(flows, i, flow_count, offsetof(struct rda_flow_facts, packets));
		if (has_way(flows[i], connections))
			ways->flows[count++] = i;
	}
	if (count)
		g_qsort_with_data(ways->flows, (gint)count, sizeof(*ways->flows), compare_flows,
				  (gpointer)(uintptr_t)flows);
	ways->ways = g_new0(struct rda_way, count);
	next = ways->ports = g_new(struct rda_way_port, count);
	for (uint32_t i = 0; i < count; i++)
		add_flow(ways, &next, flows, &ways->flows[i]);
	qps = g_new(uint32_t, count);
	for (uint32_t i = 0; i < ways->count; i++)
		ways->ways[i].qps = count_qps(&ways->ways[i], flows, qps);
	g_free(qps);
}

void rda_ways_cleanup(struct rda_ways *ways)
{
	g_free(ways->ways);
	g_free(ways->ports);
	g_free(ways->flows);
}

const struct rda_way_port *rda_way_most_shared(const struct rda_way *way)
{
	const struct rda_way_port *most = way->ports;

	for (uint32_t i = 1; i < way->port_count; i++)
		if (way->ports[i].qps > most->qps)
			most = &way->ports[i];
	return most;
}
