/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks and CNPs. See mark_log.h.
 */
#include "analyzer/track/congestion/mark_log.h"

#include "analyzer/base/assert.h"
#include "analyzer/base/cold.h"

#include <glib.h>

enum { FIRST_ROOM = 8 };

/* No NIC sends CNPs for one QP so close. */
#define APART_NS 1000

static struct rda_mark_log *log_of(struct rda_flow *flow)
{
	struct rda_flow_rare *rare = rda_flow_make_rare(flow);

	if (!rare->mark_log)
		rare->mark_log = g_new0(struct rda_mark_log, 1);
	return rare->mark_log;
}

static void keep(struct rda_mark_log *log, struct rda_marking marking)
{
	if (log->count == RDA_MARKINGS_KEPT) {
		log->more++;
		return;
	}
	if (log->count == log->allocated) {
		log->allocated = log->allocated ? 2 * log->allocated : FIRST_ROOM;
		log->list = g_renew(struct rda_marking, log->list, log->allocated);
	}
	RDA_ASSERT(log->list);
	log->list[log->count++] = marking;
}

RDA_APART void rda_mark_log_mark(struct rda_flow *flow, int64_t time_ns)
{
	struct rda_mark_log *log = log_of(flow);
	const struct rda_marking *last = log->count ? &log->list[log->count - 1] : NULL;

	if (last && !last->notice && time_ns >= last->time_ns && time_ns - last->time_ns < APART_NS)
		return;
	keep(log, (struct rda_marking){time_ns, false});
}

RDA_APART void rda_mark_log_notice(struct rda_flow *flow, int64_t time_ns, uint64_t place)
{
	struct rda_mark_log *log = log_of(flow);

	if (log->notice_place == 0)
		log->notice_place = place;
	keep(log, (struct rda_marking){time_ns, true});
}

struct rda_mark_log *rda_mark_log_copy(const struct rda_mark_log *log)
{
	struct rda_mark_log *copy;

	if (!log)
		return NULL;
	copy = g_memdup2(log, sizeof(*log));
	copy->allocated = log->count;
	copy->list = g_memdup2(log->list, log->count * sizeof(*log->list));
	return copy;
}

void rda_mark_log_free(struct rda_mark_log *log)
{
	if (!log)
		return;
	g_free(log->list);
	g_free(log);
}
