/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that were told as lost, and come all the same: held back for longer than was waited.
 *
 *     identification   51  53   71  72 ... 164       52
 *     PSN               1   3    2   3      30        2      52 was sent before 2 was asked for
 *                                                            again, and comes 34 ms later
 *
 * Where identifications tell the order of sending, what comes with a place from before it was asked
 * for again is what was told. Where so few packets and so long a silence lie between that it may be
 * ahead as well, a response that nothing asks for any more is, perhaps.
 */
#ifndef RDA_TOLD_LOST_H
#define RDA_TOLD_LOST_H

#include "analyzer/track/roce/responder.h"

/* The latest that were told, of a direction. */
#define RDA_TOLD_LOST_KEPT 16

struct rda_told_lost {
	struct {
		int64_t begin, end; /* their PSNs are among these */
		int64_t place;	    /* they were sent before the response with this place */
		uint32_t count;
		uint32_t apart;	     /* of these: rda_answers_told */
	} items[RDA_TOLD_LOST_KEPT]; /* a ring */
	uint32_t next;
};

/* `count` of what is owed are told as lost, `apart` of which identifications do not tell. */
void rda_told_lost_add(struct rda_responder *responder, const struct rda_owed *owed, uint32_t count,
		       uint32_t apart);

/* A response passes that is not owed; `asked`: a READ or ATOMIC waits for it. */
void rda_told_lost_came(struct rda_responder *responder, int64_t psn, bool asked,
			const struct rda_response *response, const struct rda_event_sink *sink);

#endif
