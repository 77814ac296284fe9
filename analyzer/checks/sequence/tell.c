/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S01-S05: the sentences, with the sums of a whole direction; loss.c found the cases.
 */
#include "analyzer/checks/sequence/spurious.h"

#include <glib.h>

static struct rda_finding *found(const struct rda_telling *t, enum rda_check check)
{
	return rda_finding_find(&t->judge->findings, check, rda_about_flow(t->flow));
}

static struct rda_finding *found_as(const struct rda_telling *t, enum rda_check check,
				    enum rda_severity severity, enum rda_proof proof)
{
	return rda_finding_find_as(&t->judge->findings, check, severity, proof,
				   rda_about_flow(t->flow));
}

/* S01: lost before this capture point; or, as it seems, lost there or overtaken. */
static struct rda_finding *lost_of(const struct rda_telling *t, enum rda_proof proof)
{
	return found_as(t, RDA_CHECK_S01, RDA_SEVERITY_WARNING, proof);
}

/* S02, the warning: a NAK tells that a packet was not in its place, not that it was lost. */
static struct rda_finding *lost_behind_of(const struct rda_telling *t)
{
	return found_as(t, RDA_CHECK_S02, RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED);
}

/* How long the connection was seen. */
static int64_t time_of(const struct rda_telling *t)
{
	const struct rda_flow *flow = t->flow, *peer = flow->peer ? flow->peer : flow;

	return MAX(flow->last_time_ns, peer->last_time_ns) -
	       MIN(flow->first_time_ns, peer->first_time_ns);
}

uint64_t rda_telling_passed(const struct rda_telling *t)
{
	return rda_account_new_requests(t->flow) + t->counts->packets[RDA_REQUEST_RESENT] +
	       t->counts->packets[RDA_REQUEST_REORDERED];
}

/*
 * Of runs that lost requests, and no lost responses, are due to. Those of responses are among all
 * of the verdict and no cost is negative, so that no difference is: where the sum of all saturates
 * the other is no larger than that.
 */
static struct rda_loss_sum of_requests(const struct rda_losses *losses,
				       enum rda_loss_verdict verdict)
{
	const struct rda_loss_sum *responses = &losses->of_responses[verdict];
	struct rda_loss_sum sum = losses->by_verdict[verdict];

	sum.runs -= responses->runs;
	sum.unanswered -= responses->unanswered;
	sum.cost_ns -= responses->cost_ns;
	return sum;
}

/* The same of those that lost responses are due to: runs of who asks for them. */
static struct rda_loss_sum of_responses(const struct rda_telling *t, enum rda_loss_verdict verdict)
{
	return t->askers ? t->askers->of_responses[verdict] : (struct rda_loss_sum){0};
}

/* What the recovery from losses took, of the time that the direction was busy: arguments. */
#define TOOK(t, sum)                                                                               \
	RDA_ARG_IF((sum)->cost_ns, RDA_ARG_TIME("recovery_ns", (sum)->cost_ns)),                   \
		RDA_ARG_IF((sum)->runs, RDA_ARG_TIME("span_ns", time_of(t)))
#define RECOVERY(t, sum)                                                                           \
	RDA_ARG_IF((sum)->runs, RDA_ARG_NUMBER("episodes", (sum)->runs)), TOOK(t, sum),            \
		RDA_ARG_IF((sum)->runs && (sum)->unanswered,                                       \
			   RDA_ARG_NUMBER("failed", (sum)->unanswered))

uint64_t rda_telling_that_cost(const struct rda_telling *t, uint64_t lost)
{
	return lost - MIN(lost, t->losses->spare);
}

void rda_telling_explain(const struct rda_telling *t, struct rda_finding *effect)
{
	uint64_t missing = rda_telling_that_cost(t, t->losses->missing);
	bool before = found(t, RDA_CHECK_S01) &&
		      (missing || !t->losses->missing || t->losses->lost_before);

	if (rda_reordered_explains(t->flow, t->losses, effect))
		return;
	if (before && lost_behind_of(t))
		before = t->losses->lost_before + missing >= t->losses->lost_after;
	rda_finding_explain(effect, before ? RDA_CHECK_S01 : RDA_CHECK_S02,
			    rda_about_flow(t->flow));
}

static bool asked_atomics(const struct rda_telling *t)
{
	return t->flow->peer && rda_flow_messages(t->flow->peer, RDA_MESSAGE_ATOMIC).count;
}

/* The network or a mirror copies some, which time alone tells: of what was sent again others may be
 * copies, where a NAK or its run is there twice as well. */
static bool may_be_copied(const struct rda_telling *t)
{
	return t->counts->packets[RDA_REQUEST_MIRRORED] > rda_flow_rare(t->flow)->copies.requests;
}

static void packets_lost(struct rda_telling *t)
{
	const struct rda_losses *losses = t->losses;
	const struct rda_loss_sum sum = of_requests(losses, RDA_VERDICT_BEFORE);
	const struct rda_loss_sum responses = of_responses(t, RDA_VERDICT_BEFORE);
	struct rda_finding *finding = lost_of(t, RDA_PROOF_PROVEN);
	bool behind, late_copies;

	if (!finding)
		return;
	if (!losses->lost_before && !losses->responses_before) { /* all of it came late */
		finding->withheld = true;
		return;
	}
	t->told = true;
	behind = rda_missing_behind(t->flow, losses);
	/* of no gap: a copy of one behind it, as late as others come, looks like one more sent */
	late_copies = losses->first_proven && may_be_copied(t) && rda_requests_overtake(t->counts);
	finding->lowered |=
		behind || late_copies || rda_check_frame_may_be_missing(t->judge, t->flow);
	finding->cost_ns = losses->responses_before ? responses.cost_ns : 0;
	if (!losses->lost_before) {
		rda_finding_retell(
			finding, RDA_SAY_S01_RESPONSES,
			RDA_ARG_NUMBER("responses", losses->responses_before),
			RDA_ARG_FLAG("behind", behind), RDA_ARG_FLAG("atomics", asked_atomics(t)),
			TOOK(t, &responses),
			RDA_ARG_FLAG("perhaps", losses->responses_missing &&
							responses.runs > losses->responses_before));
		return;
	}
	finding->cost_ns = rda_ns_sum(finding->cost_ns, sum.cost_ns);
	rda_finding_retell(
		finding, RDA_SAY_S01_PACKETS, RDA_ARG_NUMBER("lost", losses->lost_before),
		RDA_ARG_NUMBER("packets", rda_telling_passed(t) + losses->lost_before),
		RDA_ARG_FLAG("behind", behind), RECOVERY(t, &sum),
		RDA_ARG_FLAG("late_copies", late_copies),
		RDA_ARG_IF(behind && losses->missing, RDA_ARG_NUMBER("missing", losses->missing)),
		RDA_ARG_FLAG("perhaps", losses->missing && sum.runs > losses->lost_before),
		RDA_ARG_IF(losses->responses_before,
			   RDA_ARG_NUMBER("responses", losses->responses_before)),
		RDA_ARG_IF(losses->responses_before && responses.cost_ns,
			   RDA_ARG_TIME("responses_recovery_ns", responses.cost_ns)),
		RDA_ARG_FLAG("atomics", asked_atomics(t)));
}

/* Responses of which identifications alone tell: an argument. */
#define UNSHOWN(t)                                                                                 \
	RDA_ARG_IF((t)->losses->responses_unshown,                                                 \
		   RDA_ARG_NUMBER("unshown", (t)->losses->responses_unshown))

static void responses_missing(struct rda_telling *t, struct rda_finding *finding)
{
	if (!t->losses->responses_missing && !t->losses->responses_unshown)
		return;
	t->told = true;
	if (!finding) /* there was no room for it (rda_findings_make_room) */
		return;
	if (!t->losses->responses_missing) {
		rda_finding_retell(finding, RDA_SAY_S01_RESPONSES_UNSHOWN, UNSHOWN(t),
				   RDA_ARG_FLAG("atomics", asked_atomics(t)));
		return;
	}
	rda_finding_retell(finding, RDA_SAY_S01_RESPONSES_MISSING,
			   RDA_ARG_NUMBER("responses", t->losses->responses_missing), UNSHOWN(t),
			   RDA_ARG_FLAG("atomics", asked_atomics(t)));
}

/*
 * S01, a suspicion: what was acknowledged came less often than it was sent, and others may only
 * have overtaken it; or a NAK or a resend tells that it was sent, and no acknowledgment that it
 * came.
 */
static void packets_missing(struct rda_telling *t)
{
	const struct rda_losses *losses = t->losses;
	struct rda_finding *finding = lost_of(t, RDA_PROOF_SUSPECTED);
	bool all_here = losses->missing == losses->missing_here;
	bool of_responses_too = losses->responses_missing || losses->responses_unshown;
	uint64_t at_end = 0, place = 0;

	if (t->flow->account && losses->gap_count)
		at_end = rda_account_missing(t->flow->account, &place);
	if (finding)
		finding->withheld = !losses->missing && !at_end && !of_responses_too;
	if (finding && of_responses_too && !losses->responses_before)
		finding->cost_ns = of_responses(t, RDA_VERDICT_BEFORE).cost_ns;
	if (!losses->missing && !at_end) {
		responses_missing(t, finding);
		return;
	}
	if (at_end) {
		finding =
			rda_finding_add_proof(&t->judge->findings, RDA_CHECK_S01,
					      RDA_PROOF_SUSPECTED, rda_about_flow(t->flow), place);
		finding->count += at_end - 1;
	}
	t->told = true;
	if (!finding) /* there was no room for it */
		return;
	if (!losses->missing) {
		rda_finding_retell(
			finding, RDA_SAY_S01_AT_END, RDA_ARG_NUMBER("missing", at_end),
			RDA_ARG_FLAG("only_last", rda_missing_all_but_last(t->judge, t->flow)));
		return;
	}
	if (!losses->lost_before)
		finding->cost_ns = rda_ns_sum(finding->cost_ns,
					      of_requests(losses, RDA_VERDICT_BEFORE).cost_ns);
	rda_finding_retell(
		finding, all_here ? RDA_SAY_S01_MISSING_HERE : RDA_SAY_S01_MISSING,
		RDA_ARG_NUMBER("missing", losses->missing),
		RDA_ARG_NUMBER("packets", rda_telling_passed(t)),
		RDA_ARG_FLAG("more", losses->lost_before),
		RDA_ARG_FLAG("first", losses->missing == losses->missing_first),
		RDA_ARG_IF(losses->missing_here && !all_here,
			   RDA_ARG_NUMBER("in_order", losses->missing_here)),
		RDA_ARG_IF(losses->missing_asked, RDA_ARG_NUMBER("asked", losses->missing_asked)),
		RDA_ARG_IF(at_end, RDA_ARG_NUMBER("at_end", at_end)),
		RDA_ARG_IF(losses->responses_missing,
			   RDA_ARG_NUMBER("responses", losses->responses_missing)),
		UNSHOWN(t), RDA_ARG_FLAG("atomics", asked_atomics(t)));
}

bool rda_telling_was_unready(const struct rda_telling *t)
{
	return t->flow->peer && rda_flow_rare(t->flow->peer)->rnr_naks;
}

/* S02, the warning: what was here, and did not arrive. */
static void lost_behind(struct rda_telling *t)
{
	const struct rda_losses *losses = t->losses;
	const struct rda_loss_sum sum = of_requests(losses, RDA_VERDICT_AFTER);
	const struct rda_loss_sum responses = of_responses(t, RDA_VERDICT_AFTER);
	struct rda_finding *finding = lost_behind_of(t);

	if (!finding)
		return;
	t->told = true;
	finding->cost_ns = responses.cost_ns;
	if (!losses->lost_after) {
		rda_finding_retell(finding, RDA_SAY_S02_RESPONSES,
				   RDA_ARG_NUMBER("responses", losses->responses_after),
				   TOOK(t, &responses));
		return;
	}
	finding->cost_ns = rda_ns_sum(finding->cost_ns, sum.cost_ns);
	finding->lowered |= rda_telling_was_unready(t);
	rda_finding_retell(finding, RDA_SAY_S02_PACKETS, RDA_ARG_NUMBER("lost", losses->lost_after),
			   RDA_ARG_NUMBER("packets", rda_telling_passed(t)),
			   RDA_ARG_FLAG("unready", rda_telling_was_unready(t)), RECOVERY(t, &sum),
			   RDA_ARG_IF(losses->responses_after,
				      RDA_ARG_NUMBER("responses", losses->responses_after)),
			   RDA_ARG_IF(responses.cost_ns,
				      RDA_ARG_TIME("responses_recovery_ns", responses.cost_ns)));
}

/* The ACK timeout that the exchange gave the requester; 0: not known, or no timer. */
static int64_t timer_of(const struct rda_telling *t)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(t->flow);

	return limits && limits->ack_timeout > 0 ? rda_cm_time_ns((unsigned)limits->ack_timeout)
						 : 0;
}

static void resent_after_nak(const struct rda_telling *t)
{
	const struct rda_loss_sum *sum = &t->losses->by_trigger[RDA_TRIGGER_NAK];
	const struct rda_loss_sum *perhaps = &t->losses->after_nak_perhaps;
	struct rda_finding *finding =
		found_as(t, RDA_CHECK_S03, RDA_SEVERITY_NOTE, RDA_PROOF_PROVEN);

	/* what came again just behind a NAK may be the mirror's */
	if (finding)
		finding->lowered |= rda_copies_are_untold(t->flow, RDA_ROLE_REQUEST);
	if (finding && sum->runs)
		rda_finding_retell(finding, RDA_SAY_S03_AFTER_NAK,
				   RDA_ARG_NUMBER("resends", sum->runs),
				   RDA_ARG_TIME("least_ns", sum->least_ns),
				   RDA_ARG_TIME("most_ns", sum->most_ns));
	finding = found_as(t, RDA_CHECK_S03, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED);
	if (finding && perhaps->runs)
		rda_finding_retell(
			finding, RDA_SAY_S03_PERHAPS, RDA_ARG_NUMBER("resends", perhaps->runs),
			RDA_ARG_TIME("least_ns", perhaps->least_ns),
			RDA_ARG_TIME("most_ns", perhaps->most_ns),
			RDA_ARG_IF(t->losses->nak_of_before, RDA_ARG_FLAG("begun", true)));
}

/* How long nothing had come when the timer fired: arguments. */
#define WAITS(t, sum)                                                                              \
	RDA_ARG_NUMBER("resends", (sum)->runs),                                                    \
		RDA_ARG_IF((sum)->waits, RDA_ARG_TIME("least_ns", (sum)->least_ns)),               \
		RDA_ARG_IF((sum)->waits, RDA_ARG_TIME("most_ns", (sum)->most_ns)),                 \
		RDA_ARG_IF((sum)->waits > 1, RDA_ARG_TIME("total_ns", (sum)->wait_ns)),            \
		RDA_ARG_IF(timer_of(t), RDA_ARG_TIME("ack_timeout_ns", timer_of(t)))

static void resent_after_timeout(struct rda_telling *t)
{
	const struct rda_loss_sum *sum = &t->losses->by_verdict[RDA_VERDICT_OPEN];
	struct rda_finding *finding = found(t, RDA_CHECK_S04);
	/* it was sent while others were, so no silence tells how long it has waited */
	bool older = sum->oldest_ns / 2 > sum->wait_ns;
	bool none = sum->unanswered && sum->unanswered == sum->runs;

	if (!finding)
		return;
	t->told = true;
	finding->cost_ns = sum->cost_ns;
	rda_finding_retell(
		finding, RDA_SAY_S04_OPEN, WAITS(t, sum),
		RDA_ARG_IF(older, RDA_ARG_TIME("oldest_ns", sum->oldest_ns)),
		RDA_ARG_IF(sum->unanswered && !none, RDA_ARG_NUMBER("unanswered", sum->unanswered)),
		RDA_ARG_IF(none, RDA_ARG_NUMBER("never", sum->unanswered)),
		RDA_ARG_IF(sum->inside, RDA_ARG_NUMBER("inside", sum->inside)),
		RDA_ARG_IF(sum->asked, RDA_ARG_NUMBER("asked", sum->asked)));
}

/* Timeouts that another finding explains, or RNR NAKs that the capture missed, perhaps. */
static void repaired_after_timeout(struct rda_telling *t)
{
	struct rda_finding *finding =
		found_as(t, RDA_CHECK_S04, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED);

	t->told |= t->losses->put_off;
	if (finding)
		rda_finding_retell(finding, RDA_SAY_S04_REPAIRED, WAITS(t, &t->losses->repaired),
				   RDA_ARG_FLAG("put_off", t->losses->put_off),
				   RDA_ARG_IF(t->losses->repaired.asked,
					      RDA_ARG_NUMBER("asked", t->losses->repaired.asked)));
}

/*
 * Whatever a damaged packet looks like, it may be an answer where its sender gives any; and where
 * packets overtake each other it may be another one than was due when it passed. What counts as
 * sent behind it, or instead of it, may be one less.
 */
static bool may_be_misplaced(const struct rda_telling *t)
{
	return t->counts->lost_damaged && ((t->flow->peer && t->flow->peer->account) ||
					   t->counts->packets[RDA_REQUEST_REORDERED]);
}

/* Where packets overtake each other what is sent again for no reason that shows may be the rest of
 * another run. */
static bool may_be_of_others(const struct rda_telling *t)
{
	return t->counts->packets[RDA_REQUEST_REORDERED] &&
	       t->counts->resends[RDA_TRIGGER_UNEXPLAINED] >
		       t->counts->doubts.runs[RDA_TRIGGER_UNEXPLAINED];
}

enum rda_proof rda_telling_proof(const struct rda_telling *t)
{
	return t->counts->doubts.resets || t->counts->doubts.anew || t->counts->doubts.firsts ||
			       may_be_copied(t) || may_be_misplaced(t) || may_be_of_others(t) ||
			       rda_account_run_ends_with_firsts(t->flow->account) ||
			       rda_copies_are_untold(t->flow, RDA_ROLE_REQUEST) ||
			       rda_account_lost_order(t->flow->account) ||
			       rda_account_leapt(t->flow->account) || t->losses->begun_damaged ||
			       t->losses->differ || t->losses->seems_anew /* next lives, perhaps */
		       ? RDA_PROOF_SUSPECTED
		       : RDA_PROOF_PROVEN;
}

/* Damage after which nothing was sent again: nothing is told but the damage itself. */
static void drop_what_is_not_told(struct rda_telling *t)
{
	struct rda_finding *note = found_as(t, RDA_CHECK_S02, RDA_SEVERITY_NOTE, RDA_PROOF_PROVEN);

	if (note && !rda_finding_is_said(note))
		note->withheld = true;
}

/* S02, a suspicion: what was sent again, or copied by the network, or came behind its resend. */
static void resent_or_copied(struct rda_telling *t)
{
	uint64_t copies = t->counts->doubts.copies;
	bool blind = !t->flow->peer && !t->told;
	struct rda_finding *finding;

	if (!copies || t->counts->doubts.anew)
		return;
	finding = rda_finding_add_as(&t->judge->findings, RDA_CHECK_S02,
				     blind ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(t->flow),
				     t->losses->first_doubted);
	t->told |= blind;
	finding->count = copies;
	finding->covers = RDA_COVERS_RESENT;
	rda_finding_retell(finding, RDA_SAY_S02_DOUBTED, RDA_ARG_NUMBER("doubted", copies),
			   RDA_ARG_FLAG("more", t->resent),
			   RDA_ARG_IF(t->losses->doubted_ns,
				      RDA_ARG_TIME("within_ns", t->losses->doubted_ns)));
}

static uint64_t runs_after(const struct rda_telling *t, enum rda_trigger trigger)
{
	return t->counts->resends[trigger] - t->counts->doubts.runs[trigger];
}

/* NAKs and RNR NAKs are in a capture. That a timer fired, or that an answer did not arrive which
 * passed here, is a conclusion. */
static bool are_guessed(const struct rda_telling *t)
{
	return runs_after(t, RDA_TRIGGER_TIMEOUT) || runs_after(t, RDA_TRIGGER_IMPLIED) ||
	       t->losses->after_nak_perhaps.runs || rda_losses_may_be_no_rnr(t->losses);
}

/* S02, the note, when no warning tells of it: what was sent again, and after what. */
static void retransmission(struct rda_telling *t)
{
	const struct rda_loss_sum *damaged = &t->losses->by_verdict[RDA_VERDICT_DAMAGED];
	uint64_t anew = t->counts->doubts.anew;
	bool blind = !t->flow->peer && !t->told;
	struct rda_finding *finding;

	if (!t->resent || lost_behind_of(t))
		return;
	finding = rda_finding_add_as(&t->judge->findings, RDA_CHECK_S02,
				     blind ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE,
				     rda_telling_proof(t), rda_about_flow(t->flow),
				     t->losses->first_resent);
	finding->count = t->resent;
	finding->covers = RDA_COVERS_RESENT;
	finding->cost_ns = damaged->cost_ns;
	t->told = t->told || blind || damaged->runs;
	if (anew) {
		rda_finding_retell(finding, RDA_SAY_S02_ANEW,
				   RDA_ARG_NUMBER("resent", t->resent + t->counts->doubts.copies),
				   RDA_ARG_NUMBER("anew", anew));
		return;
	}
	if (!t->flow->peer && !damaged->runs) {
		rda_finding_retell(finding, RDA_SAY_S02_ALONE, RDA_ARG_NUMBER("resent", t->resent));
		return;
	}
#define RDA_T(ID, name, words)                                                                     \
	RDA_ARG_IF(runs_after(t, RDA_TRIGGER_##ID),                                                \
		   RDA_ARG_NUMBER(name, runs_after(t, RDA_TRIGGER_##ID))),
	rda_finding_retell(finding, RDA_SAY_S02_RESENT, RDA_ARG_NUMBER("resent", t->resent),
			   RDA_TRIGGERS(RDA_T) RDA_ARG_FLAG("seems", are_guessed(t)),
			   RDA_ARG_IF(damaged->runs,
				      RDA_ARG_NUMBER("damaged", rda_flow_rare(t->flow)->damaged -
									t->counts->damaged_answers +
									t->losses->damaged_first)),
			   RECOVERY(t, damaged));
#undef RDA_T
}

void rda_losses_tell(struct rda_judge *judge, const struct rda_flow *flow,
		     const struct rda_losses *losses, const struct rda_losses *askers)
{
	struct rda_telling t = {
		.judge = judge,
		.flow = flow,
		.losses = losses,
		.askers = askers,
		.counts = rda_account_counts(flow),
		.resent = rda_account_counts(flow)->packets[RDA_REQUEST_RESENT] -
			  rda_account_counts(flow)->doubts.copies,
	};

	packets_lost(&t);
	packets_missing(&t);
	lost_behind(&t);
	if (!flow->account)
		return;
	resent_after_nak(&t);
	if (flow->peer) {
		resent_after_timeout(&t);
		repaired_after_timeout(&t);
	} else { /* nobody knows whether it was answered */
		rda_findings_take_back(&judge->findings, RDA_CHECK_S04, rda_about_flow(flow));
	}
	rda_spurious_tell(&t);
	t.told |= rda_reordered_tell(judge, flow, losses, time_of(&t));
	retransmission(&t);
	resent_or_copied(&t);
	drop_what_is_not_told(&t);
	rda_storm_tell(&t);
}
