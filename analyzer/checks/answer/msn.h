/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The MSN and the credits of responses, against the messages that were sent and taken.
 *
 *     messages   | 1      | 2  | 3         |        MSN of a response: messages completed, so
 *     PSNs        10 11 12  13   14 15 16 17        ACK 13 has the MSN of ACK 12, plus 1
 *
 * Where the count starts is known only at the start of a connection; so MSNs are compared with
 * each other, over what both cover.
 */
#ifndef RDA_CHECKS_ANSWER_MSN_H
#define RDA_CHECKS_ANSWER_MSN_H

#include "analyzer/checks/answer/state.h"

/* A response with an AETH, after the account took it; `psn` is widened. */
void rda_msn_response(const struct rda_at *at, struct rda_msn_watch *watch, int64_t psn);

/* A request of a direction whose responses carry credits. */
RDA_COLD void rda_msn_request(const struct rda_at *at, struct rda_msn_watch *watch);

/* The first packet of a QP's next life, which asked for `before` until then: what came right before
 * it, behind a silence, may answer this, where a tap shows requests later than answers: A04. */
RDA_COLD void rda_msn_next_life(const struct rda_at *at, const struct rda_flow *before);

/* At the end, of a flow whose answers were seen. */
void rda_msn_end(struct rda_judge *judge, const struct rda_flow *asker,
		 const struct rda_msn_watch *watch);

/*
 * Whether a response with this MSN was made after the one that moved the account last: then it did
 * not come late.
 */
bool rda_msn_made_later(const struct rda_msn_watch *watch, uint32_t msn);

/* This MSN lies further ahead than anybody counts: the QP was set up anew, perhaps. */
bool rda_msn_is_far(const struct rda_msn_watch *watch, uint32_t msn);

/*
 * Whether messages end with PSNs of [begin, end) that this responder counts, as far as is known:
 * an answer to what lies below, made in its turn, has an MSN lower than one to what lies behind.
 */
bool rda_msn_counts(const struct rda_msn_watch *watch, const struct rda_account *account,
		    int64_t begin, int64_t end);

#endif
