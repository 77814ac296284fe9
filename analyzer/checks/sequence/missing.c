/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S01, of requests: what is missing here, and whether it was lost.
 *
 *     10  12  13   NAK 11   11  12  13      11 was lost, overtaken, or missed by the capture
 *
 * Which of these it was follows from what else is known of the direction. loss.c has the runs that
 * repair it, tell.c the sentences.
 */
#include "analyzer/checks/sequence/spurious.h"

#include "analyzer/base/psn.h"

#include <glib.h>

/* By so much of paths, or of a queue, what was sent later may come earlier at most. */
#define OVERTAKEN_MOST_NS 4000000

void rda_missing_gap(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_losses *losses = rda_losses_of(at->asker);
	const struct rda_sent *before = rda_account_sent(at->asker->account, event->psn - 1);
	/* it was sent behind what precedes it, however late what follows comes */
	int64_t since_ns =
		before && before->seen ? MIN(before->first_ns, event->time_ns) : event->time_ns;

	losses->gaps[losses->gap_count++ % RDA_GAPS_KEPT] = (struct rda_loss_gap){
		.begin = event->psn,
		.end = event->psn + (int64_t)event->count,
		.frame = event->frame,
		.early = rda_account_began_before(at->asker->account, event->psn,
						  since_ns - OVERTAKEN_MOST_NS),
	};
}

static struct rda_loss_gap *gap_at(struct rda_losses *losses, int64_t psn)
{
	for (uint64_t i = 0; i < MIN(losses->gap_count, RDA_GAPS_KEPT); i++)
		if (psn >= losses->gaps[i].begin && psn < losses->gaps[i].end)
			return &losses->gaps[i];
	return NULL;
}

/*
 * A NAK asked for it, or for what was missing right before it. What was missing elsewhere in what a
 * NAK had sent again is dropped by the receiver, whether it came or not: a capture that missed it
 * looks the same. A NAK for what came damaged asks for nothing that was missing in an earlier run.
 * *unheard: that NAK was not obeyed.
 */
static bool was_asked_for(const struct rda_losses *losses, int64_t psn,
			  const struct rda_loss_gap *gap, bool *unheard)
{
	int64_t from = gap ? gap->begin : psn;

	*unheard = false;
	if (psn && psn == losses->asked_until)
		return true;
	for (unsigned i = 0; i < losses->run_count; i++) {
		const struct rda_loss_run *run = &losses->runs[i];

		if (run->start < from || run->start > psn || run->verdict == RDA_VERDICT_DAMAGED)
			continue;
		if (run->trigger == RDA_TRIGGER_NAK) {
			*unheard = false;
			return true;
		}
		*unheard |= run->asked;
	}
	return *unheard;
}

/* Soon behind the beginning of the capture: what is missing, or of what came the resend that is. */
static bool is_early(const struct rda_at *at, const struct rda_loss_gap *gap, int64_t psn)
{
	const struct rda_sent *sent;

	if (gap)
		return gap->early;
	sent = rda_account_sent(at->asker->account, psn);
	return sent && sent->seen &&
	       rda_account_began_before(at->asker->account, psn,
					sent->first_ns - OVERTAKEN_MOST_NS);
}

/* A run began with it as its receiver was not ready. */
static bool was_put_off(const struct rda_losses *losses, int64_t psn)
{
	for (unsigned i = 0; i < losses->run_count; i++)
		if (losses->runs[i].start == psn && losses->runs[i].trigger == RDA_TRIGGER_RNR)
			return true;
	return false;
}

/*
 * What passes neither where it should nor late was lost before this capture point. One other thing
 * makes the same capture without a loss: where packets overtake each other NAKs ask for what came
 * in another place, and one missed packet of the capture is enough; in what followed the first
 * packet shortly, what is missing may have overtaken that, and passed before the capture began.
 * What a receiver put off it may put off again: the resend passed then, and the capture missed it
 * with its RNR NAK.
 */
static bool is_proven(const struct rda_at *at, const struct rda_loss_gap *gap, int64_t psn)
{
	bool overtakes = rda_requests_overtake(rda_account_counts(at->asker));

	return !overtakes && !is_early(at, gap, psn) &&
	       !(gap ? gap->put_off : was_put_off(rda_losses_of(at->asker), psn));
}

static uint64_t *sum_of(struct rda_losses *losses, bool proven)
{
	return proven ? &losses->lost_before : &losses->missing;
}

/*
 * S01, of requests: the packet behind the gap, the NAK, what was sent again. Proven, or a
 * suspicion: overtaken by what was sent later, or missed by the capture, perhaps.
 */
void rda_missing_packets(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_losses *losses = rda_losses_of(at->asker);
	struct rda_loss_gap *gap = gap_at(losses, event->psn);
	bool certain = event->kind == RDA_EVENT_LOST_BEFORE;
	bool unheard;
	bool named =
		was_asked_for(losses, event->psn, gap, &unheard) && certain && !event->overtaken;
	/* of what had been taken before no loss is asked for, nor repaired */
	bool asked = named && !event->doubted;
	/* what follows one that was asked for is as certain as that one */
	bool follows = !gap && event->psn == losses->asked_until;
	bool proven = asked && !unheard && (!follows || losses->asked_proven) &&
		      is_proven(at, gap, event->psn) && (gap || !losses->first_put_off);
	struct rda_finding *finding = rda_finding_add_proof(
		&at->judge->findings, RDA_CHECK_S01,
		proven ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED, rda_about_flow(at->asker), 0);

	finding->count += event->count - 1;
	*sum_of(losses, proven) += event->count;
	losses->missing_here += certain && !proven ? event->count : 0;
	losses->missing_asked += asked && !proven ? event->count : 0;
	if (asked) {
		losses->asked_until = event->psn + (int64_t)event->count;
		losses->asked_proven = proven;
	}
	losses->first_proven += proven && !gap ? event->count : 0;
	losses->spare += event->doubted ? event->count : 0;
	losses->missing_first += !rda_account_sent(at->asker->account, event->psn);
	/* of several that one run repaired the first is enough */
	if (gap && !gap->told)
		rda_finding_frame(finding, gap->frame);
	if (gap) {
		gap->told = true;
		gap->proven = proven;
	}
	if (!event->doubted || named)
		rda_losses_blame(losses, event->psn, event->count, RDA_VERDICT_BEFORE, finding);
	if (!finding->place_count)
		rda_finding_frame(finding, event->other_frame);
}

/* The oldest run that is remembered of those that begin with that PSN, if a NAK asked for it. */
static const struct rda_loss_run *named_first(const struct rda_losses *losses, int64_t psn)
{
	for (unsigned i = 0; i < losses->run_count; i++)
		if (losses->runs[i].start == psn)
			return losses->runs[i].trigger == RDA_TRIGGER_NAK ? &losses->runs[i] : NULL;
	return NULL;
}

/* So many that were proven are suspected, and that run repaired them. */
static void doubt(const struct rda_at *at, struct rda_losses *losses, uint64_t count,
		  const struct rda_loss_run *run)
{
	struct rda_finding *finding =
		rda_finding_find(&at->judge->findings, RDA_CHECK_S01, rda_about_flow(at->asker));

	count = finding ? MIN(count, MIN(losses->lost_before, finding->count)) : 0;
	if (!count)
		return;
	finding->count -= count;
	losses->lost_before -= count;
	losses->missing += count;
	losses->missing_here += count;
	losses->missing_asked += count;
	finding = rda_finding_add_proof(&at->judge->findings, RDA_CHECK_S01, RDA_PROOF_SUSPECTED,
					rda_about_flow(at->asker), run->cause);
	rda_finding_frame(finding, run->frame);
	finding->count += count - 1;
}

/*
 * A receiver that is not ready asks by a NAK, too, for what it puts off, where more comes behind
 * (rxe), and may put it off again. So what a NAK asked for may have passed, and been missed with
 * its RNR NAK, where an RNR NAK puts it off, and none did before: what was proven of that gap is a
 * suspicion.
 */
void rda_missing_put_off(const struct rda_at *at, int64_t psn)
{
	struct rda_losses *losses = rda_losses_of(at->asker);
	struct rda_loss_gap *gap = gap_at(losses, psn);
	bool *put_off = gap ? &gap->put_off : &losses->first_put_off;
	uint64_t proven =
		gap ? (uint64_t)(gap->end - gap->begin) * gap->proven : losses->first_proven;
	const struct rda_loss_run *run = named_first(losses, psn);

	/* what is in no gap came in its place, but for what precedes all that came */
	if (*put_off || !run || (!gap && psn >= rda_psn_first(at->asker->first_psn)))
		return;
	*put_off = true;
	if (gap)
		gap->proven = false;
	losses->asked_proven = false;
	doubt(at, losses, proven, run);
}

/* S01, taken back: what seemed to be lost was overtaken by what was sent after it. */
void rda_missing_found(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_losses *losses = rda_losses_of(at->asker);
	const struct rda_loss_gap *gap = gap_at(losses, event->psn);
	bool certain = event->kind == RDA_EVENT_FOUND;
	bool unheard;
	bool asked = was_asked_for(losses, event->psn, gap, &unheard) && certain && !event->doubted;
	/* what is so old that nobody remembers it may be any of those that were told */
	bool forgotten = !rda_account_sent(at->asker->account, event->psn);
	bool proven = certain && losses->lost_before &&
		      (forgotten ||
		       (!event->doubted && (!losses->missing_here || (gap ? gap->proven : asked))));
	struct rda_finding *finding = rda_finding_find_as(
		&at->judge->findings, RDA_CHECK_S01, RDA_SEVERITY_WARNING,
		proven ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED, rda_about_flow(at->asker));

	losses->spare -= event->doubted ? MIN(losses->spare, event->count) : 0;
	*sum_of(losses, proven) -= MIN(*sum_of(losses, proven), event->count);
	if (certain && !proven)
		losses->missing_here -= MIN(losses->missing_here, event->count);
	if (asked && !proven)
		losses->missing_asked -= MIN(losses->missing_asked, event->count);
	losses->missing_asked = MIN(losses->missing_asked, losses->missing_here);
	if (finding)
		finding->count -= MIN(finding->count, event->count);
}

void rda_missing_response_found(const struct rda_at *at)
{
	struct rda_flow *sender = at->asker->peer;
	struct rda_losses *theirs = sender ? rda_losses_of(sender) : NULL;
	struct rda_finding *finding;
	bool proven;

	if (!theirs)
		return;
	/* of those that were told before any overtook another, as far as there are any: of the
	 * others nothing is proven */
	proven = theirs->responses_before > 0;
	finding = rda_finding_find_as(&at->judge->findings, RDA_CHECK_S01, RDA_SEVERITY_WARNING,
				      proven ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
				      rda_about_flow(sender));
	*(proven ? &theirs->responses_before : &theirs->responses_missing) -=
		proven || theirs->responses_missing;
	theirs->responses_in_order = MIN(theirs->responses_in_order, theirs->responses_before);
	if (finding && finding->count)
		finding->count--;
}

bool rda_missing_responses_overtake(const struct rda_flow *asker)
{
	return rda_responses_overtake(rda_account_response_counts(asker));
}

bool rda_missing_responses_doubted(const struct rda_flow *asker)
{
	return rda_missing_responses_overtake(asker) ||
	       (asker && (rda_copies_are_untold(asker, RDA_ROLE_REQUEST) ||
			  (asker->account && rda_account_reads_are_cut(asker->account))));
}

bool rda_missing_behind(const struct rda_flow *flow, const struct rda_losses *losses)
{
	return losses->lost_after || losses->responses_after ||
	       (flow->peer && rda_spurious_lost(flow->peer));
}

/* What was told as lost, as responses came in order so far, may have come late: none of those that
 * do so now are told apart from what was asked for again. */
static void doubt_responses(struct rda_judge *judge, const struct rda_flow *flow,
			    struct rda_losses *losses)
{
	uint64_t doubted = losses->responses_in_order;
	struct rda_finding *finding =
		rda_finding_find_as(&judge->findings, RDA_CHECK_S01, RDA_SEVERITY_WARNING,
				    RDA_PROOF_PROVEN, rda_about_flow(flow));

	if (!doubted || !rda_missing_responses_overtake(flow->peer))
		return;
	if (finding)
		finding->count -= MIN(finding->count, doubted);
	finding = rda_finding_add_proof(&judge->findings, RDA_CHECK_S01, RDA_PROOF_SUSPECTED,
					rda_about_flow(flow), losses->in_order_frame);
	finding->count += doubted - 1;
	losses->responses_before -= doubted;
	losses->responses_missing += doubted;
}

/* Identifications tell of more than was asked for again. */
static void responses_unshown(struct rda_judge *judge, const struct rda_flow *flow,
			      struct rda_losses *losses)
{
	struct rda_finding *finding;
	uint64_t place = 0;

	losses->responses_unshown = rda_account_responses_unshown(flow->peer, &place);
	if (!losses->responses_unshown)
		return;
	finding = rda_finding_add_proof(&judge->findings, RDA_CHECK_S01, RDA_PROOF_SUSPECTED,
					rda_about_flow(flow), place);
	finding->count += losses->responses_unshown - 1;
}

/* It was asked for by a run that may be of the QP's next life. */
static bool is_asked_anew(const struct rda_flow *asker, uint64_t frame)
{
	const struct rda_sequence_watch *watch = asker->watch.sequence;

	return watch && watch->losses && rda_anew_asks(watch->losses, frame);
}

void rda_missing_responses_owed(struct rda_judge *judge, const struct rda_flow *flow,
				struct rda_losses *losses)
{
	bool doubted = rda_missing_responses_doubted(flow->peer);
	const struct rda_owed *owed;
	struct rda_finding *finding;

	doubt_responses(judge, flow, losses);
	for (uint32_t i = 0; (owed = rda_account_owed(flow->peer, i)) != NULL; i++) {
		bool perhaps = doubted || !rda_account_would_have_come(flow->peer, owed) ||
			       is_asked_anew(flow->peer, owed->frame);
		uint32_t certain = perhaps ? 0 : MIN(owed->named, owed->certain);

		if (certain) {
			finding = rda_finding_add(&judge->findings, RDA_CHECK_S01,
						  rda_about_flow(flow), owed->frame);
			finding->count += certain - 1;
			losses->responses_before += certain;
		}
		if (owed->count > certain) {
			finding = rda_finding_add_proof(&judge->findings, RDA_CHECK_S01,
							RDA_PROOF_SUSPECTED, rda_about_flow(flow),
							owed->frame);
			finding->count += owed->count - certain - 1;
			losses->responses_missing += owed->count - certain;
		}
	}
	responses_unshown(judge, flow, losses);
}

/* Some packets came, each alone: what precedes it and what follows did not. */
enum { ALONE_LEAST = 3 };

bool rda_missing_all_but_last(const struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_range *ranges = rda_ranges_array(&flow->requests);
	uint16_t count = flow->requests.count;

	for (uint16_t i = 0; i < count; i++)
		if (ranges[i].end - ranges[i].begin != 1)
			return false;
	return count >= ALONE_LEAST && !flow->full_payload && rda_judge_began_inside(judge, flow);
}
