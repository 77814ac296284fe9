/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two reasons to send again at a time. See run_cause.h.
 */
#include "analyzer/track/roce/run_cause.h"

#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/run_reason.h"

/* It begins where an older NAK said: it was on its way when the newer one was sent. */
static void recall(struct rda_requester *r, const struct rda_request *q)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);
	struct rda_resend_cause newer = rare->due;
	/* a wait begins anew with each RNR NAK */
	bool again = newer.trigger == RDA_TRIGGER_RNR && rare->due_before.trigger == newer.trigger;
	int64_t since = again ? newer.ns : rare->due_before.ns;

	if (rare->due_before.trigger == RDA_TRIGGER_NONE || q->begin != rare->due_before.psn ||
	    q->begin == newer.psn ||
	    q->time_ns - since >
		    rda_ns_sum(rda_requester_prompt(r), rda_ns_times(rare->due_before.wait_ns, 2)))
		return;
	rare->due = rare->due_before;
	rare->due_before = newer;
}

/* It goes back to a READ or ATOMIC, and something behind that was answered since the latest run
 * began, and since this: that is why. */
static bool is_implied_since(const struct rda_requester *r, const struct rda_request *q,
			     int64_t time_ns)
{
	const struct rda_answers *answers = &r->heard->answers;

	return answers->run_next > q->begin && answers->run_ns > time_ns &&
	       rda_run_asks_again(r, q);
}

/* The NAK that asks for just this, if it passed before what is, or was, due, which asks for more:
 * or NULL. */
static const struct rda_reason_left *earlier_nak(const struct rda_requester *r,
						 const struct rda_request *q)
{
	const struct rda_resend_cause *due = &r->rare->due;
	const struct rda_reason_left *nak = rda_unobeyed_of(&r->rare->unobeyed, q->begin);
	bool is_before = nak && nak->frame && due->kind == RDA_TRIGGER_NAK && q->begin < due->psn &&
			 nak->ns <= due->ns;

	return is_before && q->time_ns - nak->ns <= rda_requester_prompt(r) &&
			       !is_implied_since(r, q, nak->ns)
		       ? nak
		       : NULL;
}

/* It begins where a NAK before these two said: the latest is due behind it. */
static void recall_earlier(struct rda_requester *r, const struct rda_request *q)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);
	const struct rda_reason_left *nak = earlier_nak(r, q);

	if (!nak || rare->due.trigger != RDA_TRIGGER_NAK ||
	    !rda_unobeyed_allows(&rare->unobeyed, q->begin))
		return;
	rare->due_before = rare->due;
	rare->due = (struct rda_resend_cause){
		.trigger = RDA_TRIGGER_NAK,
		.kind = RDA_TRIGGER_NAK,
		.psn = nak->psn,
		.ns = nak->ns,
		.rnr_ns = RDA_NEVER_NS,
		.frame = nak->frame,
	};
}

/*
 * An RNR NAK asked to wait, and a NAK that followed it has the same PSN: that makes the requester
 * go back to a READ or ATOMIC before it whose answer was lost behind, without waiting. Unless it
 * waits all the same, the RNR NAK is due besides.
 */
static void recall_nak(struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_cause waits = r->rare->due;
	struct rda_resend_cause *due;

	if (waits.trigger != RDA_TRIGGER_RNR || !waits.nak_frame || q->begin >= waits.psn ||
	    !rda_run_asks_again(r, q) || q->time_ns - waits.nak_ns > rda_requester_prompt(r))
		return;
	due = &rda_requester_rare(r)->due;
	*due = (struct rda_resend_cause){
		.trigger = RDA_TRIGGER_NAK,
		.kind = RDA_TRIGGER_NAK,
		.psn = waits.psn,
		.ns = waits.nak_ns,
		.rnr_ns = waits.ns + waits.wait_ns,
		.frame = waits.nak_frame,
	};
	if (rda_run_cause_waits(&waits, q)) {
		rda_requester_rare(r)->due_before = waits;
		rda_requester_rare(r)->due_before.nak_frame = 0;
	}
}

/*
 * The latest run began with this a moment ago, as a NAK asks, and may have gone on with the one
 * before it. No timer fires so soon: this is what obeys the NAK.
 */
static void recall_obeyed(struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_run *run = &r->rare->run;
	const struct rda_resend_cause *due = &r->rare->due;
	int64_t last_ns = r->progress.last_ns;

	if (r->run.trigger == RDA_TRIGGER_NAK && due->trigger == RDA_TRIGGER_NONE &&
	    run->cause == due->frame && q->begin == run->begin && q->begin >= run->breaks_off &&
	    due->psn == q->begin &&
	    q->time_ns - last_ns + rda_meta_unit_ns(q->time_ns, last_ns) < RDA_SHORTEST_TIMER_NS)
		rda_requester_rare(r)->due.trigger = due->kind;
}

void rda_run_cause_recall(struct rda_requester *r, const struct rda_request *q)
{
	recall_obeyed(r, q);
	recall(r, q);
	recall_earlier(r, q);
	recall_nak(r, q);
}

bool rda_run_cause_is_of(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_cause *due = &r->rare->due;

	return due->trigger != RDA_TRIGGER_NONE &&
	       (due->psn == q->begin || (due->trigger == RDA_TRIGGER_NAK && due->psn < q->begin &&
					 !due->obeyed && !rda_run_is_stale(r, q)));
}

bool rda_run_cause_is_made_up_for(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_cause *due = &r->rare->due;
	const struct rda_sent *sent;

	if (r->progress.acked <= due->psn || q->time_ns - due->ns <= RDA_REACTION_MIN_NS)
		return false;
	if (due->trigger != RDA_TRIGGER_NAK)
		return due->trigger == RDA_TRIGGER_IMPLIED && r->progress.incomplete > due->psn;
	sent = r->window.lean ? NULL : rda_window_of(&r->window, q->begin);
	return sent && sent->sent_ns - due->ns > RDA_NAK_STALE_NS;
}

bool rda_run_cause_asks_for(const struct rda_requester *r, int64_t psn)
{
	const struct rda_resend_cause *due = &r->rare->due;
	const struct rda_sent *read;

	if (due->trigger == RDA_TRIGGER_NONE || psn >= due->psn)
		return due->trigger != RDA_TRIGGER_NONE && psn == due->psn;
	read = r->window.lean ? NULL : rda_window_of(&r->window, psn);
	return read && read->roles & RDA_ROLE_READ && due->psn < read->end;
}

bool rda_run_cause_is_cut_off(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *sent = rda_window_of(&r->window, q->begin);
	int64_t cut_ns = r->heard->answers.cut_ns;

	return cut_ns != RDA_NEVER_NS &&
	       (r->rare->run.ns == RDA_NEVER_NS || cut_ns >= r->rare->run.ns) &&
	       (!sent || cut_ns >= sent->sent_ns);
}

bool rda_run_cause_is_first(const struct rda_requester *r)
{
	const struct rda_resend_cause *due = &r->rare->due, *before = &r->rare->due_before;

	return due->trigger == RDA_TRIGGER_RNR && before->trigger == RDA_TRIGGER_RNR &&
	       before->psn < due->psn && r->progress.incomplete <= before->psn;
}

bool rda_run_cause_remains(const struct rda_requester *r, const struct rda_request *q,
			   enum rda_trigger trigger)
{
	if (r->rare->due.trigger == RDA_TRIGGER_RNR && trigger != RDA_TRIGGER_RNR)
		return rda_run_cause_waits(&r->rare->due, q);
	return r->rare->due.trigger == RDA_TRIGGER_NAK && trigger != RDA_TRIGGER_NAK &&
	       q->begin < r->rare->due.psn && !rda_run_is_stale(r, q);
}

void rda_run_cause_next(struct rda_requester *r)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);

	if ((rare->due_before.trigger == RDA_TRIGGER_RNR &&
	     rare->due_before.psn == rare->due.psn) ||
	    (rare->due_before.trigger != RDA_TRIGGER_NONE && rare->due_before.ns > rare->due.ns))
		rare->due = rare->due_before;
	else
		rare->due.trigger = RDA_TRIGGER_NONE;
	rare->due_before.trigger = RDA_TRIGGER_NONE;
}

void rda_run_cause_earlier(struct rda_requester *r, struct rda_past_run *run,
			   const struct rda_request *q)
{
	struct rda_requester_rare *rare = rda_requester_rare(r);
	const struct rda_reason_left *nak = earlier_nak(r, q);

	if (!nak || rare->due.trigger != RDA_TRIGGER_NONE || run->cause != rare->due.frame ||
	    rare->run.cause != run->cause)
		return;
	run->cause = rare->run.cause = nak->frame;
	rare->due.trigger = rare->due.kind;
	rda_unobeyed_run(&rare->unobeyed, q->begin, q->time_ns);
}
