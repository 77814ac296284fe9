/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group A: acknowledgments, NAKs and RNR NAKs.
 */
#ifndef RDA_CHECKS_ANSWER_ANSWER_H
#define RDA_CHECKS_ANSWER_ANSWER_H

#include "analyzer/checks/judge.h"

void rda_check_answer_begin(struct rda_judge *judge);
void rda_check_answer_free(struct rda_judge *judge);
void rda_check_answer_forget(struct rda_flow *flow); /* frees what is watched of it */

/* Any frame; of those without RDMA or of damaged packets see struct rda_at. */
void rda_check_answer_packet(const struct rda_at *at);
void rda_check_answer_copy(const struct rda_at *at);
void rda_check_answer_event(const struct rda_at *at, const struct rda_event *event);

/* Once all packets were seen: for each connection, then once. */
void rda_check_answer_connection(struct rda_judge *judge, const struct rda_connection *connection);
void rda_check_answer_end(struct rda_judge *judge);

#endif
