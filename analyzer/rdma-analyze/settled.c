/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table by place.
 */
#include "analyzer/rdma-analyze/settled.h"

struct settled {
	gint64 place; /* first: the table's key */
	uint8_t standing, trigger;
	uint64_t cause;
};

void rda_settled_cleanup(struct rda_settled *settled)
{
	if (settled->requests)
		g_hash_table_unref(settled->requests);
	settled->requests = NULL;
}

void rda_settled_packet(struct rda_settled *settled, const struct rda_engine *engine)
{
	unsigned count;
	const struct rda_event *events = rda_engine_events(engine, &count);

	for (unsigned i = 0; i < count; i++) {
		uint64_t place;
		enum rda_standing standing = rda_event_settles(&events[i], &place);
		struct settled *one;

		if (standing == RDA_STANDING_NONE)
			continue;
		if (!settled->requests)
			settled->requests =
				g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
		one = g_new(struct settled, 1);
		*one = (struct settled){(gint64)place, (uint8_t)standing, events[i].trigger,
					events[i].cause_frame};
		g_hash_table_add(settled->requests, one);
	}
}

void rda_settled_apply(const struct rda_settled *settled, uint64_t place, struct rda_trace *trace)
{
	gint64 key = (gint64)place;
	const struct settled *one =
		settled->requests ? g_hash_table_lookup(settled->requests, &key) : NULL;

	if (!one)
		return;
	trace->standing = one->standing;
	trace->trigger = one->trigger;
	trace->cause = one->cause;
}
