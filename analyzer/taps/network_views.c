/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose view of a connection, and of a host, is told where several taps saw it. See network.h.
 */
#include "analyzer/base/assert.h"
#include "analyzer/base/sets.h"
#include "analyzer/base/table.h"
#include "analyzer/taps/network_part.h"

#include <glib.h>

/* ---- connections ----------------------------------------------------------------------------- */

uint32_t rda_network_taps_before(const struct rda_network *n, uint32_t tap, uint32_t flow)
{
	uint32_t before = 0;

	for (uint32_t y = 0; y < n->count; y++) {
		uint32_t peer =
			y == tap ? RDA_PASSAGE_NO_FLOW : rda_network_peer_of(n, tap, y, flow);
		const struct rda_hop *hop =
			peer == RDA_PASSAGE_NO_FLOW ? NULL : rda_network_hop_at(n, y, tap, peer);

		before += hop && hop->ordered;
	}
	return before;
}

/* A view lacks something where another one has more by one part of so many; */
enum { LACKING_PART = 50 };

/* and more time than lies between two taps, even of two sites, where a packet is first or last. */
#define LACKING_NS INT64_C(1000000)

/* How good the view of a tap is: whether it saw both directions, and lacks something that another
 * tap saw; taps before it on the requests' way; requests seen, from the first packet to the last
 * one, and whether packets were cut. */
struct view {
	bool both, lacks, cut;
	uint32_t before;
	uint64_t requests;
	int64_t span_ns;
};

/* 0: not known. */
static int64_t span_of(const struct rda_flow_facts *one, const struct rda_flow_facts *two)
{
	int64_t first, last;

	if (!one || !two)
		one = two = one ? one : two;
	if (one->set_back || two->set_back)
		return 0;
	first = MIN(one->first_time_ns, two->first_time_ns);
	last = MAX(one->last_time_ns, two->last_time_ns);
	/* whatever the stamps are: their difference may need 65 bits */
	return (int64_t)MIN((uint64_t)last - (uint64_t)first, INT64_MAX);
}

static struct view view_of(const struct rda_network *n, uint32_t tap, uint32_t connection)
{
	const struct rda_flow_facts *one = rda_network_flow_at(&n->taps[tap], connection, 0);
	const struct rda_flow_facts *two = rda_network_flow_at(&n->taps[tap], connection, 1);
	unsigned side = (two ? two->request_packets : 0) > (one ? one->request_packets : 0);
	int32_t flow = rda_result_connection(n->taps[tap].result, connection)->flows[side];
	struct view view = {.both = one && two, .before = n->count};

	view.span_ns = span_of(one, two);
	if (flow >= 0) {
		RDA_ASSERT(side ? two : one);
		view.before = rda_network_taps_before(n, tap, (uint32_t)flow);
		view.requests = (side ? two : one)->request_packets;
	}
	return view;
}

/* Connections of a tap of which packets were cut. */
static void mark_cut(const struct rda_network *n, uint32_t tap, struct view *views)
{
	const struct rda_passages *passages = n->taps[tap].passages;

	for (uint32_t i = 0; i < passages->count; i++) {
		uint32_t flow = passages->packets[i].flow;

		if (passages->packets[i].cut && flow != RDA_PASSAGE_NO_FLOW)
			views[n->base[tap] +
			      rda_result_flow_at(n->taps[tap].result, flow)->connection]
				.cut = true;
	}
}

/* What the views of a connection have at most: of those that saw both directions, if any did, as
 * one direction alone tells nearly nothing. */
static void join_best(struct view *best, const struct view *view, bool first)
{
	if (first || (view->both && !best->both)) {
		*best = *view;
		return;
	}
	if (view->both != best->both)
		return;
	best->requests = MAX(best->requests, view->requests);
	best->span_ns = MAX(best->span_ns, view->span_ns);
	best->cut = best->cut && view->cut;
}

static bool is_lacking(const struct view *view, const struct view *best)
{
	int64_t missing_ns = best->span_ns - view->span_ns;

	return best->requests - MIN(best->requests, view->requests) >
		       best->requests / LACKING_PART ||
	       (view->span_ns && missing_ns > MAX(best->span_ns / LACKING_PART, LACKING_NS)) ||
	       (view->cut && !best->cut);
}

static bool is_better(const struct view *a, const struct view *b)
{
	if (a->both != b->both)
		return a->both;
	if (a->lacks != b->lacks)
		return b->lacks;
	return a->before != b->before ? a->before < b->before : a->requests > b->requests;
}

/* Of each connection of each tap. */
static struct view *find_views(const struct rda_network *n)
{
	struct view *views = g_new0(struct view, n->nodes + 1);
	struct view *best = g_new0(struct view, n->nodes + 1);
	bool *any = g_new0(bool, n->nodes + 1);

	for (uint32_t x = 0; x < n->count; x++) {
		for (uint32_t c = 0; c < rda_result_connection_count(n->taps[x].result); c++)
			views[n->base[x] + c] = view_of(n, x, c);
		mark_cut(n, x, views);
	}
	for (uint32_t i = 0; i < n->nodes; i++) {
		uint32_t root = rda_sets_of(n->views, i);

		join_best(&best[root], &views[i], !any[root]);
		any[root] = true;
	}
	for (uint32_t i = 0; i < n->nodes; i++)
		views[i].lacks = is_lacking(&views[i], &best[rda_sets_of(n->views, i)]);
	g_free(best);
	g_free(any);
	return views;
}

struct rda_network_told *rda_network_choose_views(struct rda_network *n)
{
	struct rda_network_told *told = g_new0(struct rda_network_told, n->nodes + 1);
	struct view *views = find_views(n);

	for (uint32_t i = 0; i < n->nodes; i++)
		told[i].tap = RDA_PASSAGE_NONE;
	for (uint32_t x = 0; x < n->count; x++)
		for (uint32_t c = 0; c < rda_result_connection_count(n->taps[x].result); c++) {
			struct rda_network_told *of = &told[rda_sets_of(n->views, n->base[x] + c)];

			if (of->tap == RDA_PASSAGE_NONE ||
			    (of->tap != x && is_better(&views[n->base[x] + c],
						       &views[n->base[of->tap] + of->connection])))
				*of = (struct rda_network_told){x, c};
		}
	for (uint32_t x = 0; x < n->count; x++)
		for (uint32_t c = 0; c < rda_result_connection_count(n->taps[x].result); c++)
			n->taps[x].connections[c] =
				told[rda_sets_of(n->views, n->base[x] + c)].tap == x;
	g_free(views);
	return told;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

/* Of an address the host that is told. */
struct best_host {
	struct rda_address address; /* first: the table's key */
	uint64_t packets_sent;
	uint64_t told; /* of those told connections of the tap */
	uint32_t tap, index;
};

/* Of each host of a tap (rda_host.index) its packets in connections that are told of the tap. */
static uint64_t *packets_told(const struct rda_network_tap *tap)
{
	uint64_t *told = g_new0(uint64_t, rda_result_host_count(tap->result) + 1);

	for (uint32_t i = 0; i < rda_result_flow_count(tap->result); i++) {
		const struct rda_flow_facts *flow = rda_result_flow_at(tap->result, i);
		const struct rda_host *host = rda_result_find_host(tap->result, &flow->key.source);

		if (host && tap->connections[flow->connection])
			told[host->index] += flow->packets;
	}
	return told;
}

static bool is_better_host(const struct rda_host *host, uint64_t told, const struct best_host *best)
{
	return host->packets_sent != best->packets_sent ? host->packets_sent > best->packets_sent
							: told > best->told;
}

void rda_network_choose_hosts(struct rda_network *n)
{
	struct rda_table hosts;

	rda_table_init(&hosts, sizeof(struct rda_address), sizeof(struct best_host), 0);
	for (uint32_t x = 0; x < n->count; x++) {
		uint64_t *told = packets_told(&n->taps[x]);

		for (unsigned i = 0; i < rda_result_host_count(n->taps[x].result); i++) {
			const struct rda_host *host = rda_result_host(n->taps[x].result, i);
			bool made;
			struct best_host *best = rda_table_get(&hosts, &host->address, &made);

			n->taps[x].hosts[host->index] = false;
			if (!made && !is_better_host(host, told[host->index], best))
				continue;
			best->packets_sent = host->packets_sent;
			best->told = told[host->index];
			best->tap = x;
			best->index = host->index;
		}
		g_free(told);
	}
	for (uint32_t i = 0; i < hosts.count; i++) {
		const struct best_host *best = hosts.items[i];

		n->taps[best->tap].hosts[best->index] = true;
	}
	rda_table_cleanup(&hosts, NULL);
}
