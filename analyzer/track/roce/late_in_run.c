/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late parts of runs of resends, by what the runs have shown and by time; late_in_run.h has the
 * figure.
 */
#include "analyzer/track/roce/late_in_run.h"

#include "analyzer/track/roce/bound.h"
#include "analyzer/track/roce/overtaken.h"
#include "analyzer/track/roce/past_run.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/run_reason.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* A run sent it, or will. */
static bool reaches(const struct rda_past_run *run, const struct rda_sent *record)
{
	return record->begin >= run->low && record->begin < MIN(run->high, run->front);
}

/*
 * The run that may have sent it and not shown it yet: the latest of those that did, where it was
 * sent more often than it was seen; else the latest that begins before it and has not come to it.
 * NULL: each time that it can have been sent it was seen; *over: the latest that sent it.
 */
static struct rda_past_run *run_of(const struct rda_requester *r, const struct rda_sent *record,
				   struct rda_past_run **over)
{
	struct rda_past_runs *past = r->rare->past;

	*over = NULL;
	for (uint64_t i = past ? past->count : 0; i > 0 && i + RDA_PAST_RUNS > past->count; i--) {
		struct rda_past_run *run = &past->runs[(i - 1) % RDA_PAST_RUNS];

		if (!reaches(run, record))
			continue;
		*over = *over ? *over : run;
		if (record->sent > record->seen || !rda_past_run_has_counted(r, run, record))
			return run;
	}
	return NULL;
}

/* It goes on where the packet before it, which came late, has ended: no run begins so. */
static bool follows_late(const struct rda_requester *r, const struct rda_request *q)
{
	return r->rare->past->late_ordinal + 1 == r->ordinal &&
	       r->rare->past->late_next == q->begin;
}

/*
 * It would be a copy, as it has just passed; but much was sent again, and hardly anything copied:
 * two transmissions of it have come together.
 */
static bool is_no_copy(const struct rda_requester *r, const struct rda_request *q,
		       const struct rda_sent *record)
{
	const uint64_t *packets = r->rare->counts.packets;

	return q->time_ns - record->last_ns < RDA_MIRROR_NS &&
	       packets[RDA_REQUEST_MIRRORED] < packets[RDA_REQUEST_RESENT] / 4;
}

/* A run of this reason began because of what the responder sent. */
static bool is_asked_for(uint8_t trigger)
{
	return trigger != RDA_TRIGGER_TIMEOUT && trigger != RDA_TRIGGER_UNEXPLAINED;
}

/*
 * The latest run began so shortly before it that this is of its beginning: no timer fires twice in
 * that time, and no NAK asked for it or, sooner than the shortest timer, for another run.
 */
static bool begins_before(const struct rda_requester *r, const struct rda_request *q,
			  const struct rda_sent *record)
{
	const struct rda_past_run *run = rda_past_run_newest(r);
	bool asked = run && (is_asked_for(run->trigger) || is_asked_for(r->run.trigger));

	return run && q->begin < run->low && record->last_ns < r->rare->run.ns &&
	       q->time_ns - r->rare->run.ns < (asked ? RDA_TIMER_IN_USE_NS : RDA_NAK_STALE_NS);
}

/* The latest run went on behind it without showing it: that one of its packets overtook it. */
static bool was_passed_over(const struct rda_requester *r, const struct rda_request *q,
			    const struct rda_sent *record)
{
	const struct rda_past_run *run = rda_past_run_newest(r);

	return run && q->begin >= run->low && q->begin < r->run.next &&
	       r->run.trigger != RDA_TRIGGER_NONE && record->last_ns < r->rare->run.ns &&
	       q->time_ns - r->rare->run.ns < RDA_TIMER_IN_USE_NS;
}

/* For each run so many came late at least: then what a NAK asks for is one that comes late, as a
 * rule, and not what is sent again. */
enum { LATE_FOR_A_RUN = 3 };

static uint64_t late_of(const struct rda_requester *r)
{
	const struct rda_request_counts *counts = &r->rare->counts;

	return counts->packets[RDA_REQUEST_REORDERED] + counts->late_resends;
}

/* A NAK asks for it, or for less; and not much comes late. */
static bool is_asked(const struct rda_requester *r, const struct rda_request *q)
{
	return r->rare->due.trigger != RDA_TRIGGER_NONE && q->begin >= r->rare->due.psn &&
	       !rda_run_is_stale(r, q) &&
	       late_of(r) < LATE_FOR_A_RUN * (r->rare->past ? r->rare->past->count : 1);
}

/*
 * Whatever was a reason to send again was obeyed, no timer is likely to have fired since the packet
 * before it, and what just filled a hole is not of a run, perhaps, that a timer began. Where little
 * comes late the reason may: of taps that show one direction later than the other.
 */
static bool has_no_reason(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_unobeyed *unobeyed = &r->rare->unobeyed;

	return r->rare->past && unobeyed->any && !rda_unobeyed_allows(unobeyed, q->begin) &&
	       q->time_ns - r->progress.last_ns < RDA_SILENCE_NS && late_of(r) >= LATE_FOR_A_RUN &&
	       r->rare->filling.begin == r->rare->filling.next;
}

static void opens(struct rda_requester *r, int64_t psn)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;

	run->open = psn;
	run->open_ordinal = r->ordinal;
}

void rda_late_in_run_jumps(struct rda_requester *r)
{
	bool again = r->rare->run.open_ordinal + 1 == r->ordinal;

	if (r->run.trigger != RDA_TRIGGER_NONE)
		opens(r, again ? r->rare->run.open : r->run.next);
}

/* The run at hand has shown it. */
static bool is_shown(const struct rda_requester *r, const struct rda_sent *record)
{
	return record->seen && record->ordinal >= r->rare->run.ordinal;
}

/*
 * It is the first of what the run at hand jumped over, right behind that: what passed just before
 * overtook it. What is due is not this: a run for that would have lost all up to here.
 */
static bool resumes(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_run *run = &r->rare->run;
	const struct rda_resend_cause *due = &r->rare->due;
	const struct rda_sent *record;
	int64_t psn = run->open;

	if (r->run.trigger == RDA_TRIGGER_NONE || run->open_ordinal + 1 != r->ordinal ||
	    due->trigger == RDA_TRIGGER_NONE || due->psn == q->begin || q->begin >= r->run.next ||
	    q->time_ns - r->progress.last_ns >= RDA_TIMER_IN_USE_NS)
		return false;
	while (psn < q->begin && (record = rda_window_of(&r->window, psn)) && is_shown(r, record))
		psn = record->end;
	record = rda_window_of(&r->window, q->begin);
	return psn == q->begin && record && record->seen && !is_shown(r, record);
}

/*
 * The latest run began because an answer is missing, and so with the oldest READ that waits for its
 * own. This one did then, or its answer had not come to the requester, and has it by now: that run
 * has sent it, and what was seen first overtook it.
 */
static bool begins_implied(const struct rda_requester *r, const struct rda_request *q,
			   const struct rda_sent *record)
{
	const struct rda_resend_run *run = &r->rare->run;
	bool waited =
		q->begin >= run->answered || (record->answer_ns >= run->told_ns && !record->ahead);

	return r->run.trigger == RDA_TRIGGER_IMPLIED && q->begin < run->begin && waited &&
	       record->roles & RDA_ROLE_READ && record->begin + record->answered >= record->end &&
	       record->last_ns < run->ns && q->time_ns - run->ns < RDA_SILENCE_NS;
}

bool rda_late_in_run(struct rda_requester *r, const struct rda_request *q,
		     const struct rda_event_sink *sink)
{
	bool goes_on = r->run.trigger != RDA_TRIGGER_NONE && q->begin >= r->run.next;
	struct rda_sent *record = rda_tally_find(r, q);
	struct rda_past_run *run, *over;
	bool open = resumes(r, q), implied = record && begins_implied(r, q, record);
	bool earlier = false;

	if (!record || goes_on ||
	    (!open && !implied && (is_asked(r, q) || !rda_requester_overtakes(r))) ||
	    rda_sending_order_is_known(&r->order) ||
	    q->time_ns - r->progress.last_ns >= RDA_NAK_STALE_NS)
		return false;
	run = run_of(r, record, &over);
	if (open) {
		run = rda_past_run_newest(r);
		opens(r, q->end);
		rda_requester_rare(r)->resumed = true;
	} else if (implied || begins_before(r, q, record) || was_passed_over(r, q, record)) {
		run = rda_past_run_newest(r);
		earlier = true;
	} else if (!run && over && (follows_late(r, q) || is_no_copy(r, q, record))) {
		run = over;
	} else if (!run && has_no_reason(r, q)) {
		run = over ? over : rda_past_run_newest(r);
	} else if (!run) {
		return false;
	}
	/* what seems to be of a run that had not counted it is of an earlier one, perhaps: that one
	 * was not lost */
	if (earlier || (!open && !rda_past_run_has_counted(r, run, record)))
		rda_bound_doubt(r, record, q, sink);
	rda_overtaken_resend(r, q, RDA_ORDER_UNKNOWN, run, record, sink);
	r->rare->past->late_ordinal = r->ordinal;
	r->rare->past->late_next = q->end;
	return true;
}
