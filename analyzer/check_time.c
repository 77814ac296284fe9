/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group T: latencies, timers, stalls; see checks.def.
 */
#include "analyzer/check_time.h"

#include <glib.h>

struct rda_time_state {
	struct rda_slowest slowest;
};

void rda_check_time_begin(struct rda_judge *judge)
{
	judge->time = g_new0(struct rda_time_state, 1);
}

void rda_check_time_free(struct rda_judge *judge)
{
	g_free(judge->time);
}

void rda_check_time_forget(struct rda_flow *flow)
{
	(void)flow;
}

void rda_check_time_packet(const struct rda_at *at)
{
	(void)at;
}

void rda_check_time_event(const struct rda_at *at, const struct rda_event *event)
{
	if (event->kind == RDA_EVENT_MESSAGE_DONE)
		rda_slowest_take(&at->judge->time->slowest, event->exchange, at->asker);
}

void rda_check_time_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	(void)judge;
	(void)connection;
}

void rda_check_time_end(struct rda_judge *judge)
{
	(void)judge;
}

const struct rda_slowest *rda_check_time_slowest(const struct rda_judge *judge)
{
	return &judge->time->slowest;
}
