/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S02, S04, S17: runs of resends, and what each of them tells; state.h has the verdicts. S01 of
 * requests is missing.c's, S03 after_nak.c's.
 *
 * Evidence comes after the run: the latest RDA_LOSS_RUNS_KEPT runs wait for it, and are judged as
 * they are when they make room.
 */
#include "analyzer/checks/sequence/spurious.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"

#include <glib.h>
#include <string.h>

struct rda_losses *rda_losses_of(struct rda_flow *flow)
{
	struct rda_sequence_watch *watch = rda_sequence_watch(flow);

	if (!watch->losses) {
		watch->losses = g_new0(struct rda_losses, 1);
		watch->losses->told_until_ns = RDA_NEVER_NS;
	}
	return watch->losses;
}

/* The part of a run's time that no earlier run has had. */
static int64_t cost_until(struct rda_losses *losses, const struct rda_loss_run *run,
			  int64_t until_ns)
{
	int64_t from = MAX(run->since_ns, losses->told_until_ns);

	losses->told_until_ns = MAX(losses->told_until_ns, until_ns);
	return MAX(until_ns - from, 0);
}

/* No timer in use fires so soon: what the run begins with has overtaken the end of the run before,
 * or an answer passed that had not reached the requester; or it is of the run before, and came
 * late. */
static bool knows_wait(const struct rda_loss_run *run)
{
	bool asked = run->trigger != RDA_TRIGGER_TIMEOUT && run->trigger != RDA_TRIGGER_UNEXPLAINED;

	return asked || (run->wait_ns >= RDA_TIMER_IN_USE_NS && !run->late);
}

static void add(struct rda_loss_sum *sum, const struct rda_loss_run *run)
{
	if (knows_wait(run)) {
		sum->least_ns = sum->waits ? MIN(sum->least_ns, run->wait_ns) : run->wait_ns;
		sum->most_ns = MAX(sum->most_ns, run->wait_ns);
		sum->wait_ns = rda_ns_sum(sum->wait_ns, run->wait_ns);
		sum->waits++;
	}
	sum->cost_ns = rda_ns_sum(sum->cost_ns, run->cost_ns);
	sum->oldest_ns = MAX(sum->oldest_ns, run->age_ns);
	sum->unanswered += !run->answered;
	sum->inside += run->inside;
	sum->asked += run->asked;
	sum->packets += run->packets;
	sum->runs++;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* It was for nothing, or a timer's of which no loss is known: S16 counts none of it. */
static bool is_needless(const struct rda_loss_run *run)
{
	switch (run->verdict) {
	case RDA_VERDICT_OPEN: return run->trigger == RDA_TRIGGER_TIMEOUT;
	case RDA_VERDICT_ANSWERED:
	case RDA_VERDICT_EARLY:
	case RDA_VERDICT_SEEMS_EARLY:
	case RDA_VERDICT_SEEMS_ANSWERED:
	case RDA_VERDICT_DIFFERS: return true;
	default: return false;
	}
}

/* The last word on a run. */
static void close_run(struct rda_findings *findings, const struct rda_flow *flow,
		      struct rda_losses *losses, struct rda_loss_run *run)
{
	const struct rda_giveup *giveup = rda_giveup_of(flow);
	struct rda_finding *finding;
	bool put_off = giveup && rda_giveup_may_be_put_off(giveup, run->wait_ns);

	rda_spurious_settle(flow, losses, run);
	if (is_needless(run))
		losses->needless += run->doubted ? 0 : run->packets;
	else if (!losses->first_repair)
		losses->first_repair = run->frame;
	if (!run->answered) {
		run->cost_ns = cost_until(losses, run, run->since_ns + run->wait_ns);
		losses->unanswered_from = losses->closed_unanswered
						  ? MIN(losses->unanswered_from, run->start)
						  : run->start;
		losses->closed_unanswered = true;
	}
	rda_after_nak_close(findings, flow, run);
	add(run->perhaps_nak ? &losses->after_nak_perhaps : &losses->by_trigger[run->trigger], run);
	rda_reordered_close(run);
	if (run->verdict != RDA_VERDICT_OPEN)
		add(&losses->by_verdict[run->verdict], run);
	if (run->of_response && run->verdict <= RDA_VERDICT_AFTER)
		add(&losses->of_responses[run->verdict], run);
	rda_spurious_close(findings, flow, run);
	if (run->trigger != RDA_TRIGGER_TIMEOUT || run->verdict >= RDA_VERDICT_ANSWERED)
		return;
	if (run->verdict == RDA_VERDICT_OPEN && !run->refused && !run->doubted &&
	    !run->begun_before && !put_off) {
		add(&losses->by_verdict[RDA_VERDICT_OPEN], run);
		finding =
			rda_finding_add(findings, RDA_CHECK_S04, rda_about_flow(flow), run->frame);
	} else {
		losses->put_off |= put_off;
		add(&losses->repaired, run);
		finding = rda_finding_add_as(findings, RDA_CHECK_S04, RDA_SEVERITY_NOTE,
					     RDA_PROOF_SUSPECTED, rda_about_flow(flow), run->frame);
	}
	rda_finding_frame(finding, run->cause);
}

struct rda_loss_run *rda_losses_newest(struct rda_losses *losses)
{
	return losses->run_count ? &losses->runs[losses->run_count - 1] : NULL;
}

/* What a run begins with was here, and damaged. */
static bool is_damaged(const struct rda_account *account, const struct rda_loss_run *run)
{
	const struct rda_sent *sent = rda_account_sent(account, run->start);

	return sent && sent->damaged;
}

static void begin_run(const struct rda_at *at, struct rda_losses *losses,
		      const struct rda_event *event)
{
	struct rda_sequence_watch *watch = rda_sequence_watch(at->asker);
	const struct rda_account *account = at->asker->account;
	int64_t first = rda_psn_first(at->asker->first_psn);
	const struct rda_sent *oldest;
	struct rda_loss_run *run;

	if (losses->run_count == RDA_LOSS_RUNS_KEPT) {
		close_run(&at->judge->findings, at->asker, losses, &losses->runs[0]);
		rda_anew_forget(losses, &losses->runs[0]);
		losses->run_count--;
		memmove(losses->runs, losses->runs + 1, losses->run_count * sizeof(*run));
	}
	run = &losses->runs[losses->run_count++];
	*run = (struct rda_loss_run){
		.start = rda_account_run_start(account, event),
		.end = event->psn,
		.top = rda_account_progress(account)->next,
		.wait_ns = MAX(event->wait_ns, 0),
		.since_ns = event->time_ns - MAX(event->wait_ns, 0),
		.frame = event->frame,
		.cause = event->other_frame,
		.trigger = event->trigger,
		.inside = watch->message == RDA_MESSAGE_STATE_SEND ||
			  watch->message == RDA_MESSAGE_STATE_WRITE,
		.refused = rda_account_is_refused(account),
		.late = rda_account_run(account)->late,
	};
	run->perhaps_due = rda_account_run(account)->named ||
			   rda_account_began_before(account, run->start, event->time_ns);
	oldest = rda_account_sent(account, run->start);
	run->age_ns = oldest && oldest->seen ? event->time_ns - oldest->first_ns : 0;
	losses->rnr_unchecked += event->trigger == RDA_TRIGGER_RNR &&
				 event->other_frame == losses->rnr_unchecked_frame;
	rda_after_nak_timer(at, losses, run, event);
	rda_spurious_begin(at, losses, event);
	rda_anew_begin(at->asker, run);
	run->begun_before =
		run->start < first && rda_account_began_before(account, first, event->time_ns);
	rda_reordered_run(losses, run);
	if (is_damaged(account, run))
		run->verdict = RDA_VERDICT_DAMAGED;
	/* the QP was set up anew, perhaps, and what seems to be sent again is new */
	if (rda_account_run(account)->perhaps_reset)
		watch->message = RDA_MESSAGE_STATE_UNKNOWN;
}

static void run_packet(const struct rda_at *at, struct rda_losses *losses,
		       const struct rda_event *event)
{
	const struct rda_account *account = at->asker->account;
	const struct rda_sent *record = rda_account_sent(account, event->psn);
	struct rda_loss_run *run = rda_losses_newest(losses);

	if (event->overtaken)
		rda_reordered_late(losses, event->psn);
	if (event->doubted && !losses->first_doubted)
		losses->first_doubted = event->frame;
	else if (!event->doubted && !losses->first_resent)
		losses->first_resent = event->frame;
	if (event->doubted)
		losses->doubted_ns = MAX(losses->doubted_ns, event->wait_ns);
	losses->after_rnr += event->trigger == RDA_TRIGGER_RNR;
	if (record && event->trigger != RDA_TRIGGER_RNR && !event->doubted) {
		uint64_t sent = record->seen + 1u;

		if (sent > losses->most_sent) {
			losses->most_sent = sent;
			losses->most_sent_frame = event->frame;
		}
	}
	if (!run)
		return;
	rda_after_nak_packet(at, run, event);
	run->doubted = event->doubted && (run->doubted || !run->packets);
	run->end = MAX(run->end, at->request->end);
	run->top = MAX(run->top, rda_account_progress(account)->next);
	run->packets++;
}

/* ---- what a run repairs ---------------------------------------------------------------------- */

/* The first of `count` runs that sent this PSN again; NULL when one that did has the verdict. */
static struct rda_loss_run *repairer(struct rda_losses *losses, unsigned count, int64_t psn,
				     enum rda_loss_verdict verdict)
{
	struct rda_loss_run *found = NULL;

	for (unsigned i = count; i > 0; i--) {
		struct rda_loss_run *run = &losses->runs[i - 1];

		if (psn < run->start || psn >= run->end)
			continue;
		if (run->verdict == verdict)
			return NULL;
		if (run->verdict == RDA_VERDICT_OPEN)
			found = run;
	}
	return found;
}

/* What made a run, and where it began. */
static void add_frames(struct rda_finding *finding, const struct rda_loss_run *run)
{
	if (run->trigger != RDA_TRIGGER_TIMEOUT)
		rda_finding_frame(finding, run->cause);
	rda_finding_frame(finding, run->frame);
}

/* Of the `count` oldest runs. */
static bool blame(struct rda_losses *losses, unsigned count, int64_t psn, uint64_t times,
		  enum rda_loss_verdict verdict, bool of_response, struct rda_finding *finding)
{
	struct rda_loss_run *other;
	uint64_t known = 0;
	bool fresh = false;
	unsigned from;

	for (from = count; from > 0 && known < times; from--)
		known += losses->runs[from - 1].start == psn &&
			 (losses->runs[from - 1].verdict == RDA_VERDICT_OPEN ||
			  losses->runs[from - 1].verdict == verdict);
	for (unsigned i = from; i < count; i++) {
		struct rda_loss_run *run = &losses->runs[i];

		if (run->start != psn || run->verdict != RDA_VERDICT_OPEN)
			continue;
		run->verdict = (uint8_t)verdict;
		run->of_response = of_response;
		add_frames(finding, run);
		fresh = true;
	}
	other = known ? NULL : repairer(losses, count, psn, verdict);
	if (!other)
		return fresh;
	other->verdict = (uint8_t)verdict;
	other->of_response = of_response;
	add_frames(finding, other);
	return true;
}

bool rda_losses_blame(struct rda_losses *losses, int64_t psn, uint64_t times,
		      enum rda_loss_verdict verdict, struct rda_finding *finding)
{
	return blame(losses, losses->run_count, psn, times, verdict, false, finding);
}

bool rda_losses_blame_response(struct rda_losses *losses, int64_t psn, uint64_t frame,
			       enum rda_loss_verdict verdict, struct rda_finding *finding)
{
	unsigned count = losses->run_count;

	while (count > 0 && losses->runs[count - 1].frame > frame)
		count--;
	return blame(losses, count, psn, 1, verdict, true, finding);
}

/* S02, of requests: the packet, the NAK, what was sent again. */
static void lost_after(const struct rda_at *at, struct rda_losses *losses,
		       const struct rda_event *event)
{
	bool damaged = rda_icrc_was_damaged(at->icrc_source, event->other_frame);
	struct rda_finding *finding =
		rda_finding_add_as(&at->judge->findings, RDA_CHECK_S02,
				   damaged ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
				   damaged ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
				   rda_about_flow(at->asker), event->other_frame);

	*(damaged ? &losses->damaged_first : &losses->lost_after) += 1;
	if (!rda_losses_blame(losses, event->psn, 1,
			      damaged ? RDA_VERDICT_DAMAGED : RDA_VERDICT_AFTER, finding))
		rda_finding_frame(finding, event->frame);
}

/* S01, S02, of READ responses: a finding of the flow that sent them. */
static void responses_lost(const struct rda_at *at, struct rda_losses *losses,
			   const struct rda_event *event)
{
	bool before = event->kind != RDA_EVENT_RESPONSE_LOST_AFTER;
	bool proven = event->kind == RDA_EVENT_RESPONSE_LOST_BEFORE &&
		      !rda_missing_responses_doubted(at->asker) &&
		      !rda_anew_asks(losses, event->frame);
	struct rda_flow *sender = at->asker->peer;
	struct rda_losses *theirs;
	struct rda_finding *finding;

	if (!sender)
		return;
	theirs = rda_losses_of(sender);
	*(proven   ? &theirs->responses_before
	  : before ? &theirs->responses_missing
		   : &theirs->responses_after) += event->count;
	if (proven && event->doubted) {
		theirs->responses_in_order += event->count;
		theirs->in_order_frame = event->frame;
	}
	finding = rda_finding_add_as(
		&at->judge->findings, before ? RDA_CHECK_S01 : RDA_CHECK_S02, RDA_SEVERITY_WARNING,
		proven ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED, rda_about_flow(sender), 0);
	finding->count += event->count - 1;
	if (!rda_losses_blame_response(losses, event->psn, event->frame,
				       before ? RDA_VERDICT_BEFORE : RDA_VERDICT_AFTER, finding))
		rda_finding_frame(finding, event->frame);
}

/* S02, the note: what was damaged is not accepted. The frame family tells of the damage. */
void rda_check_sequence_damaged(const struct rda_at *at)
{
	if (!at->flow->account)
		return;
	rda_losses_of(at->flow);
	rda_finding_add_as(&at->judge->findings, RDA_CHECK_S02, RDA_SEVERITY_NOTE, RDA_PROOF_PROVEN,
			   rda_about_flow(at->flow), at->place);
}

void rda_losses_differs(struct rda_losses *losses)
{
	struct rda_loss_run *run = losses ? rda_losses_newest(losses) : NULL;

	if (run && run->verdict == RDA_VERDICT_OPEN)
		run->verdict = RDA_VERDICT_DIFFERS;
}

/* An answer to runs that were closed before it came. */
RDA_COLD static void closed_answered(struct rda_losses *losses)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(losses->by_verdict); i++)
		losses->by_verdict[i].unanswered = 0;
	for (unsigned i = 0; i < G_N_ELEMENTS(losses->of_responses); i++)
		losses->of_responses[i].unanswered = 0;
	losses->closed_unanswered = false;
}

RDA_APART void rda_losses_answered(struct rda_losses *losses, int64_t psn, int64_t time_ns)
{
	if (losses->closed_unanswered && psn >= losses->unanswered_from)
		closed_answered(losses);
	for (unsigned i = 0; i < losses->run_count; i++) {
		struct rda_loss_run *run = &losses->runs[i];

		if (run->answered || psn < run->start)
			continue;
		run->answered = true;
		run->cost_ns = cost_until(losses, run, time_ns);
	}
}

/* ---- events, and the end --------------------------------------------------------------------- */

/* S17: the requester is no go-back-N one. */
static void selective_repeat(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_finding *finding = rda_finding_add(
		&at->judge->findings, RDA_CHECK_S17, rda_about_flow(at->asker), event->other_frame);

	rda_finding_frame(finding, event->frame);
	rda_finding_say(finding, RDA_SAY_S17_SELECTIVE, RDA_ARG_NONE);
}

/* All that was told of resends is taken back, of group T, too: they were late, or copies. */
static void none_again(const struct rda_at *at, struct rda_losses *losses)
{
	static const enum rda_check all[] = {RDA_CHECK_S03, RDA_CHECK_S04, RDA_CHECK_S05,
					     RDA_CHECK_S17, RDA_CHECK_T05, RDA_CHECK_T06};

	for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
		rda_findings_take_back(&at->judge->findings, all[i], rda_about_flow(at->asker));
	losses->run_count = 0;
	losses->timer_ns = losses->timer_most_ns = losses->answer_ns_most = losses->doubted_ns = 0;
	losses->differ = 0;
	losses->seems_anew = losses->seems_named = losses->forgot_anew = losses->put_off = false;
	losses->first_repair = losses->needless = losses->rnr_unchecked = 0;
	losses->first_resent = losses->first_doubted = losses->after_rnr = losses->most_sent = 0;
	losses->after_nak_perhaps = losses->repaired = (struct rda_loss_sum){0};
	memset(losses->by_trigger, 0, sizeof(losses->by_trigger));
	memset(losses->by_verdict, 0, sizeof(losses->by_verdict));
	memset(losses->of_responses, 0, sizeof(losses->of_responses));
}

/* What needs no account of runs before it. */
static void first_event(const struct rda_at *at, const struct rda_event *event)
{
	switch (event->kind) {
	case RDA_EVENT_GAP: rda_missing_gap(at, event); break;
	case RDA_EVENT_SELECTIVE: selective_repeat(at, event); break;
	case RDA_EVENT_LOST_BEFORE:
	case RDA_EVENT_MISSING: rda_missing_packets(at, event); break;
	case RDA_EVENT_MISSING_FOUND:
	case RDA_EVENT_FOUND: rda_missing_found(at, event); break;
	case RDA_EVENT_LOST_AFTER: lost_after(at, rda_losses_of(at->asker), event); break;
	case RDA_EVENT_RESPONSE_LOST_BEFORE:
	case RDA_EVENT_RESPONSE_MISSING:
	case RDA_EVENT_RESPONSE_LOST_AFTER:
		responses_lost(at, rda_losses_of(at->asker), event);
		break;
	case RDA_EVENT_RESPONSE_FOUND: rda_missing_response_found(at); break;
	case RDA_EVENT_REORDERED:
	case RDA_EVENT_RESPONSE_REORDERED:
		rda_reordered_late(rda_losses_of(at->asker), event->psn);
		break;
	case RDA_EVENT_RNR:
		rda_missing_put_off(at, event->psn);
		if (!rda_judge_is_checked(at))
			rda_losses_of(at->asker)->rnr_unchecked_frame = event->frame;
		break;
	case RDA_EVENT_RESEND:
		begin_run(at, rda_losses_of(at->asker), event);
		rda_losses_of(at->asker)->begun_damaged |=
			rda_icrc_was_damaged(at->icrc_source, at->asker->first_place);
		if (event->trigger == RDA_TRIGGER_NAK)
			rda_after_nak_begin(at, event);
		break;
	default: break;
	}
}

void rda_losses_event(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_sequence_watch *watch;

	if (!at->asker)
		return;
	first_event(at, event);
	watch = at->asker->watch.sequence;
	if (!watch || !watch->losses)
		return;
	switch (event->kind) {
	case RDA_EVENT_RESENT: run_packet(at, watch->losses, event); break;
	case RDA_EVENT_SPURIOUS: rda_spurious_resent(at, watch->losses, event); break;
	case RDA_EVENT_NONE_AGAIN: none_again(at, watch->losses); break;
	case RDA_EVENT_REQUEST_DONE: watch->losses->done_frame = event->frame; break;
	case RDA_EVENT_ACK:
		if (event->count)
			watch->losses->again_frame = event->frame;
		break;
	default: break;
	}
}

void rda_losses_close(struct rda_judge *judge, const struct rda_flow *flow,
		      struct rda_losses *losses)
{
	for (unsigned i = 0; i < losses->run_count; i++) {
		struct rda_loss_run *run = &losses->runs[i];

		if (run->verdict == RDA_VERDICT_OPEN && rda_account_repairs(flow, run->frame)) {
			run->verdict = RDA_VERDICT_BEFORE;
			run->of_response = true;
		}
		close_run(&judge->findings, flow, losses, run);
	}
	losses->run_count = 0;
}
