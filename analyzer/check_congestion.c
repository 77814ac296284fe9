/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G: CE marks, CNPs, pause frames; see checks.def.
 */
#include "analyzer/check_congestion.h"

void rda_check_congestion_begin(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_congestion_free(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_congestion_forget(struct rda_flow *flow)
{
	(void)flow;
}

void rda_check_congestion_packet(const struct rda_at *at)
{
	(void)at;
}

void rda_check_congestion_event(const struct rda_at *at, const struct rda_event *event)
{
	(void)at;
	(void)event;
}

void rda_check_congestion_connection(struct rda_judge *judge,
				     const struct rda_connection *connection)
{
	(void)judge;
	(void)connection;
}

void rda_check_congestion_end(struct rda_judge *judge)
{
	(void)judge;
}
