/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hosts of two results, by address, and their NICs: counters are added, and they stand in the
 * order of their first packets.
 */
#include "analyzer/engine/merge_part.h"
#include "analyzer/facts/nic.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

static uint64_t add_known(uint64_t a, uint64_t b)
{
	return a == RDA_UNKNOWN ? b : b == RDA_UNKNOWN ? a : a + b;
}

static void join_host(struct rda_host *to, const struct rda_host *from)
{
	to->packets_sent += from->packets_sent;
#define RDA_C(name) to->name = add_known(to->name, from->name);
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
}

/* A host's first packet: place, and whether it received it. */
struct first {
	uint64_t place;
	bool received;
};

static bool is_before(const struct first *a, const struct first *b)
{
	return a->place != b->place ? a->place < b->place : !a->received && b->received;
}

struct host_item {
	struct rda_address address; /* first: the table's key */
	struct rda_host host;
	struct first first;
};

static void note_first(struct rda_table *table, const struct rda_address *address, uint64_t place,
		       bool received)
{
	struct host_item *item = rda_table_find(table, address);
	const struct first first = {place, received};

	if (item && (!item->first.place || is_before(&first, &item->first)))
		item->first = first;
}

static int compare_first(const void *a, const void *b)
{
	const struct host_item *one = *(struct host_item *const *)a;
	const struct host_item *two = *(struct host_item *const *)b;

	return is_before(&one->first, &two->first) ? -1 : is_before(&two->first, &one->first);
}

static gint compare_addresses(gconstpointer a, gconstpointer b, gpointer hosts)
{
	const struct rda_host *one = &((const struct rda_host *)hosts)[*(const uint32_t *)a];
	const struct rda_host *two = &((const struct rda_host *)hosts)[*(const uint32_t *)b];

	return rda_host_compare(&one, &two);
}

/* A host without what is told of it elsewhere. */
static struct rda_host nothing_of(const struct rda_host *host)
{
	struct rda_host nothing = {.address = host->address, .index = host->index};

#define RDA_C(name) nothing.name = RDA_UNKNOWN;
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
	return nothing;
}

static void gather_hosts(struct rda_table *table, const struct rda_part *part)
{
	const struct rda_result *from = part->from;

	for (uint32_t i = 0; i < from->host_count; i++) {
		bool made, told = !part->joined || rda_part_tells(part->joined->hosts, i);
		struct host_item *item = rda_table_get(table, &from->hosts[i].address, &made);
		struct rda_host host = told ? from->hosts[i] : nothing_of(&from->hosts[i]);

		if (made)
			item->host = host;
		else
			join_host(&item->host, &host);
		if (!part->joined)
			item->host.icrc_errors_received = 0; /* made anew */
	}
	for (uint32_t i = 0; i < from->flow_count; i++) {
		const struct rda_flow_facts *flow = from->flows[i];

		note_first(table, &flow->key.source, flow->known_place, false);
		note_first(table, &flow->key.destination, flow->known_place, true);
	}
}

static void join_nics(struct rda_result *to, const struct rda_part part[2])
{
	to->nics = g_new0(struct rda_nic, to->host_count);
	for (unsigned p = 0; p < 2; p++)
		for (uint32_t i = 0; i < part[p].from->host_count; i++)
			if (!part[p].joined || rda_part_tells(part[p].joined->hosts, i))
				rda_nic_merge(&to->nics[part[p].hosts[i]], &part[p].from->nics[i]);
}

void rda_merge_hosts(struct rda_result *to, struct rda_part part[2])
{
	struct host_item **items;
	struct rda_table table;

	rda_table_init(&table, sizeof(struct rda_address), sizeof(struct host_item), 0);
	gather_hosts(&table, &part[0]);
	gather_hosts(&table, &part[1]);
	to->host_count = table.count;
	to->hosts = g_new(struct rda_host, table.count);
	to->sorted_hosts = g_new(uint32_t, table.count);
	items = g_new(struct host_item *, table.count);
	for (uint32_t i = 0; i < table.count; i++)
		items[i] = table.items[i];
	if (table.count)
		qsort(items, table.count, sizeof(struct host_item *), compare_first);
	for (uint32_t i = 0; i < table.count; i++) {
		items[i]->host.index = to->sorted_hosts[i] = i;
		to->hosts[i] = items[i]->host;
	}
	g_qsort_with_data(to->sorted_hosts, (gint)table.count, sizeof(uint32_t), compare_addresses,
			  to->hosts);
	for (unsigned p = 0; p < 2; p++)
		for (uint32_t i = 0; i < part[p].from->host_count; i++)
			part[p].hosts[i] = ((const struct host_item *)rda_table_find(
						    &table, &part[p].from->hosts[i].address))
						   ->host.index;
	g_free(items);
	rda_table_cleanup(&table, NULL);
	join_nics(to, part);
}
