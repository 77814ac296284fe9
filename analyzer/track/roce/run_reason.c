/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a run of resends begins. See run_reason.h; what else may be why: run_doubt.c, and two reasons
 * at a time: run_cause.c.
 */
#include "analyzer/track/roce/run_reason.h"

#include "analyzer/track/roce/copies.h"
#include "analyzer/track/roce/overtaken.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/run_cause.h"

#include <glib.h>

/* An answer that stopped for longer is not what a requester goes back for: a timer is. */
static int64_t longest_pause(const struct rda_requester *r)
{
	return MAX(MAX(RDA_MIRROR_NS, rda_ns_times(r->rare->run.obeyed_ns, 2)),
		   rda_ns_times(r->heard->answers.took_ns, 8));
}

/* An answer passed before it, and not long before. Behind it too, where a run is known to begin
 * with what filled a hole only when it goes on: that was no reason. */
static bool is_recent(const struct rda_request *q, int64_t answer_ns, int64_t patience)
{
	return answer_ns <= q->time_ns && q->time_ns - answer_ns <= patience;
}

/* An answer to something behind it passed: its own was lost on its way from the tap. */
static bool is_implied(const struct rda_requester *r, const struct rda_request *q, int64_t patience)
{
	const struct rda_answers *answers = &r->heard->answers;
	int64_t index = rda_window_find(&r->window, q->begin);
	int64_t end = index < 0 ? q->end : rda_window_at(&r->window, index)->end;
	/* a READ's own answer as far as it came may tell too, but not when it has stopped */
	bool stopped = r->progress.incomplete < end && answers->next < r->progress.incomplete &&
		       q->time_ns - answers->next_ns > longest_pause(r);
	int64_t psn = stopped ? r->progress.incomplete : q->begin;

	return (answers->next > psn && is_recent(q, answers->next_ns, patience)) ||
	       (answers->run_next > psn && is_recent(q, answers->run_ns, patience));
}

bool rda_run_is_stale(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_cause *due = &r->rare->due;
	/* senders round an RNR wait up, and send first what they began; but when it is long over
	 * and all was silent, the RNR NAK did not arrive */
	int64_t since =
		due->trigger == RDA_TRIGGER_RNR ? MAX(due->ns, r->progress.last_ns) : due->ns;
	/* how soon answers come does not tell how soon it obeys a NAK */
	int64_t within =
		r->rare->run.obeyed_ns ? rda_requester_prompt(r) : rda_requester_patience(r);

	return q->time_ns - since > rda_ns_sum(within, rda_ns_times(due->wait_ns, 2));
}

bool rda_run_is_asked(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_resend_cause *due = &r->rare->due;

	return r->run.trigger != RDA_TRIGGER_NONE && due->trigger == RDA_TRIGGER_NAK &&
	       due->psn == q->begin && due->ns > r->rare->run.ns && q->begin < r->progress.next &&
	       q->begin <= r->progress.acked && !rda_run_is_stale(r, q) &&
	       !rda_overtaken_in_turn(r, q);
}

/* The latest request before the run: what filled a hole is the beginning of it. */
static int64_t last_before(const struct rda_requester *r, const struct rda_request *q)
{
	bool filled = r->rare->filling.begin != r->rare->filling.next &&
		      r->rare->filling.begin == q->begin;

	return filled ? r->rare->filling.since_ns : r->progress.last_ns;
}

int64_t rda_run_silent_since(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t last = last_before(r, q);

	return r->progress.moved_ns < q->time_ns ? MAX(last, r->progress.moved_ns) : last;
}

/*
 * It was acknowledged, something else has just passed, and it comes no later behind the
 * acknowledgment than a copy does: no timer fires so soon.
 */
static bool comes_behind(const struct rda_requester *r, const struct rda_request *q)
{
	return q->begin < MIN(r->progress.acked, r->progress.incomplete) &&
	       r->progress.acked_frame && q->time_ns - r->progress.acked_ns < RDA_COPY_NS &&
	       q->time_ns - rda_run_silent_since(r, q) < RDA_TIMER_IN_USE_NS;
}

/* Packets overtake each other, and no timer in use fires so soon. */
static bool comes_too_soon(const struct rda_requester *r, const struct rda_request *q)
{
	return rda_requester_overtakes(r) &&
	       q->time_ns - rda_run_silent_since(r, q) < RDA_TIMER_IN_USE_NS;
}

/*
 * All that was asked was answered in full, or sent again since the latest answer, or what comes is
 * the oldest that was not, behind the answer that is missing; and then nothing passed for longer
 * than a requester takes to go back for an answer that is missing: a timer does that, as answers
 * were lost. Sooner, where it was sent again twice since: one of the two was that going back, and
 * nobody goes back twice for one answer. Where packets overtake each other, one may be late by
 * several times as much.
 */
static bool comes_behind_silence(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_answers *answers = &r->heard->answers;
	const struct rda_resend_run *run = &r->rare->run;
	int64_t answer_ns = MAX(answers->next_ns, answers->run_ns);
	int64_t way = MAX(r->rtt.smooth_ns, answers->took_ns);
	bool late = answers->overtake || rda_requester_overtakes(r);
	int64_t longest =
		MAX(RDA_REACTION_MIN_NS, rda_ns_times(MAX(way, run->obeyed_ns), late ? 8 : 2));
	bool answered =
		r->progress.acked >= r->progress.next && r->progress.incomplete >= r->progress.next;
	bool obeyed = run->ns != RDA_NEVER_NS && run->ns > answer_ns && run->begin <= q->begin;
	bool oldest = q->begin == r->progress.acked && q->begin > r->rare->due.psn && !late;

	if (!late && rda_past_runs_twice_since(r, q->begin, answer_ns))
		longest = RDA_TIMER_IN_USE_NS;
	return (answered || obeyed || oldest) &&
	       q->time_ns - MAX(rda_run_silent_since(r, q), MAX(answer_ns, answers->any_ns)) >
		       longest;
}

enum rda_trigger rda_run_reason(const struct rda_requester *r, const struct rda_request *q)
{
	int64_t oldest = MIN(r->progress.acked, r->progress.incomplete);
	bool silent = comes_behind_silence(r, q);
	bool due = r->rare->due.trigger != RDA_TRIGGER_NONE && !rda_run_is_stale(r, q) &&
		   !(silent && r->rare->due.trigger == RDA_TRIGGER_IMPLIED);
	bool again = rda_run_asks_again(r, q);
	bool passed = due && again && q->begin < r->rare->due.psn;

	/* a NAK makes the requester go back to an older READ that is incomplete */
	if (due &&
	    (q->begin == r->rare->due.psn || (passed && r->rare->due.trigger != RDA_TRIGGER_RNR)))
		return (enum rda_trigger)r->rare->due.trigger;
	/* it was put off itself, and the requester goes back to the oldest of all that were */
	if (passed && q->begin == r->progress.incomplete && r->rare->due.behind)
		return RDA_TRIGGER_RNR;
	/* an RNR NAK that passes it while its answer is missing asks to wait with something else */
	if ((passed && q->begin >= r->progress.incomplete) ||
	    (again && !silent && is_implied(r, q, rda_requester_prompt(r))))
		return RDA_TRIGGER_IMPLIED;
	/* the first of the run was lost before the tap */
	if (due && q->begin > r->rare->due.psn && !r->rare->due.obeyed &&
	    !rda_run_cause_waits(&r->rare->due, q) && !rda_run_cause_is_made_up_for(r, q))
		return (enum rda_trigger)r->rare->due.trigger;
	if (comes_behind(r, q) || comes_too_soon(r, q) || rda_run_cause_is_cut_off(r, q))
		return RDA_TRIGGER_UNEXPLAINED;
	if (q->begin <= oldest || q->time_ns - last_before(r, q) >= RDA_TIMER_IN_USE_NS)
		return RDA_TRIGGER_TIMEOUT;
	return RDA_TRIGGER_UNEXPLAINED;
}
