/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group S: PSN sequence, losses and retransmission; see checks.def.
 */
#include "analyzer/check_sequence.h"

void rda_check_sequence_begin(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_sequence_free(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_sequence_forget(struct rda_flow *flow)
{
	(void)flow;
}

void rda_check_sequence_packet(const struct rda_at *at)
{
	(void)at;
}

void rda_check_sequence_event(const struct rda_at *at, const struct rda_event *event)
{
	(void)at;
	(void)event;
}

void rda_check_sequence_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	(void)judge;
	(void)connection;
}

void rda_check_sequence_end(struct rda_judge *judge)
{
	(void)judge;
}
