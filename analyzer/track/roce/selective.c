/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What shows that only what was missing was sent again; selective.h has the figure.
 */
#include "analyzer/track/roce/selective.h"

#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

void rda_selective_note(struct rda_requester *r, const struct rda_sent *record,
			const struct rda_request *at, const struct rda_event_sink *sink)
{
	if (r->rare->counts.selective_repeat)
		return;
	rda_tally_emit(sink, RDA_EVENT_SELECTIVE, at, record->begin, 1, record->first_frame);
	rda_requester_rare(r)->counts.selective_repeat = true;
	for (uint32_t i = 0; i < r->window.count; i++)
		rda_window_forgive(rda_window_at(&r->window, i));
}

/* What was missing when `record` passed came with the latest run, and `record` did not. */
static bool run_left_out(const struct rda_requester *r, int64_t index,
			 const struct rda_sent *record)
{
	const struct rda_sent *missing;
	bool told; /* where that had passed before: the NAK came when `record` had passed too */

	if (r->run.trigger != RDA_TRIGGER_NAK || index == 0 || rda_requester_overtakes(r))
		return false;
	missing = rda_window_at(&r->window, index - 1);
	told = missing->begin == r->rare->run.begin && !r->rare->run.crossed &&
	       record->last_ns < r->rare->run.told_ns;
	return (missing->seen == 1 || told) && missing->sent > 1 &&
	       missing->ordinal >= r->rare->run.ordinal && record->ordinal < r->rare->run.ordinal;
}

/*
 * What filled the hole was sent again behind a NAK, as is seen only now, mostly as an answer comes:
 * no request is at hand. It is told as doubted, as what came first may have been late.
 */
static void tell_obeyed(const struct rda_requester *r, const struct rda_sent *filled,
			const struct rda_event_sink *sink)
{
	const struct rda_resend_cause *due = &r->rare->due;
	struct rda_event event = {
		.kind = RDA_EVENT_RESEND,
		.trigger = due->trigger,
		.psn = filled->begin,
		.frame = filled->last_frame,
		.other_frame = due->frame,
		.time_ns = filled->last_ns,
		.wait_ns = filled->last_ns - due->ns,
		.doubted = true,
	};

	if (due->trigger == RDA_TRIGGER_NAK && event.wait_ns >= 0)
		rda_emit(sink, &event);
}

void rda_selective_settled(struct rda_requester *r, int64_t index, const struct rda_request *at,
			   const struct rda_event_sink *sink)
{
	const struct rda_sent *record = rda_window_at(&r->window, index), *filled = record;
	enum rda_trigger trigger = RDA_TRIGGER_UNEXPLAINED;

	if (record->filled || record->seen != 1 || record->sent != 1)
		return;
	if (run_left_out(r, index, record))
		rda_selective_note(r, record, at, sink);
	while (index > 0 && rda_window_at(&r->window, index - 1)->filled &&
	       !rda_window_at(&r->window, index - 1)->unasked &&
	       rda_window_at(&r->window, index - 1)->ordinal > record->ordinal)
		filled = rda_window_at(&r->window, --index);
	/* a missing answer makes nobody send what is no READ or ATOMIC: it came late */
	if (filled == record || r->rare->due.trigger == RDA_TRIGGER_IMPLIED)
		return;
	rda_selective_note(r, filled, at, sink);
	if (r->rare->due.trigger != RDA_TRIGGER_NONE) {
		rda_tally_run(r, (enum rda_trigger)r->rare->due.trigger);
		rda_tally_stalled(r, (enum rda_trigger)r->rare->due.trigger, r->rare->due.ns,
				  filled->last_ns);
		trigger = (enum rda_trigger)r->rare->due.trigger;
		tell_obeyed(r, filled, sink);
		rda_run_obeyed(r);
	}
	rda_tally_filled(r, filled->begin, record->begin, trigger, at, sink);
	rda_requester_rare(r)->filling.begin = r->rare->filling.next; /* no run goes on there */
}

void rda_selective_leaves_out(struct rda_requester *r, int64_t begin, int64_t end,
			      enum rda_run_kind kind)
{
	int64_t index = rda_window_find(&r->window, MAX(begin, r->progress.acked));
	uint32_t run = rda_past_runs_begun(r);

	for (; index >= 0 && index < (int64_t)r->window.count; index++) {
		struct rda_sent *record = rda_window_at(&r->window, index);

		if (record->begin >= end)
			return;
		rda_requester_rare(r)->left_out = r->rare->run.frame;
		if (record->left_out && record->left_by != run) {
			record->left_kinds |= record->left_out;
			record->left_before = record->skipped - MIN(record->skipped, 1);
		}
		record->left_out = (uint8_t)kind;
		record->left_by = run;
	}
}

void rda_selective_jumps(struct rda_requester *r, int64_t begin, int64_t end)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);

	rare->run.jumped = true;
	if (rare->run.doubted)
		rda_selective_leaves_out(r, begin, end, RDA_RUN_PERHAPS);
	else if ((rare->goes_back & rare->run.kind) != rare->run.kind &&
		 !rda_requester_overtakes(r))
		rda_selective_leaves_out(r, begin, end, (enum rda_run_kind)rare->run.kind);
}

/* Runs of these kinds go back N. */
static void goes_back(struct rda_requester *r, uint8_t kinds)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);

	rare->goes_back |= kinds;
	for (uint32_t i = 0; i < r->window.count; i++) {
		struct rda_sent *record = rda_window_at(&r->window, i);
		bool left_out = record->left_out, since = record->last_frame > rare->left_out;

		record->left_out &= (uint8_t)~rare->goes_back;
		record->left_kinds &= (uint8_t)~rare->goes_back;
		if (!record->left_kinds) {
			record->skipped -= since ? record->left_before : 0;
			record->left_before = 0;
		}
		/* the run that did not show it had it: it has come since with another */
		if (left_out && !record->left_out && since)
			record->skipped = record->left_before;
	}
}

/* The latest run is of this kind, and so is what it left out. */
static void asks(struct rda_requester *r)
{
	uint32_t run = rda_past_runs_begun(r);

	rda_requester_rare(r)->run.kind = RDA_RUN_ASKS;
	for (uint32_t i = 0; i < r->window.count; i++) {
		struct rda_sent *record = rda_window_at(&r->window, i);

		if (record->left_out == RDA_RUN_EITHER && record->left_by == run)
			record->left_out = RDA_RUN_ASKS;
	}
}

void rda_selective_goes_on(struct rda_requester *r, const struct rda_request *q, bool had_passed)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);
	/* a timer had the time to fire behind the run's first */
	bool late = rare->run.ordinal != r->ordinal &&
		    q->time_ns - r->progress.last_ns >= RDA_TIMER_IN_USE_NS;
	/* it has been asked for, or less, which was lost: nothing tells that it was sent for the
	 * reason of the run */
	bool asked = late || (rare->due.trigger == RDA_TRIGGER_NAK && rare->due.psn <= q->begin);

	/* it may begin another run, of its own kind: what follows goes on with one or the other */
	if (asked &&
	    rare->run.kind != (q->roles & RDA_ROLE_ANSWERED ? RDA_RUN_ASKS : RDA_RUN_SENDS))
		rare->run.kind = RDA_RUN_EITHER;
	if (!had_passed || (rare->run.kind != RDA_RUN_EITHER && rare->goes_back & rare->run.kind))
		return;
	/* one that went back N for an answer may go on, behind the packet that was missing */
	if (asked || ((rare->run.jumped || rare->run.begin == q->begin ||
		       rare->run.kind == RDA_RUN_EITHER) &&
		      q->begin >= rare->run.breaks_off))
		return;
	/* whichever it is, it is none that left out what had passed */
	if (rare->run.kind == RDA_RUN_EITHER)
		asks(r);
	/* who repeats selectively does so for SENDs and WRITEs at least */
	goes_back(r, rare->run.kind == RDA_RUN_SENDS ? RDA_RUN_EITHER : RDA_RUN_ASKS);
}

void rda_selective_refuted(struct rda_requester *r)
{
	goes_back(r, RDA_RUN_EITHER);
}
