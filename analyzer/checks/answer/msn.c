/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group A: MSNs, the order of acknowledgments, credits.
 */
#include "analyzer/checks/answer/msn.h"

#include "analyzer/base/psn.h"
#include "analyzer/checks/answer/ack_order.h"

#include <glib.h>

/* One response, beside the one that moved the account before. */
struct answer {
	const struct rda_at *at;
	int64_t acked;	     /* PSN: everything below was acknowledged */
	int64_t psn, msn;    /* widened */
	int64_t covered;     /* it says that everything below was taken */
	int64_t msn_by;	     /* the MSN is so much higher than before */
	int64_t top;	     /* the highest MSN before */
	int64_t done_by;     /* so many more messages are done */
	int64_t outstanding; /* messages that began and are not done, at the most */
	bool is_ack;
};

/*
 * What was sent since, behind all that had been acknowledged, is all that it counts, and there was
 * a silence within or before that: the QP was set up anew behind it with the PSN that followed,
 * perhaps, where connection management does not tell of that.
 */
static bool counts_anew(const struct answer *a, const struct rda_msn_watch *watch)
{
	int64_t before_ns = watch->time_ns;
	const struct rda_sent *sent;

	if (rda_cm_keeps_up(a->at->asker) || rda_psn_narrow(a->msn) > (uint64_t)a->done_by)
		return false;
	for (int64_t psn = watch->acked; psn < a->covered; psn = sent->end) {
		sent = rda_account_sent(rda_asked(a->at), psn);
		if (!sent || !sent->seen)
			return false;
		if (sent->sent_ns - before_ns >= RDA_SILENCE_NS)
			return true;
		before_ns = MAX(before_ns, sent->sent_ns);
	}
	return false;
}

/*
 * A03: a later PSN, a lower MSN. A READ response that was overtaken moves the account, as the hole
 * that it fills was in front of others, and has the MSN of when it was made: it has no later PSN.
 * The answer to what was sent again may have the MSN of all that was done, and pass what was
 * answered before it; and so may one that counts messages behind what it covers, as a responder
 * makes it that takes packets ahead of their turn. Where answers pass before what they answer is
 * shown, what was sent again may not be shown yet. A QP that was set up anew counts from 0.
 */
static void msn_backwards(const struct answer *a, const struct rda_msn_watch *watch)
{
	bool anew = counts_anew(a, watch);
	struct rda_subject subject = rda_about_flow(a->at->flow);
	struct rda_finding *finding =
		rda_finding_by_both(a->at, watch->checked && !anew, RDA_CHECK_A03, subject);

	rda_finding_frame(finding, watch->place);
	rda_finding_say(finding, RDA_SAY_A03_BACK, RDA_ARG_PSN("psn", a->psn),
			RDA_ARG_PSN("msn", a->msn), RDA_ARG_PSN("earlier_msn", watch->msn),
			RDA_ARG_PSN("earlier_psn", watch->acked),
			RDA_ARG_FLAG("perhaps_anew", anew));
}

/* Whether one of the messages that end with PSNs of [begin, end) is more than a WRITE, or, `any`,
 * whether one ends at all. */
static bool needs_counting(const struct rda_account *account, int64_t begin, int64_t end, bool any)
{
	while (begin < end) {
		const struct rda_sent *sent = rda_account_sent(account, begin);

		if (!sent)
			return true; /* the window forgot it */
		if (sent->roles & RDA_ROLE_LAST &&
		    (any || !(sent->roles & RDA_ROLE_WRITE) || sent->roles & RDA_ROLE_USES_RECEIVE))
			return true;
		begin = sent->end;
	}
	return false;
}

bool rda_msn_counts(const struct rda_msn_watch *watch, const struct rda_account *account,
		    int64_t begin, int64_t end)
{
	return needs_counting(account, begin, end, !watch->skips_writes);
}

static bool is_in_order(const struct rda_flow *asker)
{
	return !rda_requests_overtake(rda_account_counts(asker)) &&
	       !rda_ack_order_is_lost(rda_answer_watched(asker));
}

/*
 * Messages that end below what it covers, since the answer before: one behind it that passed first
 * tells that more were done. False where the window forgot what lies between.
 */
static bool ends_more(const struct answer *a, const struct rda_msn_watch *watch)
{
	int64_t done = a->done_by - watch->ahead;

	for (int64_t psn = a->covered; psn < a->acked && done > 0;) {
		const struct rda_sent *sent = rda_account_sent(rda_asked(a->at), psn);

		if (!sent)
			return false;
		done -= (sent->roles & RDA_ROLE_LAST) != 0;
		psn = sent->end;
	}
	return done > 0;
}

/*
 * A04: a message was acknowledged and not counted; `begin`: the first PSN that it may have. Where
 * ACKs overtook each other, or requests on their way here, what ended when is not certain; nor
 * where the answer before may have been made when more was done than it covers: where the capture
 * begins among answers to duplicates, these have the MSN of all that was done, until one counts
 * more. An MSN that no ICRC vouches for may be damage: three answers in a row that have the same
 * one are not.
 */
static void msn_does_not_advance(const struct answer *a, struct rda_msn_watch *watch, int64_t begin)
{
	bool counts = needs_counting(rda_asked(a->at), begin, a->covered, false);
	bool sent_so =
		watch->stood || (rda_judge_is_checked(a->at) && (!watch->known || watch->checked));
	bool certain = sent_so && is_in_order(a->at->asker) && !watch->perhaps_ahead;
	bool harms = counts && !watch->perhaps_ahead;
	struct rda_finding *finding =
		rda_finding_add_as(&a->at->judge->findings, RDA_CHECK_A04,
				   harms ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE,
				   certain ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
				   rda_about_flow(a->at->flow), a->at->place);

	watch->skips_writes |= !counts;
	watch->stood = true;
	watch->still += counts;
	if (rda_account_is_behind_silence(a->at->asker, a->at->meta->time_ns))
		watch->silent_ns = a->at->meta->time_ns;
	rda_finding_frame(finding, watch->place);
	rda_finding_say(finding, counts ? RDA_SAY_A04_STILL : RDA_SAY_A04_WRITE,
			RDA_ARG_PSN("psn", a->psn), RDA_ARG_PSN("msn", a->msn));
}

void rda_msn_next_life(const struct rda_at *at, const struct rda_flow *before)
{
	static const enum rda_severity told_as[] = {RDA_SEVERITY_NOTE, RDA_SEVERITY_WARNING};
	int64_t silent_ns = rda_answer_watched(before)->msn.silent_ns;
	struct rda_finding *finding;

	if (!silent_ns || !before->peer || at->meta->time_ns - silent_ns >= RDA_MIRROR_NS)
		return;
	for (unsigned i = 0; i < G_N_ELEMENTS(told_as); i++) {
		finding = rda_finding_find_as(&at->judge->findings, RDA_CHECK_A04, told_as[i],
					      RDA_PROOF_PROVEN, rda_about_flow(before->peer));
		if (finding)
			finding->lowered = true;
	}
}

/* The answer to a duplicate may name its PSN, and the MSN of all that was done. What is not
 * remembered, as the capture began behind it, may be one. */
static bool was_sent_again(const struct answer *a, int64_t psn)
{
	const struct rda_account *account = rda_asked(a->at);

	return rda_account_was_sent_again(account, psn) || !rda_account_times_sent(account, psn);
}

/*
 * A05: more messages than were sent. While a resend may still answer what preceded the capture,
 * messages may end that began before it; and an answer to a duplicate counts what was done behind
 * it, of which the capture may have missed some: also where no answer had passed, as that was lost.
 */
static void msn_jumps(const struct answer *a, const struct rda_msn_watch *watch)
{
	bool begun = rda_account_began_before(rda_asked(a->at), a->psn, a->at->meta->time_ns) ||
		     was_sent_again(a, a->psn);
	struct rda_subject subject = rda_about_flow(a->at->flow);
	struct rda_finding *finding =
		begun ? rda_finding_add_as(&a->at->judge->findings, RDA_CHECK_A05,
					   RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED, subject,
					   a->at->place)
		      : rda_finding_by_both(a->at, watch->checked, RDA_CHECK_A05, subject);

	rda_finding_frame(finding, watch->place);
	rda_finding_say(finding, RDA_SAY_A05_JUMP, RDA_ARG_PSN("earlier_msn", watch->msn),
			RDA_ARG_PSN("msn", a->msn),
			RDA_ARG_SIGNED("messages", a->done_by + a->outstanding));
}

/* What lies between are READs. Whether their responses passed here tells nothing: some may be lost.
 */
static bool leaves_out_reads(const struct answer *a, const struct rda_msn_watch *watch)
{
	for (int64_t psn = a->covered; psn < watch->acked;) {
		const struct rda_sent *sent = rda_account_sent(rda_asked(a->at), psn);

		if (!sent || !(sent->roles & RDA_ROLE_READ))
			return false;
		psn = sent->end;
	}
	return true;
}

/*
 * A19: made later, and acknowledges less. An ACK that came late was made when the MSN was lower.
 * Linux (rxe, of 6.1 by a capture) acknowledges a duplicate with the latest PSN that was no READ's:
 * its ack_psn is set by all else. That harms nobody: READs are acknowledged by their responses.
 * Others acknowledge a duplicate with its own PSN, and the MSN of all that was done; the duplicate
 * may be one that the network made behind this tap.
 */
static void ack_psn_backwards(const struct answer *a, struct rda_msn_watch *watch)
{
	bool reads = leaves_out_reads(a, watch);
	bool duplicate = a->msn == watch->msn || was_sent_again(a, a->psn);
	struct rda_subject subject = rda_about_flow(a->at->flow);
	struct rda_finding *finding =
		reads ? rda_finding_add_as(&a->at->judge->findings, RDA_CHECK_A19,
					   RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED, subject,
					   a->at->place)
		      : rda_finding_by_both(a->at, watch->checked && !duplicate, RDA_CHECK_A19,
					    subject);

	watch->behind = true;
	rda_finding_frame(finding, watch->place);
	rda_finding_say(finding, reads ? RDA_SAY_A19_READS : RDA_SAY_A19_LESS,
			RDA_ARG_PSN("psn", a->psn), RDA_ARG_PSN("acked_psn", watch->acked),
			RDA_ARG_PSN("msn", a->msn));
}

/*
 * Nobody counts so many messages from one answer to another that covers no more: the QP was set up
 * anew, and counts from 0; and a tap that shows requests later than answers does not show yet that
 * it was.
 */
enum { COUNTED_MOST = 65536 };

static bool may_be_anew(const struct answer *a, const struct rda_msn_watch *watch)
{
	return a->msn_by >= COUNTED_MOST && rda_psn_narrow(a->msn) < COUNTED_MOST &&
	       a->covered <= watch->acked;
}

bool rda_msn_is_far(const struct rda_msn_watch *watch, uint32_t msn)
{
	return watch->known && msn < COUNTED_MOST &&
	       rda_psn_widen(watch->msn, msn) - watch->msn >= COUNTED_MOST;
}

bool rda_msn_made_later(const struct rda_msn_watch *watch, uint32_t msn)
{
	int64_t wide = rda_psn_widen(watch->msn, msn);

	return watch->known && (wide > watch->msn || (wide == watch->msn && watch->ends));
}

static bool ends_message(const struct answer *a, int64_t psn)
{
	return rda_account_roles(rda_asked(a->at), psn) & RDA_ROLE_LAST;
}

/*
 * Where responses overtake each other, one to a duplicate READ has the MSN of what was done behind
 * it: it is no measure of the next ACK (A04).
 */
static void compare(const struct answer *a, struct rda_msn_watch *watch)
{
	bool forward = a->acked > watch->acked;
	bool early = rda_account_answered_early(a->at->asker);
	bool first = rda_account_answers_came_first(a->at->asker);
	int64_t guessed = (int64_t)rda_account_guessed(rda_asked(a->at), watch->acked, a->acked);

	/* what is answered before it is shown is not counted among what was outstanding; an answer
	 * to a duplicate has an MSN that others had before it, of what this capture missed, perhaps
	 */
	if (a->msn_by > a->done_by + a->outstanding + guessed && !early && !first &&
	    a->msn > a->top)
		msn_jumps(a, watch);
	else if (forward && a->covered > watch->acked && a->msn_by + watch->ahead < 0 &&
		 !watch->again && !first)
		msn_backwards(a, watch);
	else if (forward && a->covered > watch->acked && a->is_ack && watch->from_ack &&
		 !watch->again && a->msn_by == 0 && ends_more(a, watch) && !early &&
		 !rda_responses_overtake(rda_account_response_counts(a->at->asker)))
		msn_does_not_advance(a, watch, watch->acked);
	else if (a->is_ack && a->covered < watch->acked && !rda_account_was_anew(a->at->asker) &&
		 rda_msn_made_later(watch, rda_psn_narrow(a->msn)))
		ack_psn_backwards(a, watch);
}

/* What the next responses are compared with. */
static void remember(const struct answer *a, struct rda_msn_watch *watch,
		     const struct rda_message_progress *messages)
{
	bool counts = rda_account_begins_here(a->at->asker);
	bool begins_here = counts || rda_cm_set_up(a->at->asker);

	/* an answer to a duplicate covers that, and counts all that is done: so may those with
	 * which the capture begins, until one counts more */
	watch->perhaps_ahead =
		!begins_here && a->msn_by <= 0 && (!watch->known || watch->perhaps_ahead);
	watch->advances |= counts || a->msn_by > 0;
	watch->ahead = (uint16_t)CLAMP(watch->ahead + a->msn_by - a->done_by, 0, UINT16_MAX);
	watch->known = true;
	watch->checked = rda_judge_is_checked(a->at);
	watch->stood &= a->msn == watch->msn;
	watch->from_ack = a->is_ack;
	watch->ends = ends_message(a, a->acked - 1) &&
		      (!watch->skips_writes ||
		       needs_counting(rda_asked(a->at), a->acked - 1, a->acked, false));
	watch->again = was_sent_again(a, a->acked - 1);
	watch->msn = a->msn;
	watch->acked = a->acked;
	watch->done = messages->done;
	watch->unsure = messages->unseen;
	watch->place = a->at->place;
	watch->time_ns = a->at->meta->time_ns;
}

static void note_credits(const struct answer *a, struct rda_msn_watch *watch)
{
	int32_t credits = rda_aeth_credits(a->at->packet->aeth.syndrome);

	watch->credits = credits != RDA_NO_CREDITS;
	if (watch->credits && a->msn + credits > watch->limit)
		watch->limit = a->msn + credits;
}

void rda_msn_response(const struct rda_at *at, struct rda_msn_watch *watch, int64_t psn)
{
	struct rda_message_progress messages = rda_account_message_progress(rda_asked(at));
	const struct rda_packet *packet = at->packet;
	bool positive = rda_aeth_kind(&packet->aeth) == RDA_AETH_ACK;
	struct answer a = {
		.at = at,
		.acked = rda_account_progress(rda_asked(at))->acked,
		.psn = psn,
		.msn = watch->known ? rda_psn_widen(watch->msn, packet->aeth.msn)
				    : rda_psn_first(packet->aeth.msn),
		.top = watch->top,
		.covered = positive ? psn + 1 : psn,
		.outstanding = (int64_t)(messages.begun + messages.unseen - messages.done),
		.is_ack = positive && packet->opcode->roles & RDA_ROLE_ACK,
	};

	if (packet->aeth.syndrome & 0x80)
		return; /* nonsense */
	if (rda_account_perhaps_anew(at->asker)) {
		watch->known = false; /* what came before is no measure of it */
		return;
	}
	/* whether the answer to compare with was damaged may be known only by now */
	watch->known &= !rda_icrc_was_damaged(at->icrc_source, watch->place);
	if (a.msn > watch->top)
		watch->top = a.msn;
	if (a.covered > a.acked)
		return; /* of what was never sent */
	/* of what was sent before the capture began: nothing is known of that */
	if (!watch->known && a.covered < a.acked)
		return;
	if (watch->known && watch->unsure == messages.unseen) {
		a.msn_by = a.msn - watch->msn;
		a.done_by = (int64_t)(messages.done - watch->done);
		if (may_be_anew(&a, watch)) {
			watch->top = a.top;
			return;
		}
		compare(&a, watch);
	} else if (!watch->known && a.is_ack && packet->aeth.msn == 0 && at->credible &&
		   messages.done && !messages.unseen && ends_message(&a, a.acked - 1)) {
		msn_does_not_advance(&a, watch, a.acked - 1);
	}
	if (positive)
		note_credits(&a, watch);
	/* nothing behind it was answered: else it may have been overtaken, and tells of an earlier
	 * time */
	if (!watch->known || (a.acked > watch->acked && a.covered == a.acked))
		remember(&a, watch, &messages);
}

/*
 * A23: a message that needs a receive was sent beyond what the credits allow. One packet may be, so
 * that the requester is told of new credits.
 */
void rda_msn_request(const struct rda_at *at, struct rda_msn_watch *watch)
{
	struct rda_message_progress messages = rda_account_message_progress(rda_asked(at));
	int64_t number = watch->msn + (int64_t)(messages.begun - watch->done - messages.unseen);
	struct rda_finding *finding;

	if (!(at->request->roles & RDA_ROLE_USES_RECEIVE) || at->kind != RDA_REQUEST_NEW ||
	    !watch->known || watch->unsure != messages.unseen || number <= watch->limit + 1)
		return;
	finding = rda_finding_at(at, RDA_CHECK_A23);
	rda_finding_frame(finding, watch->place);
	rda_finding_say(finding, RDA_SAY_A23_LIMIT, RDA_ARG_PSN("psn", at->request->begin),
			RDA_ARG_PSN("message", number), RDA_ARG_PSN("limit", watch->limit));
	watch->beyond = at->request->begin;
}

/* A responder that counts no message at all serves them all the same. */
static void counts_nothing(struct rda_judge *judge, const struct rda_flow *responder)
{
	static const enum rda_proof proofs[] = {RDA_PROOF_PROVEN, RDA_PROOF_SUSPECTED};

	for (unsigned i = 0; i < 2; i++) {
		struct rda_finding *finding =
			rda_finding_find_as(&judge->findings, RDA_CHECK_A04, RDA_SEVERITY_WARNING,
					    proofs[i], rda_about_flow(responder));

		if (finding)
			finding->severity = RDA_SEVERITY_NOTE;
	}
}

void rda_msn_end(struct rda_judge *judge, const struct rda_flow *asker,
		 const struct rda_msn_watch *watch)
{
	const struct rda_giveup *giveup = rda_giveup_of(asker);
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_A23, rda_about_flow(asker));

	if (!watch->advances && watch->still > 1)
		counts_nothing(judge, asker->peer);
	/* all was taken, and nothing put off: there were receives, of which the capture missed the
	 * credits, or showed them late */
	if (finding && rda_account_progress(asker->account)->acked > watch->beyond &&
	    !(giveup && giveup->put_off.count))
		finding->severity = RDA_SEVERITY_NOTE;
}
