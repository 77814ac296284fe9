/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transmissions, appearances and what they come to; requester.h has the reasoning.
 */
#include "analyzer/track/roce/tally.h"

#include "analyzer/base/assert.h"
#include "analyzer/base/cold.h"
#include "analyzer/track/roce/arrival.h"
#include "analyzer/track/roce/bound.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/look_back.h"
#include "analyzer/track/roce/request_span.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/selective.h"

#include <glib.h>

void rda_tally_emit(const struct rda_event_sink *sink, enum rda_event_kind kind,
		    const struct rda_request *at, int64_t psn, uint64_t count, uint64_t other)
{
	struct rda_event event = {
		.kind = (uint8_t)kind,
		.trigger = RDA_TRIGGER_NONE,
		.psn = psn,
		.count = count,
		.frame = at->frame,
		.other_frame = other,
		.time_ns = at->time_ns,
		.wait_ns = -1,
	};

	rda_emit(sink, &event);
}

/* What holds between two packets. */
static void check(const struct rda_requester *r)
{
	const struct rda_window *window = &r->window;

	RDA_ASSERT(r->settled <= window->count);
	RDA_ASSERT(!window->count ||
		   rda_window_find(window, r->progress.next - 1) == (int64_t)window->count - 1);
	RDA_ASSERT(window->lean || r->settled == window->count ||
		   rda_window_at(window, r->settled)->end > r->progress.acked);
}

static void bump(uint8_t *counter)
{
	if (*counter < UINT8_MAX)
		(*counter)++;
}

/* ---- what was sent, and what appeared -------------------------------------------------------- */

/* Payload that is on its way as long as it is not acknowledged; a READ has none, but asks for it.
 */
static uint64_t flight_of(const struct rda_sent *record)
{
	return record->seen && !(record->roles & RDA_ROLE_READ) ? record->payload : 0;
}

/* At the cap what is settled makes room first: `dropped` is of those that are not. */
RDA_COLD static void make_room(struct rda_requester *r)
{
	for (; r->settled && r->window.count >= r->window.cap; r->settled--)
		rda_window_drop_first(&r->window);
	if (r->window.count && r->window.count >= r->window.cap)
		r->progress.flight_bytes -= flight_of(rda_window_at(&r->window, 0));
}

/* A record of what is sent for the first time, behind all others. */
static struct rda_sent *append(struct rda_requester *r, int64_t begin, int64_t end, int64_t time_ns)
{
	struct rda_sent *record;

	if (r->window.count >= r->window.cap)
		make_room(r);
	record = rda_window_append(&r->window);
	record->begin = begin;
	record->end = r->progress.next = end;
	record->sent_ns = time_ns;
	record->answer_ns = RDA_NEVER_NS;
	record->sent = 1;
	return record;
}

void rda_tally_hole(struct rda_requester *r, int64_t end, int64_t time_ns)
{
	int64_t begin = r->progress.next;

	append(r, begin, end, time_ns);
	rda_arrival_over(r, begin, end);
}

void rda_tally_new(struct rda_requester *r, const struct rda_request *q)
{
	RDA_ASSERT(q->begin < q->end);
	RDA_ASSERT(!r->window.count || q->begin == r->progress.next);
	rda_tally_appear(r, append(r, q->begin, q->end, q->time_ns), q);
}

void rda_tally_lean(struct rda_requester *r, const struct rda_request *q)
{
	if (q->roles & RDA_ROLE_FIRST)
		rda_tally_begun(r);
	rda_lean_append(&r->window, q, r->ordinal);
	r->progress.next = q->end;
	r->progress.flight_bytes += q->payload;
}

void rda_tally_appear(struct rda_requester *r, struct rda_sent *record, const struct rda_request *q)
{
	uint64_t before = flight_of(record);

	if (record->roles == 0 && q->roles & RDA_ROLE_FIRST)
		rda_tally_begun(r);
	if (record->seen == 0) {
		record->first_ns = q->time_ns;
		record->first_frame = q->frame;
	}
	record->psn = q->begin;
	record->last_ns = q->time_ns;
	record->last_frame = q->frame;
	record->ordinal = r->ordinal;
	record->va = q->va;
	record->rkey = q->rkey;
	record->length = q->length;
	record->extra = q->extra;
	record->icrc = q->icrc;
	record->ip_id = q->ip_id;
	record->own_id = q->own_id;
	record->opcode = q->opcode;
	record->payload = q->payload;
	record->roles = q->roles;
	record->ack_req = q->ack_req;
	record->span_unknown = q->span_unknown;
	record->length_unknown = q->length_unknown;
	record->damaged = q->damaged;
	if (q->damaged)
		rda_arrival_over(r, q->begin, q->end);
	record->missed = record->again = record->jumped = false;
	if (record->left_out && record->left_by == rda_past_runs_begun(r))
		record->left_out = 0; /* it comes late in the run */
	record->skipped = record->left_out ? record->skipped : record->left_before;
	bump(&record->seen);
	if (record->seen > 1 && !q->damaged)
		rda_bound_appeared(r, record);
	if (record->end > r->progress.acked)
		r->progress.flight_bytes += flight_of(record) - before;
}

void rda_tally_sent(struct rda_sent *record)
{
	bump(&record->sent);
}

static void count_flight(struct rda_requester *r)
{
	r->progress.flight_bytes = 0;
	for (uint32_t i = r->settled; i < r->window.count; i++)
		r->progress.flight_bytes += flight_of(rda_window_at(&r->window, i));
}

/* rda_window_split, and what is settled stays so. */
static int64_t split(struct rda_requester *r, int64_t index, int64_t begin, int64_t end)
{
	uint32_t count = r->window.count;
	uint64_t dropped = r->window.dropped;
	bool settled = index < (int64_t)r->settled;

	index = rda_window_split(&r->window, index, begin, end);
	dropped = r->window.dropped - dropped;
	if (settled)
		r->settled += (uint32_t)(r->window.count + dropped - count);
	r->settled -= (uint32_t)MIN(r->settled, dropped);
	if (dropped)
		count_flight(r);
	return index;
}

struct rda_sent *rda_tally_find(struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, q->begin);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	if (!record)
		return NULL;
	if (!record->seen)
		index = split(r, index, q->begin, MIN(q->end, record->end));
	record = rda_window_at(&r->window, index);
	/* what it was taken for when its first packet came damaged was shorter */
	if (record->begin == q->begin && record->end < q->end) {
		rda_tally_lengthen(r, index, q->end);
		index = rda_window_find(&r->window, q->begin);
	}
	return rda_window_at(&r->window, index);
}

uint64_t rda_tally_shorten(struct rda_requester *r, int64_t index, int64_t end)
{
	struct rda_sent *record = rda_window_at(&r->window, index);
	struct rda_sent hole = {
		.begin = end, .end = record->end, .answer_ns = RDA_NEVER_NS, .sent = 1};
	uint64_t ordinal = record->ordinal;

	hole.sent_ns = record->last_ns;
	index = split(r, index, end, record->end);
	*rda_window_at(&r->window, index) = hole;
	rda_arrival_over(r, hole.begin, hole.end);
	/* what was settled with a READ that was taken for longer than it is was none of it */
	if (r->progress.acked == hole.end && index + 1 == (int64_t)r->settled) {
		r->progress.acked = hole.begin;
		r->settled--;
	}
	return ordinal;
}

void rda_tally_lengthen(struct rda_requester *r, int64_t index, int64_t end)
{
	bool joined = false;

	while (index >= 0 && index + 1 < (int64_t)r->window.count) {
		const struct rda_sent *hole = rda_window_at(&r->window, index + 1);

		/* what came damaged, while the READ was not known to be so long, is its own */
		if ((hole->seen && !(hole->damaged && !hole->roles)) || hole->begin >= end)
			return;
		index = split(r, index + 1, hole->begin, MIN(end, hole->end)) - 1;
		if (index < 0)
			return;
		r->settled -= index + 1 < (int64_t)r->settled;
		rda_window_join(&r->window, index);
		joined = true;
	}
	/* all that followed came damaged, and was its own: it goes on behind that */
	if (joined && rda_window_at(&r->window, index)->end < end)
		rda_tally_extend(r, end);
}

void rda_tally_skip(struct rda_requester *r, int64_t begin, int64_t end, bool certain,
		    const struct rda_past_run *run)
{
	int64_t index;

	begin = MAX(begin, r->progress.acked);
	if (!run)
		rda_arrival_over(r, begin, end);
	if (begin >= end || (r->rare->counts.selective_repeat && !certain))
		return;
	index = rda_window_find(&r->window, begin);
	if (index < 0)
		return;
	for (; index < (int64_t)r->window.count; index++) {
		struct rda_sent *record = rda_window_at(&r->window, index);

		if (record->begin >= end)
			return;
		/* of a hole that reaches further, only this part */
		if (record->seen == 0 && (record->begin < begin || record->end > end)) {
			index = split(r, index, MAX(begin, record->begin), MIN(end, record->end));
			record = rda_window_at(&r->window, index);
		}
		if (run && rda_past_run_has_counted(r, run, record))
			continue; /* it passed before what was sent first */
		bump(&record->sent);
		rda_past_run_counts(r, run, record);
		if (!certain)
			bump(&record->skipped);
		record->missed |= certain;
		record->jumped = !certain && !rda_requester_overtakes(r) &&
				 r->run.trigger == RDA_TRIGGER_NAK && !r->rare->run.crossed &&
				 record->last_ns < r->rare->run.told_ns;
	}
}

/* ---- what it comes to ------------------------------------------------------------------------ */

/* Acknowledged, and not in the capture. */
RDA_COLD static void close_unseen(struct rda_requester *r, struct rda_sent *record,
				  const struct rda_request *at, const struct rda_event_sink *sink)
{
	uint64_t packets = rda_tally_packets_of(record);
	struct rda_event event = {
		.kind = RDA_EVENT_ACKED_UNSEEN,
		.trigger = RDA_TRIGGER_NONE,
		.psn = record->begin,
		.count = packets,
		.frame = at->frame,
		.time_ns = at->time_ns,
		.wait_ns = -1,
		.doubted = rda_request_span_may_have(r, r->settled),
	};

	record->unseen = true;
	record->first_ns = at->time_ns;
	rda_requester_rare(r)->counts.lost_by_capture += packets;
	rda_emit(sink, &event);
}

/* The sum of an acknowledged record. */
RDA_COLD static void close_record(struct rda_requester *r, struct rda_sent *record,
				  const struct rda_request *at, const struct rda_event_sink *sink)
{
	if (record->skipped && record->seen && record->jumped)
		rda_selective_note(r, record, at, sink);
	rda_window_forgive(record);
	if (record->perhaps && record->seen == 0 && record->sent == 1)
		return; /* before the capture's first packet: perhaps before the capture */
	if (record->seen == 0)
		close_unseen(r, record, at, sink);
	rda_bound_settle(r, record, at, sink);
}

void rda_tally_found(struct rda_requester *r, struct rda_sent *record, const struct rda_request *q,
		     const struct rda_event_sink *sink)
{
	uint64_t packets = rda_tally_packets_of(record);

	record->unseen = false;
	rda_requester_rare(r)->counts.lost_by_capture -= packets;
	rda_tally_emit(sink, RDA_EVENT_UNSEEN_FOUND, q, q->begin, packets, 0);
}

void rda_tally_overtaken(struct rda_requester *r, struct rda_sent *record,
			 const struct rda_request *q, bool is_known,
			 const struct rda_event_sink *sink)
{
	bool found = record->unseen && (is_known || rda_requester_shown_late(r, q->time_ns));

	if (found)
		rda_tally_found(r, record, q, sink);
	rda_tally_appear(r, record, q);
	if (!found)
		rda_bound_found(r, record, q, sink);
}

static void tell_filled(const struct rda_requester *r, const struct rda_sent *record,
			enum rda_trigger trigger, const struct rda_request *at,
			const struct rda_event_sink *sink)
{
	struct rda_event event = {
		.kind = RDA_EVENT_FILLED,
		.trigger = (uint8_t)trigger,
		.psn = record->begin,
		.count = 1,
		.frame = at->frame,
		.other_frame = record->first_frame,
		.cause_frame = r->rare->run.cause,
		.time_ns = at->time_ns,
		.wait_ns = -1,
	};

	rda_emit(sink, &event);
}

void rda_tally_filled(struct rda_requester *r, int64_t begin, int64_t end, enum rda_trigger trigger,
		      const struct rda_request *at, const struct rda_event_sink *sink)
{
	int64_t index = rda_window_find(&r->window, begin);
	bool resent = trigger != RDA_TRIGGER_NONE;

	for (; index >= 0 && index < (int64_t)r->window.count; index++) {
		struct rda_sent *record = rda_window_at(&r->window, index);

		if (record->begin >= end)
			return;
		if (resent && !record->filled) { /* the run had it, and it was lost again */
			rda_arrival_over(r, record->begin, record->end);
			bump(&record->sent);
			rda_past_run_counts(r, NULL, record);
			bump(&record->skipped);
		}
		if (!record->filled)
			continue;
		record->filled = record->unasked = false;
		if (resent) {
			rda_requester_rare(r)->counts.packets[RDA_REQUEST_REORDERED]--;
			rda_requester_rare(r)->counts.packets[RDA_REQUEST_RESENT]++;
			rda_requester_rare(r)->counts.doubts.unlike++;
			bump(&record->sent);
			rda_past_run_counts(r, NULL, record);
			record->again = true;
			tell_filled(r, record, trigger, at, sink);
			rda_look_back_doubt(r, record->first_frame, RDA_NEVER_NS);
		} else {
			struct rda_request late = {.time_ns = record->last_ns,
						   .frame = record->last_frame};

			rda_tally_emit(sink, RDA_EVENT_REORDERED, &late, record->begin, 1, 0);
		}
		if (index < (int64_t)r->settled)
			close_record(r, record, at, sink);
	}
}

void rda_tally_none_again(struct rda_requester *r, const struct rda_request *at,
			  const struct rda_event_sink *sink)
{
	struct rda_request_counts *counts = &rda_requester_rare(r)->counts;

	for (uint32_t i = 0; i < r->window.count; i++) {
		struct rda_sent *record = rda_window_at(&r->window, i);

		while (record->lost || record->missing)
			rda_bound_found(r, record, at, sink);
		record->sent = 1;
		record->skipped = record->left_before = 0;
		record->doubted = record->least = record->unlike = 0;
		record->jumped = record->filled = record->unasked = false;
	}
	counts->packets[RDA_REQUEST_REORDERED] += counts->packets[RDA_REQUEST_RESENT];
	counts->packets[RDA_REQUEST_RESENT] = counts->spurious = 0;
	counts->selective_repeat = false;
	counts->doubts = (struct rda_run_doubts){.after = counts->doubts.after};
	memset(counts->resends, 0, sizeof(counts->resends));
	rda_stall_none(&r->stall);
	rda_time_book_no_stall(r->time.book);
}

/* As rda_tally_settle, as long as the window is lean: all was sent once and seen once. */
static void settle_lean(struct rda_requester *r, const struct rda_request *at,
			const struct rda_event_sink *sink)
{
	struct rda_window *window = &r->window;

	while (window->lean && r->settled < window->count &&
	       window->first + r->settled < r->progress.acked) {
		const struct rda_lean_packet *packet = rda_lean_at(window, r->settled);
		uint16_t roles = rda_opcode_roles[packet->opcode];
		struct rda_sent record;

		r->message.done += (roles & RDA_ROLE_LAST) != 0;
		r->progress.flight_bytes -= rda_lean_payload(packet);
		if (!(roles & RDA_ROLE_MIDDLE) ||
		    !rda_message_goes_on(&rda_requester_heard(r)->assembly,
					 window->first + r->settled, rda_lean_time(window, packet),
					 rda_lean_payload(packet))) {
			rda_lean_record(window, r->settled, &record);
			rda_message_settled(&rda_requester_heard(r)->assembly, &record, at->time_ns,
					    at->frame, sink);
		}
		r->settled++;
	}
	if (window->lean && r->settled > RDA_SETTLED_KEPT) {
		rda_lean_drop(window, r->settled - RDA_SETTLED_KEPT);
		r->settled = RDA_SETTLED_KEPT;
	}
}

void rda_tally_settle(struct rda_requester *r, const struct rda_request *at,
		      const struct rda_event_sink *sink)
{
	int64_t psn = r->progress.acked;

	if (r->window.lean)
		settle_lean(r, at, sink);
	while (!r->window.lean && r->settled < r->window.count) {
		struct rda_sent *record = rda_window_at(&r->window, r->settled);

		if (record->end > psn) {
			/* part of a hole is settled with what lies below */
			if (record->begin >= psn || record->seen)
				break;
			record =
				rda_window_at(&r->window, split(r, r->settled, record->begin, psn));
		}
		if (record->roles == 0)
			rda_tally_unseen(r, (uint64_t)(record->end - record->begin));
		else if (record->roles & RDA_ROLE_LAST)
			r->message.done++;
		r->progress.flight_bytes -= flight_of(record);
		rda_selective_settled(r, r->settled, at, sink);
		/* nearly all were sent and seen once; of what was filled a run tells what it was */
		if (!record->filled &&
		    (record->sent != record->seen || record->skipped || record->unshown))
			close_record(r, record, at, sink);
		rda_message_settled(&rda_requester_heard(r)->assembly, record, at->time_ns,
				    at->frame, sink);
		r->settled++;
	}
	r->settled = rda_window_forget(&r->window, r->settled, RDA_SETTLED_KEPT, at->time_ns);
	check(r);
}

void rda_requester_settle(struct rda_requester *r, int64_t psn, int64_t time_ns, uint64_t frame,
			  const struct rda_event_sink *sink)
{
	struct rda_request at = {.time_ns = time_ns, .frame = frame};

	if (psn <= r->progress.acked)
		return;
	r->progress.acked = psn;
	r->progress.acked_ns = time_ns;
	r->progress.acked_frame = frame;
	rda_tally_moved(r, time_ns);
	rda_tally_settle(r, &at, sink);
	rda_requester_progress(r, time_ns, frame, sink);
}
