/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First answers to READs and ATOMICs that were sent before what has passed, and never came.
 *
 * A responder answers requests in order (IBTA 9.5, transaction ordering), so before it answers one
 * for the first time it has answered all before that. Where IP identifications tell the order of
 * sending, a first answer has its place before that of the response behind it; what comes later
 * with a later place answers who asked again:
 *
 *     identification   17  18  21 | 22  23  24          READs 5 to 8, one response each
 *     PSN               5   6   8 |  7   8   9          7 was answered between 18 and 21: that
 *                                                       answer is lost, as 22 is another
 *
 * What is owed, and when that is told, is owed.h's part.
 */
#ifndef RDA_FIRST_ANSWER_H
#define RDA_FIRST_ANSWER_H

#include "analyzer/track/roce/responder.h"

/*
 * How many responses at the end of a READ or ATOMIC did not come, although the responder sent them:
 * it answered something behind, or began to answer long ago. The latter is *uncertain: a responder
 * may stop where it is and wait to be asked again, as Linux rxe does when its own queue of packets
 * is full. An answer behind, or an RNR NAK of something behind, tells it only of a request which
 * the responder had not answered before: of those that are repeated it may answer a later one
 * alone, but for the first time it answers all in turn, and where the capture begins in the middle
 * any may be repeated: *uncertain is set too. So it is where it was asked again, and the order of
 * sending does not tell its first answer: that, or a later one, did not come.
 */
uint32_t rda_first_answer_at_end(const struct rda_responder *responder,
				 const struct rda_requester *requester,
				 const struct rda_pending *pending,
				 const struct rda_request *request, bool *uncertain);

/* An RNR NAK for `psn`: if that is a READ or ATOMIC, it is not answered yet. */
void rda_first_answer_put_off(struct rda_responder *responder, int64_t psn, uint32_t msn);

/* The oldest that waits was put off, and is not answered yet where the responder counts so. */
bool rda_first_answer_waits(const struct rda_responder *responder, uint32_t msn);

/*
 * Of `count` responses from this PSN on that are owed: whose first answer was before the response
 * that was sent last. No answer has brought any of the READ from there on, and if that response
 * lies in it, only holes before it count. The READ is owed something from now on.
 */
uint32_t rda_first_answer_count(struct rda_responder *responder,
				const struct rda_requester *requester, int64_t begin,
				uint32_t count);

/* The order of sending tells whether a response is the one that is owed. */
bool rda_first_answer_is_placed(const struct rda_responder *responder, const struct rda_owed *owed);

/*
 * A response passes: whether it is one of those that are owed, as its place tells. Where few
 * packets and a long silence lie between it may be ahead as well: it is owed then if nothing asks
 * for it any more (`asked`).
 */
bool rda_first_answer_came(struct rda_responder *responder, int64_t psn, bool asked,
			   uint16_t ip_id);

#endif
