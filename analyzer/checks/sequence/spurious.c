/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S05: runs of resends of what the responder had taken, as its answers tell.
 */
#include "analyzer/checks/sequence/spurious.h"

#include "analyzer/base/cold.h"
#include "analyzer/checks/answer/ack_order.h"
#include "analyzer/checks/answer/answer_order.h"

#include <glib.h>

/* It was for nothing, as an answer tells. */
static void judge(struct rda_loss_run *run, enum rda_loss_verdict verdict, uint64_t answer)
{
	run->verdict = (uint8_t)verdict;
	run->answer = answer;
}

/* A NAK for what the run begins with, and the run that seemed to obey that began for another
 * reason, perhaps: this one may. */
static bool may_obey_same(const struct rda_losses *losses, const struct rda_loss_run *run,
			  int64_t time_ns)
{
	for (const struct rda_loss_run *before = run; before > losses->runs;)
		if ((--before)->perhaps_nak && before->start == run->start &&
		    time_ns - before->since_ns < RDA_NAK_STALE_NS)
			return true;
	return false;
}

/*
 * A run begins just behind answers that told that one before it was early: where the tap shows one
 * direction late it was sent before them, and one of them may be to it.
 */
static void note_overtaken(struct rda_losses *losses, const struct rda_event *event)
{
	for (unsigned i = 0; i < losses->run_count; i++) {
		struct rda_loss_run *run = &losses->runs[i];

		if (run->verdict == RDA_VERDICT_EARLY && event->psn < run->top &&
		    event->time_ns - run->told_ns < RDA_MIRROR_NS)
			run->verdict = RDA_VERDICT_SEEMS_EARLY;
	}
}

void rda_spurious_begin(const struct rda_at *at, struct rda_losses *losses,
			const struct rda_event *event)
{
	struct rda_loss_run *run = rda_losses_newest(losses);

	note_overtaken(losses, event);
	run->perhaps_due |= event->doubted || may_obey_same(losses, run, event->time_ns);
	run->lacked = rda_account_passed_over(at->asker->account, event->psn);
	run->nak_twice = rda_ack_order_nak_came_twice(at->asker, event->time_ns);
}

bool rda_spurious_lost(const struct rda_flow *flow)
{
	const struct rda_sequence_watch *watch = flow->watch.sequence;
	struct rda_losses settled; /* as it is if no more packets come */
	uint64_t runs;

	if (!watch || !watch->losses)
		return false;
	settled = *watch->losses;
	runs = settled.by_verdict[RDA_VERDICT_SEEMS_EARLY].runs +
	       settled.by_verdict[RDA_VERDICT_ANSWERED].runs +
	       settled.by_verdict[RDA_VERDICT_SEEMS_ANSWERED].runs;
	for (unsigned i = 0; flow->account && i < settled.run_count; i++) {
		struct rda_loss_run *run = &settled.runs[i];

		rda_spurious_settle(flow, &settled, run);
		runs += run->verdict == RDA_VERDICT_SEEMS_EARLY || rda_spurious_is_answered(run);
	}
	return runs != 0;
}

void rda_spurious_close(struct rda_findings *findings, const struct rda_flow *flow,
			const struct rda_loss_run *run)
{
	bool seems = run->verdict == RDA_VERDICT_SEEMS_EARLY ||
		     run->verdict == RDA_VERDICT_SEEMS_ANSWERED;
	struct rda_finding *finding;

	if (!seems && run->verdict != RDA_VERDICT_EARLY && run->verdict != RDA_VERDICT_ANSWERED)
		return;
	finding = rda_finding_add_proof(findings, RDA_CHECK_S05,
					seems ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN,
					rda_about_flow(flow), run->frame);
	rda_finding_frame(finding, run->cause);
	rda_finding_frame(finding, run->answer);
}

/* From an answer to what the requester makes of it, at the least: it is no longer on its way here.
 * What passes sooner was sent before that answer passed, perhaps. */
static int64_t least_way(const struct rda_account *account)
{
	return MAX(RDA_MIRROR_NS, rda_account_run(account)->obeyed_ns);
}

/*
 * As long as it obeyed nothing, its way here may take longer than its timer: `run` was under way
 * when the answer passed. Not where the connection's first request had its answer before the timer:
 * then the way is shorter than that.
 */
static bool may_be_under_way(const struct rda_at *at, const struct rda_loss_run *run)
{
	const struct rda_resend_run *known = rda_account_run(at->asker->account);
	const struct rda_giveup *giveup = rda_giveup_of(at->asker);

	if (known->obeyed_ns || run->answer_ns >= RDA_SILENCE_NS)
		return false;
	/* it came back so late from an RNR NAK's wait: the way there and back is in that */
	if (giveup && run->answer_ns < giveup->put_off.way_ns)
		return true;
	return known->from_first || !rda_account_begins_here(at->asker) ||
	       run->answer_ns < run->wait_ns / 2;
}

/* A NAK for it may have passed before that answer, and the capture missed it: they come in this
 * connection, and are obeyed as late as that. */
static bool may_be_named(const struct rda_flow *asker, const struct rda_loss_run *run)
{
	return rda_spurious_has_naks(asker) && run->answer_ns < RDA_NAK_STALE_NS;
}

/*
 * S05: the answer to a run's first packet had passed before it was sent; so long before that a tap
 * which shows one direction late does not make it so.
 */
void rda_spurious_resent(const struct rda_at *at, struct rda_losses *losses,
			 const struct rda_event *event)
{
	const struct rda_account *account = at->asker->account;
	const struct rda_progress *progress = rda_account_progress(account);
	const struct rda_sent *sent = rda_account_sent(account, event->psn);
	struct rda_loss_run *run = rda_losses_newest(losses);

	/* it was lost on the way to the requester, perhaps, or is under way */
	if (run && run->packets == 1)
		run->crossed = true;
	if (event->time_ns - progress->acked_ns < least_way(account) ||
	    !rda_account_run_begins_here(account) || (sent && sent->length_unknown))
		return;
	if (!run || !event->other_frame || run->packets != 1 || run->verdict != RDA_VERDICT_OPEN ||
	    !rda_spurious_is_silence(run) || run->perhaps_due || run->doubted ||
	    rda_account_waits_at(account, event->psn) || rda_account_lacks_at(account, event->psn))
		return;
	run->answer_ns = event->time_ns - progress->acked_ns;
	judge(run,
	      may_be_under_way(at, run) || may_be_named(at->asker, run) ? RDA_VERDICT_SEEMS_ANSWERED
									: RDA_VERDICT_ANSWERED,
	      progress->acked_frame);
}

/*
 * Packets that were sent again and may be answered with this PSN: of runs before which it had been
 * sent.
 */
static uint64_t resent_about(const struct rda_losses *losses, int64_t psn)
{
	uint64_t packets = 0;

	if (losses->run_count == RDA_LOSS_RUNS_KEPT && losses->runs[0].top > psn)
		return UINT64_MAX; /* and of runs that are forgotten, perhaps */
	for (unsigned i = 0; i < losses->run_count; i++)
		packets += psn < losses->runs[i].top ? losses->runs[i].packets : 0;
	return packets;
}

/*
 * So many originals behind the first of the run may have waited for that, and been answered only
 * then, as READs and ATOMICs are one by one: where the responder keeps what comes ahead, as far as
 * is known. It has sent no NAK.
 */
static uint64_t kept_ahead(const struct rda_at *at, const struct rda_loss_run *run, int64_t psn)
{
	bool keeps = !rda_flow_rare(at->flow)->naks[RDA_NAK_SEQUENCE] && psn > run->start &&
		     rda_account_roles(at->asker->account, psn) & RDA_ROLE_ANSWERED;

	return keeps ? run->packets - 1 : 0;
}

/* The answer of a run's first packet is remembered as long as its window is. */
enum { REMEMBERED = 128 };

/*
 * The first answer since the run began is to a later message than its first: the responder answers
 * several at once, or what it had answered before was lost on its way here, and the timer was
 * right.
 */
static void note_passed_over(const struct rda_at *at, struct rda_losses *losses, int64_t psn)
{
	for (unsigned i = 0; i < losses->run_count; i++) {
		struct rda_loss_run *run = &losses->runs[i];
		const struct rda_sent *sent;

		if (run->answered || psn < run->start || !rda_spurious_is_silence(run))
			continue;
		run->passed_over = psn - run->start > REMEMBERED;
		for (int64_t at_psn = run->start; at_psn < psn && !run->passed_over;
		     at_psn = sent ? sent->end : at_psn + 1) {
			sent = rda_account_sent(at->asker->account, at_psn);
			run->passed_over = sent && sent->roles & RDA_ROLE_LAST && sent->end <= psn;
		}
	}
}

/*
 * More answers than packets that were sent again, but for what waited: the original had one as
 * well. Of READs only the last responses are counted. Behind the run's end it may be one to what
 * the responder had kept until the run came.
 */
static bool was_answered_before(const struct rda_at *at, const struct rda_losses *losses,
				const struct rda_loss_run *run, int64_t psn)
{
	const struct rda_response_counts *responses = rda_account_response_counts(at->asker);

	if (psn >= run->end || rda_spurious_requests_copied(at->asker))
		return false;
	if (!(at->packet->opcode->roles & RDA_ROLE_ACK) &&
	    (responses->implied_naks || responses->lost_before || responses->lost_after))
		return false;
	return run->again >= kept_ahead(at, run, psn) &&
	       run->again - kept_ahead(at, run, psn) >= resent_about(losses, psn);
}

/*
 * An answer to what was answered: a run and its original both arrived (S05), or one of them and
 * another resend. It says which run by its PSN: the responder had all of the run, and nothing that
 * was sent later. A run for a response that others passed over was not early, whatever of it had
 * arrived before.
 */
static void answered_again(const struct rda_at *at, struct rda_losses *losses, int64_t psn)
{
	bool told = false;

	for (unsigned i = 0; i < losses->run_count; i++) {
		struct rda_loss_run *run = &losses->runs[i];

		if (!rda_spurious_is_silence(run) || run->perhaps_due || run->lacked ||
		    run->inside || psn < run->end - 1 || psn >= run->top)
			continue;
		run->again++;
		if (!told && run->verdict == RDA_VERDICT_OPEN) {
			judge(run, RDA_VERDICT_SEEMS_EARLY, at->place);
			run->echoes = run->packets;
		}
		if (!told && run->echoes && rda_spurious_is_early(run)) {
			run->echoes--;
			told = true;
		}
		/* that answer may have been lost behind: then this is the only one that came */
		if (run->verdict == RDA_VERDICT_SEEMS_EARLY && !run->doubted && !run->crossed &&
		    !run->passed_over && was_answered_before(at, losses, run, psn)) {
			judge(run, RDA_VERDICT_EARLY, at->place);
			run->told_ns = at->meta->time_ns;
		}
	}
}

/* The network's or a mirror's copy of an answer says nothing. */
static bool is_copy(const struct rda_at *at, const struct rda_losses *losses, int64_t psn)
{
	if (at->meta->time_ns - losses->answer_ns >= RDA_MIRROR_NS || psn != losses->answer_psn)
		return false;
	if (at->packet->ip_id)
		return at->packet->ip_id == losses->answer_ip_id;
	return rda_account_counts(at->asker)->packets[RDA_REQUEST_MIRRORED] > 0;
}

/* A READ that was cut within its RETH: nothing tells whether its first answer was whole. */
static bool is_length_unknown(const struct rda_account *account, int64_t psn)
{
	const struct rda_sent *sent = rda_account_sent(account, psn);

	return sent && sent->length_unknown;
}

/* What it answers had just been sent again, so soon that it may have been a reaction: where the tap
 * shows one direction later than the other, it was sent again behind that answer. */
static void note_crossed(struct rda_loss_run *run, int64_t psn, int64_t time_ns)
{
	if (psn >= run->start && psn < run->end && run->wait_ns < RDA_REACTION_MIN_NS &&
	    time_ns - (run->since_ns + run->wait_ns) < RDA_MIRROR_NS)
		run->crossed = true;
}

/* Its answers count messages from the beginning again: what looks like a resend was new. */
static void anew(struct rda_losses *losses)
{
	const struct rda_loss_run *newest = rda_losses_newest(losses);

	for (unsigned i = 0; i < losses->run_count; i++)
		if (losses->runs[i].start == newest->start &&
		    rda_spurious_is_silence(&losses->runs[i]))
			judge(&losses->runs[i], RDA_VERDICT_ANEW, 0);
}

RDA_APART void rda_spurious_response(const struct rda_at *at, struct rda_losses *losses)
{
	const struct rda_packet *packet = at->packet;
	uint16_t roles = packet->opcode->roles;
	bool again,
		positive = !rda_has(packet, AETH) || rda_aeth_kind(&packet->aeth) == RDA_AETH_ACK;
	int64_t psn;

	if (!losses->run_count || !at->asker->account)
		return;
	psn = rda_account_widen(at->asker->account, packet->bth.psn);
	if (rda_account_run(at->asker->account)->anew)
		anew(losses);
	note_crossed(rda_losses_newest(losses), psn, at->meta->time_ns);
	rda_anew_answered(rda_losses_newest(losses), psn,
			  roles & RDA_ROLE_ACK || !rda_has(packet, AETH) ? 0 : packet->aeth.msn);
	if (positive)
		note_passed_over(at, losses, psn);
	rda_losses_answered(losses, positive ? psn : psn - 1, at->meta->time_ns);
	if (!positive)
		return;
	/* an ACK says so by an event */
	if (roles & RDA_ROLE_ACK)
		again = losses->again_frame == at->place;
	else
		again = roles & RDA_ROLE_LAST && losses->done_frame != at->place &&
			!rda_account_waits_at(at->asker->account, psn) &&
			!is_length_unknown(at->asker->account, psn);
	if (again && !is_copy(at, losses, psn))
		answered_again(at, losses, psn);
	losses->answer_ns = at->meta->time_ns;
	losses->answer_psn = psn;
	losses->answer_ip_id = packet->ip_id;
}

struct rda_spurious_least rda_spurious_least(const struct rda_losses *losses)
{
	const struct rda_loss_sum *early = &losses->by_verdict[RDA_VERDICT_EARLY];
	const struct rda_loss_sum *answered = &losses->by_verdict[RDA_VERDICT_ANSWERED];
	uint64_t runs = early->runs + answered->runs;
	uint64_t least = MIN(runs, MAX(early->waits + answered->waits, 1));
	uint64_t least_early = MIN(early->runs, MAX(early->waits, 1));

	return (struct rda_spurious_least){
		.early = least_early, .answered = least - least_early, .parts = least < runs};
}

/* ---- sentences ------------------------------------------------------------------------------- */

static void tell_seems_early(struct rda_finding *finding, const struct rda_loss_sum *early)
{
	if (!early->most_ns)
		rda_finding_retell(finding, RDA_SAY_S05_SEEMS_NEEDLESS,
				   RDA_ARG_NUMBER("early", early->runs));
	else
		rda_finding_retell(finding, RDA_SAY_S05_SEEMS_EARLY,
				   RDA_ARG_NUMBER("early", early->runs),
				   RDA_ARG_TIME("least_ns", early->least_ns),
				   RDA_ARG_TIME("most_ns", early->most_ns));
}

/* What was sent again behind answers that overtook each other is an effect of that (Q10). */
static void explain(const struct rda_telling *t, struct rda_finding *finding)
{
	if (rda_responses_overtake(rda_account_response_counts(t->flow)) &&
	    t->losses->by_verdict[RDA_VERDICT_OVERTAKEN_RESPONSES].runs)
		rda_finding_explain(finding, RDA_CHECK_Q10, rda_about_flow(t->flow->peer));
}

/* One or two copies that time alone tells may have been sent again at once. */
enum { COPIES_LEAST = 3 };

/*
 * All of it may be copies, which nothing but time tells: a mirror's of the answers, or the
 * network's, of packets that it held back no longer than it does NAKs.
 */
static bool may_be_copies(const struct rda_telling *t, const struct rda_loss_sum *early,
			  const struct rda_loss_sum *answered)
{
	uint64_t copies = t->counts->packets[RDA_REQUEST_MIRRORED];
	int64_t late_ns = MAX(early->runs ? early->most_ns : 0,
			      answered->runs ? t->losses->answer_ns_seems : 0);

	if (copies < COPIES_LEAST || !rda_spurious_copies_untold(t->flow))
		return false;
	return rda_copies_are_few(copies, rda_telling_passed(t)) ? late_ns < RDA_NAK_STALE_NS
								 : !answered->runs;
}

static void tell_seems(struct rda_telling *t)
{
	const struct rda_loss_sum *early = &t->losses->by_verdict[RDA_VERDICT_SEEMS_EARLY];
	const struct rda_loss_sum *answered = &t->losses->by_verdict[RDA_VERDICT_SEEMS_ANSWERED];
	struct rda_finding *finding =
		rda_finding_find_as(&t->judge->findings, RDA_CHECK_S05, RDA_SEVERITY_WARNING,
				    RDA_PROOF_SUSPECTED, rda_about_flow(t->flow));
	bool overtaken = rda_responses_overtake(rda_account_response_counts(t->flow));
	/* Q10 tells of it; not of an answer that passed here in its turn and was no good */
	bool in_q10 = rda_reordered_any(t->flow) && !(answered->runs && overtaken);

	t->told |= (early->runs || answered->runs) && !in_q10;
	if (!finding)
		return;
	if (in_q10 || may_be_copies(t, early, answered))
		finding->severity = RDA_SEVERITY_NOTE;
	finding->cost_ns = answered->cost_ns;
	if (answered->runs)
		explain(t, finding);
	if (early->runs)
		tell_seems_early(finding, early);
	if (answered->runs)
		rda_finding_say_more(finding, RDA_SAY_S05_SEEMS_ANSWERED,
				     RDA_ARG_NUMBER("answered", answered->runs),
				     RDA_ARG_TIME("answer_ns", t->losses->answer_ns_seems),
				     RDA_ARG_FLAG("naks", t->losses->seems_named),
				     RDA_ARG_FLAG("copies", rda_spurious_copies_untold(t->flow)),
				     RDA_ARG_FLAG("overtaken", overtaken),
				     RDA_ARG_FLAG("anew", t->losses->seems_anew));
}

static void tell_proven(struct rda_telling *t)
{
	const struct rda_loss_sum *early = &t->losses->by_verdict[RDA_VERDICT_EARLY];
	const struct rda_loss_sum *answered = &t->losses->by_verdict[RDA_VERDICT_ANSWERED];
	struct rda_spurious_least least = rda_spurious_least(t->losses);
	enum rda_saying saying = !early->runs			? RDA_SAY_S05_ANSWERED
				 : least.answered > least.early ? RDA_SAY_S05_MOST_ANSWERED
								: RDA_SAY_S05_EARLY;
	bool overtaken = rda_responses_overtake(rda_account_response_counts(t->flow));
	struct rda_finding *finding =
		rda_finding_find_as(&t->judge->findings, RDA_CHECK_S05, RDA_SEVERITY_WARNING,
				    RDA_PROOF_PROVEN, rda_about_flow(t->flow));

	t->told |= early->runs || answered->runs;
	if (finding) {
		finding->lowered |= rda_account_lost_order(t->flow->account) ||
				    (answered->runs && overtaken); /* settled before that */
		finding->count = least.early + least.answered;
		finding->cost_ns = answered->cost_ns;
		if (least.answered)
			explain(t, finding);
		rda_finding_retell(
			finding, saying, RDA_ARG_IF(least.parts, RDA_ARG_FLAG("parts", true)),
			RDA_ARG_IF(least.early, RDA_ARG_NUMBER("early", least.early)),
			RDA_ARG_IF(early->waits, RDA_ARG_TIME("least_ns", early->least_ns)),
			RDA_ARG_IF(early->waits, RDA_ARG_TIME("most_ns", early->most_ns)),
			RDA_ARG_IF(least.answered, RDA_ARG_NUMBER("answered", least.answered)),
			RDA_ARG_IF(least.answered,
				   RDA_ARG_TIME("answer_ns", t->losses->answer_ns_most)),
			RDA_ARG_IF(least.answered && overtaken, RDA_ARG_FLAG("overtaken", true)));
	}
}

void rda_spurious_tell(struct rda_telling *t)
{
	tell_proven(t);
	tell_seems(t);
}
