/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S12-S14: READ responses, each held against the READ that its PSN belongs to.
 *
 *     READ of n packets     First, n - 2 Middle, Last; or Only
 *     their payload         the MTU each, and what is left in the last
 *
 * A READ that was asked again from the middle has responses of both kinds under way: only those
 * that were asked for once are judged, as far as is known of what preceded the capture. The size of
 * First and Middle is the frame family's.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/base/psn.h"

#include <glib.h>
#include <string.h>

/* The requester had all answers to it when nothing passed for so long that the QP may have been set
 * up anew since, and what asks then may be missing here, or be shown later. */
static bool is_of_old(const struct rda_at *at, const struct rda_sent *sent)
{
	return sent && sent->end <= rda_account_progress(at->asker->account)->acked &&
	       at->meta->time_ns - sent->last_ns >= RDA_SILENCE_NS;
}

/*
 * A fault of who answers; or, `perhaps`, or where it may be the answer to another connection's
 * request, something to look at. It is `perhaps` as well where no ICRC tells of the request and of
 * the response that they did not come damaged: either may be the one that is wrong.
 */
static struct rda_finding *fault(struct rda_judge *judge, enum rda_check check,
				 const struct rda_flow *answering, uint64_t place, bool perhaps)
{
	struct rda_subject about = rda_about_flow(answering);

	if (!perhaps && !answering->among_others)
		return rda_finding_add(&judge->findings, check, about, place);
	return rda_finding_add_as(&judge->findings, check, RDA_SEVERITY_WARNING,
				  RDA_PROOF_SUSPECTED, about, place);
}

/* ---- S12 ------------------------------------------------------------------------------------- */

/* What is not a READ's was answered as one. */
static void read_response_outside_request(const struct rda_at *at, const struct rda_sent *sent)
{
	struct rda_finding *finding = fault(at->judge, RDA_CHECK_S12, at->flow, at->place,
					    is_of_old(at, sent) || !rda_judge_is_checked(at) ||
						    !rda_judge_was_checked(at, at->asker, sent));

	rda_finding_frame(finding, sent->last_frame);
	rda_finding_say(finding, RDA_SAY_S12_NO_READ, RDA_ARG_PSN("psn", at->packet->bth.psn));
}

static struct rda_reads_answered *reads_of(struct rda_sequence_watch *watch)
{
	if (!watch->reads)
		watch->reads = g_new0(struct rda_reads_answered, 1);
	return watch->reads;
}

/* Behind all that was sent. */
static void note_orphan(const struct rda_at *at, struct rda_sequence_watch *watch, int64_t psn)
{
	struct rda_orphans *orphans = &reads_of(watch)->orphans;

	if (!orphans->count++) {
		orphans->first = orphans->end = psn;
		orphans->place = at->place;
		orphans->checked = rda_judge_is_checked(at);
	} else if (psn < orphans->first) {
		orphans->place = at->place;
		orphans->checked = rda_judge_is_checked(at);
	}
	orphans->first = MIN(orphans->first, psn);
	orphans->end = MAX(orphans->end, psn + 1);
}

/*
 * A request that was not sent before. When it is the READ, it came late; when it lies behind, the
 * capture may have missed the READ, which is no fault; when it is no READ, it was answered as one.
 */
void rda_read_adopt(const struct rda_at *at, struct rda_orphans *orphans)
{
	const struct rda_request *q = at->request;

	if (!orphans->count || q->end <= orphans->first)
		return;
	if (q->begin <= orphans->first &&
	    !(q->roles & (RDA_ROLE_READ | RDA_ROLE_FLUSH | RDA_ROLE_ATOMIC_WRITE))) {
		struct rda_finding *finding =
			fault(at->judge, RDA_CHECK_S12, at->flow->peer, orphans->place,
			      !orphans->checked || !rda_judge_is_checked(at));

		rda_finding_frame(finding, at->place);
		rda_finding_say(finding, RDA_SAY_S12_OTHER, RDA_ARG_PSN("psn", orphans->first),
				RDA_ARG_WORD("opcode", at->packet->opcode->name));
	}
	orphans->count = 0;
}

/* It asks for the rest of which the answer was shown before it: by a mirror of two queues. */
static void release(struct rda_reads_answered *reads, int64_t psn, int64_t time_ns)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < reads->held_count; i++)
		if (reads->held[i].psn != psn || time_ns - reads->held[i].time_ns >= RDA_MIRROR_NS)
			reads->held[kept++] = reads->held[i];
	reads->held_count = kept;
}

/*
 * Another request, that is no READ, is remembered with this PSN: a requester sends again what it
 * sent, so the QP was set up anew, or this is no resend.
 */
static bool was_other(const struct rda_at *at, int64_t psn)
{
	const struct rda_sent *sent = rda_account_sent(at->asker->account, psn);

	return sent && sent->seen && !sent->damaged && sent->roles &&
	       !(sent->roles & RDA_ROLE_READ);
}

/* So is a READ that begins behind this one: its answer is a part of this one's now. */
static bool was_read_inside(const struct rda_at *at, int64_t psn)
{
	const struct rda_sent *sent = rda_account_sent(at->asker->account, psn);

	return sent && sent->seen && sent->roles & RDA_ROLE_READ &&
	       sent->begin > at->request->begin;
}

/* Behind what a READ takes at most: with the least MTU as long as nothing tells it. */
static int64_t end_at_most(const struct rda_request *q)
{
	return q->span_unknown ? q->begin + MAX(((int64_t)q->length + RDA_PATH_MTU_MIN - 1) /
							RDA_PATH_MTU_MIN,
						1)
			       : q->end;
}

/* A READ from before all that is remembered, or from a hole in it, that takes what lies behind:
 * whatever was sent there, these responses are its own. */
static void note_others(const struct rda_at *at, struct rda_sequence_watch *watch)
{
	const struct rda_request *q = at->request;
	int64_t end = end_at_most(q);
	bool others;

	if (at->kind != RDA_REQUEST_RESENT || end <= q->begin + 1)
		return;
	others = was_other(at, q->begin + 1) || was_other(at, end - 1);
	if (!others && !was_read_inside(at, q->begin + 1) && !was_read_inside(at, end - 1))
		return;
	reads_of(watch)->other_begin = q->begin;
	watch->reads->other_end = end;
	if (others && !q->span_unknown)
		rda_losses_of(at->asker)->differ++;
}

/* What a READ takes is looked up again. */
void rda_read_request(const struct rda_at *at, struct rda_sequence_watch *watch)
{
	note_others(at, watch);
	if (!watch->reads)
		return;
	watch->reads->at_hand.begin = watch->reads->at_hand.end;
	release(watch->reads, at->request->begin, at->meta->time_ns);
}

/* ---- S13, S14 -------------------------------------------------------------------------------- */

static const char *place_name(uint16_t roles)
{
	if ((roles & RDA_ROLE_ONLY) == RDA_ROLE_ONLY)
		return "Only";
	return roles & RDA_ROLE_FIRST ? "First" : roles & RDA_ROLE_LAST ? "Last" : "Middle";
}

/*
 * S13. A first response in the middle is the answer to who asks for the rest again: no error where
 * the capture may have missed that, or shows it later.
 */
static void say_misplaced(struct rda_judge *judge, const struct rda_flow *answering,
			  const struct rda_read_held *held)
{
	bool perhaps_again = held->is & RDA_ROLE_FIRST && held->psn != held->read.begin;
	struct rda_finding *finding = fault(judge, RDA_CHECK_S13, answering, held->place,
					    perhaps_again || held->old || !held->checked);

	rda_finding_say(finding, RDA_SAY_S13_MARKED,
			RDA_ARG_SIGNED("index", held->psn - held->read.begin + 1),
			RDA_ARG_SIGNED("responses", held->read.end - held->read.begin),
			RDA_ARG_PSN("psn", held->psn), RDA_ARG_WORD("marked", place_name(held->is)),
			RDA_ARG_WORD("due", place_name(held->due)),
			RDA_ARG_FLAG("perhaps_again", perhaps_again));
}

/* Those that nothing can explain any more, or all but what there is room for. */
static void tell_held(const struct rda_at *at, struct rda_reads_answered *reads, uint32_t most)
{
	uint32_t told = 0;

	while (told < reads->held_count &&
	       (reads->held_count - told > most ||
		at->meta->time_ns - reads->held[told].time_ns >= RDA_MIRROR_NS))
		say_misplaced(at->judge, at->flow, &reads->held[told++]);
	reads->held_count -= told;
	memmove(reads->held, reads->held + told, reads->held_count * sizeof(*reads->held));
}

static bool is_read_of_old(const struct rda_at *at, const struct rda_read_at_hand *read)
{
	return is_of_old(at, rda_account_sent(at->asker->account, read->begin));
}

/* The ICRCs of a response and of its READ fit. */
static bool are_both_checked(const struct rda_at *at, const struct rda_read_at_hand *read)
{
	const struct rda_sent *sent = rda_account_sent(at->asker->account, read->begin);

	return rda_judge_is_checked(at) && sent && rda_judge_was_checked(at, at->asker, sent);
}

static void misplaced(const struct rda_at *at, struct rda_reads_answered *reads, int64_t psn,
		      uint16_t is, uint16_t due)
{
	const struct rda_read_held held = {reads->at_hand,
					   psn,
					   at->meta->time_ns,
					   at->place,
					   is,
					   due,
					   is_read_of_old(at, &reads->at_hand),
					   are_both_checked(at, &reads->at_hand)};

	if (!(is & RDA_ROLE_FIRST) || psn == reads->at_hand.begin) {
		say_misplaced(at->judge, at->flow, &held);
		return;
	}
	tell_held(at, reads, RDA_READ_HELD - 1);
	reads->held[reads->held_count++] = held;
}

static void judge_place(const struct rda_at *at, struct rda_reads_answered *reads, int64_t psn)
{
	const struct rda_read_at_hand *read = &reads->at_hand;
	uint16_t is = at->packet->opcode->roles & RDA_ROLE_ONLY, due = 0;

	if (psn == read->begin)
		due |= RDA_ROLE_FIRST;
	if (psn == read->end - 1)
		due |= RDA_ROLE_LAST;
	if (is != due) {
		misplaced(at, reads, psn, is, due);
		return;
	}
	if (!(due & RDA_ROLE_LAST) || !at->packet->payload_known ||
	    at->packet->payload_length == read->last)
		return;
	rda_finding_say(fault(at->judge, RDA_CHECK_S14, at->flow, at->place,
			      is_read_of_old(at, read) || !are_both_checked(at, read)),
			RDA_SAY_S14_LAST, RDA_ARG_PSN("psn", at->packet->bth.psn),
			RDA_ARG_NUMBER("payload", at->packet->payload_length),
			RDA_ARG_NUMBER("due", read->last));
}

/* It may ask for the rest of one that did not come here, or came when nothing told the MTU, so that
 * its end was not known: the answer to that goes on in the middle. */
static bool may_be_rest(const struct rda_account *account, const struct rda_sent *read,
			uint32_t mtu)
{
	const struct rda_sent *before = rda_account_sent(account, read->begin - 1);

	if (!before || !before->seen)
		return before != NULL;
	return mtu && before->roles & RDA_ROLE_READ &&
	       (read->begin - before->begin) * mtu < before->length;
}

/* Puts the READ that a PSN belongs to at hand; false when it is not to be judged. */
static bool take_read(const struct rda_at *at, struct rda_sequence_watch *watch, int64_t psn)
{
	const struct rda_sent *sent = rda_account_sent(at->asker->account, psn);
	uint32_t mtu = rda_account_mtu(at->asker);
	int64_t before, told_ns;
	bool is_first;

	if (watch->reads && psn >= watch->reads->other_begin && psn < watch->reads->other_end)
		return false;
	if (!sent && rda_account_is_unsent(at->asker->account, psn))
		note_orphan(at, watch, psn);
	if (!sent)
		return false;
	if (sent->seen != 1 || sent->damaged || may_be_rest(at->asker->account, sent, mtu))
		return false;
	if (!(sent->roles & (RDA_ROLE_READ | RDA_ROLE_FLUSH | RDA_ROLE_ATOMIC_WRITE)))
		read_response_outside_request(at, sent);
	if (!(sent->roles & RDA_ROLE_READ) || sent->span_unknown || sent->length_unknown)
		return false;
	before = (sent->end - sent->begin - 1) * mtu;
	/* a hole ended it before it was known how many responses it takes, and these do not hold it
	 */
	if (sent->length - before > (mtu ? mtu : RDA_PATH_MTU_MAX))
		return false;
	if (before > sent->length || (!mtu && sent->end - sent->begin > 1))
		return false;
	/* the first request may ask for the rest of what was asked for before the capture began,
	 * whenever it is answered */
	is_first = sent->begin == rda_psn_first(at->asker->first_psn);
	told_ns = is_first ? at->asker->first_time_ns : at->meta->time_ns;
	/* and responses to what was asked for then may come late */
	if ((is_first || rda_missing_responses_overtake(at->asker)) &&
	    rda_account_began_before(at->asker->account, sent->begin, told_ns))
		return false;
	reads_of(watch)->at_hand = (struct rda_read_at_hand){sent->begin, sent->end,
							     (uint32_t)(sent->length - before)};
	return true;
}

static bool is_at_hand(const struct rda_reads_answered *reads, int64_t psn)
{
	return reads && psn >= reads->at_hand.begin && psn < reads->at_hand.end;
}

void rda_read_response(const struct rda_at *at)
{
	struct rda_sequence_watch *watch;
	int64_t psn;

	if (!at->asker->account || !rda_account_started(at->asker->account))
		return;
	psn = rda_account_widen(at->asker->account, at->packet->bth.psn);
	watch = rda_sequence_watch(at->asker);
	if (watch->reads && watch->reads->held_count)
		tell_held(at, watch->reads, RDA_READ_HELD);
	if (is_at_hand(watch->reads, psn) || take_read(at, watch, psn))
		judge_place(at, watch->reads, psn);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* S13 of what is held; and S12, a suspicion: the capture may have missed what asked for them. */
void rda_read_finish(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_reads_answered *reads =
		flow->watch.sequence ? flow->watch.sequence->reads : NULL;
	const struct rda_orphans *orphans = reads ? &reads->orphans : NULL;
	struct rda_finding *finding;

	for (uint32_t i = 0; reads && flow->peer && i < reads->held_count; i++)
		if (rda_watched_until(judge, reads->held[i].place) - reads->held[i].time_ns >=
		    RDA_MIRROR_NS)
			say_misplaced(judge, flow->peer, &reads->held[i]);
	if (!orphans || !orphans->count || !flow->peer)
		return;
	finding =
		rda_finding_add_as(&judge->findings, RDA_CHECK_S12, RDA_SEVERITY_WARNING,
				   RDA_PROOF_SUSPECTED, rda_about_flow(flow->peer), orphans->place);
	finding->count += orphans->count - 1;
	rda_finding_say(finding, RDA_SAY_S12_NOT_ASKED, RDA_ARG_PSN("first_psn", orphans->first),
			RDA_ARG_PSN("last_psn", orphans->end - 1));
}
