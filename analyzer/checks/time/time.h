/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group T: latencies, timers, stalls.
 */
#ifndef RDA_CHECKS_TIME_TIME_H
#define RDA_CHECKS_TIME_TIME_H

#include "analyzer/checks/judge.h"

void rda_check_time_begin(struct rda_judge *judge);
void rda_check_time_free(struct rda_judge *judge);
void rda_check_time_forget(struct rda_flow *flow); /* frees what is watched of it */

/* Any frame; of those without RDMA or of damaged packets see struct rda_at. */
void rda_check_time_packet(const struct rda_at *at);
void rda_check_time_event(const struct rda_at *at, const struct rda_event *event);

/* Once all packets were seen: for each connection, then once. */
void rda_check_time_connection(struct rda_judge *judge, const struct rda_connection *connection);
void rda_check_time_end(struct rda_judge *judge);

#endif
