/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, whether a sender slows down when it is told to: G06.
 */
#ifndef RDA_CHECKS_CONGESTION_RATE_H
#define RDA_CHECKS_CONGESTION_RATE_H

#include "analyzer/checks/judge.h"

/* A packet of a flow that is watched, no CNP. */
void rda_rate_packet(const struct rda_at *at);

/* A CNP about `flow`, so long after the one before. */
void rda_rate_noticed(struct rda_flow *flow, const struct rda_at *at, int64_t since_ns);

void rda_rate_end(struct rda_judge *judge, const struct rda_flow *flow);

#endif
