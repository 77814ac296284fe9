/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group W: iWARP; see checks.def.
 */
#include "analyzer/check_iwarp.h"

void rda_check_iwarp_begin(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_iwarp_free(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_iwarp_forget(struct rda_flow *flow)
{
	(void)flow;
}

void rda_check_iwarp_start(struct rda_judge *judge, const struct rda_iwarp_at *at,
			   const struct rda_mpa_start_seen *start)
{
	(void)judge;
	(void)at;
	(void)start;
}

void rda_check_iwarp_fpdu(struct rda_judge *judge, const struct rda_iwarp_at *at,
			  const struct rda_fpdu_seen *fpdu)
{
	(void)judge;
	(void)at;
	(void)fpdu;
}

void rda_check_iwarp_lost(struct rda_judge *judge, const struct rda_iwarp_at *at, bool hole)
{
	(void)judge;
	(void)at;
	(void)hole;
}

void rda_check_iwarp_segment(struct rda_judge *judge, const struct rda_iwarp_at *at)
{
	(void)judge;
	(void)at;
}

void rda_check_iwarp_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	(void)judge;
	(void)connection;
}

void rda_check_iwarp_end(struct rda_judge *judge)
{
	(void)judge;
}
