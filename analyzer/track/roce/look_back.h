/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that were taken for resends before the order of sending (sending_order.h) was known, and
 * what it says of them once it is.
 *
 *     identification   10   ..  10 | 11 .. 16 | 21
 *     PSN               9   ..   9 | 10 .. 15 | 16      other packets of the host have 17 to 20
 *
 * At 21 it is known that its sender counts, and sent nothing again: the second 9 is a copy.
 */
#ifndef RDA_LOOK_BACK_H
#define RDA_LOOK_BACK_H

#include "analyzer/track/roce/requester.h"

/* Packets that are taken for resends as long as the order of sending does not tell. */
struct rda_doubted {
	uint32_t count, allocated;
	struct {
		uint64_t frame;
		int64_t copied_ns; /* behind one with its identification: it was sent again, or is a
				      copy; RDA_NEVER_NS: none had passed */
	} items[];
};

/* More than these are not late: it is no order of sending that goes up with their PSNs. */
#define RDA_DOUBTED_MOST 4096

/*
 * What a request tells of those; `place` may be unknown. Where the order of sending is known now
 * and says that nothing was sent again before it, all of them were late, or copies
 * (RDA_EVENT_REORDERED or RDA_EVENT_MIRRORED of each, then RDA_EVENT_NONE_AGAIN). They stand where
 * it tells something else, or cannot be known any more. Until then rda_account_doubts_resends.
 */
void rda_look_back(struct rda_requester *requester, const struct rda_request *request,
		   int64_t place, const struct rda_event_sink *sink);

/* Whether a request with this place is to be given to it though nothing else is odd: no order of
 * sending is known any more that could say that the runs so far were none. */
static inline bool rda_look_back_waits(const struct rda_requester *requester, int64_t place)
{
	return requester->run.had && place == RDA_ORDER_UNKNOWN && !requester->looked_back;
}

/* The packet of a frame is taken for a resend; it looks as one that had passed so long before, or
 * as none (RDA_NEVER_NS). */
void rda_look_back_doubt(struct rda_requester *requester, uint64_t frame, int64_t copied_ns);

/* Nothing takes back any more what was told as resent. */
void rda_look_back_stands(struct rda_requester *requester);

/* A request was overtaken, if identifications tell the order of sending: that is not known yet. */
void rda_look_back_blind(struct rda_requester *requester, const struct rda_request *request,
			 const struct rda_event_sink *sink);

#endif
