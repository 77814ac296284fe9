/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S05: what is said of a run of resends that seems to have been for nothing, as all that is known
 * of its connection leaves it: proven, or what else may have begun it, or made its answers.
 * spurious.c has the evidence.
 */
#include "analyzer/checks/sequence/spurious.h"

#include "analyzer/checks/answer/answer_order.h"

#include <glib.h>

bool rda_spurious_requests_copied(const struct rda_flow *asker)
{
	const struct rda_flow *flows[] = {asker, asker->peer};
	uint64_t copies = 0, news = 0;
	bool twice = false;

	for (unsigned i = 0; i < 2; i++) {
		const struct rda_request_counts *counts = rda_account_counts(flows[i]);
		uint64_t copied = counts->packets[RDA_REQUEST_MIRRORED];
		uint64_t first =
			rda_account_new_requests(flows[i]) + counts->packets[RDA_REQUEST_REORDERED];

		copies += copied;
		news += first;
		twice |= copied > first + counts->packets[RDA_REQUEST_RESENT];
	}
	return copies && (twice || copies * 2 < news);
}

/* The network copies answers, whichever of the two gave them. */
static bool are_answers_copied(const struct rda_flow *asker)
{
	const struct rda_flow *flows[] = {asker, asker->peer};
	unsigned kind = rda_copies_kind(RDA_ROLE_RESPONSE);

	for (unsigned i = 0; i < 2; i++) {
		uint64_t copies = flows[i] ? rda_flow_rare(flows[i])->alike[kind].copies : 0;
		uint64_t packets = copies ? rda_flow_ids(flows[i], kind)->packets : 0;

		/* a mirror's are as many as there are packets: more are the network's, too */
		if (copies && (rda_copies_are_few(copies, packets) || copies > packets))
			return true;
	}
	return false;
}

/*
 * It begins sooner behind what it repeats than any timer fires, where packets overtake each other:
 * what it repeats came late, so nobody knows since when the run was due, nor for what. Or, where
 * nothing tells the order of sending, it is what comes late, behind its own resend.
 */
static bool began_elsewhen(const struct rda_flow *flow, const struct rda_loss_run *run)
{
	if (run->wait_ns < RDA_SHORTEST_TIMER_NS && rda_reordered_any(flow))
		return true;
	return run->trigger == RDA_TRIGGER_UNEXPLAINED && run->wait_ns < RDA_TIMER_IN_USE_NS &&
	       !rda_account_requests_numbered(flow->account);
}

bool rda_spurious_has_naks(const struct rda_flow *asker)
{
	return asker->peer && rda_flow_rare(asker->peer)->naks[RDA_NAK_SEQUENCE];
}

bool rda_spurious_copies_untold(const struct rda_flow *asker)
{
	return rda_account_counts(asker)->packets[RDA_REQUEST_MIRRORED] >
		       rda_flow_rare(asker)->copies.requests ||
	       rda_copies_are_untold(asker, RDA_ROLE_REQUEST);
}

/* Something behind its first packet had been sent when it began, as far as is remembered. */
static bool was_followed(const struct rda_account *account, const struct rda_loss_run *run)
{
	const struct rda_sent *first = rda_account_sent(account, run->start);
	const struct rda_sent *behind = first ? rda_account_sent(account, first->end) : NULL;

	return !first || (behind && behind->first_frame < run->frame);
}

/*
 * A NAK may have begun it that the capture missed: where one passed, they may; where none did, what
 * follows its first packet may have overtaken that behind this capture point, and been asked for.
 */
static bool may_obey_a_nak(const struct rda_flow *flow, const struct rda_loss_run *run)
{
	return rda_spurious_has_naks(flow) || was_followed(flow->account, run);
}

void rda_spurious_settle(const struct rda_flow *flow, struct rda_losses *losses,
			 struct rda_loss_run *run)
{
	/* what it sent was new: the QP was set up anew (roce/reset.c) */
	if (run == rda_losses_newest(losses) && rda_spurious_is_silence(run) &&
	    rda_account_run(flow->account)->anew)
		run->verdict = RDA_VERDICT_ANEW;
	if (run->nak_twice && (rda_spurious_is_early(run) || rda_spurious_is_answered(run)) &&
	    rda_answer_some_copied(flow))
		run->verdict = RDA_VERDICT_OPEN;
	if (run->verdict == RDA_VERDICT_EARLY &&
	    (began_elsewhen(flow, run) || rda_spurious_requests_copied(flow) ||
	     are_answers_copied(flow)))
		run->verdict = RDA_VERDICT_SEEMS_EARLY;
	/* a NAK may have asked for it, and not have passed here; or it is a copy; or the requester
	 * got the answer out of its turn, and dropped it; or the QP was set up anew (roce/reset.c)
	 */
	if (run->verdict == RDA_VERDICT_ANSWERED &&
	    (rda_responses_overtake(rda_account_response_counts(flow)) ||
	     rda_anew_perhaps(flow, run) ||
	     (run->answer_ns < RDA_NAK_STALE_NS &&
	      (may_obey_a_nak(flow, run) || rda_spurious_copies_untold(flow)))))
		run->verdict = RDA_VERDICT_SEEMS_ANSWERED;
	if (run->verdict == RDA_VERDICT_ANSWERED)
		losses->answer_ns_most = MAX(losses->answer_ns_most, run->answer_ns);
	else if (run->verdict == RDA_VERDICT_SEEMS_ANSWERED)
		losses->answer_ns_seems = MAX(losses->answer_ns_seems, run->answer_ns);
	losses->seems_named |= run->verdict == RDA_VERDICT_SEEMS_ANSWERED &&
			       run->answer_ns < RDA_NAK_STALE_NS && may_obey_a_nak(flow, run);
	losses->seems_anew |=
		run->verdict == RDA_VERDICT_SEEMS_ANSWERED && rda_anew_perhaps(flow, run);
}
