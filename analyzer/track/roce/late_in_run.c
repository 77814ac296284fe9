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
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* So many runs of those that are remembered sent a PSN; *latest: the latest of them. */
static uint32_t runs_over(const struct rda_requester *r, int64_t psn, struct rda_past_run **latest)
{
	struct rda_past_runs *past = r->rare->past;
	uint32_t over = 0;

	*latest = NULL;
	for (uint64_t i = past ? past->count : 0; i > 0 && i + RDA_PAST_RUNS > past->count; i--) {
		struct rda_past_run *run = &past->runs[(i - 1) % RDA_PAST_RUNS];

		if (psn < run->low || psn >= MIN(run->high, run->front))
			continue;
		*latest = *latest ? *latest : run;
		over++;
	}
	return over;
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

bool rda_late_in_run(struct rda_requester *r, const struct rda_request *q,
		     const struct rda_event_sink *sink)
{
	bool goes_on = r->run.trigger != RDA_TRIGGER_NONE && q->begin >= r->run.next;
	bool asked = r->rare->due.trigger != RDA_TRIGGER_NONE && q->begin >= r->rare->due.psn &&
		     !rda_run_is_stale(r, q);
	struct rda_sent *record = rda_tally_find(r, q);
	struct rda_past_run *run;
	uint32_t over;

	if (!record || goes_on || asked || !rda_requester_overtakes(r) ||
	    rda_sending_order_is_known(&r->order) ||
	    q->time_ns - r->progress.last_ns >= RDA_NAK_STALE_NS)
		return false;
	over = runs_over(r, q->begin, &run);
	if (begins_before(r, q, record) || was_passed_over(r, q, record)) {
		run = rda_past_run_newest(r);
		/* of an earlier run, perhaps: that one was not lost */
		rda_bound_doubt(r, record, q, sink);
	} else if (!over ||
		   (over < record->seen && !follows_late(r, q) && !is_no_copy(r, q, record)))
		return false;
	rda_overtaken_resend(r, q, RDA_ORDER_UNKNOWN, run, record, sink);
	r->rare->past->late_ordinal = r->ordinal;
	r->rare->past->late_next = q->end;
	return true;
}
