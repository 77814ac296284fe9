/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many requests were lost before the tap for certain, where the order of sending is not known.
 *
 * A PSN that comes late looks like one that was lost and is sent again. But as long as nothing
 * behind a PSN is acknowledged, each run of resends begins there or before, and a go-back-N run has
 * no holes. So until its acknowledgment a PSN was sent as often as any later one appeared:
 *
 *     sent(x) >= most of seen(y), y > x        lost(x) >= sent(x) - seen(x)
 *
 *     5  7  8  NAK 6  6  7  8  ACK 8           8 appeared twice and 6 once: one of it was lost
 *     5  7  8  NAK 6  6  9     ACK 9           6 was late, or lost and sent again
 *
 * What the runs of requester.h tell beyond that is missing: lost, or overtaken. A PSN that comes
 * when it was acknowledged may be what was counted as lost, so no loss of it is certain then.
 * Where identifications tell the order of sending (sending_order.h) all that is missing was lost:
 * what comes late is recognised.
 */
#ifndef RDA_BOUND_H
#define RDA_BOUND_H

#include "analyzer/track/roce/requester.h"

/*
 * An appearance is going to be counted that nobody asked for and that goes on with no run: where it
 * looks as the one before it did, and comes as soon behind as a copy does, the network may have
 * made it. Where others were copied or came late it proves no transmission of what precedes it.
 */
void rda_bound_alike(const struct rda_requester *requester, struct rda_sent *record,
		     const struct rda_request *request);

/* The same, of one alone, where a NAK asked for another: it proves no transmission in any case. */
void rda_bound_doubted(struct rda_sent *record);

/* A record appeared once more: its `seen` has risen. */
void rda_bound_appeared(struct rda_requester *requester, const struct rda_sent *record);

/*
 * A packet was taken for a copy of one that appeared, unless the sender made it: the bound of its
 * PSN counts it as an appearance.
 */
void rda_bound_copied(struct rda_requester *requester, const struct rda_request *request,
		      const struct rda_event_sink *sink);

/* A record is acknowledged: what of it did not appear, as the runs and identifications tell. */
void rda_bound_settle(struct rda_requester *requester, struct rda_sent *record,
		      const struct rda_request *at, const struct rda_event_sink *sink);

/* One more transmission of an acknowledged record, which did not come: the order is known. */
void rda_bound_missed(struct rda_requester *requester, struct rda_sent *record,
		      const struct rda_request *at, const struct rda_event_sink *sink);

/*
 * So many transmissions of a record did not come, as identifications tell (unshown): what the runs
 * do not tell of these is told as lost once it is acknowledged, or taken back.
 */
void rda_bound_unshown(struct rda_requester *requester, struct rda_sent *record,
		       const struct rda_request *at, const struct rda_event_sink *sink);

/* An acknowledged record appears again, before that is counted: true when it may be late. */
bool rda_bound_doubt(struct rda_requester *requester, struct rda_sent *record,
		     const struct rda_request *request, const struct rda_event_sink *sink);

/* What is not remembered any more passes once more: it may be one that was told as lost, and was
 * held back for long. */
void rda_bound_forgotten(struct rda_requester *requester, const struct rda_request *request,
			 const struct rda_event_sink *sink);

/* Something that was told as lost or missing was late: as lost, if fewer are certain to be, now
 * that it has appeared once more. */
void rda_bound_found(struct rda_requester *requester, struct rda_sent *record,
		     const struct rda_request *request, const struct rda_event_sink *sink);

#endif
