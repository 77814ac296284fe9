/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What befell acknowledgments on their way: some came late, some twice, some not at all.
 *
 *     ACK   IP identification, MSN      step
 *     10    501                1
 *     11    502                2        1, 1
 *     13    504                4        2, 2     ACK 12 was sent, and did not come: yet
 *     12    503                3                 here it is, late
 *     13    504                4        0, 0     a copy
 *
 * An ACK acknowledges everything below it, so none of this costs anything by itself: these are
 * notes. That one is missing shows only where a responder numbers its packets one by one, and sends
 * an ACK for each message; one that answers several messages at once numbers those that it sends.
 */
#ifndef RDA_CHECKS_ANSWER_ACK_ORDER_H
#define RDA_CHECKS_ANSWER_ACK_ORDER_H

#include "analyzer/checks/answer/state.h"

/* A positive ACK, after the account took it; `psn` is widened. */
void rda_ack_order(const struct rda_at *at, struct rda_answer_watch *answer, int64_t psn);

/* Any other answer with an AETH: of NAKs those of a sequence error, and RNR NAKs, have an order. */
void rda_ack_order_other(const struct rda_at *at, struct rda_answer_watch *answer, int64_t psn);

/* Whether some came late. */
bool rda_ack_order_is_lost(const struct rda_answer_watch *answer);

/* Whether Q10 is told of some, as of ACKs or NAKs. */
bool rda_ack_order_tells(const struct rda_flow *asker);

/* Any answer that is in the capture once more. */
void rda_answer_copied(const struct rda_at *at, struct rda_ack_watch *watch);

/* A NAK came once more, at this time. */
void rda_ack_order_nak_again(struct rda_ack_watch *watch, int64_t time_ns);

/*
 * A NAK came once more shortly before this time: the asker may obey it twice, where the network
 * copies some answers (rda_answer_some_copied).
 */
bool rda_ack_order_nak_came_twice(const struct rda_flow *asker, int64_t time_ns);

/* All packets were seen: what became of the ACKs that `asker` got. */
void rda_ack_order_end(struct rda_judge *judge, const struct rda_flow *asker);

#endif
