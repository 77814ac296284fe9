/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that did not pass the tap before they were asked for again. One that comes more often
 * than it was asked for since was late, and the others were lost before the tap: that is told when
 * nothing came late for a while. Where responses of the connection overtook each other only what
 * response_bound.h tells is certain; the others are missing.
 *
 * pending.c says what is owed; rda_responder_counts.lost_before has what is certain at any time.
 */
#ifndef RDA_OWED_H
#define RDA_OWED_H

#include "analyzer/track/roce/responder.h"

/*
 * `count` responses among [begin, end) did not pass, and a request asks for them again; of
 * `uncertain` of them it is not certain that they were sent.
 */
void rda_owed_add(struct rda_responder *responder, const struct rda_requester *requester,
		  int64_t begin, int64_t end, uint32_t count, uint32_t uncertain,
		  const struct rda_request *request, const struct rda_event_sink *sink);

/* An answer of any kind passes. */
void rda_owed_answered(struct rda_responder *responder, int64_t psn,
		       const struct rda_response *response);

/*
 * What a READ lacks, and is not asked for again: it came, and only this capture missed it; or an
 * earlier answer had brought it.
 */
void rda_owed_unseen(struct rda_responder *responder, const struct rda_pending *pending,
		     const struct rda_request *request, const struct rda_event_sink *sink);

/* A response passes, for which a READ or ATOMIC waits, or not (`asked`): it may be owed, as the
 * order of sending tells; and what is owed for so long that it would have come is lost. */
void rda_owed_response(struct rda_responder *responder, const struct rda_requester *requester,
		       int64_t psn, bool asked, const struct rda_response *response,
		       const struct rda_event_sink *sink);

/* A response that others have overtaken: it is reordered, whatever else it is. */
void rda_owed_overtaken(struct rda_responder *responder, int64_t psn,
			const struct rda_response *response, const struct rda_event_sink *sink);

/* A response that others have overtaken, perhaps: if it is owed, that may not have been lost. */
void rda_owed_doubt(struct rda_responder *responder, int64_t psn);

/*
 * A response fills a hole: it is late, or of another answer where the READ was asked for more than
 * once. As the order of sending tells; or else as response_bound.h does.
 */
void rda_owed_came_late(struct rda_responder *responder, const struct rda_requester *requester,
			int64_t psn, const struct rda_response *response,
			const struct rda_event_sink *sink);

/*
 * The middle of an answer to what was asked for again, whose beginning did not come since, behind
 * an answer to what precedes it and was asked for again, too: it is of the first answer, and they
 * overtook each other; or the beginning of the second one was lost.
 */
void rda_owed_doubt_order(struct rda_responder *responder, const struct rda_requester *requester,
			  const struct rda_pending *pending);

/* A response that came before, or goes on with the answer that was due: the furthest of its READ.
 */
void rda_owed_came_again(struct rda_responder *responder, const struct rda_requester *requester,
			 int64_t psn, bool in_turn, const struct rda_response *response,
			 const struct rda_event_sink *sink);

/*
 * A response is taken for a copy of the one with this place. `perhaps_again`: if what asked for it
 * has passed since it may be another answer, which the account of its READ lacks then.
 */
void rda_owed_copied(struct rda_account *account, uint32_t psn24, uint64_t original,
		     bool perhaps_again);

/* The same, where copies are few, as the network makes them: what follows may be of that answer. */
void rda_owed_followed(struct rda_account *account, uint32_t psn24, int64_t time_ns);

/* A response to what was not seen so far: where a mirror shows the directions through different
 * queues, that is among what comes next. */
void rda_owed_early(struct rda_responder *responder, int64_t psn, int64_t time_ns);

/* Responses to this request, or to one behind, were shown before it: perhaps some of its. */
bool rda_owed_came_early(const struct rda_responder *responder, const struct rda_request *request);

/* Whether this response is one of those that are lost if they do not come late. */
bool rda_owed_has(const struct rda_responder *responder, int64_t psn);

/*
 * The same where nothing tells the order of sending, of the first that comes since it is owed: it
 * may be late, or of the answer to who asked again, of which it shows that what precedes it is
 * missing.
 */
bool rda_owed_may_be(const struct rda_responder *responder, int64_t psn);

/* More answers to a READ or ATOMIC are due than have come: what comes once more may be one. */
bool rda_owed_is_due(const struct rda_responder *responder, int64_t psn);

/* Something was asked or came: what is certain of what is owed. */
void rda_owed_bind(struct rda_responder *responder, int64_t time_ns);

#endif
