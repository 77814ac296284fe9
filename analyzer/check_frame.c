/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F: is each packet well formed; see checks.def.
 */
#include "analyzer/check_frame.h"

void rda_check_frame_begin(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_frame_free(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_frame_forget(struct rda_flow *flow)
{
	(void)flow;
}

void rda_check_frame_packet(const struct rda_at *at)
{
	(void)at;
}

void rda_check_frame_event(const struct rda_at *at, const struct rda_event *event)
{
	(void)at;
	(void)event;
}

void rda_check_frame_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	(void)judge;
	(void)connection;
}

void rda_check_frame_end(struct rda_judge *judge)
{
	(void)judge;
}
