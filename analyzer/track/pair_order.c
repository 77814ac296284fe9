/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which flows stand together when flows are sorted; pair_order.h has the reasoning.
 */
#include "analyzer/track/pair_order.h"

#include <string.h>

int rda_order_hosts(const struct rda_flow *a, const struct rda_flow *b)
{
	const struct rda_address *low_a =
		rda_flow_is_upward(a) ? &a->key.source : &a->key.destination;
	const struct rda_address *low_b =
		rda_flow_is_upward(b) ? &b->key.source : &b->key.destination;
	const struct rda_address *high_a =
		rda_flow_is_upward(a) ? &a->key.destination : &a->key.source;
	const struct rda_address *high_b =
		rda_flow_is_upward(b) ? &b->key.destination : &b->key.source;
	int order;

	if (a->key.carrier != b->key.carrier)
		return a->key.carrier - b->key.carrier;
	order = memcmp(low_a, low_b, sizeof(*low_a));
	return order ? order : memcmp(high_a, high_b, sizeof(*high_a));
}

int rda_order_hosts_port(const struct rda_flow *a, const struct rda_flow *b)
{
	int order = rda_order_hosts(a, b);

	return order ? order : (int)a->source_port - (int)b->source_port;
}

static int compare_taps(const struct rda_flow *a, const struct rda_flow *b)
{
	return a->key.tap < b->key.tap ? -1 : a->key.tap > b->key.tap;
}

int rda_order_tap_hosts(const struct rda_flow *a, const struct rda_flow *b)
{
	int order = compare_taps(a, b);

	return order ? order : rda_order_hosts(a, b);
}

int rda_order_tap_hosts_port(const struct rda_flow *a, const struct rda_flow *b)
{
	int order = compare_taps(a, b);

	return order ? order : rda_order_hosts_port(a, b);
}

/* By a comparison, then by index. */
static gint compare_pointers(gconstpointer a, gconstpointer b, gpointer compare)
{
	const struct rda_flow *one = *(struct rda_flow *const *)a;
	const struct rda_flow *two = *(struct rda_flow *const *)b;
	int order = (*(rda_flow_order *)compare)(one, two);

	if (order)
		return order;
	return one->index < two->index ? -1 : one->index > two->index;
}

void rda_order_sort(GPtrArray *flows, rda_flow_order order)
{
	g_ptr_array_sort_with_data(flows, compare_pointers, &order);
}
