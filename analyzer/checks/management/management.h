/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group M: connection management against what followed.
 *
 *     what is remembered        management_state.h
 *     messages one by one       check_management_messages.h
 *     messages that did not come  check_management_silence.h
 *     what connections did with what was agreed  check_management_data.h
 */
#ifndef RDA_CHECKS_MANAGEMENT_MANAGEMENT_H
#define RDA_CHECKS_MANAGEMENT_MANAGEMENT_H

#include "analyzer/checks/judge.h"

void rda_check_management_begin(struct rda_judge *judge);
void rda_check_management_free(struct rda_judge *judge);
void rda_check_management_forget(struct rda_flow *flow); /* frees what is watched of it */

/* Any frame; of those without RDMA or of damaged packets see struct rda_at. */
void rda_check_management_packet(const struct rda_at *at);
void rda_check_management_event(const struct rda_at *at, const struct rda_event *event);

/* Once all packets were seen: for each connection, then once. */
void rda_check_management_connection(struct rda_judge *judge,
				     const struct rda_connection *connection);
void rda_check_management_end(struct rda_judge *judge);

#endif
