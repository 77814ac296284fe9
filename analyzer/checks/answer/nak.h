/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NAKs: of a PSN sequence error (one for each hole, and the requester goes back to its PSN), and
 * fatal ones, after which a connection is dead.
 *
 *     10 11 .. 13     NAK 12     12 13 14        as it should be
 *                     NAK 12  NAK 12             A07: repeated, though 12 was not sent again yet
 *                     NAK 12     14 15 16 ...    A09: not obeyed
 *                     NAK 12     10 11 12        A10: not where it says
 *
 * Linux rxe sends a NAK behind an RNR NAK of the same PSN, and obeys no NAK while a retry is under
 * way: neither is a breach. RNR NAKs are in rnr.c.
 */
#ifndef RDA_CHECKS_ANSWER_NAK_H
#define RDA_CHECKS_ANSWER_NAK_H

#include "analyzer/checks/answer/state.h"

/* NAK_SEQUENCE, NAK_FATAL, RESEND. */
void rda_nak_event(const struct rda_at *at, struct rda_answer_watch *watch,
		   const struct rda_event *event);

/* The place of the latest of a sequence error, where it asks `asker` for that PSN and came behind
 * that time; else 0. */
uint64_t rda_nak_asking_for(const struct rda_flow *asker, int64_t psn, int64_t since_ns);

/* A NAK to a request that is not in the capture. */
void rda_nak_alone(const struct rda_at *at);

/* A26, once all was seen: withheld where it is known now what its responder answers. */
void rda_nak_alone_end(struct rda_judge *judge, const struct rda_flow *responder);

/* A request of a direction that got a NAK. */
RDA_COLD void rda_nak_request(const struct rda_at *at, struct rda_nak_watch *watch);

/* A response, after the account took it; `psn` is widened. */
void rda_nak_response(const struct rda_at *at, struct rda_nak_watch *watch, int64_t psn);

#endif
