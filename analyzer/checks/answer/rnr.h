/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RNR NAKs: the receiver has no receive posted, and asks to come back later.
 *
 *     SEND 11   RNR NAK 11, 10.24 ms   |<--- at least so long, and nothing new --->|   SEND 11
 *
 * That is legal, and costs the time until the request is sent again. A requester that was put off
 * once too often gives up: giveup.h.
 */
#ifndef RDA_CHECKS_ANSWER_RNR_H
#define RDA_CHECKS_ANSWER_RNR_H

#include "analyzer/checks/answer/state.h"

/* RNR, RESEND. */
void rda_rnr_event(const struct rda_at *at, struct rda_answer_watch *watch,
		   const struct rda_event *event);

/* A request of a direction that got an RNR NAK. */
RDA_COLD void rda_rnr_request(const struct rda_at *at, struct rda_rnr_watch *watch);

/* An RNR NAK to requests that are not in the capture; `watch` is of the flow that it goes in. */
void rda_rnr_alone(const struct rda_at *at, struct rda_answer_watch *watch);

/* All packets were seen: what `receiver` asked somebody to wait whose requests were not. */
void rda_rnr_alone_end(struct rda_judge *judge, const struct rda_flow *receiver);

/* All packets were seen: what `flow` waited for `receiver`, the other direction. */
void rda_rnr_end(struct rda_judge *judge, const struct rda_flow *flow,
		 const struct rda_flow *receiver, const struct rda_rnr_watch *watch);

#endif
