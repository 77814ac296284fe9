/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table by the place of the packet. See settled.h.
 */
#include "analyzer/rdma-analyze/settled.h"

#include <glib.h>

struct rda_settled {
	GHashTable *requests; /* of struct request */
};

struct request {
	gint64 place; /* first: the table's key */
	uint8_t standing, trigger;
	uint64_t cause;
};

struct rda_settled *rda_settled_new(void)
{
	struct rda_settled *settled = g_new(struct rda_settled, 1);

	settled->requests = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return settled;
}

void rda_settled_free(struct rda_settled *settled)
{
	if (settled)
		g_hash_table_unref(settled->requests);
	g_free(settled);
}

void rda_settled_packet(struct rda_settled *settled, const struct rda_engine *engine)
{
	unsigned count;
	const struct rda_event *events = rda_engine_events(engine, &count);

	for (unsigned i = 0; i < count; i++) {
		uint64_t place;
		enum rda_standing standing = rda_event_settles(&events[i], &place);
		struct request *request;

		if (standing == RDA_STANDING_NONE)
			continue;
		request = g_new(struct request, 1);
		*request = (struct request){(gint64)place, (uint8_t)standing, events[i].trigger,
					    events[i].cause_frame};
		g_hash_table_add(settled->requests, request);
	}
}

void rda_settled_look(const struct rda_settled *settled, uint64_t place, struct rda_trace *trace)
{
	gint64 key = (gint64)place;
	const struct request *request = g_hash_table_lookup(settled->requests, &key);

	if (!request) {
		trace->standing = trace->counts_as;
		return;
	}
	trace->standing = request->standing;
	trace->trigger = request->trigger;
	trace->cause = request->cause;
}
