/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READs and ATOMICs: how many of them are under way.
 */
#ifndef RDA_CHECKS_ANSWER_READS_H
#define RDA_CHECKS_ANSWER_READS_H

#include "analyzer/checks/answer/state.h"

/* A new READ or ATOMIC. */
RDA_COLD void rda_reads_request(const struct rda_at *at, struct rda_answer_watch *watch);

/* All packets were seen: what of the requests of a flow was not told yet. */
void rda_reads_end(struct rda_judge *judge, const struct rda_flow *flow);

#endif
