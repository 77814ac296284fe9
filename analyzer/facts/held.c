/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts that were held. See held.h.
 */
#include "analyzer/facts/held.h"

#include "analyzer/base/address.h"
#include "analyzer/base/fetch.h"
#include "analyzer/base/meta.h"

#include <glib.h>
#include <string.h>

static gint compare(gconstpointer one, gconstpointer two, gpointer unused)
{
	const struct rda_held_host *a = one, *b = two;
	int order = memcmp(a->sender, b->sender, sizeof(a->sender));

	(void)unused;
	if (a->capture != b->capture)
		return a->capture < b->capture ? -1 : 1;
	if (order)
		return order;
	if (a->priority != b->priority)
		return a->priority - b->priority;
	return rda_address_compare(&a->host, &b->host);
}

/* Of a flow's own requests its source was held, of the responses to them its destination. */
static struct rda_held_host host_of(const struct rda_flow_facts *flow, unsigned kind)
{
	const struct rda_held *held = &flow->held[kind];
	struct rda_held_host host = {
		.capture = rda_place_capture(flow->first_place),
		.priority = held->priority,
		.host = kind == RDA_HELD_REQUESTS ? flow->key.source : flow->key.destination,
		.connections = 1,
		.gaps = held->gaps,
		.ns = held->ns,
		.longest_ns = held->longest_ns,
	};

	memcpy(host.sender, held->mac, sizeof(host.sender));
	return host;
}

static void add(struct rda_held_host *to, const struct rda_held_host *from)
{
	to->connections += from->connections;
	to->gaps += from->gaps;
	to->ns = rda_ns_sum(to->ns, from->ns);
	to->longest_ns = MAX(to->longest_ns, from->longest_ns);
}

void rda_held_hosts_of(struct rda_held_hosts *hosts, struct rda_flow_facts *const *flows,
		       uint32_t flow_count)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct rda_held_host));
	uint32_t count = 0;

	for (uint32_t i = 0; i < flow_count; i++) {
		rda_fetch_item(flows, i, flow_count, offsetof(struct rda_flow_facts, held));
		for (unsigned kind = 0; flows[i]->held && kind < RDA_HELD_KINDS; kind++) {
			struct rda_held_host host;

			if (!flows[i]->held[kind].gaps)
				continue;
			host = host_of(flows[i], kind);
			g_array_append_val(list, host);
		}
	}
	if (list->len)
		g_qsort_with_data(list->data, (gint)list->len, sizeof(struct rda_held_host),
				  compare, NULL);
	hosts->list = (struct rda_held_host *)(void *)list->data;
	for (uint32_t i = 0; i < list->len; i++) {
		if (count && !compare(&hosts->list[count - 1], &hosts->list[i], NULL))
			add(&hosts->list[count - 1], &hosts->list[i]);
		else
			hosts->list[count++] = hosts->list[i];
	}
	hosts->count = count;
	g_array_free(list, FALSE);
}

const struct rda_held_host *rda_held_hosts_by(const struct rda_held_hosts *hosts,
					      const uint8_t sender[6], uint32_t capture,
					      int8_t priority, uint32_t *others)
{
	const struct rda_held_host *most = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < hosts->count; i++) {
		const struct rda_held_host *host = &hosts->list[i];

		if (host->capture != capture || host->priority != priority ||
		    memcmp(host->sender, sender, sizeof(host->sender)) != 0)
			continue;
		count++;
		if (!most || host->longest_ns > most->longest_ns)
			most = host;
	}
	*others = count ? count - 1 : 0;
	return most;
}

void rda_held_hosts_cleanup(struct rda_held_hosts *hosts)
{
	g_free(hosts->list);
}
