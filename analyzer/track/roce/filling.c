/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holes that packets fill: late ones, or a run of resends; filling.h has the figure.
 */
#include "analyzer/track/roce/filling.h"
#include "analyzer/track/roce/bound.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/run_doubt.h"
#include "analyzer/track/roce/run_reason.h"
#include "analyzer/track/roce/sent_log.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* The packet before it, with this ordinal, filled the hole in front of it. */
static bool is_behind_late(const struct rda_requester *r, const struct rda_request *q,
			   uint64_t ordinal)
{
	int64_t index = rda_window_find(&r->window, q->begin);
	const struct rda_sent *late = index > 0 ? rda_window_at(&r->window, index - 1) : NULL;

	return late && late->seen == 1 && late->ordinal == ordinal &&
	       late->ordinal > rda_window_at(&r->window, index)->ordinal;
}

void rda_filling_copied(struct rda_requester *r, const struct rda_request *q, uint64_t ordinal)
{
	rda_requester_rare(r)->copied_next = q->end;
	rda_requester_rare(r)->copied_ns = q->time_ns;
	if (!rda_filling_is_mirrored(r) && is_behind_late(r, q, ordinal))
		rda_requester_rare(r)->late_doubted = true;
}

/* Packets of one run follow each other; timers wait longer. */
#define AT_ONCE_NS 1000000

void rda_filling_give_up(struct rda_requester *r, const struct rda_request *q,
			 const struct rda_event_sink *sink)
{
	/* a run may have filled it all the same: one of a single packet, or the rest of it is lost
	 */
	if (r->rare->filling.begin != r->rare->filling.next)
		rda_filling_doubt(r, true, r->rare->filling.ahead);
	rda_tally_filled(r, r->rare->filling.begin, r->rare->filling.next, RDA_TRIGGER_NONE, q,
			 sink);
	rda_requester_rare(r)->filling.begin = r->rare->filling.next;
	rda_requester_rare(r)->filling.unasked = false;
	/* a run seems to begin just behind what came late: with that, perhaps */
	if (is_behind_late(r, q, r->ordinal - 1))
		rda_requester_rare(r)->late_doubted = true;
}

/* Identifications have gone up, near each other, and none of it has a later one than all before. */
static bool seems_sent_before(const struct rda_requester *r)
{
	return r->order.behind && r->order.not_of_the_psn && !r->order.odd &&
	       !r->rare->filling.ahead;
}

/* Something else passed between those that filled it. */
static bool is_interrupted(const struct rda_requester *r)
{
	int64_t index = rda_window_find(&r->window, r->rare->filling.begin);
	uint64_t first = index < 0 ? 0 : rda_window_at(&r->window, index)->ordinal, count = 0;

	for (; index >= 0 && index < (int64_t)r->window.count; index++) {
		const struct rda_sent *record = rda_window_at(&r->window, index);

		if (record->begin >= r->rare->filling.next)
			break;
		count += record->filled;
	}
	return first + count != r->ordinal;
}

/*
 * What filled the hole may have come late all the same, and the run have begun behind it: it goes
 * on elsewhere, others came in between, a timer had the time to fire, it was acknowledged before
 * the run went on, so that a requester which was asked for it has nothing of it left to send, or it
 * seems to have been sent before what passed first.
 */
static bool may_have_been_late(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, r->rare->filling.next - 1);
	const struct rda_sent *last = index < 0 ? NULL : rda_window_at(&r->window, index);

	return !rda_sending_order_is_known(&r->order) &&
	       (!last || q->begin != r->rare->filling.next || is_interrupted(r) ||
		q->time_ns - last->last_ns > AT_ONCE_NS || seems_sent_before(r) ||
		(r->progress.acked >= r->rare->filling.next &&
		 r->progress.acked_frame > last->last_frame));
}

void rda_filling_confirm(struct rda_requester *r, const struct rda_request *q,
			 const struct rda_event_sink *sink)
{
	struct rda_request first = *q;
	int64_t index = rda_window_find(&r->window, r->rare->filling.begin);

	rda_requester_rare(r)->filling.doubted = may_have_been_late(r, q);
	if (r->rare->filling.doubted)
		rda_requester_rare(r)->counts.doubts.firsts +=
			(uint64_t)(r->rare->filling.next - r->rare->filling.begin);
	first.begin = r->rare->filling.begin;
	if (index >= 0) {
		first.time_ns = rda_window_at(&r->window, index)->last_ns;
		first.frame = rda_window_at(&r->window, index)->last_frame;
	}
	rda_run_begin(r, &first, sink, 0);
	rda_tally_filled(r, r->rare->filling.begin, r->rare->filling.next,
			 (enum rda_trigger)r->run.trigger, q, sink);
	/* what came damaged in between is what follows in the run */
	rda_tally_skip(r, rda_run_behind_damaged(r, r->rare->filling.next), q->begin, false, NULL);
	rda_requester_rare(r)->filling.begin = r->rare->filling.next;
	rda_requester_rare(r)->filling.doubted = false;
}

struct rda_past_run *rda_filling_was_run(struct rda_requester *r, const struct rda_sent *record,
					 int64_t place, const struct rda_event_sink *sink)
{
	struct rda_request first = {
		.begin = record->begin,
		.end = record->end,
		.frame = record->last_frame,
		.time_ns = record->last_ns,
	};
	struct rda_past_run *run = rda_run_began(r, &first, rda_sent_place(r, record), place, sink);

	run->end = r->order.latest;
	run->high = run->front = record->end; /* as far as is known */
	rda_requester_rare(r)->filling.begin = r->rare->filling.next;
	return run;
}

/* It is what passed before with its identification, though its sender numbers its packets: no run.
 */
static bool is_other_copy(const struct rda_requester *r, const struct rda_sent *record,
			  const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, r->rare->filling.begin);

	return r->rare->filling.unasked && q->begin != r->rare->filling.next && record &&
	       record->seen && record->ip_id == q->ip_id &&
	       q->time_ns - record->last_ns < RDA_NAK_STALE_NS && record->icrc == q->icrc &&
	       index >= 0 && rda_window_at(&r->window, index)->ip_id != q->ip_id;
}

/* It goes on where the filling of a hole ended, or behind, without a pause in which a timer could
 * fire. */
static bool follows(const struct rda_requester *r, const struct rda_request *q)
{
	return r->rare->filling.begin != r->rare->filling.next &&
	       q->begin >= r->rare->filling.next &&
	       q->time_ns - r->progress.last_ns < RDA_NAK_STALE_NS;
}

/* What a NAK asked for fills a hole, and right behind it this fills the next: of a run that lacks
 * what lies between, perhaps. */
static bool goes_on(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *last = rda_window_of(&r->window, r->rare->filling.next - 1);

	return follows(r, q) &&
	       (q->begin == r->rare->filling.next ||
		(!r->rare->filling.unasked && last && last->ordinal + 1 == r->ordinal));
}

enum rda_request_kind rda_filling_late(struct rda_requester *r, const struct rda_request *q,
				       struct rda_sent *record, const struct rda_event_sink *sink)
{
	/* what had passed, or was acknowledged before it came, was sent again, perhaps */
	rda_filling_doubt(r, record->seen || q->begin < r->progress.acked, rda_filling_is_ahead(r));
	rda_bound_alike(r, record, q);
	rda_tally_overtaken(r, record, q, false, sink);
	rda_tally_emit(sink, RDA_EVENT_REORDERED, q, q->begin, 1, 0);
	return RDA_REQUEST_REORDERED;
}

/* A hole that nobody asked for may be filled by a timer's run after a silence; by late packets too,
 * where some were late. */
static int64_t least_silence(const struct rda_requester *r, const struct rda_request *q)
{
	return q->begin < r->progress.acked || rda_requester_overtakes(r) ? RDA_NAK_STALE_NS
									  : RDA_MIRROR_NS;
}

/* Others were late, and its identification tells nothing else; or that says so itself. */
static bool may_be_late(const struct rda_requester *r, const struct rda_request *q,
			int64_t silent_ns)
{
	return silent_ns < RDA_HELD_BACK_NS &&
	       (rda_sending_order_is_before(&r->order, q->ip_id, q->begin) ||
		(rda_requester_overtakes(r) &&
		 rda_sending_order_is_line(&r->order, q->ip_id, q->begin)));
}

/* The latest run was asked to begin with it or before, and was seen from behind it on: with a copy,
 * perhaps, and this is what it begins with. */
static bool begins_behind(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_past_run *run = rda_past_run_newest(r);

	return run && q->begin >= run->low && q->begin < r->rare->run.begin;
}

enum rda_request_kind rda_filling_packet(struct rda_requester *r, const struct rda_request *q,
					 struct rda_sent *record, const struct rda_event_sink *sink)
{
	/* an answer to what follows leaves a READ incomplete: it is due, acknowledged or not */
	int64_t taken = r->rare->due.trigger == RDA_TRIGGER_IMPLIED ? r->progress.incomplete
								    : r->progress.acked;
	bool named = r->rare->due.trigger != RDA_TRIGGER_NONE && q->begin >= r->rare->due.psn &&
		     taken <= r->rare->due.psn && !rda_run_is_stale(r, q) && !rda_run_went_on(r);
	/* a capture may have an answer just before what it answers */
	int64_t since = q->begin < r->progress.acked
				? MAX(r->progress.last_ns, r->progress.acked_ns)
				: r->progress.last_ns;

	if (!named && !goes_on(r, q)) {
		/* nobody asked for it again, and no timer had the time to: it came late */
		if (q->time_ns - since < least_silence(r, q)) {
			/* or it is of the run that fills the hole in front of it, perhaps */
			rda_filling_doubt(r,
					  follows(r, q) || begins_behind(r, q) ||
						  rda_filling_follows_copy(r, q),
					  rda_filling_is_ahead(r));
			return rda_filling_late(r, q, record, sink);
		}
		rda_filling_give_up(r, q, sink);
		if (q->time_ns - since >= RDA_NAK_STALE_NS &&
		    !may_be_late(r, q, q->time_ns - since))
			return RDA_REQUEST_RESENT;
		record = rda_tally_find(r, q);
	}
	if (r->rare->filling.begin != r->rare->filling.next && !follows(r, q)) {
		rda_filling_give_up(r, q, sink); /* a run does not go down */
		record = rda_tally_find(r, q);
	}
	if (r->rare->filling.begin == r->rare->filling.next) {
		rda_requester_rare(r)->filling.begin = q->begin;
		rda_requester_rare(r)->filling.since_ns = r->progress.last_ns;
		rda_requester_rare(r)->filling.unasked = !named;
		rda_requester_rare(r)->filling.ahead = false;
	}
	rda_requester_rare(r)->filling.next = q->end;
	rda_requester_rare(r)->filling.ahead |= rda_filling_is_ahead(r);
	if (record->unseen && rda_requester_shown_late(r, q->time_ns))
		rda_tally_found(r, record, q, sink);
	record->filled = true;
	record->unasked = r->rare->filling.unasked;
	rda_tally_appear(r, record, q);
	return RDA_REQUEST_REORDERED;
}

/* What filled the hole, and nobody had asked for, was asked for behind that: the run is another. */
static bool was_asked_since(const struct rda_requester *r)
{
	const struct rda_resend_cause *due = &r->rare->due;
	const struct rda_sent *last = rda_window_of(&r->window, r->rare->filling.next - 1);

	return r->rare->filling.unasked && due->trigger == RDA_TRIGGER_NAK &&
	       due->psn <= r->rare->filling.begin && last &&
	       due->ns - last->last_ns >= RDA_MIRROR_NS;
}

bool rda_filling_is_run(const struct rda_requester *r, const struct rda_sent *record,
			const struct rda_request *q, bool latest)
{
	return follows(r, q) && !is_other_copy(r, record, q) && !was_asked_since(r) &&
	       (!latest || !r->order.behind);
}

void rda_filling_asked(struct rda_requester *r, int64_t psn, int64_t time_ns)
{
	int64_t index = rda_window_find(&r->window, psn);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	if (!record || record->seen != 1 || time_ns - record->last_ns >= RDA_MIRROR_NS ||
	    index + 1 >= (int64_t)r->window.count ||
	    rda_window_at(&r->window, index + 1)->ordinal > record->ordinal)
		return;
	rda_requester_rare(r)->late_doubted = true;
}
