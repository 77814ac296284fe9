/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of any kind that came late, as their identifications tell, where neither the MSN of an
 * ACK (ack_order.h) nor the place of a response in its READ (Q10 of responses) does:
 *
 *     identification   2             3        4
 *     answer           ACK 0    result 1    ACK 2        a SEND, an ATOMIC and a SEND
 *
 * That the result comes behind ACK 2 the identifications tell, once enough of them have passed.
 */
#ifndef RDA_CHECKS_ANSWER_ANSWER_ORDER_H
#define RDA_CHECKS_ANSWER_ANSWER_ORDER_H

#include "analyzer/checks/answer/state.h"

/* Some of the frames that a finding is of. */
struct rda_answer_places {
	uint64_t at[RDA_FINDING_FRAMES];
	uint8_t count;
};

static inline void rda_answer_note(struct rda_answer_places *places, uint64_t place)
{
	if (places->count < RDA_FINDING_FRAMES)
		places->at[places->count++] = place;
}

struct rda_answer_late {
	uint64_t behind; /* answers so far behind one with a greater identification */
	uint64_t count;	 /* of these: told here */
	struct rda_answer_places places; /* the first of them */
};

/* One like it passed before: the network copied that, or what it answers; it did not come late. */
bool rda_answer_passed_before(const struct rda_at *at);

/* The network copies some of the answers to it. A mirror shows all of them twice, which its first
 * copies do not tell. */
bool rda_answer_some_copied(const struct rda_flow *asker);

/* Identifications tell copies of answers from answers, and are not made of the PSN. */
bool rda_answer_ids_tell(const struct rda_flow *answerer);

/* So many cases at a time, of what `sender` answered: a note, suspected. */
struct rda_finding *rda_answer_find(struct rda_judge *judge, enum rda_check check,
				    const struct rda_flow *sender, uint64_t count,
				    const struct rda_answer_places *places);

/* Any answer, after the account took it; `psn` is widened. */
void rda_answer_order(const struct rda_at *at, struct rda_answer_watch *answer, int64_t psn);

/* All packets were seen: what became of the answers that `asker` got. */
void rda_answer_order_end(struct rda_judge *judge, const struct rda_flow *asker);

#endif
