/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G: CE marks, CNPs, pause frames.
 */
#ifndef RDA_CHECKS_CONGESTION_CONGESTION_H
#define RDA_CHECKS_CONGESTION_CONGESTION_H

#include "analyzer/checks/judge.h"

void rda_check_congestion_begin(struct rda_judge *judge);
void rda_check_congestion_free(struct rda_judge *judge);
void rda_check_congestion_forget(struct rda_flow *flow); /* frees what is watched of it */

/* Any frame; of those without RDMA or of damaged packets see struct rda_at. */
void rda_check_congestion_packet(const struct rda_at *at);
void rda_check_congestion_event(const struct rda_at *at, const struct rda_event *event);

/* Once all packets were seen: for each connection, then once. */
/* A frame of the capture that another engine has: for the time at which the capture began. */
void rda_check_congestion_time(struct rda_judge *judge, uint32_t capture,
			       const struct rda_meta *meta);
void rda_check_congestion_connection(struct rda_judge *judge,
				     const struct rda_connection *connection);
void rda_check_congestion_end(struct rda_judge *judge);

#endif
