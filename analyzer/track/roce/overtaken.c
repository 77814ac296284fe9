/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late originals and late resends; overtaken.h has the figure.
 */
#include "analyzer/track/roce/overtaken.h"

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/arrival.h"
#include "analyzer/track/roce/bound.h"
#include "analyzer/track/roce/copied.h"
#include "analyzer/track/roce/copies.h"
#include "analyzer/track/roce/filling.h"
#include "analyzer/track/roce/passed_first.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/run_cause.h"
#include "analyzer/track/roce/run_doubt.h"
#include "analyzer/track/roce/sent_log.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* Of so many packets that are missing one identification more may be missing, as that of an ACK. */
enum { IN_TURN_FOR_ANOTHER = 4 };

/* Of the PSNs [begin, end), as far as it is known which of them READs took; `most`: or more. */
static int64_t packets_of(const struct rda_requester *r, int64_t begin, int64_t end, int64_t most)
{
	const struct rda_window *window = &r->window;
	int64_t index = rda_window_find(window, begin), packets = 0;

	for (; index >= 0 && index < (int64_t)window->count && packets < most; index++) {
		const struct rda_sent *record = rda_window_at(window, index);

		if (record->begin >= end)
			break;
		packets += record->seen ? 1 : MIN(record->end, end) - MAX(record->begin, begin);
	}
	if (index < 0)
		return end - begin;
	return packets + MAX(end - r->progress.next, 0);
}

bool rda_overtaken_in_turn(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t step = r->order.latest - r->order.before, packets, others;

	if (!rda_sending_order_is_known(&r->order) || q->begin < r->run.next ||
	    step > RDA_SENT_LOG_CAP)
		return false;
	packets = packets_of(r, r->run.next, q->begin, step);
	others = step - 1 - packets;
	return others == 0 || (others > 0 && others <= packets / IN_TURN_FOR_ANOTHER);
}

/* A run from there would have shown, or lost, no more packets on its way than identifications were
 * passed over. */
static bool may_come_from(const struct rda_requester *r, int64_t begin, const struct rda_request *q,
			  int64_t step)
{
	return begin <= q->begin && packets_of(r, begin, q->begin, step) < step;
}

struct rda_past_run *rda_overtaken_goes_on(const struct rda_requester *r,
					   const struct rda_request *q, int64_t place)
{
	const struct rda_logged *before = rda_sent_log_before(r, place);
	struct rda_past_run *run = rda_past_run_before(r, place);
	int64_t step = before ? place - before->place : 0;

	if (!run || !run->behind_others || !before || r->run.trigger != RDA_TRIGGER_NONE ||
	    before->psn >= q->begin || before->place < run->first || before->psn < run->low ||
	    step > RDA_SENT_LOG_CAP)
		return NULL;
	if (may_come_from(r, MIN(r->progress.acked, r->progress.incomplete), q, step) ||
	    (r->rare->due.trigger != RDA_TRIGGER_NONE &&
	     may_come_from(r, r->rare->due.psn, q, step)))
		return NULL;
	return run;
}

/* A new PSN that a run of resends, sent after it, has overtaken. */
static enum rda_request_kind overtaken_by_a_run(struct rda_requester *r,
						const struct rda_request *q,
						const struct rda_event_sink *sink)
{
	int64_t next = r->progress.next;

	if (q->begin > next) {
		rda_tally_emit(sink, RDA_EVENT_GAP, q, next, (uint64_t)(q->begin - next), 0);
		rda_tally_hole(r, q->begin, q->time_ns);
	}
	rda_tally_emit(sink, RDA_EVENT_OVERTAKEN, q, q->begin, 1, 0);
	rda_tally_new(r, q);
	return RDA_REQUEST_NEW;
}

/*
 * No run sends a PSN twice: where this one has shown the PSN with a greater place, and that is of
 * no later run that is known, it was the beginning of another run.
 */
static void part_runs(struct rda_requester *r, const struct rda_request *q, int64_t place,
		      struct rda_past_run *run, const struct rda_sent *record,
		      const struct rda_event_sink *sink)
{
	int64_t shown = rda_sent_place(r, record), end = run->end, front = run->front;
	uint32_t number = run->number;
	struct rda_past_run *later;
	struct rda_request first = *q;

	if (!record->seen || shown <= place || shown >= end || q->begin >= run->high ||
	    rda_past_run_of(r, shown, q->begin) != run)
		return;
	first.frame = record->last_frame;
	first.time_ns = record->last_ns;
	run->end = shown;
	run->high = q->begin;
	later = rda_run_began(r, &first, shown, place, sink);
	later->end = end;
	later->number = number;
	later->front = front; /* what passed since may be new of itself */
}

/*
 * What a run seemed to send, and to jump over, behind all that it showed before `place`: another
 * one sent it, which began there with `q`, and so all that lies between. Returns behind what.
 */
static int64_t hand_over(struct rda_requester *r, const struct rda_request *q, int64_t place,
			 const struct rda_past_run *from, const struct rda_past_run *to)
{
	int64_t reached = q->end, begin = INT64_MAX, end = q->begin;

	for (uint32_t i = r->settled; i < r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);

		if (record->seen && rda_sent_place(r, record) >= from->first &&
		    rda_sent_place(r, record) < place)
			reached = record->end;
	}
	for (uint32_t i = r->settled; i < r->window.count; i++) {
		struct rda_sent *record = rda_window_at(&r->window, i);

		if (record->begin < reached || !rda_past_run_has_counted(r, from, record))
			continue;
		rda_past_run_hands_over(r, from, to, record);
		begin = MIN(begin, record->begin);
		end = record->end;
	}
	if (begin < end)
		rda_tally_skip(r, q->end, begin, false, to);
	return end;
}

/*
 * Of a run that has shown the PSN with a lesser place, and has gone on since: this begins another
 * one.
 */
static struct rda_past_run *next_run(struct rda_requester *r, const struct rda_request *q,
				     int64_t place, struct rda_past_run *run,
				     const struct rda_event_sink *sink)
{
	const struct rda_logged *shown = rda_sent_log_last(r, q->begin, run->first, place);
	int64_t end = run->end, front = run->front;
	struct rda_past_run before;

	if (!shown)
		return run;
	run->end = place;
	before = *run;
	run = rda_run_began(r, q, place, shown->place, sink);
	run->end = end;
	run->high = hand_over(r, q, place, &before, run);
	run->front = front;
	return run;
}

/* What was sent just before it does not lie below it, or is not known: a run begins with it. */
static bool begins(const struct rda_requester *r, const struct rda_request *q, int64_t place)
{
	const struct rda_logged *before = rda_sent_log_before(r, place);

	return !before || before->psn >= q->begin;
}

/*
 * PSNs go up in a run: what has a greater PSN than the first that was seen of it, and was sent
 * before that, was sent before the run. So was what lies below where the run's cause made it begin,
 * and goes on with what precedes it.
 */
static void narrow_runs(struct rda_requester *r, const struct rda_request *q, int64_t place)
{
	bool goes_on = !begins(r, q, place);

	for (unsigned i = 0; r->rare->past && i < RDA_PAST_RUNS; i++) {
		struct rda_past_run *run = &r->rare->past->runs[i];

		if (place > run->before && place < run->first &&
		    (q->begin >= run->begin || (run->cause && q->begin < run->low && goes_on)))
			run->before = place;
	}
}

/* `record`: of its PSN; NULL: not remembered. */
static void tell_resent(const struct rda_request *q, const struct rda_past_run *run,
			const struct rda_sent *record, bool doubted,
			const struct rda_event_sink *sink)
{
	struct rda_event event = {
		.kind = RDA_EVENT_RESENT,
		.trigger = run->trigger,
		.psn = q->begin,
		.frame = q->frame,
		.other_frame = record ? record->last_frame : 0,
		.cause_frame = run->cause,
		.time_ns = q->time_ns,
		.wait_ns = record && record->seen ? q->time_ns - record->last_ns : -1,
		.doubted = doubted,
		.overtaken = true,
	};

	rda_emit(sink, &event);
}

/*
 * It was told as lost, and the run that sent it may be too old to be remembered: then this is what
 * was missing, and no further transmission.
 */
static bool was_counted(const struct rda_requester *r, const struct rda_sent *record, int64_t place)
{
	const struct rda_past_runs *past = r->rare->past;

	if (!record->lost || place == RDA_ORDER_UNKNOWN || past->count <= RDA_PAST_RUNS)
		return false;
	for (unsigned i = 0; i < RDA_PAST_RUNS; i++)
		if (past->runs[i].first < place)
			return false;
	return true;
}

enum rda_request_kind rda_overtaken_resend(struct rda_requester *r, const struct rda_request *q,
					   int64_t place, struct rda_past_run *run,
					   struct rda_sent *record,
					   const struct rda_event_sink *sink)
{
	bool counted = (q->begin >= run->low && q->begin < run->high &&
			rda_past_run_has_counted(r, run, record)) ||
		       was_counted(r, record, place);
	/* all of the run may be copies: this one, too */
	bool doubted = place == RDA_ORDER_UNKNOWN && r->rare->run.doubted &&
		       run == rda_past_run_newest(r) && rda_copied_looks_so(record, q) &&
		       q->time_ns - record->last_ns < RDA_COPY_NS;

	if (place != RDA_ORDER_UNKNOWN && place < run->first) {
		run->first = place;
		run->begin = q->begin;
		rda_run_cause_earlier(r, run, q);
	}
	tell_resent(q, run, record, doubted, sink);
	rda_requester_rare(r)->counts.doubts.copies += doubted;
	if (!counted) { /* when it was jumped over it was acknowledged already */
		rda_tally_sent(record);
		rda_past_run_counts(r, run, record);
	}
	if (q->begin < run->low) {
		rda_tally_skip(r, q->end, run->low, false, run);
		run->low = q->begin;
	} else if (q->begin >= run->high) {
		rda_tally_skip(r, run->high, q->begin, false, run);
		run->high = q->end;
	}
	record = rda_tally_find(r, q); /* the records may have moved */
	rda_bound_alike(r, record, q);
	if (counted || record->unseen)
		rda_tally_overtaken(r, record, q, place != RDA_ORDER_UNKNOWN, sink);
	else
		rda_tally_appear(r, record,
				 q); /* what is missing is another of its transmissions */
	record->again = true;
	rda_requester_rare(r)->counts.late_resends++;
	return RDA_REQUEST_RESENT;
}

/*
 * A record was sent before a place. One that a damaged packet has is a guess: that took the next
 * PSN, whichever it had. It is not the one of this record if it was sent behind that place.
 */
static bool was_sent_before(const struct rda_requester *r, const struct rda_sent *record,
			    int64_t place)
{
	if (record->damaged)
		return (int16_t)(uint16_t)(record->own_id - (uint16_t)place) < 0;
	return record->seen && rda_sent_place(r, record) < place;
}

/* Whether it was sent before, by what the tap has shown: its run was overtaken as a whole. */
static bool is_resent(const struct rda_requester *r, const struct rda_sent *record, int64_t place)
{
	const struct rda_past_run *run = rda_past_run_newest(r);
	int64_t index = rda_window_find(&r->window, record->end);

	if (was_sent_before(r, record, place))
		return true;
	if (index >= 0) { /* it was sent behind a PSN that follows it */
		record = rda_window_at(&r->window, index);
		if (was_sent_before(r, record, place))
			return true;
		record = rda_window_at(&r->window, index - 1);
	}
	return (run && place > run->end && record->begin < run->front) ||
	       rda_sent_log_reached(r, place, record->begin);
}

/* Of a PSN below all that are remembered: they were sent before it. */
static bool is_behind_all(const struct rda_requester *r, int64_t place)
{
	const struct rda_sent *oldest = r->window.count ? rda_window_at(&r->window, 0) : NULL;

	return oldest && oldest->seen && rda_sent_place(r, oldest) < place;
}

/* The run of a resend that is none of the runs that are known: it goes on with the one that was
 * found like that before, or begins one. */
static struct rda_past_run *unknown_run(struct rda_requester *r, const struct rda_request *q,
					int64_t place, const struct rda_event_sink *sink)
{
	struct rda_past_run *run = rda_past_run_before(r, place);

	if (!run || run->high > q->begin || begins(r, q, place)) {
		const struct rda_logged *before = rda_sent_log_before(r, place);

		/* what it began with may come yet, whatever it follows */
		run = rda_run_began(r, q, place, before ? before->place : place - 1, sink);
		run->end = r->order.latest;
		run->high = q->begin;
	}
	run->front = q->end;
	return run;
}

/*
 * New PSNs that were sent before the runs that are known: these began when so much had been sent,
 * and what seemed to end the latest of them was a part of it.
 */
static void raise_fronts(struct rda_requester *r, const struct rda_request *q, int64_t place)
{
	struct rda_past_run *newest = rda_past_run_newest(r);

	for (unsigned i = 0; r->rare->past && i < RDA_PAST_RUNS; i++)
		if (place <= r->rare->past->runs[i].before && r->rare->past->runs[i].front < q->end)
			r->rare->past->runs[i].front = q->end;
	if (newest && newest->over < newest->front)
		rda_run_reopen(r);
}

bool rda_account_lost_order(const struct rda_account *account)
{
	const struct rda_requester *r = &account->requester;

	return rda_requester_overtakes(r) && !rda_sending_order_is_known(&r->order);
}

bool rda_account_leapt(const struct rda_account *account)
{
	return account->requester.order.leapt;
}

bool rda_account_requests_numbered(const struct rda_account *account)
{
	return rda_sending_order_is_known(&account->requester.order);
}

int64_t rda_account_taken(const struct rda_account *account)
{
	return rda_requester_taken(&account->requester);
}

bool rda_account_doubts_late(const struct rda_account *account)
{
	const struct rda_requester *r = &account->requester;

	return rda_sending_order_is_known(&r->order) ? r->rare->late_ahead
						     : r->begun.is_behind || r->rare->late_doubted;
}

enum rda_request_kind rda_overtaken_packet(struct rda_requester *r, const struct rda_request *q,
					   int64_t place, const struct rda_event_sink *sink,
					   uint64_t *original)
{
	const struct rda_logged *same;
	struct rda_past_run *run;
	struct rda_sent *record;

	narrow_runs(r, q, place);
	raise_fronts(r, q, place);
	run = rda_past_run_of(r, place, q->begin);
	if (q->begin >= r->progress.next)
		return overtaken_by_a_run(r, q, sink);
	record = rda_tally_find(r, q);
	*original = record ? record->last_frame : 0;
	rda_requester_behind(r, record, q);
	/* the sender gives no two packets one place: a mirror or the network made it, however late,
	 * and whatever was sent again since */
	same = rda_sent_log_at(r, place, q->begin);
	if (same || rda_copied_looks_so(record, q)) {
		*original = same ? same->frame : record->last_frame;
		rda_tally_emit(sink, RDA_EVENT_MIRRORED, q, q->begin, 1, *original);
		return RDA_REQUEST_MIRRORED;
	}
	if (record && run) {
		part_runs(r, q, place, run, record, sink);
		run = next_run(r, q, place, run, sink);
	} else if (!run && (record ? is_resent(r, record, place) : is_behind_all(r, place))) {
		run = unknown_run(r, q, place, sink);
	}
	record = rda_tally_find(r, q); /* the records may have moved */
	if (run)
		rda_run_shows_again(r, q);
	if (record && run)
		return rda_overtaken_resend(r, q, place, run, record, sink);
	if (!record)
		rda_bound_forgotten(r, q, sink);
	if (run) {
		tell_resent(q, run, NULL, false, sink);
		return RDA_REQUEST_RESENT;
	}
	if (record) {
		rda_passed_first(r, q, place, record, sink);
		rda_tally_overtaken(r, record, q, true, sink);
	}
	/* where identifications turn out to tell nothing it may have been sent again */
	rda_requester_rare(r)->late_doubted = true;
	rda_tally_emit(sink, RDA_EVENT_REORDERED, q, q->begin, 1, 0);
	return RDA_REQUEST_REORDERED;
}

void rda_overtaken_missed(struct rda_requester *r, int64_t begin, int64_t end,
			  const struct rda_request *q, const struct rda_event_sink *sink)
{
	rda_arrival_over(r, begin, end);
	if (r->rare->counts.selective_repeat)
		return;
	for (int64_t psn = begin; psn < end; psn++) {
		struct rda_request missed = {.begin = psn, .end = psn + 1};
		struct rda_sent *record = rda_tally_find(r, &missed);

		if (!record || rda_past_run_has_counted(r, NULL, record))
			continue;
		rda_tally_sent(record);
		rda_past_run_counts(r, NULL, record);
		record->missed = true;
		if (rda_window_find(&r->window, psn) < (int64_t)r->settled && !record->filled)
			rda_bound_missed(r, record, q, sink);
	}
}

/*
 * It was answered before it came: that was no answer if it is new by then, else the other direction
 * is seen earlier than this one.
 */
void rda_overtaken_by_answer(struct rda_requester *r, const struct rda_request *q)
{
	if (q->begin >= r->progress.next &&
	    q->time_ns - r->heard->answers.unseen_ns > RDA_MIRROR_NS)
		rda_requester_heard(r)->answers.refuted = true;
}

void rda_requester_refuted(struct rda_requester *r, int64_t psn, uint32_t msn)
{
	struct rda_answers *answers = &rda_requester_heard(r)->answers;

	if (answers->refuted || answers->unseen <= r->progress.next || psn >= r->progress.next ||
	    /* else it answers a duplicate, and counts all that was done */
	    psn < answers->unseen - answers->unseen_psns ||
	    rda_psn_widen(answers->unseen_msn, msn) <= (int64_t)answers->unseen_msn)
		return;
	answers->refuted = true;
	answers->early = false;
}

void rda_overtaken_settle(struct rda_requester *r, const struct rda_request *q, int64_t end,
			  const struct rda_event_sink *sink)
{
	rda_requester_settle(r, MIN(r->heard->answers.unseen, end), q->time_ns, q->frame, sink);
	rda_requester_heard(r)->answers.ghost = q->frame; /* as long as nothing else answers it */
}

/* What was answered before it came is answered now that it does; of far more the answer was none.
 */
void rda_overtaken_answered(struct rda_requester *r, const struct rda_request *q,
			    const struct rda_event_sink *sink)
{
	if (!r->heard->answers.refuted || r->heard->answers.unseen <= r->progress.next)
		rda_overtaken_settle(r, q, r->progress.next, sink);
}

bool rda_account_answered_ahead(const struct rda_account *account, int64_t psn)
{
	return account->requester.heard->answers.unseen > psn;
}
