/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hole in the PSNs of a requester that is being filled: by packets that come late, or by a run of
 * resends whose first packets had not appeared before. What comes next tells:
 *
 *     10 12 13  NAK 11  11 | 12 13      a run: what follows the hole is sent again
 *     10 12 13  NAK 11  11 | 14 15      11 came late
 *
 * The same after a silence in which a timer may have fired, without a NAK: as long as nothing was
 * late before. Until it is clear the packets count as reordered.
 */
#ifndef RDA_FILLING_H
#define RDA_FILLING_H

#include "analyzer/track/roce/requester.h"

/*
 * A PSN that never appeared does now. RESENT: a run begins with it, which is the caller's part;
 * REORDERED: it came late, or is not clear yet.
 */
enum rda_request_kind rda_filling_packet(struct rda_requester *requester,
					 const struct rda_request *request, struct rda_sent *record,
					 const struct rda_event_sink *sink);

/*
 * Whether a request that passed before tells that what filled the hole was a run. `latest`: the
 * order of sending is known by now; then it was one unless something was overtaken.
 */
bool rda_filling_is_run(const struct rda_requester *requester, const struct rda_sent *record,
			const struct rda_request *request, bool latest);

/* They were a run after all, and so was what it does not show before the request. */
void rda_filling_confirm(struct rda_requester *requester, const struct rda_request *request,
			 const struct rda_event_sink *sink);

/* All that has filled the hole at hand so far is this one. */
static inline bool rda_filling_is_all(const struct rda_requester *requester,
				      const struct rda_sent *record)
{
	return record->begin == requester->rare->filling.begin &&
	       record->end == requester->rare->filling.next;
}

/*
 * It was sent again, as its original has this place in the order of sending, which is known by now:
 * a run began with it. Returns that.
 */
struct rda_past_run *rda_filling_was_run(struct rda_requester *requester,
					 const struct rda_sent *record, int64_t place,
					 const struct rda_event_sink *sink);

/* They were late: the run is another. */
void rda_filling_give_up(struct rda_requester *requester, const struct rda_request *request,
			 const struct rda_event_sink *sink);

/* The request at hand has a later identification than all that passed before it. */
static inline bool rda_filling_is_ahead(const struct rda_requester *requester)
{
	return requester->order.latest > requester->order.before;
}

/*
 * What came late may have been sent again (`doubted`), as nothing tells the order of sending so
 * far. If something does later on, that tells whether it was: `ahead`.
 */
static inline void rda_filling_doubt(struct rda_requester *requester, bool doubted, bool ahead)
{
	if (doubted)
		rda_requester_rare(requester)->late_doubted = true;
	if (ahead)
		rda_requester_rare(requester)->late_ahead = true;
}

/*
 * A copy of what follows the late packet passes right behind that: it may be a run of resends, with
 * the identifications that its packets had. `ordinal`: of the request before the copy.
 */
void rda_filling_copied(struct rda_requester *requester, const struct rda_request *request,
			uint64_t ordinal);

/*
 * Nearly all have copies by now, as a mirror shows them that copies all: one more tells nothing.
 * Half may be a run of resends with the identifications of what they repeat, and so may the first
 * few.
 */
static inline bool rda_filling_is_mirrored(const struct rda_requester *requester)
{
	uint64_t copied = requester->rare->counts.packets[RDA_REQUEST_MIRRORED];

	return copied >= 6 && copied * 8 >= (requester->ordinal - 1) * 7;
}

/* What precedes it has just passed once more: that was no copy, perhaps, but a run that this goes
 * on with. */
static inline bool rda_filling_follows_copy(const struct rda_requester *requester,
					    const struct rda_request *request)
{
	return !rda_filling_is_mirrored(requester) &&
	       request->begin == requester->rare->copied_next &&
	       request->time_ns - requester->rare->copied_ns < RDA_MIRROR_NS;
}

/* One that is known to come late. */
enum rda_request_kind rda_filling_late(struct rda_requester *requester,
				       const struct rda_request *request, struct rda_sent *record,
				       const struct rda_event_sink *sink);

/*
 * A NAK passes. A tap that shows one direction late shows it behind what its requester sent again:
 * what has just filled a hole was not late, perhaps.
 */
void rda_filling_asked(struct rda_requester *requester, int64_t psn, int64_t time_ns);

#endif
