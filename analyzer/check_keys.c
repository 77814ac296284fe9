/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: memory keys and what is done with them; see checks.def.
 */
#include "analyzer/check_keys.h"

void rda_check_keys_begin(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_keys_free(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_keys_forget(struct rda_flow *flow)
{
	(void)flow;
}

void rda_check_keys_packet(const struct rda_at *at)
{
	(void)at;
}

void rda_check_keys_event(const struct rda_at *at, const struct rda_event *event)
{
	(void)at;
	(void)event;
}

void rda_check_keys_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	(void)judge;
	(void)connection;
}

void rda_check_keys_end(struct rda_judge *judge)
{
	(void)judge;
}
