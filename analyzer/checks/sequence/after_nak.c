/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S03: runs of resends that a NAK asked for, and whether a timer may have begun them instead: then
 * the NAK was lost behind this capture point.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/base/psn.h"
#include "analyzer/checks/answer/nak.h"
#include "analyzer/track/roce/reaction.h"
#include "dissectors/opcode.h"

#include <glib.h>

/* Time stamps are no coarser. */
#define COARSEST_NS 10000000

/* A suspicion, if a timer may have done it; or if it is not what the NAK asked for, and requests
 * overtake each other. */
static void tell(struct rda_findings *findings, const struct rda_flow *flow,
		 const struct rda_loss_run *run)
{
	struct rda_finding *finding = rda_finding_add_proof(
		findings, RDA_CHECK_S03, run->perhaps_nak ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN,
		rda_about_flow(flow), run->cause);

	finding->covers = RDA_COVERS_RESENT_NAK;
	rda_finding_frame(finding, run->frame);
}

/* ---- or a timer ------------------------------------------------------------------------------ */

/* What CM tells; 0: not known, or none. */
static int64_t told_timer_of(const struct rda_cm_limits *limits)
{
	return limits && limits->ack_timeout > 0 ? rda_cm_time_ns((unsigned)limits->ack_timeout)
						 : 0;
}

/* Within this time none fires, as far as is known: adaptive ones fire sooner than CM says, and what
 * one side offers the other need not keep to. */
static int64_t shortest_timer_of(const struct rda_cm_limits *limits)
{
	int64_t told_ns = told_timer_of(limits);

	return told_ns && !limits->timer_offered ? MIN(told_ns, RDA_SILENCE_NS)
						 : RDA_TIMER_IN_USE_NS;
}

/* The first packet of what a timer sends again may have come here later than the other by an
 * eighth, and an answer later than both, as mirrors show one direction. */
static int64_t least_of(int64_t timer_ns)
{
	return timer_ns - timer_ns / 8 - RDA_MIRROR_NS;
}

/* How long before a run its first was sent most lately. */
struct since {
	int64_t least_ns, most_ns; /* these differ where that never passed here */
};

static struct since since_of(const struct rda_account *account, const struct rda_sent *sent,
			     int64_t time_ns)
{
	struct since since = {0, 0};
	const struct rda_sent *before;

	if (!sent)
		return since;
	since.least_ns = time_ns - (sent->seen ? sent->last_ns : sent->sent_ns);
	since.most_ns = since.least_ns;
	if (sent->seen)
		return since;
	/* it was sent behind what precedes it, and before what showed that it is missing */
	before = rda_account_sent(account, sent->begin - 1);
	if (before && before->seen)
		since.most_ns = MAX(since.most_ns, time_ns - before->first_ns);
	return since;
}

/* So long behind what is sent again a timer of one of these lengths expires, or one of four times;
 * 0: none. */
static bool is_timer_due(int64_t least_ns, int64_t most_ns, const struct since *since)
{
	return least_ns && since->most_ns >= least_of(least_ns) &&
	       since->least_ns <= rda_ns_sum(rda_ns_times(most_ns, 4), most_ns / 2);
}

/* What the time stamps are multiples of, as these two tell: so much longer the wait may have been.
 */
static int64_t unit_of(const struct rda_event *event)
{
	return MIN(rda_meta_unit_ns(event->time_ns, event->wait_ns), COARSEST_NS);
}

/*
 * The NAK took so long that nobody knows of a requester which obeys so late, and the requester's
 * timer runs since it first sent what the run begins with: that may have expired, and the NAK been
 * lost behind. Or it expires just now, as CM says or runs that it began have shown.
 */
static bool may_be_timer(const struct rda_at *at, const struct rda_losses *losses,
			 const struct rda_loss_run *run, const struct rda_event *event)
{
	const struct rda_sent *sent = rda_account_sent(at->asker->account, run->start);
	const struct rda_cm_limits *limits = rda_cm_limits_of(at->asker);
	int64_t told_ns = told_timer_of(limits);
	int64_t least_ns = least_of(shortest_timer_of(limits));
	struct since since = since_of(at->asker->account, sent, event->time_ns);
	int64_t wait_ns = rda_ns_sum(event->wait_ns, unit_of(event));

	return wait_ns >= least_ns ||
	       (wait_ns >= RDA_TIMER_IN_USE_NS && sent &&
		event->time_ns - sent->sent_ns >= least_ns) ||
	       (sent && (is_timer_due(told_ns, told_ns, &since) ||
			 is_timer_due(losses->timer_ns, losses->timer_most_ns, &since)));
}

/* What the run begins with was sent so long ago that some timer may expire just now. */
static bool may_be_some_timer(const struct rda_at *at, const struct rda_loss_run *run,
			      const struct rda_event *event)
{
	const struct rda_sent *sent = rda_account_sent(at->asker->account, run->start);
	struct since since = since_of(at->asker->account, sent, event->time_ns);

	return since.most_ns >= least_of(shortest_timer_of(rda_cm_limits_of(at->asker)));
}

/*
 * Who goes back sooner than this behind a NAK obeys that: by chance alone a timer expires just
 * then. Who obeyed more than one takes about as long for each, which does not show where requests
 * overtake each other.
 */
static int64_t prompt_of(const struct rda_flow *asker)
{
	const struct rda_reactions *reactions = rda_reactions_of(asker);
	int64_t least_ns = 0;

	if (reactions && reactions->obeyed.count > 1 &&
	    !rda_requests_overtake(rda_account_counts(asker)))
		least_ns = reactions->obeyed.min;
	return MAX(RDA_MIRROR_NS, rda_ns_times(least_ns, 4));
}

/*
 * How long a timer took that began the run, between the two. Where a requester sends without a
 * pause none shows in its silence: but it runs since the request was sent that the run begins with,
 * or since one before that was acknowledged; or since a response to the READ that it begins with.
 */
static void took_of(const struct rda_at *at, const struct rda_loss_run *run,
		    const struct rda_event *event, int64_t *least_ns, int64_t *most_ns)
{
	const struct rda_account *account = at->asker->account;
	const struct rda_sent *sent = rda_account_sent(account, run->start);
	const struct rda_progress *progress = rda_account_progress(account);
	int64_t since_ns;

	*least_ns = *most_ns = event->wait_ns;
	if (!sent)
		return;
	if (sent->seen && sent->last_frame != event->frame) {
		since_ns = event->time_ns - MAX(sent->last_ns, progress->acked_ns);
		*least_ns = *most_ns = MAX(event->wait_ns, since_ns);
	}
	if (sent->answer_ns != RDA_NEVER_NS)
		*least_ns = MIN(*least_ns, MAX(event->time_ns - sent->answer_ns, 0));
}

/* A NAK had asked for what a timer's run begins with, and no run that is remembered obeyed it. */
static bool was_unheard(const struct rda_at *at, const struct rda_losses *losses,
			const struct rda_loss_run *run, const struct rda_sent *sent)
{
	int64_t since_ns = sent->seen ? sent->last_ns : sent->sent_ns;
	uint64_t place = rda_nak_asking_for(at->asker, run->start, since_ns);

	for (const struct rda_loss_run *before = losses->runs; place && before < run; before++)
		if (before->trigger == RDA_TRIGGER_NAK && before->cause == place)
			return false;
	return place != 0;
}

void rda_after_nak_timer(const struct rda_at *at, struct rda_losses *losses,
			 struct rda_loss_run *run, const struct rda_event *event)
{
	const struct rda_sent *sent = rda_account_sent(at->asker->account, run->start);
	int64_t least_ns, most_ns;

	if (event->trigger != RDA_TRIGGER_TIMEOUT)
		return;
	run->asked = sent && was_unheard(at, losses, run, sent);
	took_of(at, run, event, &least_ns, &most_ns);
	if (most_ns < RDA_TIMER_IN_USE_NS)
		return;
	least_ns = MAX(least_ns, RDA_TIMER_IN_USE_NS);
	if (!losses->timer_ns || least_ns < losses->timer_ns)
		losses->timer_ns = least_ns;
	losses->timer_most_ns = MAX(losses->timer_most_ns, most_ns);
}

/* ---- or a response --------------------------------------------------------------------------- */

/* So many requests before what a run begins with are looked at. */
enum { ASKED_BEFORE = 32 };

/*
 * What precedes the run asked for responses more than once, and they passed here just before it: of
 * the first ones one may have been lost behind this capture point, which the next told as an
 * implied NAK does. Where the requester takes its time to go back it has the others by then, and
 * begins where the NAK asks it to, though it has not seen that.
 */
static bool may_be_implied(const struct rda_at *at, const struct rda_loss_run *run,
			   const struct rda_event *event)
{
	int64_t psn = run->start - 1;

	/* the responder had it behind the NAK, and its responses may have been lost as well; no
	 * request is at hand where an answer showed that this was sent again */
	if (at->request && at->request->roles & RDA_ROLE_ANSWERED &&
	    rda_account_progress(at->asker->account)->acked > run->start)
		return true;

	for (unsigned i = 0; i < ASKED_BEFORE; i++) {
		const struct rda_sent *sent = rda_account_sent(at->asker->account, psn);

		if (!sent)
			return false;
		if (sent->roles & RDA_ROLE_ANSWERED && sent->seen > 1 &&
		    sent->answer_ns != RDA_NEVER_NS &&
		    event->time_ns - sent->answer_ns < RDA_REACTION_MIN_NS)
			return true;
		psn = sent->begin - 1;
	}
	return false;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* The NAK asks for what was sent before the capture began, as far as is known. */
static bool is_older_than_capture(const struct rda_at *at, const struct rda_loss_run *run)
{
	return run->start < rda_psn_first(at->asker->first_psn) &&
	       rda_account_began_before(at->asker->account, run->start, at->meta->time_ns);
}

void rda_after_nak_begin(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_losses *losses = rda_losses_of(at->asker);
	struct rda_loss_run *run = rda_losses_newest(losses);
	/* an RNR NAK may have passed then, behind which some responders (rxe) send a NAK: its wait
	 * is over when the run begins */
	bool older = is_older_than_capture(at, run);

	losses->nak_of_before |= older;
	/* where the clock went backwards nobody knows how long ago it was */
	run->perhaps_nak = may_be_timer(at, losses, run, event) || event->doubted || older ||
			   may_be_implied(at, run, event) || event->wait_ns < 0;
	run->any_timer = may_be_some_timer(at, run, event);
	run->late = rda_account_run(at->asker->account)->late;
	run->behind = !run->late && !run->perhaps_nak && event->psn > run->start;
}

void rda_after_nak_packet(const struct rda_at *at, struct rda_loss_run *run,
			  const struct rda_event *event)
{
	run->late &= rda_account_run(at->asker->account)->late;
	/* it was overtaken: the run began below what the NAK asks for, which acknowledges that */
	run->perhaps_nak |= event->overtaken && event->psn < run->start &&
			    (event->cause_frame == run->cause ||
			     event->cause_frame == rda_account_run(at->asker->account)->cause);
}

/* Requests overtake each other, another NAK was not obeyed so far, and the capture ends before it
 * or an answer could show that the run begins with what that asks for. */
static bool is_cut_short(const struct rda_flow *flow, const struct rda_loss_run *run)
{
	const struct rda_request_counts *counts = rda_account_counts(flow);
	const struct rda_progress *progress = rda_account_progress(flow->account);
	int64_t begun_ns = run->since_ns + run->wait_ns;

	return rda_requests_overtake(counts) && flow->peer &&
	       rda_flow_rare(flow->peer)->naks[RDA_NAK_SEQUENCE] >
		       counts->resends[RDA_TRIGGER_NAK] &&
	       progress->acked <= run->start && progress->last_ns - begun_ns < RDA_REACTION_MIN_NS;
}

void rda_after_nak_close(struct rda_findings *findings, const struct rda_flow *flow,
			 struct rda_loss_run *run)
{
	if (run->trigger != RDA_TRIGGER_NAK)
		return;
	run->perhaps_nak |= run->late || is_cut_short(flow, run) ||
			    (run->any_timer && run->wait_ns >= prompt_of(flow)) ||
			    rda_reactions_may_be_timers(rda_reactions_of(flow)) ||
			    (run->behind && rda_requests_overtake(rda_account_counts(flow)));
	tell(findings, flow, run);
}
