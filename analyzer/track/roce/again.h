/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which requests a responder had before, where the requests alone do not tell: what a timer's run
 * repeats was lost behind the tap, or its answer was late; a copy was made by a mirror, or by the
 * network.
 *
 *     request   5  6  7   (7 asks for an ACK)   timer   5  6  7
 *     answer                        ACK 7                        ACK 7  ACK 7  ACK 7
 *
 * Who gets a request twice answers twice: an answer that tells nothing new tells of a duplicate.
 * And where a responder acknowledges only what asks for it, so does the ACK of a packet that does
 * not. These answers may be lost, or stand for several requests, so what they tell is a lower
 * bound.
 *
 * Part of responder.c, which follows the expected PSN.
 */
#ifndef RDA_AGAIN_H
#define RDA_AGAIN_H

#include "analyzer/track/roce/responder.h"

/* No responder lets its requester run so many PSNs ahead. */
#define RDA_AGAIN_FAR 65536

/* Requests with PSNs of [begin, end) whose latest appearance is not before `ordinal`. */
uint64_t rda_again_passed(const struct rda_requester *requester, int64_t begin, int64_t end,
			  uint64_t ordinal);

/* A new acknowledgment names `psn`: whether that asks for one. */
void rda_again_acked(struct rda_responder *responder, const struct rda_requester *requester,
		     int64_t psn);

/* Whether the answers count messages from the beginning again: then so do the PSNs. */
void rda_again_counted(struct rda_responder *responder, struct rda_requester *requester,
		       const struct rda_response *response);

/* The same of an answer to a READ or ATOMIC, whose count is remembered. */
void rda_again_answered(struct rda_responder *responder, struct rda_requester *requester,
			int64_t psn, const struct rda_response *response);

/*
 * The first answer after a timeout's run began: what it acknowledges had arrived before the run, if
 * the run has not come so far.
 */
void rda_again_judge(struct rda_responder *responder, const struct rda_requester *requester,
		     int64_t psn);

/* What was taken for new after a timeout was a duplicate, as far as `end`. */
void rda_again_settle(struct rda_responder *responder, const struct rda_requester *requester,
		      int64_t end);

/* Nothing will tell of what was taken for new after a timeout. */
void rda_again_leave(struct rda_responder *responder);

/*
 * A request that the responder has passes: it is a duplicate. `doubted`: nothing tells yet whether
 * anything was sent again; `passed`: it had passed before.
 */
void rda_again_duplicate(struct rda_responder *responder, bool doubted, bool passed);

/*
 * What is not new passes, and nothing tells whether anything was sent again so far; or that is told
 * now (look_back.h): where nothing was, what came late was taken in its turn.
 */
void rda_again_late(struct rda_responder *responder, const struct rda_requester *requester,
		    const struct rda_request *request);

/* A NAK names `psn`. */
void rda_again_named(struct rda_responder *responder, int64_t psn);

/* An answer to what was acknowledged, or precedes the capture: what lies below `end` was taken,
 * though a NAK seemed to say that it was not. */
void rda_again_taken(struct rda_responder *responder, int64_t end);

/*
 * It was not ready for `psn`, so it expects that: what the latest run repeated of that and behind
 * was no duplicate, though it had passed before.
 */
void rda_again_not_ready(struct rda_responder *responder, const struct rda_requester *requester,
			 int64_t psn);

/*
 * It refuses `psn`, and that was its QP's end: what passed since it came to that was no duplicate,
 * nor is what follows.
 */
void rda_again_refused(struct rda_responder *responder, int64_t psn);

/* A packet of a run that begins with the connection's first PSN though all was acknowledged, or of
 * one that repeats that. */
void rda_again_life(struct rda_responder *responder, const struct rda_requester *requester,
		    const struct rda_request *request);

/*
 * That was the QP's next life, as the answers count messages from the beginning again: what passed
 * since was new, but for what is a repetition within it.
 */
void rda_again_anew(struct rda_responder *responder, const struct rda_requester *requester);

/*
 * An answer after everything below `psn`, far behind all that was answered before. No more messages
 * are complete than PSNs were taken: where it counts more of them, it counts from the beginning.
 * Then the QP was set up anew, and what lies between was never sent; where it does not tell the
 * number (it was cut), that may be so.
 */
void rda_again_jumped_far(const struct rda_responder *responder, struct rda_requester *requester,
			  int64_t psn, const struct rda_response *answer);

static inline void rda_again_jumped(const struct rda_responder *responder,
				    struct rda_requester *requester, int64_t psn,
				    const struct rda_response *answer)
{
	if (psn - requester->progress.acked > RDA_AGAIN_FAR)
		rda_again_jumped_far(responder, requester, psn, answer);
}

#endif
