/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of resends: how they begin, go on and end; requester.h has the reasoning. Why they begin:
 * run_reason.c.
 */
#include "analyzer/track/roce/run.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/arrival.h"
#include "analyzer/track/roce/copied.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/run_cause.h"
#include "analyzer/track/roce/run_doubt.h"
#include "analyzer/track/roce/run_reason.h"
#include "analyzer/track/roce/run_wait.h"
#include "analyzer/track/roce/selective.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* When what a run begins with was first sent. */
static int64_t sent_of(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t index = rda_window_find(&r->window, q->begin);

	return index < 0 ? r->progress.last_ns : rda_window_at(&r->window, index)->sent_ns;
}

/* No earlier run started within the patience: this one has a reason of its own. */
static bool is_alone(const struct rda_requester *r, int64_t time_ns)
{
	if (r->rare->run.ns == RDA_NEVER_NS)
		return !rda_requester_just_begun(r, time_ns);
	return time_ns - r->rare->run.ns > rda_requester_patience(r);
}

/* Else what was acknowledged may be unseen: before the capture, or its direction is not found yet,
 * or the snap length cut it off. A NAK names what is expected, too. */
static bool knows_acked(const struct rda_requester *r)
{
	const struct rda_resend_cause *due = &r->rare->due;
	bool named = due->frame && due->kind == RDA_TRIGGER_NAK && due->psn <= r->progress.acked;

	return r->heard->answers.cut_ns == RDA_NEVER_NS &&
	       (r->progress.acked_frame || r->begun.first_ns == RDA_NEVER_NS || named);
}

/* When a run's reason was sent at the earliest; RDA_NEVER_NS: not known. */
static int64_t told_of(const struct rda_requester *r, int64_t time_ns)
{
	if (r->rare->run.ns == RDA_NEVER_NS ||
	    time_ns - r->rare->run.ns > rda_requester_patience(r))
		return r->rare->due.ns;
	return r->rtt.smooth_ns ? r->rare->due.ns - r->rtt.smooth_ns : RDA_NEVER_NS;
}

void rda_run_none(struct rda_requester *r)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);

	/* what the latest seemed to obey is due yet */
	if (rare->run.cause && rare->run.cause == rare->due.frame)
		rare->due.trigger = rare->due.kind;
	rda_past_runs_free(r);
	rare->past = NULL;
	rare->run = (struct rda_resend_run){.ns = RDA_NEVER_NS};
	r->run = (struct rda_run_at_hand){
		.next = r->progress.next, .trigger = RDA_TRIGGER_NONE, .started = r->run.started};
}

/* It may be the run at hand, after a pause. */
static bool goes_on(const struct rda_requester *r, const struct rda_request *q)
{
	return r->run.trigger != RDA_TRIGGER_NONE && q->begin == r->run.next;
}

/* From the first PSN on, which passed or was lost, or from before the capture, though all was
 * acknowledged; what others overtake comes a little behind. */
static bool begins_anew(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t late = rda_requester_overtakes(r) ? RDA_FIRST_PSNS : 0;

	return q->begin >= MIN(r->begun.first, r->rare->lowest) - RDA_FIRST_PSNS &&
	       q->begin <= r->begun.first + late && r->progress.acked == r->progress.next;
}

RDA_COLD void rda_run_first_answer(struct rda_requester *r, int64_t psn, uint32_t msn)
{
	uint32_t ended = r->window.lean ? rda_lean_ended(&r->window, 0, psn) : 0;

	for (uint32_t i = 0; !r->window.lean && i < r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);

		if (record->end > psn + 1)
			break;
		ended += (record->roles & RDA_ROLE_LAST) != 0;
	}
	if (msn && msn == ended && rda_window_find(&r->window, r->begun.first) == 0)
		rda_requester_begun(r);
}

void rda_run_counted(struct rda_requester *r, uint32_t before, uint32_t msn)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;
	uint32_t wholes = run->wholes;

	run->wholes = run->counted = 0;
	run->counted_anew |= run->perhaps_reset && msn < before;
	/* where nothing was counted before, the QP's next life counts as the one at hand does; and
	 * what counts anew goes on so */
	run->perhaps_reset &= msn < before || !before || run->counted_anew;
	/* a run far before the first captured PSN, where nothing was counted before, may be of the
	 * QP's life before the capture or of its next, however its answers count on */
	run->uncounted |= !before;
	if ((msn >= before && (!run->uncounted || !run->from_far)) || wholes) {
		rda_requester_rare(r)->counts.doubts.resets -= run->untold;
		run->untold = false;
	}
	if (msn >= before || !wholes)
		return;
	if (!r->rare->counts.doubts.anew)
		rda_requester_rare(r)->counts.doubts.before = r->rare->run.resent;
	rda_requester_rare(r)->counts.doubts.anew += wholes;
	rda_requester_rare(r)->run.anew = true;
}

/* What passed so long ago was answered, or lost. */
static int64_t longest_way(const struct rda_requester *r)
{
	int64_t known = MAX(r->rtt.smooth_ns, r->heard->answers.took_ns);

	return known ? rda_ns_times(known, 2) : RDA_NAK_STALE_NS;
}

/* The kind of a run that began with `psn`, which this packet has, or one that did not pass here. */
static enum rda_run_kind kind_of(const struct rda_requester *r, const struct rda_request *q,
				 int64_t psn)
{
	int64_t index = rda_window_find(&r->window, psn);
	uint16_t roles = psn == q->begin ? q->roles
			 : index >= 0	 ? rda_window_at(&r->window, index)->roles
					 : 0;

	if (roles & RDA_ROLE_ANSWERED)
		return RDA_RUN_ASKS;
	/* what nothing has asked for may go on with a run before it */
	if (r->run.trigger == RDA_TRIGGER_UNEXPLAINED)
		return RDA_RUN_EITHER;
	/* with an older READ, perhaps, that did not pass here */
	return roles && r->progress.incomplete > psn && !rda_run_may_follow_older(r, psn)
		       ? RDA_RUN_SENDS
		       : RDA_RUN_EITHER;
}

/* A timer's run after a silence so long that no answer was under way. */
static bool is_silent(const struct rda_requester *r, const struct rda_event *resend)
{
	return resend->trigger == RDA_TRIGGER_TIMEOUT && resend->wait_ns >= RDA_SILENCE_NS &&
	       resend->wait_ns >= longest_way(r) && !rda_sending_order_is_broken(&r->order);
}

/* Where the run begins, by its reason: with what was seen first of it, or before. */
static int64_t low_of(const struct rda_requester *r, const struct rda_request *q,
		      const struct rda_event *resend, bool due)
{
	if (due)
		return rda_run_behind_damaged(r, r->rare->due.psn);
	/* sooner it may be a copy by the network */
	return resend->trigger == RDA_TRIGGER_TIMEOUT && knows_acked(r) &&
			       resend->wait_ns >= RDA_NAK_STALE_NS
		       ? rda_run_behind_damaged(r, r->progress.acked)
		       : q->begin;
}

static bool has_passed(const struct rda_requester *r, int64_t psn)
{
	const struct rda_sent *record = rda_window_of(&r->window, psn);

	return record && record->seen;
}

/* What lies between `low` and the first that was seen was sent by the run, and did not appear. */
static void begins_behind(struct rda_requester *r, const struct rda_request *q, int64_t low)
{
	bool perhaps = low < q->begin && rda_copied_or_begun_late(r, q);

	rda_tally_skip(r, low, q->begin, !perhaps, NULL);
	if (perhaps)
		rda_selective_leaves_out(r, low, q->begin, RDA_RUN_PERHAPS);
	else if (low < q->begin && r->run.trigger == RDA_TRIGGER_NAK && has_passed(r, q->begin))
		rda_selective_goes_on(r, q, true);
}

/* Requests have gone on since the run before began. */
static bool is_busy(const struct rda_requester *r, const struct rda_request *q)
{
	return r->rare->run.ns != RDA_NEVER_NS &&
	       q->time_ns - r->progress.last_ns < rda_requester_patience(r);
}

/*
 * A NAK or RNR NAK that no run has obeyed so far names just what this one begins with. Some (rxe)
 * read answers only when they have sent what they had begun to send: what came when runs began is
 * obeyed when these are over, however long that takes on its way here.
 */
static bool is_named(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t begun_ns = is_busy(r, q) ? r->rare->run.busy_ns : q->time_ns;

	return rda_unobeyed_names(&r->rare->unobeyed, q->begin,
				  rda_meta_ns_before(begun_ns, rda_requester_patience(r)));
}

static void count_whole(struct rda_requester *r, const struct rda_request *q,
			enum rda_trigger trigger)
{
	struct rda_resend_run *run = &rda_requester_rare(r)->run;

	if (trigger != RDA_TRIGGER_TIMEOUT || !begins_anew(r, q))
		run->wholes = 0;
	else if (!run->wholes++)
		run->resent = r->rare->counts.packets[RDA_REQUEST_RESENT];
}

void rda_run_begin(struct rda_requester *r, const struct rda_request *q,
		   const struct rda_event_sink *sink, uint64_t original)
{
	enum rda_trigger trigger = (rda_run_cause_recall(r, q), rda_run_reason(r, q));
	bool due = trigger == (enum rda_trigger)r->rare->due.trigger;
	bool either = rda_run_begins_again(r, q), named = is_named(r, q);
	int64_t low, since = due ? r->rare->due.ns : rda_run_silent_since(r, q);
	struct rda_event event = {
		.kind = RDA_EVENT_RESEND,
		.trigger = (uint8_t)trigger,
		.psn = q->begin,
		.frame = q->frame,
		.other_frame = due ? r->rare->due.frame : original,
		.time_ns = q->time_ns,
		.wait_ns = q->time_ns - since,
		.doubted = due && rda_run_is_doubted(r, q),
	};
	struct rda_resend_run *run = &rda_requester_rare(r)->run;

	rda_run_gives_way(r);
	rda_run_begins_late(r, q, due, trigger);
	rda_requester_rare(r)->counts.doubts.on += trigger == RDA_TRIGGER_TIMEOUT && goes_on(r, q);
	run->early = due && rda_run_is_early(r, q);
	run->named = !due && named;
	rda_unobeyed_run(&rda_requester_rare(r)->unobeyed, q->begin, q->time_ns);
	rda_tally_run(r, trigger);
	rda_tally_stalled(r, trigger, sent_of(r, q), q->time_ns);
	count_whole(r, q, trigger);
	rda_run_note_reset(r, q);
	run->anew = run->doubted = false;
	r->run.trigger = (uint8_t)trigger;
	run->frame = q->frame, run->begin = q->begin;
	run->answered = MIN(r->progress.acked, r->progress.incomplete);
	run->cause = due ? r->rare->due.frame : 0;
	run->ordinal = r->ordinal;
	run->alone = is_alone(r, q->time_ns);
	run->told_ns = told_of(r, q->time_ns);
	run->crossed = due && r->rare->due.crossed;
	run->busy_ns = is_busy(r, q) ? run->busy_ns : q->time_ns;
	run->ns = q->time_ns;
	rda_run_waited(r, q, trigger, due, event.wait_ns);
	if (is_silent(r, &event)) {
		run->silent_frame = q->frame;
		run->silent_begin = q->begin;
	}
	run->retrying = true;
	rda_requester_anew(r);
	run->due = due;
	rda_emit(sink, &event);
	low = low_of(r, q, &event, due);
	/* where a NAK names just this that may be why, whatever else was due */
	either |= low < q->begin && named;
	run->kind = either ? RDA_RUN_EITHER : kind_of(r, q, MIN(low, q->begin));
	run->jumped = false, run->open_ordinal = 0;
	run->breaks_off = r->run.next;
	rda_run_ends(r, INT64_MAX);
	rda_past_run_add(r, q, r->order.latest, r->order.before, MIN(low, q->begin));
	begins_behind(r, q, low);
	rda_arrival_over(r, r->progress.acked, q->begin);
	if (!rda_run_cause_remains(r, q, trigger))
		rda_run_cause_next(r);
}

void rda_run_doubt(struct rda_requester *r, const struct rda_request *q, bool doubted)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);
	struct rda_run_doubts *doubts = &rare->counts.doubts;

	doubts->copies += doubted;
	if (doubted && rare->run.ordinal == r->ordinal) {
		rare->run.doubted = true;
		doubts->runs[r->run.trigger]++;
	} else if (!doubted && rare->run.doubted && q->begin == rare->run.breaks_off) {
		/* what seemed to begin it may be a copy of the latest of the run before, which then
		 * goes on: the run stays one that is counted as doubtful */
		rare->run.doubted = false;
	} else if (!doubted && rare->run.doubted) {
		rare->run.doubted = false;
		doubts->runs[r->run.trigger]--;
		/* that was its first, where it goes on from there: else what lies between is not
		 * there, and it begins here */
		doubts->copies -= r->run.trigger != RDA_TRIGGER_TIMEOUT &&
				  r->run.trigger != RDA_TRIGGER_UNEXPLAINED &&
				  q->begin == rare->run.reached;
	}
	if (rare->run.late && rda_run_goes_on_at_once(r, q)) {
		rare->run.late = false;
		doubts->firsts -= rare->run.first;
	}
	rare->run.reached = q->end;
}

void rda_run_due(struct rda_requester *r, enum rda_trigger trigger, int64_t psn, int64_t time_ns,
		 int64_t wait_ns, uint64_t frame)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);
	const struct rda_resend_cause *due = &rare->due;

	rda_unobeyed_add(&rare->unobeyed, psn, time_ns, trigger == RDA_TRIGGER_NAK ? frame : 0);
	/* rxe follows an RNR NAK with a NAK of the same PSN: the RNR wait is what counts */
	if (due->trigger == RDA_TRIGGER_RNR && trigger == RDA_TRIGGER_NAK && due->psn == psn) {
		rare->due.nak_ns = time_ns;
		rare->due.nak_frame = frame;
		return;
	}
	/* it goes back for a READ or ATOMIC already, whose answer has not come since, nor before */
	if (due->trigger == RDA_TRIGGER_IMPLIED && !due->had && trigger == RDA_TRIGGER_NAK &&
	    due->psn < psn && r->progress.incomplete <= due->psn &&
	    time_ns - due->ns <= rda_requester_patience(r) && !rda_run_went_on(r))
		return;
	if ((due->trigger == RDA_TRIGGER_NAK || due->trigger == RDA_TRIGGER_RNR) &&
	    due->psn != psn && !(trigger == RDA_TRIGGER_RNR && rda_run_cause_is_first(r)))
		rare->due_before = *due;
	rare->due = (struct rda_resend_cause){
		.trigger = (uint8_t)trigger,
		.kind = (uint8_t)trigger,
		.psn = psn,
		.ns = time_ns,
		.wait_ns = wait_ns,
		.rnr_ns = rda_run_waits_until(r, time_ns),
		.frame = frame,
		.obeyed = trigger == RDA_TRIGGER_NAK && rda_past_run_began(r, psn, time_ns),
		.waits = trigger == RDA_TRIGGER_NAK && r->progress.incomplete < psn,
	};
}

struct rda_past_run *rda_run_began(struct rda_requester *r, const struct rda_request *first,
				   int64_t place, int64_t before, const struct rda_event_sink *sink)
{
	bool due = rda_run_cause_is_of(r, first);
	enum rda_trigger trigger =
		due ? (enum rda_trigger)r->rare->due.trigger : RDA_TRIGGER_UNEXPLAINED;
	struct rda_event event = {
		.kind = RDA_EVENT_RESEND,
		.trigger = (uint8_t)trigger,
		.psn = first->begin,
		.frame = first->frame,
		.other_frame = due ? r->rare->due.frame : 0,
		.time_ns = first->time_ns,
		.wait_ns = due ? first->time_ns - r->rare->due.ns : 0,
		/* its packets overtook each other: when did it begin, and with what? */
		.doubted = due || rda_unobeyed_allows(&r->rare->unobeyed, first->begin),
	};
	struct rda_past_run *run =
		rda_past_run_add(r, first, place, before, due ? r->rare->due.psn : first->begin);

	rda_unobeyed_run(&rda_requester_rare(r)->unobeyed, first->begin, first->time_ns);
	rda_tally_run(r, trigger);
	rda_tally_stalled(r, trigger, sent_of(r, first), first->time_ns);
	run->trigger = (uint8_t)trigger;
	run->behind_others = true;
	run->cause = event.other_frame;
	rda_tally_skip(r, run->low, first->begin, false, run);
	if (due)
		rda_requester_rare(r)->due.trigger = RDA_TRIGGER_NONE;
	rda_emit(sink, &event);
	return run;
}
