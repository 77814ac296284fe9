/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bound is kept in the records: an appearance raises it for what precedes it, down to the first
 * that has it already, as it never rises from one PSN to the next.
 */
#include "analyzer/track/roce/bound.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

RDA_COLD void rda_bound_appeared(struct rda_requester *r, const struct rda_sent *record)
{
	int64_t index = rda_window_find(&r->window, record->begin);

	for (; index-- > (int64_t)r->settled;) {
		struct rda_sent *before = rda_window_at(&r->window, index);

		if (before->least >= record->seen)
			return;
		before->least = record->seen;
	}
}

void rda_bound_copied(struct rda_requester *r, const struct rda_request *q,
		      const struct rda_event_sink *sink)
{
	int64_t index = r->window.lean ? -1 : rda_window_find(&r->window, q->begin);
	struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	if (!record)
		return;
	rda_bound_doubt(r, record, q, sink);
	record->copied += record->copied < UINT8_MAX;
}

void rda_bound_settle(struct rda_requester *r, struct rda_sent *record, uint8_t missing,
		      const struct rda_request *at, const struct rda_event_sink *sink)
{
	uint64_t packets = rda_tally_packets_of(record);
	int certain = record->least - MAX(record->seen + record->copied, 1);

	record->lost = rda_sending_order_is_known(&r->order) ? missing
							     : (uint8_t)CLAMP(certain, 0, missing);
	record->missing = (uint8_t)(missing - record->lost);
	if (!missing)
		return;
	rda_requester_rare(r)->counts.lost_before += packets * record->lost;
	rda_requester_rare(r)->counts.missing += packets * record->missing;
	if (record->lost)
		rda_tally_emit(sink, RDA_EVENT_LOST_BEFORE, at, record->begin,
			       packets * record->lost, record->first_frame);
	if (record->missing)
		rda_tally_emit(sink, RDA_EVENT_MISSING, at, record->begin,
			       packets * record->missing, record->first_frame);
}

bool rda_bound_doubt(struct rda_requester *r, struct rda_sent *record, const struct rda_request *q,
		     const struct rda_event_sink *sink)
{
	if (rda_sending_order_is_known(&r->order) || !(record->lost || record->missing) ||
	    q->time_ns - record->last_ns > rda_requester_patience(r))
		return false;
	if (record->lost) {
		record->lost--;
		record->missing++;
		rda_requester_rare(r)->counts.lost_before--;
		rda_requester_rare(r)->counts.missing++;
		rda_tally_emit(sink, RDA_EVENT_FOUND, q, q->begin, 1, 0);
		rda_tally_emit(sink, RDA_EVENT_MISSING, q, q->begin, 1, record->first_frame);
	}
	return true;
}

void rda_bound_found(struct rda_requester *r, struct rda_sent *record, const struct rda_request *q,
		     const struct rda_event_sink *sink)
{
	if (record->missing) {
		record->missing--;
		rda_requester_rare(r)->counts.missing--;
		rda_tally_emit(sink, RDA_EVENT_MISSING_FOUND, q, q->begin, 1, 0);
	} else if (record->lost) {
		record->lost--;
		rda_requester_rare(r)->counts.lost_before--;
		rda_tally_emit(sink, RDA_EVENT_FOUND, q, q->begin, 1, 0);
	}
}
