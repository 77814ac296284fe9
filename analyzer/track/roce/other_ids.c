/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring of identifications; other_ids.h has the figure.
 */
#include "analyzer/track/roce/other_ids.h"

#include <glib.h>

static void note_lean(struct rda_sending_order *order, uint16_t ip_id)
{
	int16_t ahead = (int16_t)(uint16_t)(ip_id - (uint16_t)order->latest);

	order->unnoted = true;
	order->unnoted_place = (uint32_t)(order->latest + ahead);
}

/* Behind the answers that are not noted. */
static int64_t unnoted_since(const struct rda_sending_order *order)
{
	return order->unnoted
		       ? order->latest + (int32_t)(order->unnoted_place - (uint32_t)order->latest)
		       : INT64_MIN;
}

void rda_other_ids_note(struct rda_requester *r, uint16_t ip_id)
{
	struct rda_other_ids *others = r->heard->others;

	if (!others && !r->window.lean) {
		others = rda_requester_heard(r)->others = g_new0(struct rda_other_ids, 1);
		others->since = unnoted_since(&r->order);
	}
	if (others)
		others->items[others->count++ % RDA_OTHER_IDS_KEPT] = ip_id;
	else
		note_lean(&r->order, ip_id);
	rda_sending_order_aside(&r->order, ip_id);
}

int64_t rda_other_ids_since(const struct rda_requester *r)
{
	if (r->heard->others)
		return r->heard->others->since;
	return unnoted_since(&r->order);
}

uint32_t rda_other_ids_between(const struct rda_requester *r, int64_t low, int64_t high)
{
	const struct rda_other_ids *others = r->heard->others;
	uint64_t kept = others ? MIN(others->count, RDA_OTHER_IDS_KEPT) : 0;
	uint32_t between = 0;

	for (uint64_t i = 0; i < kept; i++) {
		int64_t place = rda_sending_order_place(&r->order, others->items[i]);

		between += place > low && place < high;
	}
	return between;
}
