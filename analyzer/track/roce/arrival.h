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
 * What passed before a timer's run was answered in the silence, or not at all; unless the answers
 * behind it go on one by one with what passed before, and take far longer than answers do. Then
 * they may all be late, as where a host stood still, and the NAKs among them answer what passed
 * before, too.
 *
 * Of a PSN that was sent more than twice not all places are remembered. But whichever request the
 * NAK answers, if its run shows what the NAK names, it showed that before: and nothing of what
 * precedes it came in between. So it was expected then, and lost.
 *
 *     run 1   6  7  8     run 2   6  7  8     run 3   6  7  8     NAK 7
 *
 * One 7 of them was lost behind the tap: that of the run whose 8 arrived.
 *
 * The appearances of a request between its first and its latest are not remembered, so what is told
 * is the earliest place. A request that was overtaken behind the tap looks the same as a lost one.
 */
#ifndef RDA_ARRIVAL_H
#define RDA_ARRIVAL_H

#include "analyzer/track/roce/requester.h"

/* What the NAKs so far answered. */
struct rda_arrival_naks {
	uint64_t from;	  /* when its PSN was expected, at the earliest: a place (meta.h) */
	uint64_t until;	  /* and at the latest; or NEVER */
	uint64_t trigger; /* the request that the latest NAK answers, at the earliest; or NEVER */
	uint64_t taken;	  /* what the latest NAK named passed again, at the earliest; or NEVER */
	int64_t psn;	  /* of the latest NAK */
	int64_t ahead;	  /* what the latest NAK answers, where only one request can be that; or
			     INT64_MIN */
	bool shown;	  /* the run of its trigger shows that PSN, whichever it is */
};

struct rda_arrival {
	struct rda_arrival_naks naks;
	struct rda_arrival_naks late; /* were no silence answered in it */
};

#define RDA_ARRIVAL_NEVER UINT64_MAX
#define RDA_ARRIVAL_NO_NAKS                                                                        \
	{                                                                                          \
		.until = RDA_ARRIVAL_NEVER, .trigger = RDA_ARRIVAL_NEVER,                          \
		.taken = RDA_ARRIVAL_NEVER, .psn = INT64_MIN, .ahead = INT64_MIN,                  \
	}

static inline void rda_arrival_takes(struct rda_arrival_naks *naks,
				     const struct rda_request *request)
{
	if (request->begin <= naks->psn && naks->psn < request->end &&
	    naks->taken == RDA_ARRIVAL_NEVER)
		naks->taken = request->frame;
}

/* A request that is not new passes toward the responder. */
static inline void rda_arrival_request(struct rda_arrival *arrival,
				       const struct rda_request *request)
{
	rda_arrival_takes(&arrival->naks, request);
	rda_arrival_takes(&arrival->late, request);
}

/* The latest run shows what lies behind the PSNs of [begin, end), and not these. */
void rda_arrival_over(struct rda_requester *requester, int64_t begin, int64_t end);

/* A NAK for `psn`, which was not acknowledged before. */
void rda_arrival_nak(struct rda_arrival *arrival, const struct rda_requester *requester,
		     int64_t psn, int64_t time_ns);

/*
 * An RNR NAK for `psn`: nothing behind it is expected before the one that passed behind what this
 * answers. It answers that request itself, and so tells of no loss.
 */
void rda_arrival_rnr(struct rda_arrival *arrival, const struct rda_requester *requester,
		     int64_t psn, int64_t time_ns);

/* Of a request that a NAK names, before it is told: it had arrived, ahead of its turn, and the
 * responder did not keep it. */
bool rda_arrival_was_dropped(const struct rda_arrival *arrival, const struct rda_sent *record);

/* Of a request that a NAK names: it passed in its turn, and was lost behind the tap, or overtaken.
 */
bool rda_arrival_is_lost(const struct rda_arrival *arrival, const struct rda_sent *record);

/* A NAK may have been under way when the latest appearance of the request passed. */
static inline bool rda_arrival_has_crossed(const struct rda_arrival *arrival,
					   const struct rda_sent *record)
{
	return record->seen && record->last_frame > arrival->naks.trigger;
}

#endif
