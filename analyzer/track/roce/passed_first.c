/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resends that overtake their originals; passed_first.h has the figure.
 */
#include "analyzer/track/roce/passed_first.h"

#include "analyzer/track/roce/filling.h"
#include "analyzer/track/roce/past_run.h"
#include "analyzer/track/roce/sent_log.h"
#include "analyzer/track/roce/tally.h"

/* What had been asked for when it passed, if it may have been sent for that. */
static const struct rda_resend_cause *reason_for(const struct rda_requester *r,
						 const struct rda_sent *record)
{
	const struct rda_resend_cause *due = &r->rare->due;

	return due->trigger != RDA_TRIGGER_NONE && due->psn <= record->begin &&
			       due->frame < record->first_frame
		       ? due
		       : NULL;
}

/* `run`: of which it is; NULL: that is not known, or found only when more of it passes. */
static void tell(const struct rda_requester *r, const struct rda_request *q,
		 const struct rda_sent *record, const struct rda_past_run *run,
		 const struct rda_event_sink *sink)
{
	const struct rda_resend_cause *due = reason_for(r, record);
	struct rda_event event = {
		.kind = RDA_EVENT_FILLED,
		.trigger = RDA_TRIGGER_UNEXPLAINED,
		.psn = record->begin,
		.count = 1,
		.frame = q->frame,
		.other_frame = record->first_frame,
		.time_ns = q->time_ns,
		.wait_ns = -1,
	};

	if (run) {
		event.trigger = run->trigger;
		event.cause_frame = run->cause;
	} else if (due) {
		event.trigger = due->trigger;
		event.cause_frame = due->frame;
	}
	rda_emit(sink, &event);
}

static void take_back(uint64_t *count)
{
	*count -= *count > 0;
}

/* It counts as new, or as late: nothing of a run has told of it so far. */
static void count_again(struct rda_requester *r, struct rda_sent *record)
{
	struct rda_request_counts *counts = &rda_requester_rare(r)->counts;
	bool was_missing = record->first_ns > record->sent_ns;

	if (record->filled || was_missing)
		take_back(&counts->packets[RDA_REQUEST_REORDERED]);
	else
		take_back(&r->news);
	counts->late_resends += was_missing && !record->filled;
	counts->packets[RDA_REQUEST_RESENT]++;
	record->filled = record->unasked = false;
	record->again = true;
}

void rda_passed_first(struct rda_requester *r, const struct rda_request *q, int64_t place,
		      struct rda_sent *record, const struct rda_event_sink *sink)
{
	int64_t shown = rda_sent_place(r, record);
	const struct rda_past_run *run;

	if (record->seen != 1 || record->sent > 1 || record->again || shown <= place ||
	    (record->filled && !rda_filling_is_all(r, record)))
		return;
	run = record->filled ? rda_filling_was_run(r, record, place, sink)
			     : rda_past_run_of(r, shown, record->begin);
	if (run) {
		rda_tally_sent(record);
		rda_past_run_counts(r, run, record);
	}
	count_again(r, record);
	tell(r, q, record, run, sink);
}
