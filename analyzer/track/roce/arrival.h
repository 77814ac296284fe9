/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which request a NAK answers, as far as the order tells in which requests passed the tap.
 *
 * Behind the tap the responder is assumed to see what passed in that order, or not at all. A NAK
 * names the PSN that was expected when a later one came, and says nothing of what came behind that
 * one: a resend that passed meanwhile crossed the NAK.
 *
 *     place   1  2  3  4  5    6      7   8   9
 *     PSN     6  7  8  9 10  NAK 7  | 7   8  NAK 7
 *
 * 7 at 2 was lost behind the tap: 8 is the trigger of the NAK at 6. That at 9 may have 8, at 3, or
 * 8, at 8, as its trigger: of 7 at 7 it tells nothing.
 *
 * What passed before a timer's run was answered in the silence, or not at all.
 *
 * The appearances of a request between its first and its latest are not remembered, so what is told
 * is the earliest place. A request that was overtaken behind the tap looks the same as a lost one.
 */
#ifndef RDA_ARRIVAL_H
#define RDA_ARRIVAL_H

#include "analyzer/track/roce/requester.h"

/* What the NAKs so far answered. */
struct rda_arrival {
	uint64_t from;	  /* when its PSN was expected, at the earliest: a place (meta.h) */
	uint64_t until;	  /* and at the latest; or NEVER */
	uint64_t trigger; /* the request that the latest NAK answers, at the earliest; or NEVER */
	uint64_t taken;	  /* what the latest NAK named passed again, at the earliest; or NEVER */
	int64_t psn;	  /* of the latest NAK */
};

#define RDA_ARRIVAL_NEVER UINT64_MAX

/* A request that is not new passes toward the responder. */
static inline void rda_arrival_request(struct rda_arrival *arrival,
				       const struct rda_request *request)
{
	if (request->begin <= arrival->psn && arrival->psn < request->end &&
	    arrival->taken == RDA_ARRIVAL_NEVER)
		arrival->taken = request->frame;
}

/* A NAK for `psn`, which was not acknowledged before. */
void rda_arrival_nak(struct rda_arrival *arrival, const struct rda_requester *requester,
		     int64_t psn);

/*
 * An RNR NAK for `psn`: nothing behind it is expected before it passes again. It answers that
 * request itself, and so tells of no loss.
 */
void rda_arrival_rnr(struct rda_arrival *arrival, int64_t psn);

/* Of a request that a NAK names: it passed in its turn, and was lost behind the tap, or overtaken.
 */
bool rda_arrival_is_lost(const struct rda_arrival *arrival, const struct rda_sent *record);

/* A NAK may have been under way when the latest appearance of the request passed. */
static inline bool rda_arrival_has_crossed(const struct rda_arrival *arrival,
					   const struct rda_sent *record)
{
	return record->seen && record->last_frame > arrival->trigger;
}

#endif
