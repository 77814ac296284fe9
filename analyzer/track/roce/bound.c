/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bound is kept in the records: an appearance raises it for what precedes it, down to the first
 * that has it already, as it never rises from one PSN to the next.
 */
#include "analyzer/track/roce/bound.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/copies.h"
#include "analyzer/track/roce/sent_room.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

RDA_COLD void rda_bound_alike(const struct rda_requester *r, struct rda_sent *record,
			      const struct rda_request *q)
{
	record->alike += record->seen && record->alike < UINT8_MAX && record->icrc == q->icrc &&
			 record->ip_id == q->ip_id && q->time_ns - record->last_ns < RDA_COPY_NS &&
			 !rda_sending_order_is_known(&r->order);
}

RDA_COLD void rda_bound_doubted(struct rda_sent *record)
{
	record->doubted += record->doubted < UINT8_MAX;
}

RDA_COLD void rda_bound_appeared(struct rda_requester *r, const struct rda_sent *record)
{
	int64_t index = rda_window_find(&r->window, record->begin);
	uint8_t unlike = (uint8_t)(record->seen - MIN(record->alike, record->seen - 1));
	uint8_t least = (uint8_t)(record->seen - MIN(record->doubted, record->seen - 1));

	for (; index-- > (int64_t)r->settled;) {
		struct rda_sent *before = rda_window_at(&r->window, index);

		if (before->least >= least && before->unlike >= unlike)
			return;
		before->least = MAX(before->least, least);
		before->unlike = MAX(before->unlike, unlike);
	}
}

/* So often it was sent for certain. Others were copied or came late: then some may be copies. */
static uint8_t least_of(const struct rda_requester *r, const struct rda_sent *record)
{
	return rda_requester_overtakes(r) || r->rare->counts.packets[RDA_REQUEST_MIRRORED]
		       ? record->unlike
		       : record->least;
}

/*
 * What looks as another one did was made by a mirror, or by the network: its sender does not make
 * identifications of the PSN, so what is sent again has another one.
 */
static bool are_copies_unsent(const struct rda_requester *r)
{
	return r->order.not_of_the_psn && !r->order.odd;
}

void rda_bound_copied(struct rda_requester *r, const struct rda_request *q,
		      const struct rda_event_sink *sink)
{
	int64_t index = r->window.lean ? -1 : rda_window_find(&r->window, q->begin);
	struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	if (!record)
		return;
	if (!are_copies_unsent(r))
		rda_bound_doubt(r, record, q, sink);
	rda_requester_rare(r)->counts.copied_again += record->copied > 0;
	record->copied += record->copied < UINT8_MAX;
}

/* So many transmissions of each of its PSNs were lost; `spare`: had been taken before. */
static void tell_lost(struct rda_requester *r, struct rda_sent *record, uint64_t times, bool spare,
		      const struct rda_request *at, const struct rda_event_sink *sink)
{
	uint64_t packets = rda_tally_packets_of(record) * times;
	struct rda_event event = {
		.kind = RDA_EVENT_LOST_BEFORE,
		.trigger = RDA_TRIGGER_NONE,
		.psn = record->begin,
		.count = packets,
		.frame = at->frame,
		.other_frame = record->first_frame,
		.time_ns = at->time_ns,
		.wait_ns = -1,
		.doubted = spare,
	};

	if (!times)
		return;
	rda_requester_rare(r)->counts.lost_before += packets;
	record->spare += spare;
	rda_emit(sink, &event);
}

/*
 * Of this record the order of sending has told all along which runs there were: not only since some
 * of those that it overtook, or that overtook it, had passed.
 */
static bool is_order_known(const struct rda_requester *r, const struct rda_sent *record)
{
	return rda_sending_order_is_known(&r->order) && record->sent_ns > r->rare->blind_ns;
}

/* So many more transmissions of it there were for certain than passed; below 0: fewer. */
static int certain_of(const struct rda_requester *r, const struct rda_sent *record)
{
	int passed = record->seen + (are_copies_unsent(r) ? 0 : record->copied);

	return least_of(r, record) - MAX(passed, 1);
}

/* So many transmissions did not appear, as the runs tell. */
static void settle_missing(struct rda_requester *r, struct rda_sent *record, uint8_t missing,
			   const struct rda_request *at, const struct rda_event_sink *sink)
{
	uint64_t packets = rda_tally_packets_of(record);
	bool spare;

	if (rda_sending_order_is_known(&r->order))
		missing = MIN(missing, rda_sent_room(r, record));
	record->lost = is_order_known(r, record)
			       ? missing
			       : (uint8_t)CLAMP(certain_of(r, record), 0, missing);
	record->missing = (uint8_t)(missing - record->lost);
	rda_requester_rare(r)->counts.missing += packets * record->missing;
	spare = record->lost && record->missed && record->seen;
	tell_lost(r, record, record->lost - spare, false, at, sink);
	tell_lost(r, record, spare, true, at, sink);
	if (record->missing)
		rda_tally_emit(sink, RDA_EVENT_MISSING, at, record->begin,
			       packets * record->missing, record->first_frame);
}

void rda_bound_settle(struct rda_requester *r, struct rda_sent *record,
		      const struct rda_request *at, const struct rda_event_sink *sink)
{
	uint8_t appeared = MAX(record->seen, 1);

	if (record->sent > appeared)
		settle_missing(r, record, (uint8_t)(record->sent - appeared), at, sink);
	rda_bound_unshown(r, record, at, sink);
}

void rda_bound_missed(struct rda_requester *r, struct rda_sent *record,
		      const struct rda_request *at, const struct rda_event_sink *sink)
{
	if (record->lost == UINT8_MAX)
		return;
	if (rda_sending_order_is_known(&r->order) && record->lost >= rda_sent_room(r, record))
		return;
	record->lost++;
	tell_lost(r, record, 1, true, at, sink);
}

/* One that only identifications tell was lost; or has come, or the runs tell it. */
static void tell_unshown(struct rda_requester *r, const struct rda_sent *record,
			 enum rda_event_kind kind, const struct rda_request *at,
			 const struct rda_event_sink *sink)
{
	struct rda_event event = {
		.kind = (uint8_t)kind,
		.trigger = RDA_TRIGGER_NONE,
		.psn = record->begin,
		.count = 1,
		.frame = at->frame,
		.other_frame = record->first_frame,
		.time_ns = at->time_ns,
		.wait_ns = -1,
		.doubted = true,
		.overtaken = true,
	};

	if (kind == RDA_EVENT_FOUND)
		rda_requester_rare(r)->counts.lost_before--;
	else
		rda_requester_rare(r)->counts.lost_before++;
	rda_emit(sink, &event);
}

void rda_bound_unshown(struct rda_requester *r, struct rda_sent *record,
		       const struct rda_request *at, const struct rda_event_sink *sink)
{
	uint8_t known = (uint8_t)(record->lost + record->missing + record->unseen);
	uint8_t besides = 0;

	if (record->end <= r->progress.acked && !record->filled && record->unshown > known)
		besides = (uint8_t)(record->unshown - known);
	for (; record->besides < besides; record->besides++)
		tell_unshown(r, record, RDA_EVENT_LOST_BEFORE, at, sink);
	for (; record->besides > besides; record->besides--)
		tell_unshown(r, record, RDA_EVENT_FOUND, at, sink);
}

/* One that was told as lost is missing: lost, or late. */
static void tell_missing(struct rda_requester *r, const struct rda_request *q, uint64_t first_frame,
			 const struct rda_event_sink *sink)
{
	rda_requester_rare(r)->counts.lost_before--;
	rda_requester_rare(r)->counts.missing++;
	rda_tally_emit(sink, RDA_EVENT_FOUND, q, q->begin, 1, 0);
	rda_tally_emit(sink, RDA_EVENT_MISSING, q, q->begin, 1, first_frame);
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
		tell_missing(r, q, record->first_frame, sink);
	}
	return true;
}

struct remembered {
	uint64_t lost, missing;
};

/* Of what is told as lost or missing: packets whose records are remembered, and may yet be found.
 */
static struct remembered remembered(const struct rda_requester *r)
{
	struct remembered some = {0};

	for (uint32_t i = 0; i < r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);

		if (record->lost || record->missing) {
			some.lost += rda_tally_packets_of(record) * record->lost;
			some.missing += rda_tally_packets_of(record) * record->missing;
		}
		some.lost += record->besides;
	}
	return some;
}

void rda_bound_forgotten(struct rda_requester *r, const struct rda_request *q,
			 const struct rda_event_sink *sink)
{
	struct remembered some;

	if (q->begin < r->begun.first)
		return;
	some = remembered(r);
	if (r->rare->counts.lost_before > some.lost)
		tell_missing(r, q, 0, sink);
	else if (r->rare->counts.missing <= some.missing)
		return;
	rda_requester_rare(r)->counts.doubts.firsts++; /* then it was not sent again */
}

/* More were told as lost than are certain, now that it has appeared once more. */
static bool is_less_certain(const struct rda_requester *r, const struct rda_sent *record)
{
	return record->lost && !is_order_known(r, record) && record->lost > certain_of(r, record);
}

void rda_bound_found(struct rda_requester *r, struct rda_sent *record, const struct rda_request *q,
		     const struct rda_event_sink *sink)
{
	if (record->missing && !is_less_certain(r, record)) {
		record->missing--;
		rda_requester_rare(r)->counts.missing--;
		rda_tally_emit(sink, RDA_EVENT_MISSING_FOUND, q, q->begin, 1, 0);
	} else if (record->lost) {
		struct rda_event event = {
			.kind = RDA_EVENT_FOUND,
			.trigger = RDA_TRIGGER_NONE,
			.psn = q->begin,
			.count = 1,
			.frame = q->frame,
			.time_ns = q->time_ns,
			.wait_ns = -1,
			.doubted = record->spare > 0,
		};

		record->lost--;
		record->spare -= record->spare > 0;
		rda_requester_rare(r)->counts.lost_before--;
		rda_emit(sink, &event);
	}
}
