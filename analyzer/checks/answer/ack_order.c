/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q05, Q10 and S01 of acknowledgments; ack_order.h has the idea.
 */
#include "analyzer/checks/answer/ack_order.h"

#include "analyzer/checks/answer/answer_order.h"
#include "analyzer/checks/answer/msn.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/roce/copies.h"
#include "dissectors/icrc.h"

#include <glib.h>

/* Steps from one ACK to the next that must be seen, and of how many the numbers must agree, before
 * the others tell that an ACK is missing. */
enum { STEPS_MIN = 16, FITTING_PERCENT = 90 };

/* Behind a pause a host may leave out identifications (Linux: up to one for each of its ticks). */
enum { PAUSE_NS = 4000000 };

/* ACKs that are missing between two that came. */
struct gap {
	int64_t begin, end; /* their MSNs */
	uint32_t left;	    /* how many did not come since */
	uint64_t before, after;
};

enum { GAPS_KEPT = 8 };

/* What few connections need. */
struct rda_ack_odd {
	struct gap gaps[GAPS_KEPT];
	uint64_t gap_count; /* in all */
	struct rda_answer_places late, perhaps, copies, others, late_naks;
	uint64_t late_count, copy_count, late_nak_count;
	int64_t nak_psn; /* the highest that a NAK asks for; of that NAK: */
	uint64_t nak_place;
	uint16_t nak_id;
	uint64_t chances; /* of the copies: answers to what was sent again, perhaps, and equal */
	uint64_t perhaps_count; /* late, or answers to duplicates that this capture does not show */
	uint64_t named_count; /* answers to duplicates, most likely: who acknowledges what asks for
				 it acknowledged what did not */
	uint64_t other_count; /* answers that are no ACKs, and are there once more */
	uint64_t missing;     /* ACKs */
	uint64_t alike;	 /* ACKs that repeat the one before: copies, or answers to what was sent
			    again */
	bool nak_copied; /* a NAK passed twice, the latest at: */
	int64_t nak_copied_ns;
};

static struct rda_ack_odd *odd_of(struct rda_ack_watch *watch)
{
	if (!watch->odd)
		watch->odd = g_new0(struct rda_ack_odd, 1);
	return watch->odd;
}

/* ---- one ACK after another ------------------------------------------------------------------- */

/* The latest one once more. */
static bool is_alike(const struct rda_at *at, const struct rda_ack_watch *watch, int64_t psn,
		     uint32_t icrc)
{
	return watch->acks && psn == watch->psn && icrc == watch->icrc &&
	       at->packet->ip_id == watch->ip_id &&
	       (rda_answer_ids_tell(at->flow) ||
		at->meta->time_ns - watch->time_ns < RDA_MIRROR_NS);
}

/*
 * Where identifications tell nothing, or are made of the PSN, two ACKs in a row may be two answers
 * to one request that came twice: copies only where no request was sent again, or some were copied.
 */
static bool is_copy(const struct rda_at *at)
{
	const uint64_t *packets = rda_account_counts(at->asker)->packets;

	return rda_answer_ids_tell(at->flow) || !packets[RDA_REQUEST_RESENT] ||
	       packets[RDA_REQUEST_MIRRORED];
}

static void copied(const struct rda_at *at, struct rda_ack_watch *watch, uint64_t original)
{
	odd_of(watch)->copy_count++;
	rda_answer_note(&odd_of(watch)->copies, at->place);
	rda_answer_note(&odd_of(watch)->copies, original);
}

/*
 * The latest one once more, by its identification: where these do not count up they may be random,
 * and two of them equal by chance, of answers to what was sent again.
 */
static void came_again(const struct rda_at *at, struct rda_ack_watch *watch)
{
	copied(at, watch, watch->place);
	watch->odd->chances += rda_account_counts(at->asker)->packets[RDA_REQUEST_RESENT] &&
			       !rda_account_answers_numbered(at->asker->account);
}

/*
 * It names what asked for no ACK, and those in their turn name what did: the network doubles
 * packets behind this tap, perhaps, and this responder answers a duplicate by its own PSN.
 */
static bool names_duplicate(const struct rda_at *at, int64_t psn)
{
	const struct rda_sent *sent = rda_account_sent(at->asker->account, psn);

	return sent && !sent->ack_req && rda_account_acks_what_asks(at->asker->account);
}

/* It was made before the highest one: if it was thought to be missing, it is not. */
static void came_late(const struct rda_at *at, struct rda_ack_watch *watch, int64_t psn,
		      int64_t msn)
{
	struct rda_ack_odd *odd = odd_of(watch);
	bool perhaps = msn == watch->high_msn;

	if (perhaps && names_duplicate(at, psn)) {
		odd->named_count++;
		return;
	}
	*(perhaps ? &odd->perhaps_count : &odd->late_count) += 1;
	rda_answer_note(perhaps ? &odd->perhaps : &odd->late, at->place);
	rda_answer_note(perhaps ? &odd->perhaps : &odd->late, watch->high_place);
	if (!odd->missing)
		return;
	odd->missing--;
	for (unsigned i = 0; i < GAPS_KEPT; i++) {
		struct gap *gap = &odd->gaps[i];

		if (gap->left && msn >= gap->begin && msn < gap->end) {
			gap->left--;
			return;
		}
	}
}

/* Those with the MSNs of [begin, end) did not come yet. */
static void skipped(const struct rda_at *at, struct rda_ack_watch *watch, int64_t begin,
		    int64_t end)
{
	struct rda_ack_odd *odd = odd_of(watch);

	odd->missing += (uint64_t)(end - begin);
	odd->gap_count++;
	for (unsigned i = 0; i < GAPS_KEPT; i++) {
		if (odd->gaps[i].left)
			continue;
		odd->gaps[i] = (struct gap){begin, end, (uint32_t)(end - begin), watch->high_place,
					    at->place};
		return;
	}
}

/* From the highest ACK so far to a higher one, with nothing of that sender between them. */
static void step(const struct rda_at *at, struct rda_ack_watch *watch, int64_t msn)
{
	uint16_t by_id = (uint16_t)(at->packet->ip_id - watch->high_id);
	int64_t by_msn = msn - watch->high_msn;
	bool fits = by_id == MAX(by_msn, 1);

	watch->steps++;
	watch->fitting += fits;
	if (fits && by_id == 1)
		return;
	if (at->meta->time_ns - watch->time_ns >= PAUSE_NS) {
		watch->steps--;
		watch->fitting -= fits;
		watch->paused = true;
	} else if (fits) {
		skipped(at, watch, watch->high_msn + 1, msn);
	}
}

static void remember(const struct rda_at *at, struct rda_ack_watch *watch, int64_t psn,
		     uint32_t icrc)
{
	watch->acks++;
	watch->psn = psn;
	watch->icrc = icrc;
	watch->ip_id = at->packet->ip_id;
	watch->time_ns = at->meta->time_ns;
	watch->place = at->place;
}

/* A higher one, or the highest once more. */
static void came_in_order(const struct rda_at *at, struct rda_ack_watch *watch, int64_t psn,
			  int64_t msn)
{
	if (watch->acks && psn > watch->high_psn && !watch->mixed && msn >= watch->high_msn)
		step(at, watch, msn);
	watch->high_psn = psn;
	watch->high_msn = msn;
	watch->high_id = at->packet->ip_id;
	watch->high_place = at->place;
	watch->mixed = false;
}

/* It acknowledges more than was sent: no measure of those behind it. */
static bool was_not_sent(const struct rda_at *at, int64_t psn)
{
	const struct rda_account *account = at->asker->account;

	return rda_account_started(account) && psn >= rda_account_progress(account)->next;
}

/* Or it is in the capture twice, and its identification, made of its PSN perhaps, does not tell
 * whether it was: no mirror made that, which shows packets in order, where of those up to it less
 * than half are there twice. */
static bool may_be_sent_again(const struct rda_at *at, int64_t psn)
{
	uint64_t copied = rda_account_counts(at->asker)->packets[RDA_REQUEST_MIRRORED];
	const struct rda_account *account = at->asker->account;
	const struct rda_sent *sent;

	if (rda_account_was_sent_again(account, psn) || !rda_account_times_sent(account, psn))
		return true;
	sent = copied ? rda_account_sent(account, psn) : NULL;
	return sent && sent->copied && 2 * copied < sent->ordinal &&
	       !rda_flow_ids(at->asker, rda_copies_kind(RDA_ROLE_REQUEST))->independent;
}

/*
 * Some answer a duplicate by its own PSN: nothing but a lower MSN tells that it was made before.
 * One that counts as many messages as the highest, of which some end behind what it covers, or with
 * a later identification, was made later. What is not remembered may have been a duplicate.
 */
static bool answers_duplicate(const struct rda_at *at, const struct rda_answer_watch *answer,
			      int64_t psn, int64_t msn)
{
	const struct rda_ack_watch *watch = &answer->acks;

	return msn > watch->high_msn ||
	       (msn == watch->high_msn &&
		(may_be_sent_again(at, psn) ||
		 (rda_account_answers_numbered(at->asker->account) &&
		  (int16_t)(at->packet->ip_id - watch->high_id) > 0) ||
		 rda_msn_counts(&answer->msn, at->asker->account, psn + 1, watch->high_psn + 1)));
}

void rda_ack_order(const struct rda_at *at, struct rda_answer_watch *answer, int64_t psn)
{
	struct rda_ack_watch *watch = &answer->acks;
	uint32_t icrc = rda_icrc_stored(at->frame, at->packet);
	int64_t msn = watch->acks ? rda_psn_widen(watch->high_msn, at->packet->aeth.msn)
				  : rda_psn_first(at->packet->aeth.msn);
	bool alike = is_alike(at, watch, psn, icrc), copy = alike && is_copy(at);

	watch->mixed |= at->flow->packets != watch->packets + 1;
	watch->packets = at->flow->packets;
	if (was_not_sent(at, psn)) {
		watch->mixed = true;
		return;
	}
	if (alike && !copy)
		odd_of(watch)->alike++;
	if (copy)
		came_again(at, watch);
	else if (!watch->acks || psn >= watch->high_psn)
		came_in_order(at, watch, psn, msn);
	else if (!rda_msn_made_later(&answer->msn, at->packet->aeth.msn) &&
		 !answers_duplicate(at, answer, psn, msn) && !rda_answer_passed_before(at))
		came_late(at, watch, psn, msn);
	remember(at, watch, psn, icrc);
}

/* What acknowledges all that a NAK asks for, and passed before it; 0: nothing. Who takes packets in
 * their order made it later, unless identifications tell that the NAK was sent behind it. */
static uint64_t what_overtook(const struct rda_at *at, const struct rda_answer_watch *answer,
			      int64_t psn)
{
	const struct rda_ack_watch *watch = &answer->acks;
	bool ack = watch->acks && psn <= watch->high_psn;
	uint16_t by_id = at->packet->ip_id - (ack ? watch->high_id : watch->odd->nak_id);

	if ((!ack && psn >= watch->odd->nak_psn) || rda_answer_passed_before(at) ||
	    rda_msn_made_later(&answer->msn, at->packet->aeth.msn) ||
	    (rda_answer_ids_tell(at->flow) && (int16_t)by_id > 0))
		return 0;
	return ack ? watch->high_place : watch->odd->nak_place;
}

void rda_ack_order_other(const struct rda_at *at, struct rda_answer_watch *answer, int64_t psn)
{
	const struct rda_aeth *aeth = &at->packet->aeth;
	struct rda_ack_odd *odd;
	uint64_t overtook;

	if ((rda_aeth_kind(aeth) != RDA_AETH_RNR && aeth->syndrome != RDA_SYNDROME_NAK_SEQUENCE) ||
	    was_not_sent(at, psn - 1))
		return;
	odd = odd_of(&answer->acks);
	overtook = what_overtook(at, answer, psn);
	if (overtook) {
		odd->late_nak_count++;
		rda_answer_note(&odd->late_naks, at->place);
		rda_answer_note(&odd->late_naks, overtook);
	}
	if (psn > odd->nak_psn) {
		odd->nak_psn = psn;
		odd->nak_place = at->place;
		odd->nak_id = at->packet->ip_id;
	}
}

void rda_answer_copied(const struct rda_at *at, struct rda_ack_watch *watch)
{
	struct rda_ack_odd *odd = odd_of(watch);

	if (at->packet->opcode->roles & RDA_ROLE_ACK &&
	    rda_aeth_kind(&at->packet->aeth) == RDA_AETH_ACK) {
		watch->acks++;
		copied(at, watch, at->copy_of);
		return;
	}
	if (rda_has(at->packet, AETH) && rda_aeth_kind(&at->packet->aeth) != RDA_AETH_ACK)
		rda_ack_order_nak_again(watch, at->meta->time_ns);
	odd->other_count++;
	rda_answer_note(&odd->others, at->place);
	rda_answer_note(&odd->others, at->copy_of);
}

/* ---- what it comes to ------------------------------------------------------------------------ */

/* A second answer of the same looks as what is there twice does. */
static bool may_be_answered_twice(const struct rda_flow *answerer)
{
	const struct rda_flow_alike *alike =
		&rda_flow_rare(answerer)->alike[rda_copies_kind(RDA_ROLE_RESPONSE)];

	return !rda_answer_ids_tell(answerer) ||
	       (alike->chances && alike->chances >= alike->copies);
}

static bool may_acks_be_answered_twice(const struct rda_flow *asker, const struct rda_ack_odd *odd)
{
	return may_be_answered_twice(asker->peer) ||
	       (odd->chances && odd->chances >= odd->copy_count);
}

/*
 * Whether an ACK of less, which counts as many messages, can only have come late. It may answer a
 * duplicate by its own PSN where this responder is known to do that, and the network may have made
 * the duplicate behind this tap; or where answers pass before what they answer, and it has not
 * passed yet.
 */
static bool is_late_for_certain(const struct rda_flow *asker)
{
	return !rda_answer_watched(asker)->msn.behind && !rda_account_answered_early(asker);
}

/* ACKs that are told as late. */
static uint64_t late_of(const struct rda_flow *asker, const struct rda_ack_odd *odd)
{
	return odd->late_count + (is_late_for_certain(asker) ? odd->perhaps_count : 0);
}

bool rda_ack_order_tells(const struct rda_flow *asker)
{
	const struct rda_ack_odd *odd = rda_answer_watched(asker)->acks.odd;

	return odd && (late_of(asker, odd) || odd->late_nak_count) && !rda_account_was_anew(asker);
}

/* Q10 of NAKs, behind what is said of ACKs. */
static void tell_late_naks(struct rda_judge *judge, const struct rda_flow *asker,
			   const struct rda_ack_odd *odd)
{
	rda_finding_say_more(
		rda_answer_find(judge, RDA_CHECK_Q10, asker->peer, odd->late_nak_count,
				&odd->late_naks),
		RDA_SAY_Q10_NAKS, RDA_ARG_NUMBER("late_naks", odd->late_nak_count),
		RDA_ARG_FLAG("perhaps_copied_naks", !rda_answer_ids_tell(asker->peer)));
}

/* Q10, behind what is said of the requests that the flow carries as well. */
static void tell_late(struct rda_judge *judge, const struct rda_flow *asker,
		      const struct rda_ack_watch *watch)
{
	const struct rda_ack_odd *odd = watch->odd;
	uint64_t late = late_of(asker, odd), perhaps = late - odd->late_count;
	struct rda_finding *finding;

	/* ACKs of a QP that was set up anew with the PSNs it had count from the beginning */
	if (!late || rda_account_was_anew(asker))
		return;
	finding = rda_answer_find(judge, RDA_CHECK_Q10, asker->peer, late, &odd->late);
	for (unsigned i = 0; perhaps && i < odd->perhaps.count; i++)
		rda_finding_frame(finding, odd->perhaps.at[i]);
	rda_finding_say_more(
		finding, RDA_SAY_Q10_ACKS, RDA_ARG_NUMBER("late_acks", late),
		RDA_ARG_NUMBER("acks", watch->acks - watch->odd->copy_count),
		RDA_ARG_FLAG("perhaps_copies", !rda_answer_ids_tell(asker->peer)),
		RDA_ARG_FLAG("perhaps_answers",
			     perhaps && !rda_account_answers_numbered(asker->account)));
}

/* Q05, behind what is said of requests. */
static void tell_copies(struct rda_judge *judge, const struct rda_flow *asker,
			const struct rda_ack_watch *watch)
{
	const struct rda_ack_odd *odd = watch->odd;
	const uint64_t *packets = rda_account_counts(asker)->packets;

	rda_finding_say_more(
		rda_answer_find(judge, RDA_CHECK_Q05, asker->peer, odd->copy_count, &odd->copies),
		RDA_SAY_Q05_ACKS, RDA_ARG_NUMBER("copied_acks", odd->copy_count),
		RDA_ARG_NUMBER("acks", watch->acks), RDA_ARG_FLAG("least", odd->alike),
		RDA_ARG_IF(odd->alike, RDA_ARG_NUMBER("alike_acks", odd->alike)),
		RDA_ARG_FLAG("perhaps_asked", may_acks_be_answered_twice(asker, odd)),
		RDA_ARG_FLAG("requests_too", packets[RDA_REQUEST_MIRRORED] ||
						     rda_flow_is_copied_elsewhere(asker->peer, 0)));
}

/* Q05 of what is no ACK */
static void tell_others_copied(struct rda_judge *judge, const struct rda_flow *asker,
			       const struct rda_ack_watch *watch)
{
	rda_finding_say_more(rda_answer_find(judge, RDA_CHECK_Q05, asker->peer,
					     watch->odd->other_count, &watch->odd->others),
			     RDA_SAY_Q05_ANSWERS,
			     RDA_ARG_NUMBER("copied_answers", watch->odd->other_count),
			     RDA_ARG_TIME("answers_within_ns", RDA_COPY_NS),
			     RDA_ARG_FLAG("perhaps_repeated", may_be_answered_twice(asker->peer)));
}

/* S01, a suspicion that is a note: the network is said to have lost what nobody needed. */
static void tell_missing(struct rda_judge *judge, const struct rda_flow *asker,
			 const struct rda_ack_watch *watch)
{
	bool costly = rda_account_counts(asker)->resends[RDA_TRIGGER_TIMEOUT];
	struct rda_answer_places places = {.count = 0};
	struct rda_finding *finding;

	for (unsigned i = 0; i < GAPS_KEPT; i++) {
		if (!watch->odd->gaps[i].left)
			continue;
		rda_answer_note(&places, watch->odd->gaps[i].after);
		rda_answer_note(&places, watch->odd->gaps[i].before);
	}
	finding = rda_answer_find(judge, RDA_CHECK_S01, asker->peer, watch->odd->missing, &places);
	rda_finding_retell(finding, RDA_SAY_S01_ACKS,
			   RDA_ARG_NUMBER("missing", watch->odd->missing),
			   RDA_ARG_NUMBER("acks", watch->acks - watch->odd->copy_count),
			   RDA_ARG_NUMBER("gaps", watch->odd->gap_count),
			   RDA_ARG_FLAG("costly", costly), RDA_ARG_FLAG("least", watch->paused));
}

bool rda_ack_order_is_lost(const struct rda_answer_watch *answer)
{
	const struct rda_ack_odd *odd = answer->acks.odd;

	return odd && odd->late_count + odd->perhaps_count + odd->named_count + odd->late_nak_count;
}

void rda_ack_order_nak_again(struct rda_ack_watch *watch, int64_t time_ns)
{
	odd_of(watch)->nak_copied = true;
	watch->odd->nak_copied_ns = time_ns;
}

bool rda_ack_order_nak_came_twice(const struct rda_flow *asker, int64_t time_ns)
{
	const struct rda_ack_odd *odd = rda_answer_watched(asker)->acks.odd;

	return odd && odd->nak_copied && time_ns - odd->nak_copied_ns < RDA_NAK_STALE_NS;
}

void rda_ack_order_end(struct rda_judge *judge, const struct rda_flow *asker)
{
	const struct rda_ack_watch *watch = &rda_answer_watched(asker)->acks;

	if (!watch->odd)
		return;
	tell_late(judge, asker, watch);
	if (watch->odd->late_nak_count && !rda_account_was_anew(asker))
		tell_late_naks(judge, asker, watch->odd);
	if (watch->odd->copy_count)
		tell_copies(judge, asker, watch);
	if (watch->odd->other_count)
		tell_others_copied(judge, asker, watch);
	if (watch->odd->missing && watch->fitting >= STEPS_MIN &&
	    watch->fitting * 100 >= watch->steps * FITTING_PERCENT)
		tell_missing(judge, asker, watch);
}
