/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each request packet is, and the runs they make; requester.h has the reasoning, run_reason.c
 * why a run begins, run.c how, tally.c the sums.
 */
#include "analyzer/base/assert.h"
#include "analyzer/base/cold.h"
#include "analyzer/track/roce/begun.h"
#include "analyzer/track/roce/bound.h"
#include "analyzer/track/roce/copied.h"
#include "analyzer/track/roce/filling.h"
#include "analyzer/track/roce/late_in_run.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/look_back.h"
#include "analyzer/track/roce/overtaken.h"
#include "analyzer/track/roce/request_span.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/run_doubt.h"
#include "analyzer/track/roce/run_reason.h"
#include "analyzer/track/roce/selective.h"
#include "analyzer/track/roce/sent_log.h"
#include "analyzer/track/roce/tally.h"
#include "analyzer/track/roce/unshown.h"
#include "dissectors/opcode.h"

#include <glib.h>
#include <string.h>

void rda_requester_init(struct rda_requester *r, uint32_t cap)
{
	memset(r, 0, sizeof(*r));
	r->rare = &rda_requester_ordinary;
	r->heard = &rda_requester_unheard;
	rda_window_init(&r->window, cap);
	rda_tally_incomplete(r, INT64_MAX);
	rda_run_init(r);
	rda_time_ledger_init(&r->time);
	r->begun.agreed = -1;
}

void rda_requester_cleanup(struct rda_requester *r)
{
	rda_window_cleanup(&r->window);
	rda_requester_free_rare(r);
	rda_stall_cleanup(&r->stall);
	rda_time_ledger_cleanup(&r->time);
	if (r->heard != &rda_requester_unheard) {
		rda_messages_free(r->heard->assembly.times);
		g_free(r->heard->others);
		g_free((void *)r->heard);
	}
}

/* ---- what a packet is ------------------------------------------------------------------------ */

/* It is what was asked for, or goes on where the run at hand has come to. */
static bool is_expected(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_past_run *run = rda_past_run_newest(r);

	if (r->rare->run.ordinal != r->ordinal)
		return q->begin == r->rare->run.reached;
	return r->rare->run.due && run && run->low == q->begin;
}

/*
 * What came before, though behind later ones, was perhaps sent again already when it came first;
 * and what comes for the first time, where packets overtake each other, or the run at hand may be
 * none, is perhaps an original.
 */
static bool may_be_first(const struct rda_requester *r, const struct rda_sent *record)
{
	bool none = r->rare->run.doubted || r->run.trigger == RDA_TRIGGER_UNEXPLAINED;

	return (record->seen ? record->first_ns > record->sent_ns
			     : none || rda_requester_overtakes(r)) &&
	       !rda_sending_order_is_known(&r->order);
}

/* What precedes the first packet that was captured, and is answered: sent before the capture began,
 * and late, or sent again though its answer passed here. */
static bool may_precede(const struct rda_requester *r, const struct rda_request *q)
{
	return q->begin < r->begun.first && r->progress.acked_frame &&
	       q->begin < MIN(r->progress.acked, r->progress.incomplete) &&
	       !rda_sending_order_is_known(&r->order);
}

/* One packet of a resend run: what it covers was sent once more. */
static void resend(struct rda_requester *r, const struct rda_request *q, struct rda_sent *record,
		   const struct rda_event_sink *sink)
{
	struct rda_event event = {
		.kind = RDA_EVENT_RESENT,
		.trigger = r->run.trigger,
		.psn = q->begin,
		.frame = q->frame,
		.other_frame = record ? record->last_frame : 0,
		.cause_frame = r->rare->run.cause,
		.time_ns = q->time_ns,
		.wait_ns = record && record->seen ? q->time_ns - record->last_ns : -1,
		.doubted = rda_copied_perhaps(r, q, record),
	};
	bool alone = record && !is_expected(r, q); /* it goes on with no run */

	if (alone)
		rda_bound_alike(r, record, q);
	if (record && rda_copied_proves_nothing(r, q, record, alone, event.doubted))
		rda_bound_doubted(record);
	if (record ? may_be_first(r, record) : may_precede(r, q))
		rda_requester_rare(r)->counts.doubts.firsts++;
	rda_run_doubt(r, q, event.doubted);
	rda_emit(sink, &event);
	rda_copied_number(r, q);
	if (record && q->begin > r->rare->run.begin && q->begin == r->run.next)
		rda_selective_goes_on(r, q, record->seen > 0);
	if (q->begin < r->progress.acked && r->progress.acked_frame &&
	    !rda_requester_is_ghostly(r, q->begin) &&
	    !(record && rda_bound_doubt(r, record, q, sink))) {
		event.kind = RDA_EVENT_SPURIOUS;
		rda_tally_spurious(r);
		rda_emit(sink, &event);
	}
	rda_run_at(r, q->span_unknown && record ? record->end : q->end);
	if (!record) {
		/* of before the first packet: a message, perhaps, that was not counted */
		if (!r->progress.acked_frame)
			rda_tally_unseen(r, 1);
		rda_bound_forgotten(r, q, sink);
		return;
	}
	rda_run_fills(r, record);
	/* what a run from there repeats had been sent before: else all of it may come late */
	if (r->rare->run.begin == r->rare->lost && record->seen && q->begin == r->begun.first) {
		rda_tally_first_lost(r, sink);
		rda_requester_rare(r)->lost = INT64_MIN;
	}
	if (record->unseen && rda_requester_shown_late(r, q->time_ns)) /* what was acknowledged */
		rda_tally_found(r, record, q, sink);
	rda_tally_sent(record);
	rda_past_run_counts(r, NULL, record);
	rda_tally_appear(r, record, q);
	record->again = true;
}

/* A PSN that never appeared does now: late, or resent. */
static enum rda_request_kind fill(struct rda_requester *r, const struct rda_request *q,
				  struct rda_sent *record, const struct rda_event_sink *sink)
{
	enum rda_request_kind kind = rda_filling_packet(r, q, record, sink);

	if (kind == RDA_REQUEST_RESENT) {
		rda_run_begin(r, q, sink, 0);
		resend(r, q, rda_tally_find(r, q), sink);
	}
	return kind;
}

/*
 * It is what the run at hand would send next, and the oldest that is not answered; but both sides
 * have been silent for so long that a timer sends it: any timer, where all of the run may be
 * copies.
 */
static bool follows_silence(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t oldest = MIN(r->progress.acked, r->progress.incomplete);
	int64_t within = r->rare->run.doubted ? RDA_TIMER_IN_USE_NS : rda_requester_prompt(r);

	return r->run.trigger != RDA_TRIGGER_NONE && q->begin == r->run.next &&
	       q->begin <= oldest && oldest < q->end &&
	       q->time_ns - MAX(r->progress.last_ns,
				MAX(r->progress.moved_ns, r->heard->answers.next_ns)) >
		       within &&
	       !rda_requester_overtakes(r);
}

void rda_requester_copied(struct rda_requester *r, const struct rda_request *q, uint64_t ordinal,
			  const struct rda_event_sink *sink)
{
	rda_bound_copied(r, q, sink);
	if (r->window.lean)
		return;
	rda_copied_note(r, q);
	rda_filling_copied(r, q, ordinal);
	rda_run_copied(r, q, ordinal);
}

/* At or behind what was sent before. `latest`: it is known to be sent after all that passed. */
RDA_COLD static enum rda_request_kind go_back(struct rda_requester *r, const struct rda_request *q,
					      bool latest, const struct rda_event_sink *sink,
					      uint64_t *original)
{
	struct rda_sent *record;

	rda_request_span_mend(r, q, sink);
	record = rda_tally_find(r, q);
	rda_requester_behind(r, record, q);
	*original = record ? record->last_frame : 0;
	if (record && follows_silence(r, q)) {
		rda_filling_give_up(r, q, sink);
		rda_run_begin(r, q, sink, *original);
		resend(r, q, rda_tally_find(r, q), sink);
		return RDA_REQUEST_RESENT;
	}
	if (record && record->seen == 0 && !latest) {
		if (r->run.trigger == RDA_TRIGGER_NONE || q->begin != r->run.next)
			return fill(r, q, record, sink);
		resend(r, q, record, sink);
		return RDA_REQUEST_RESENT;
	}
	if (!record && !latest && rda_copied_before_the_first(r, q)) {
		r->begun.first = r->progress.next; /* or a run that began before the capture did */
		rda_filling_doubt(r, true, rda_filling_is_ahead(r));
		rda_tally_emit(sink, RDA_EVENT_REORDERED, q, q->begin, 1, 0);
		return RDA_REQUEST_REORDERED;
	}
	if (!latest && rda_late_in_run(r, q, sink))
		return RDA_REQUEST_RESENT;
	if (record && !latest && rda_copied_late_in_run(r, record, q)) {
		rda_requester_rare(r)->counts.doubts.copies += rda_copied_perhaps(r, q, record);
		rda_filling_late(r, q, record, sink);
		return RDA_REQUEST_RESENT;
	}
	if (record && !latest && rda_copied_late_original(r, record, q))
		return rda_filling_late(r, q, record, sink);
	if (record && !latest && rda_copied_by_time(r, record, q)) {
		int64_t *within_ns = &rda_requester_rare(r)->counts.copied_ns;

		*within_ns = MAX(*within_ns, q->time_ns - record->last_ns);
		rda_requester_copied(r, q, r->ordinal - 1, sink);
		rda_tally_emit(sink, RDA_EVENT_MIRRORED, q, q->begin, 1, record->last_frame);
		record->last_ns = q->time_ns;
		return RDA_REQUEST_MIRRORED;
	}
	if (rda_filling_is_run(r, record, q, latest)) {
		rda_filling_confirm(r, q, sink);
	} else if (q->begin != r->run.next || r->run.trigger == RDA_TRIGGER_NONE) {
		rda_filling_give_up(r, q, sink);
		rda_run_begin(r, q, sink, *original);
		if (!record && r->run.trigger == RDA_TRIGGER_TIMEOUT)
			rda_requester_first_named(r, q->begin);
	}
	resend(r, q, rda_tally_find(r, q), sink);
	return RDA_REQUEST_RESENT;
}

/* Ahead of where the run is: a hole, in resent or in new PSNs. */
RDA_COLD static void jump_ahead(struct rda_requester *r, const struct rda_request *q,
				const struct rda_event_sink *sink)
{
	int64_t end = MIN(q->begin, r->progress.next);
	uint8_t kind = r->rare->run.kind;
	bool goes_back = (r->rare->goes_back & kind) == kind || rda_requester_overtakes(r);

	rda_run_leaves_out(r);
	if (goes_back && r->run.trigger != RDA_TRIGGER_NONE && rda_overtaken_in_turn(r, q) &&
	    rda_sending_order_is_dense(&r->order) && end - r->run.next <= RDA_SENT_LOG_CAP)
		rda_overtaken_missed(r, r->run.next, end, q, sink);
	else
		rda_tally_skip(r, r->run.next, end, false, NULL);
	rda_selective_jumps(r, r->run.next, end);
	rda_late_in_run_jumps(r);
	if (q->begin > r->progress.next) {
		rda_tally_emit(sink, RDA_EVENT_GAP, q, r->progress.next,
			       (uint64_t)(q->begin - r->progress.next), 0);
		rda_tally_hole(r, q->begin, q->time_ns);
		rda_begun_behind_hole(r, q);
		if (r->heard->answers.unseen > r->progress.acked &&
		    !r->heard->answers.refuted) /* no run can have begun with that */
			rda_overtaken_settle(r, q, q->begin, sink);
	}
	rda_run_at(r, q->begin);
}

RDA_COLD static void start(struct rda_requester *r, const struct rda_request *q)
{
	rda_tally_start(r, q->begin, q->time_ns);
	rda_run_at(r, q->begin);
	r->begun.first_ns = q->time_ns;
	rda_begun_as_agreed(r, q);
	r->begun.first = r->progress.acked;
	r->begun.is_whole = q->roles & RDA_ROLE_FIRST || r->begun.first < q->begin;
	if (!(q->roles & RDA_ROLE_FIRST))
		rda_tally_begun(r); /* before the capture */
}

/* Behind what was sent later. What is new, and no run overtook, was sent in order. */
static inline bool is_overtaken(const struct rda_requester *r, const struct rda_request *q,
				int64_t place)
{
	return place != RDA_ORDER_UNKNOWN && place <= r->order.before &&
	       (q->begin < r->progress.next || r->run.trigger != RDA_TRIGGER_NONE ||
		rda_run_overtook(r, place));
}

/* New, in order, in a connection without anything odd, as nearly all are. */
static inline bool is_ordinary(const struct rda_requester *r, const struct rda_request *q,
			       int64_t place)
{
	return q->begin == r->progress.next && q->begin == r->run.next &&
	       r->heard->answers.unseen <= q->begin && r->run.trigger == RDA_TRIGGER_NONE &&
	       !r->stall.open && !rda_run_overtook(r, place) && !rda_look_back_waits(r, place) &&
	       rda_lean_takes(&r->window, q);
}

/* A new request, at or behind the end of all others. */
RDA_INLINE void take_new(struct rda_requester *r, const struct rda_request *q, bool lean)
{
	rda_run_over(r, q->begin);
	if (lean)
		rda_tally_lean(r, q);
	else
		rda_tally_new(r, q);
	rda_run_at(r, q->end);
	rda_tally_moved(r, q->time_ns);
}

/* What is not new, and was not overtaken as far as its place tells. */
static enum rda_request_kind come_again(struct rda_requester *r, const struct rda_request *q,
					int64_t place, const struct rda_event_sink *sink,
					uint64_t *original)
{
	struct rda_sent *record = rda_window_of(&r->window, q->begin);
	bool copy = rda_copied_looks_so(record, q), damaged = record && record->damaged;
	int64_t copied_ns = copy ? q->time_ns - record->last_ns : RDA_NEVER_NS;
	bool unlike = record && (!record->seen || damaged);
	struct rda_past_run *run = NULL;
	enum rda_request_kind kind;

	rda_sent_log_catch_up(r, place);
	if (place != RDA_ORDER_UNKNOWN && record && !copy)
		run = rda_overtaken_goes_on(r, q, place);
	if (run) {
		*original = record->last_frame;
		kind = rda_overtaken_resend(r, q, place, run, record, sink);
	} else {
		kind = go_back(r, q, place != RDA_ORDER_UNKNOWN, sink, original);
	}
	rda_request_span_new_part(r, q);
	rda_sent_log_add(r, q, place);
	rda_unshown_logged(r, q, place, sink);
	if (kind == RDA_REQUEST_RESENT && unlike)
		rda_requester_rare(r)->counts.doubts.unlike++;
	if (kind == RDA_REQUEST_RESENT && damaged) /* its first place is not known */
		rda_look_back_stands(r);
	if (kind == RDA_REQUEST_RESENT)
		rda_look_back_doubt(r, q->frame, copied_ns);
	return kind;
}

/* A request in a connection where something is odd. Out of line: the way of all others is shorter.
 */
RDA_APART static enum rda_request_kind take_odd(struct rda_requester *r,
						const struct rda_request *q, int64_t place,
						const struct rda_event_sink *sink,
						uint64_t *original)
{
	enum rda_request_kind kind = RDA_REQUEST_NEW;
	const uint64_t dropped = r->window.dropped;

	rda_window_thicken(&r->window);
	if (r->ordinal == 1)
		rda_window_begins_with(&r->window, q);
	rda_request_span_settle(r, q);
	if (r->heard->answers.unseen > q->begin)
		rda_overtaken_by_answer(r, q);
	if (!r->looked_back)
		rda_look_back(r, q, place, sink);
	place = rda_copied_place(r, q, place);
	if (place == RDA_ORDER_UNKNOWN && rda_sending_order_is_behind(&r->order, q->ip_id))
		rda_look_back_blind(r, q, sink);
	if (is_overtaken(r, q, place)) {
		rda_request_span_mend(r, q, sink);
		rda_sent_log_catch_up(r, place);
		kind = rda_overtaken_packet(r, q, place, sink, original);
		rda_sent_log_add(r, q, place);
		rda_unshown_logged(r, q, place, sink);
		rda_tally_packet(r, kind, q->time_ns);
		return kind;
	}
	if (q->begin > r->run.next && !rda_copied_like_its_run(r, q) && !rda_run_is_asked(r, q) &&
	    (q->begin >= r->progress.next || r->run.trigger != RDA_TRIGGER_NONE))
		jump_ahead(r, q, sink);
	if (q->begin >= r->progress.next) {
		/* all was answered, and it goes on: it was the answer that had been lost */
		if (r->stall.open && r->progress.acked == r->progress.next &&
		    r->progress.incomplete == INT64_MAX)
			rda_requester_progress(r, q->time_ns, q->frame, sink);
		if (r->rare->filling.unasked)
			rda_filling_give_up(r, q, sink);
		take_new(r, q, false);
		if (r->heard->answers.unseen > q->begin)
			rda_overtaken_answered(r, q, sink);
	} else {
		kind = come_again(r, q, place, sink, original);
	}
	r->unplaced = 0;
	rda_tally_packet(r, kind, q->time_ns);
	RDA_ASSERT(r->run.next <= r->progress.next);
	RDA_ASSERT(r->rare->filling.begin <= r->rare->filling.next);
	if (r->window.dropped != dropped)
		rda_tally_emit(sink, RDA_EVENT_WINDOW_CAP, q, q->begin, r->window.dropped - dropped,
			       0);
	return kind;
}

enum rda_request_kind rda_requester_packet(struct rda_requester *r, const struct rda_request *q,
					   const struct rda_event_sink *sink, uint64_t *original)
{
	int64_t place;

	*original = 0;
	r->ordinal++;
	if (!r->run.started)
		start(r, q);
	rda_tally_time(r, q);
	place = rda_sending_order_of(&r->order, q->ip_id, q->begin, q->time_ns);
	if (!is_ordinary(r, q, place))
		return take_odd(r, q, place, sink, original);
	take_new(r, q, true);
	r->unplaced = 0;
	rda_tally_packet(r, RDA_REQUEST_NEW, q->time_ns);
	return RDA_REQUEST_NEW;
}

void rda_requester_first_named(struct rda_requester *r, int64_t psn)
{
	if (!r->progress.acked_frame && psn < r->progress.acked &&
	    r->progress.acked - psn <= RDA_FIRST_PSNS && rda_window_find(&r->window, psn) < 0)
		rda_requester_rare(r)->lost = psn;
}

void rda_requester_damaged(struct rda_requester *r, int64_t time_ns, uint64_t frame, uint16_t ip_id)
{
	struct rda_request q = {
		.begin = r->run.next,
		.end = r->run.next + 1,
		.time_ns = time_ns,
		.frame = frame,
		.ip_id = (uint16_t)r->order.latest, /* sent behind that, as it is taken */
		.own_id = ip_id,
		.damaged = true,
	};

	if (!r->run.started)
		return;
	rda_window_thicken(&r->window);
	if (q.begin >= r->progress.next) {
		rda_request_span_covered(r);
		rda_tally_new(r, &q);
	} else {
		struct rda_sent *record = rda_tally_find(r, &q);

		if (record) {
			q.end = MAX(q.end, record->end); /* a READ takes more than one PSN */
			rda_tally_sent(record);
			rda_tally_appear(r, record, &q);
		}
	}
	if (!r->unplaced++)
		rda_requester_rare(r)->sound_ns = r->progress.last_ns;
	rda_run_at(r, q.end);
	rda_tally_damaged(r);
	r->progress.last_ns = time_ns;
}

void rda_requester_progress(struct rda_requester *r, int64_t time_ns, uint64_t frame,
			    const struct rda_event_sink *sink)
{
	struct rda_event event = {
		.kind = RDA_EVENT_RECOVERED,
		.trigger = r->stall.trigger,
		.psn = r->progress.acked,
		.frame = frame,
		.time_ns = time_ns,
		.wait_ns = rda_stall_progress(&r->stall, time_ns),
	};

	if (event.wait_ns >= 0)
		rda_emit(sink, &event);
}
