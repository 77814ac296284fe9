/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requesters that give up: a request is sent again and again, nothing answers, and at last nothing
 * is sent any more. Applications are told "transport retry counter exceeded" (status 12), or "RNR
 * retry counter exceeded" (13) when RNR NAKs put it off to the end.
 *
 *     11 . . . 11 . . . 11 . . . 11 . . . . . . . . . . end of the capture
 *        67 ms    67 ms    67 ms |<--- longer than --->|
 *                                      the timer
 *
 * How often a QP may resend is known from CM only; then the count proves it. Else the silence
 * tells: a QP that is alive would have sent again. Who resends more often than any retry count
 * allows (7) does not count, as Linux rxe does with 7, and has not given up for that.
 */
#ifndef RDA_CHECKS_ANSWER_GIVEUP_H
#define RDA_CHECKS_ANSWER_GIVEUP_H

#include "analyzer/checks/answer/state.h"

/* 3 bits in the CM REQ. */
#define RDA_RETRIES_MAX 7

enum rda_giveup {
	RDA_GIVEUP_NONE,
	RDA_GIVEUP_RETRY,   /* nothing answered */
	RDA_GIVEUP_RNR,	    /* the receiver was never ready */
	RDA_GIVEUP_UNENDING /* resent more often than any count allows, and then no more */
};

struct rda_gave_up {
	uint8_t kind;  /* enum rda_giveup */
	bool counted;  /* as often as CM allows */
	int8_t budget; /* by CM; -1 not known */
	int64_t silence_ns;
};

/* RESEND. */
void rda_giveup_event(const struct rda_at *at, struct rda_answer_watch *watch,
		      const struct rda_event *event);

/* A response, after the account took it; `psn` is widened. */
void rda_giveup_response(const struct rda_at *at, struct rda_giveup_watch *watch, int64_t psn);

/* All packets were seen. Whether, and why, a flow's sender gave up. */
struct rda_gave_up rda_gave_up(const struct rda_flow *flow, const struct rda_whole *whole);

/* Whether one of the two sides ended the connection by CM later than that. */
bool rda_disconnected(const struct rda_flow *flow, const struct rda_cm_track *cm, int64_t after);

/* The end of what the capture saw behind this place. */
int64_t rda_watched_until(const struct rda_whole *whole, uint64_t place);

/* S04 tells of the same timeouts: it becomes a note when it has no others. */
void rda_giveup_tells_of_timeouts(struct rda_judge *judge, const struct rda_flow *flow);

/* The findings. */
void rda_giveup_end(struct rda_judge *judge, const struct rda_flow *flow,
		    const struct rda_gave_up *gave_up);

#endif
