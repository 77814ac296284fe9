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
 * How often a QP may resend is known from CM only; then its timer need expire but once more. Else
 * the silence tells: a QP that is alive would have sent again (schedule.h). Neither proves it: the
 * last try may have been answered, and the capture have missed that. Who resends evenly more often
 * than any retry count allows (7) does not count, as Linux rxe does with 7, and has not given up
 * for that. Who may not resend at all gives up in silence, which nothing shows. A timer may also
 * take as long again as it took at most so far, and half of that more, but no longer than CM
 * allows.
 *
 * NAKs spend retries, too: where CM allows few, packets that overtake each other are enough.
 *
 *     11 12 13  NAK 11  11 12 13  NAK 12 . . . . . DREQ        with a retry count of 1
 *                                        | the timer |
 *
 * Where CM says nothing a NAK that is not obeyed tells it, as the last word, for longer than the
 * sender's timer, which it has shown to be constant.
 *
 * What is told from is giveup.h's, how long a timer takes schedule.h's.
 */
#ifndef RDA_GAVE_UP_H
#define RDA_GAVE_UP_H

#include "analyzer/track/roce/giveup.h"

enum rda_giveup_kind {
	RDA_GIVEUP_NONE,
	RDA_GIVEUP_RETRY, /* nothing answered */
	RDA_GIVEUP_NAKS,  /* NAKs, and no ACK: as often as CM allows, or the last is not obeyed */
	RDA_GIVEUP_RNR,	  /* the receiver was never ready */
	RDA_GIVEUP_UNENDING, /* resent more often than any count allows, and then no more */
	RDA_GIVEUP_GOES_ON   /* none so far: resent as often as any count allows, up to the end */
};

struct rda_gave_up {
	uint8_t kind;	 /* enum rda_giveup_kind */
	bool counted;	 /* as often as CM allows */
	bool timer_over; /* of RNR: who did not get the latest one would have sent again by now */
	bool unheeded;	 /* NONE: an RNR NAK was not obeyed, much longer than those before it: what
			    may be RNR, or the RNR NAK was lost behind */
	int8_t budget;	 /* by CM; -1 not known */
	int64_t silence_ns;
	struct rda_schedule schedule; /* of RETRY, UNENDING and GOES_ON */
	bool knows_time;	      /* of RETRY: when the sender's last timer expired */
	int64_t time_ns;	      /* that; valid if knows_time */
	int64_t timer_ns;	      /* of NAKS: as CM says if `counted`, else as it was seen */
};

/* Whether, and why, a flow's sender gave up, as far as the captures go. */
struct rda_gave_up rda_gave_up(const struct rda_flow *flow, const struct rda_cm_track *cm,
			       const struct rda_capture *captures, uint32_t count);

#endif
