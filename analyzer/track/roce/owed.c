/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that are lost if they do not come late; owed.h has the reasoning.
 */
#include "analyzer/track/roce/owed.h"

#include "analyzer/base/assert.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/answer_place.h"
#include "analyzer/track/roce/filling.h"
#include "analyzer/track/roce/first_answer.h"
#include "analyzer/track/roce/tally.h"
#include "analyzer/track/roce/told_lost.h"

#include <glib.h>
#include <string.h>

/* Of the READ of which that is owed. */
static uint32_t lost_of(const struct rda_owing *owing, const struct rda_owed *owed)
{
	const struct rda_response_bound *bound =
		rda_response_bounds_find(owing->bounds, owed->begin);

	/* what comes too often may be what the bound is made of */
	return bound && !owing->bounds->unasked && !owing->bounds->untold ? bound->lost : 0;
}

/* `count` of them were lost; `doubted`: if responses do not overtake each other. */
static void tell_lost(const struct rda_owed *owed, uint32_t count, bool doubted, int64_t time_ns,
		      const struct rda_event_sink *sink)
{
	struct rda_event event = {
		.kind = RDA_EVENT_RESPONSE_LOST_BEFORE,
		.trigger = RDA_TRIGGER_NONE,
		.psn = owed->begin,
		.count = count,
		.frame = owed->frame,
		.time_ns = time_ns,
		.wait_ns = -1,
		.doubted = doubted,
	};

	if (count)
		rda_emit(sink, &event);
}

/* The oldest `count` that are owed did not come late: they were lost. */
static void tell_owed(struct rda_responder *s, uint32_t count, int64_t time_ns,
		      const struct rda_event_sink *sink)
{
	struct rda_owing *owing = &rda_responder_rare(s)->owing;

	for (uint32_t i = 0; i < count; i++) {
		const struct rda_owed *owed = &owing->owed[i];
		struct rda_request at = {.time_ns = time_ns, .frame = owed->frame};
		struct rda_response_bound *bound =
			/* as many are owed: NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
			rda_response_bounds_find(owing->bounds, owed->begin);
		uint32_t named = MIN(owed->named, owed->certain);
		uint32_t bound_to = rda_sending_order_is_known(&s->heard->order)
					    ? named
					    : MIN(lost_of(owing, owed), named);

		if (bound)
			bound->lost -= MIN(bound->lost, owed->certain);
		rda_told_lost_add(s, owed, owed->certain, rda_answers_told(s, owed));
		tell_lost(owed, bound_to, false, time_ns, sink);
		tell_lost(owed, named - bound_to, true, time_ns, sink);
		if (owed->count > named)
			rda_tally_emit(sink, RDA_EVENT_RESPONSE_MISSING, &at, owed->begin,
				       owed->count - named, 0);
	}
	owing->count -= count;
	memmove(owing->owed, owing->owed + count, owing->count * sizeof(*owing->owed));
}

/*
 * A path that carried nothing for half of the patience may have held back what is owed, and that
 * comes among the first behind the silence where packets overtake each other. Returns when the path
 * last carried something before; `time_ns` where it has carried enough since.
 */
static int64_t carried_until(struct rda_responder *s, int64_t patience_ns, int64_t time_ns)
{
	struct rda_owing *owing = &rda_responder_rare(s)->owing;

	if (time_ns - owing->latest_ns > patience_ns / 2) {
		owing->silent_ns = owing->latest_ns;
		owing->resumed_ns = time_ns;
	}
	owing->latest_ns = time_ns;
	return rda_responses_overtake(&s->rare->counts) &&
			       time_ns - owing->resumed_ns < RDA_REACTION_MIN_NS
		       ? owing->silent_ns
		       : time_ns;
}

/* What comes later than this is none of those that were sent before it was asked for again: a host
 * that took long for the answers before may keep these as long. */
static int64_t patience_of(const struct rda_requester *r, const struct rda_owed *owed)
{
	return MAX(rda_requester_patience(r), rda_ns_times(owed->took_ns, 2));
}

/* What is owed for so long that it would have come. */
static void settle(struct rda_responder *s, const struct rda_requester *r, int64_t time_ns,
		   const struct rda_event_sink *sink)
{
	const struct rda_owing *owing = &s->rare->owing;
	int64_t patience_ns = rda_requester_patience(r);
	int64_t until_ns = carried_until(s, patience_ns, time_ns);
	uint32_t count = 0;

	while (count < owing->count &&
	       time_ns - owing->owed[count].asked_ns > patience_of(r, &owing->owed[count]) &&
	       until_ns - owing->owed[count].asked_ns > RDA_REACTION_MIN_NS)
		count++;
	if (count)
		tell_owed(s, count, time_ns, sink);
}

/* Those of which all came late are no more, but for what is certain of their READs. */
static void forget_paid(struct rda_owing *owing)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < owing->count; i++)
		if (owing->owed[i].count || owing->owed[i].certain)
			owing->owed[kept++] = owing->owed[i];
	owing->count = kept;
}

void rda_owed_add(struct rda_responder *s, const struct rda_requester *r, int64_t begin,
		  int64_t end, uint32_t count, uint32_t uncertain, const struct rda_request *q,
		  const struct rda_event_sink *sink)
{
	struct rda_owing *owing;

	if (!count)
		return;
	owing = &rda_responder_rare(s)->owing;
	RDA_ASSERT(owing->owed || owing->count == 0);
	if (!owing->owed)
		owing->owed = g_new(struct rda_owed, RDA_OWED_KEPT);
	if (owing->count == RDA_OWED_KEPT)
		forget_paid(owing);
	if (owing->count == RDA_OWED_KEPT) {
		/* it may come late yet */
		rda_responder_rare(s)->counts.lost_before -= owing->owed[0].certain;
		owing->owed[0].certain = 0;
	}
	if (owing->count == RDA_OWED_KEPT)
		tell_owed(s, 1, q->time_ns, sink);
	if (!owing->count) /* of what the path carried before nothing is known */
		owing->latest_ns = owing->silent_ns = owing->resumed_ns = q->time_ns;
	owing->owed[owing->count++] = (struct rda_owed){
		.begin = begin,
		.end = end,
		.asked_ns = q->time_ns,
		.took_ns = r->heard->answers.took_ns,
		.frame = q->frame,
		.count = count,
		.certain = count - uncertain,
		.first = rda_first_answer_count(s, r, begin, count - uncertain),
		.place = s->heard->order.latest,
	};
	rda_responder_rare(s)->counts.lost_before += count - uncertain;
}

void rda_owed_answered(struct rda_responder *s, int64_t psn, const struct rda_response *a)
{
	for (uint32_t i = 0; i < s->rare->owing.count; i++) {
		struct rda_owed *owed = &s->rare->owing.owed[i];

		if (owed->answered) {
			owed->more = true;
			owed->followed |= psn > owed->answer;
		} else if (a->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC)) {
			owed->answered = psn >= owed->begin && psn < owed->end;
			owed->answer = psn;
		}
	}
}

void rda_owed_unseen(struct rda_responder *s, const struct rda_pending *pending,
		     const struct rda_request *q, const struct rda_event_sink *sink)
{
	struct rda_response_counts *counts = &rda_responder_rare(s)->counts;
	/* where responses overtake each other any of those that came may have brought it */
	uint32_t unseen = rda_responses_overtake(counts) ? 0 : rda_pending_unseen(pending);

	counts->brought |= !unseen;
	counts->lost_by_capture += unseen;
	if (unseen)
		rda_tally_emit(sink, RDA_EVENT_RESPONSE_UNSEEN, q, pending->hole, unseen, 0);
}

/* Of several that are owed of one READ. */
static bool is_first(const struct rda_owing *owing, uint32_t index)
{
	const struct rda_response_bound *bound =
		rda_response_bounds_find(owing->bounds, owing->owed[index].begin);

	for (uint32_t i = 0; bound && i < index; i++)
		if (rda_response_bounds_find(owing->bounds, owing->owed[i].begin) == bound)
			return false;
	return true;
}

/* Of what is owed of the same READ besides this: certain by the order of sending. */
static uint32_t first_of_others(const struct rda_owing *owing, uint32_t index)
{
	const struct rda_response_bound *bound =
		rda_response_bounds_find(owing->bounds, owing->owed[index].begin);
	uint32_t first = 0;

	for (uint32_t i = 0; bound && i < owing->count; i++)
		if (i != index &&
		    rda_response_bounds_find(owing->bounds, owing->owed[i].begin) == bound)
			first += owing->owed[i].first;
	return first;
}

/* As the bound tells, of what is owed first of a READ. */
static uint32_t bound_certain(const struct rda_owing *owing, uint32_t index)
{
	return is_first(owing, index) ? lost_of(owing, &owing->owed[index]) : 0;
}

/* As the order of sending tells, and of what that does not the bound. */
static uint32_t placed_certain(const struct rda_owing *owing, uint32_t index)
{
	uint32_t bound = bound_certain(owing, index), others = first_of_others(owing, index);

	return MAX(owing->owed[index].first, bound - MIN(bound, others));
}

/*
 * Where responses overtake each other only what the order of sending or the bound tells is certain:
 * the latter is told with the first that is owed of a READ.
 */
void rda_owed_bind(struct rda_responder *s, int64_t time_ns)
{
	const struct rda_owing *owing = &s->rare->owing;
	bool placed = rda_sending_order_is_known(&s->heard->order);

	for (uint32_t i = 0; rda_responses_overtake(&s->rare->counts) && i < owing->count; i++) {
		struct rda_owed *owed = &owing->owed[i];
		uint32_t certain = placed ? placed_certain(owing, i) : bound_certain(owing, i);

		if (certain > owed->certain) /* what tells it may have overtaken it just now */
			owed->asked_ns = time_ns;
		rda_responder_rare(s)->counts.lost_before += certain;
		rda_responder_rare(s)->counts.lost_before -= owed->certain;
		owed->certain = certain;
	}
}

void rda_owed_overtaken(struct rda_responder *s, int64_t psn, const struct rda_response *a,
			const struct rda_event_sink *sink)
{
	struct rda_request at = {.time_ns = a->time_ns, .frame = a->frame};

	rda_responder_rare(s)->counts.reordered++;
	rda_responder_rare(s)->counts.reordered_placed +=
		rda_sending_order_is_known(&s->heard->order);
	rda_tally_emit(sink, RDA_EVENT_RESPONSE_REORDERED, &at, psn, 1, 0);
}

void rda_owed_doubt(struct rda_responder *s, int64_t psn)
{
	for (uint32_t i = 0; i < s->rare->owing.count; i++) {
		struct rda_owed *owed = &s->rare->owing.owed[i];

		if (!owed->certain || psn < owed->begin || psn >= owed->end)
			continue;
		owed->certain--;
		rda_responder_rare(s)->counts.lost_before--;
		return;
	}
}

void rda_owed_doubt_order(struct rda_responder *s, const struct rda_requester *r,
			  const struct rda_pending *pending)
{
	const struct rda_sent *before = rda_window_of(&r->window, pending->begin - 1);

	if (before && before->seen > 1 && before->answer_ns != RDA_NEVER_NS &&
	    before->answer_ns >= pending->asked_ns && !rda_sending_order_is_known(&s->heard->order))
		rda_responder_rare(s)->counts.perhaps_reordered++;
}

/*
 * Of the packets up to this one at least half have copies by now, as a mirror shows them in order.
 * Else what looks like a copy of a request may have been sent.
 */
static bool is_mirrored(const struct rda_requester *r, const struct rda_sent *record)
{
	return 2 * r->rare->counts.packets[RDA_REQUEST_MIRRORED] >= record->ordinal;
}

/* Runs that jumped over the READ may have asked for it, and only the tap missed that. */
static uint32_t unseen_runs(const struct rda_requester *r, int64_t psn)
{
	const struct rda_sent *record = rda_window_of(&r->window, psn);
	uint32_t unseen;

	if (!record)
		return UINT8_MAX;
	unseen = (uint32_t)(record->sent - MIN(record->seen, record->sent));
	return unseen + (is_mirrored(r, record) ? 0 : record->copied);
}

/* The one before it has just come again, as a copy, it seems: both may be of a second answer, to a
 * request that the network copied behind the tap. */
static bool follows_copy(const struct rda_owing *owing, int64_t psn, int64_t time_ns)
{
	return psn == owing->copied_next && time_ns - owing->copied_ns < RDA_MIRROR_NS;
}

/* False: it may be of another answer. */
static bool is_late(const struct rda_responder *s, const struct rda_requester *r, int64_t psn,
		    int64_t time_ns)
{
	bool mirrored = rda_filling_is_mirrored(r); /* and so are answers: all are copied */

	return (mirrored || !follows_copy(&s->rare->owing, psn, time_ns)) &&
	       rda_response_bounds_late(s->rare->owing.bounds, psn, unseen_runs(r, psn));
}

void rda_owed_response(struct rda_responder *s, const struct rda_requester *r, int64_t psn,
		       bool asked, const struct rda_response *a, const struct rda_event_sink *sink)
{
	bool is_first = rda_first_answer_came(s, psn, asked, a->ip_id);

	if (s->rare->owing.count)
		settle(s, r, a->time_ns, sink);
	/* the response at which what is owed was just told as lost may be one of those told */
	if (s->rare->owing.told && !is_first && !rda_owed_has(s, psn))
		rda_told_lost_came(s, psn, asked, a, sink);
}

void rda_owed_came_late(struct rda_responder *s, const struct rda_requester *r, int64_t psn,
			const struct rda_response *a, const struct rda_event_sink *sink)
{
	if (rda_sending_order_is_known(&s->heard->order))
		return;
	if (is_late(s, r, psn, a->time_ns))
		rda_owed_overtaken(s, psn, a, sink);
	else
		rda_responder_rare(s)->counts.perhaps_reordered++;
}

/* What the bound is kept of stays owed until that tells that it came. */
static bool stays_owed(struct rda_responder *s, const struct rda_requester *r, int64_t psn,
		       const struct rda_response *a, const struct rda_event_sink *sink)
{
	uint64_t late = s->rare->counts.reordered;

	rda_owed_came_late(s, r, psn, a, sink);
	return !rda_sending_order_is_known(&s->heard->order) && late == s->rare->counts.reordered &&
	       rda_response_bounds_find(s->rare->owing.bounds, psn);
}

void rda_owed_came_again(struct rda_responder *s, const struct rda_requester *r, int64_t psn,
			 bool in_turn, const struct rda_response *a,
			 const struct rda_event_sink *sink)
{
	for (uint32_t i = 0; i < s->rare->owing.count; i++) {
		struct rda_owed *owed = &s->rare->owing.owed[i];

		if (!owed->count || psn < owed->begin || psn >= owed->end ||
		    rda_first_answer_is_placed(s, owed))
			continue;
		owed->first = 0;
		if (!in_turn && stays_owed(s, r, psn, a, sink))
			return;
		if (owed->certain == owed->count--) {
			owed->certain--;
			rda_responder_rare(s)->counts.lost_before--;
		}
		return;
	}
}

void rda_account_joined(struct rda_account *account)
{
	struct rda_waiting *waiting = &account->responder.waiting;

	rda_requester_heard(&account->requester)->answers.unheard = true;
	for (uint32_t i = 0; i < waiting->count; i++)
		waiting->items[i].unheard = true;
}

void rda_owed_early(struct rda_responder *s, int64_t psn, int64_t time_ns)
{
	rda_responder_rare(s)->early.end = psn + 1;
	rda_responder_rare(s)->early.ns = time_ns;
}

bool rda_owed_came_early(const struct rda_responder *s, const struct rda_request *q)
{
	/* coarse stamps may tell that later than it was */
	int64_t within_ns = RDA_MIRROR_NS + rda_meta_unit_ns(q->time_ns, s->rare->early.ns);

	return q->begin < s->rare->early.end && q->time_ns - s->rare->early.ns < within_ns;
}

/* `psn` may be of a second answer to what was asked once more. */
static void doubt_again(struct rda_account *account, int64_t psn, uint64_t original)
{
	struct rda_waiting *waiting = &account->responder.waiting;
	const struct rda_sent *record = rda_account_sent(account, psn);

	if (record && record->last_frame <= original)
		return;
	for (uint32_t i = 0; i < waiting->count; i++)
		if (psn >= waiting->items[i].begin && psn < waiting->items[i].end)
			waiting->items[i].unheard = true;
}

void rda_owed_copied(struct rda_account *account, uint32_t psn24, uint64_t original,
		     bool perhaps_again)
{
	if (perhaps_again)
		doubt_again(account, rda_account_widen(account, psn24), original);
}

void rda_owed_followed(struct rda_account *account, uint32_t psn24, int64_t time_ns)
{
	struct rda_owing *owing = &rda_responder_rare(&account->responder)->owing;

	owing->copied_next = rda_account_widen(account, psn24) + 1;
	owing->copied_ns = time_ns;
}

bool rda_owed_has(const struct rda_responder *s, int64_t psn)
{
	for (uint32_t i = 0; i < s->rare->owing.count; i++) {
		const struct rda_owed *owed = &s->rare->owing.owed[i];

		if (owed->count && psn >= owed->begin && psn < owed->end)
			return true;
	}
	return false;
}

bool rda_owed_may_be(const struct rda_responder *s, int64_t psn)
{
	if (rda_sending_order_is_known(&s->heard->order))
		return false;
	for (uint32_t i = 0; i < s->rare->owing.count; i++) {
		const struct rda_owed *owed = &s->rare->owing.owed[i];

		if (owed->count && !owed->more && psn >= owed->begin && psn < owed->end)
			return true;
	}
	return false;
}

bool rda_owed_is_due(const struct rda_responder *s, int64_t psn)
{
	return rda_owed_has(s, psn) || rda_response_bounds_is_due(s->rare->owing.bounds, psn);
}

/*
 * What comes more often than it was asked for is late where all that asks for it is shown, and
 * before its answer: not so where the network copies requests behind the tap. Places in the order
 * of sending tell nothing where that turned out to be none.
 */
uint64_t rda_account_late_responses(const struct rda_flow *asker)
{
	const struct rda_account *account = asker ? asker->account : NULL;
	const struct rda_response_counts *counts = rda_account_response_counts(asker);
	const struct rda_response_bounds *bounds;
	uint64_t placed = counts->reordered_placed, counted = counts->reordered - placed;

	if (!account)
		return 0;
	if (!rda_sending_order_is_known(&account->responder.heard->order))
		placed = 0;
	bounds = account->responder.rare->owing.bounds;
	if (counts->lost_by_capture || counts->brought || (bounds && bounds->unasked) ||
	    account->requester.rare->counts.lost_by_capture ||
	    account->requester.heard->answers.ahead)
		counted = 0;
	return placed + counted;
}

bool rda_account_would_have_come(const struct rda_flow *asker, const struct rda_owed *owed)
{
	int64_t asked_ns = rda_account_progress(asker->account)->last_ns;
	int64_t answered_ns = asker->account->responder.rare->owing.latest_ns;

	/* where answers take long, one may be as late */
	return owed->followed || MAX(asked_ns, answered_ns) - owed->asked_ns >
					 MAX(RDA_REACTION_MIN_NS, owed->took_ns);
}
