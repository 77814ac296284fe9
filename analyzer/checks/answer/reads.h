/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A22: how many READs and ATOMICs are under way at once.
 *
 *     READ 10                READ 12           more than one, if the answer to READ 10 came
 *             response 10-11?       response 11?        behind READ 12, and not before it, unseen
 *
 * That the end of an answer was not seen tells nothing: the capture may have missed it. That it
 * passes behind the next READ tells that it was awaited then, where the two directions are shown as
 * they passed: a mirror may show one of them later, up to RDA_MIRROR_NS, and packets may overtake
 * each other. So it is known once the answer has come, and told when all of the capture was seen.
 */
#ifndef RDA_CHECKS_ANSWER_READS_H
#define RDA_CHECKS_ANSWER_READS_H

#include "analyzer/checks/answer/state.h"

/* A new READ or ATOMIC. */
RDA_COLD void rda_reads_request(const struct rda_at *at, struct rda_answer_watch *watch);

/* The highest PSN so far of a response to a READ or ATOMIC, while more are under way than agreed.
 */
RDA_COLD void rda_reads_response(const struct rda_at *at, struct rda_reads_watch *reads,
				 int64_t psn);

/* An ACK, which may name what a READ response is due to: A24. */
void rda_reads_acked(const struct rda_at *at, int64_t psn);

/* Seen under way at once. */
int32_t rda_reads_most(const struct rda_flow *flow);

/* All packets were seen: what of the requests of a flow was not told yet. */
void rda_reads_end(struct rda_judge *judge, const struct rda_flow *flow);

#endif
