/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers among what was sent, and gaps between them; answer_place.h has the figure.
 */
#include "analyzer/track/roce/answer_place.h"

#include "analyzer/track/flow.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/owed.h"

#include <glib.h>
#include <string.h>

/* So many responses are looked for between two. */
enum { MOST = 64 };

/* Each PSN behind `psn` and before `end` asks for a response of its own, and more than once. */
static bool are_answered(const struct rda_requester *r, int64_t psn, int64_t end)
{
	while (++psn < end) {
		const struct rda_sent *record = rda_window_of(&r->window, psn);

		if (!record || !(record->roles & RDA_ROLE_ANSWERED) || record->seen < 2)
			return false;
		psn = MIN(record->end, end) - 1;
	}
	return true;
}

/* Takes up to `count` of [begin, end) out of what gaps have and is not told; returns how many are
 * left. */
static uint32_t take(struct rda_answer_gaps *gaps, int64_t begin, int64_t end, uint32_t count)
{
	for (uint32_t i = 0; i < gaps->count && count; i++) {
		struct rda_answer_gap *gap = &gaps->items[i];
		int64_t in = MIN(gap->end, end) - MAX(gap->psn + 1, begin);
		int64_t most = MIN(gap->counted - gap->told, count);

		most = CLAMP(in, 0, most);
		gap->told += (uint32_t)most;
		count -= (uint32_t)most;
	}
	end = MIN(gaps->forgotten, count);
	gaps->forgotten -= (uint32_t)end;
	return count - (uint32_t)end;
}

/* Counts what was sent in a gap and did not come. */
static void count(struct rda_responder *s, const struct rda_requester *r,
		  struct rda_answer_gap *gap)
{
	int64_t passed_over = gap->to - gap->from - 1;

	gap->counted = gap->told = 0;
	if (passed_over > 0 && passed_over <= MOST && gap->end - gap->psn - 1 == passed_over &&
	    gap->end_ns - gap->ns < RDA_REACTION_MIN_NS && !r->window.lean &&
	    !rda_requester_overtakes(r) && /* else answers are in any order */
	    are_answered(r, gap->psn, gap->end))
		gap->counted = (uint32_t)passed_over;
	rda_responder_rare(s)->counts.unshown += gap->counted;
	if (gap->counted)
		s->heard->gaps->frame = gap->frame;
}

static void add(struct rda_responder *s, const struct rda_requester *r, struct rda_answer_gap gap)
{
	struct rda_answer_gaps *gaps = s->heard->gaps;

	if (gap.to - gap.from < 2)
		return;
	if (!gaps) {
		gaps = rda_responder_heard(s)->gaps = g_new0(struct rda_answer_gaps, 1);
		gaps->made_room = INT64_MIN;
	}
	if (gaps->count == RDA_ANSWER_GAPS_KEPT) {
		gaps->forgotten += gaps->items[0].counted - gaps->items[0].told;
		gaps->made_room = MAX(gaps->made_room, gaps->items[0].to);
		memmove(gaps->items, gaps->items + 1, --gaps->count * sizeof(gaps->items[0]));
	}
	count(s, r, &gap);
	gaps->items[gaps->count++] = gap;
}

/* One passes that others have overtaken: it parts a gap. */
static void fill(struct rda_responder *s, const struct rda_requester *r, int64_t place, int64_t psn)
{
	struct rda_answer_gaps *gaps = s->heard->gaps;

	for (uint32_t i = 0; gaps && i < gaps->count; i++) {
		struct rda_answer_gap *gap = &gaps->items[i], rest;

		if (place <= gap->from || place >= gap->to)
			continue;
		rda_responder_rare(s)->counts.unshown -= gap->counted;
		rest = *gap;
		rest.from = gap->to = place;
		rest.psn = gap->end = psn;
		count(s, r, gap);
		add(s, r, rest);
		return;
	}
	if (gaps)
		gaps->is_unsure |= place < gaps->made_room;
}

/* When the answer before this one passed: that may have been sent before the one that was sent
 * last. */
static int64_t last_ns_of(const struct rda_responder *s)
{
	int64_t latest_ns = s->heard->order.latest_ns;

	return s->heard->gaps ? MAX(s->heard->gaps->last_ns, latest_ns) : latest_ns;
}

void rda_answer_place(struct rda_responder *s, const struct rda_requester *r,
		      struct rda_response *a, int64_t psn, const struct rda_event_sink *sink)
{
	struct rda_sending_order *order = &rda_responder_heard(s)->order;
	bool before = s->rare->owing.count && rda_sending_order_is_before(order, a->ip_id, psn);
	struct rda_answer_gap gap = {.psn = order->latest_psn,
				     .end = psn,
				     .ns = last_ns_of(s),
				     .end_ns = a->time_ns,
				     .frame = a->frame};

	if (a->requests)
		rda_sending_order_beside(order, a->requests, a->time_ns);
	gap.to = rda_sending_order_of(order, a->ip_id, psn, a->time_ns);
	gap.from = order->before;
	a->late = gap.to != RDA_ORDER_UNKNOWN && gap.to < order->before;
	if (a->late && a->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC))
		rda_owed_overtaken(s, psn, a, sink);
	else if (a->late)
		rda_responder_rare(s)->counts.reordered_acks++;
	else if (before)
		rda_owed_doubt(s, psn);
	if (s->heard->gaps)
		s->heard->gaps->last_ns = a->time_ns;
	if (a->late)
		fill(s, r, gap.to, psn);
	else if (gap.to != RDA_ORDER_UNKNOWN && rda_sending_order_is_close(order))
		add(s, r, gap);
}

/* Takes what is certain of it out of what gaps have: with the first that is owed of a READ the
 * bound is told, which is of any of its PSNs. */
static uint32_t take_owed(struct rda_answer_gaps *gaps, const struct rda_owing *owing,
			  const struct rda_owed *owed)
{
	const struct rda_response_bound *bound =
		owed->certain > owed->count ? rda_response_bounds_find(owing->bounds, owed->begin)
					    : NULL;

	return bound ? take(gaps, bound->begin, bound->end, owed->certain)
		     : take(gaps, owed->begin, owed->end, owed->certain);
}

uint32_t rda_answers_told(struct rda_responder *s, const struct rda_owed *owed)
{
	uint32_t count = owed->certain;

	if (s->heard->gaps)
		count = take_owed(s->heard->gaps, &s->rare->owing, owed);
	rda_responder_rare(s)->counts.apart += count;
	return count;
}

void rda_answers_came(struct rda_responder *s, bool late, bool apart)
{
	rda_responder_rare(s)->counts.apart -= apart;
	if (!late && s->heard->gaps)
		s->heard->gaps->is_unsure = true;
}

/* What is told as lost, or will be when nothing more comes, and no gap has. */
static uint64_t apart_of(const struct rda_responder *s)
{
	const struct rda_owing *owing = &s->rare->owing;
	struct rda_answer_gaps gaps = *s->heard->gaps;
	uint64_t apart = s->rare->counts.apart;

	for (uint32_t i = 0; i < owing->count; i++)
		apart += take_owed(&gaps, owing, &owing->owed[i]);
	return apart;
}

uint64_t rda_account_responses_unshown(const struct rda_flow *asker, uint64_t *place)
{
	const struct rda_account *account = asker ? asker->account : NULL;
	const struct rda_response_counts *counts;
	uint64_t lost;

	if (!account || !account->responder.heard->gaps ||
	    account->responder.heard->gaps->is_unsure)
		return 0;
	counts = &account->responder.rare->counts;
	if (counts->lost_by_capture || counts->damaged ||
	    account->requester.rare->counts.lost_by_capture)
		return 0;
	lost = counts->unshown + apart_of(&account->responder);
	if (lost <= counts->lost_before)
		return 0;
	if (place)
		*place = account->responder.heard->gaps->frame;
	return lost - counts->lost_before;
}

bool rda_account_answers_numbered(const struct rda_account *account)
{
	return rda_sending_order_is_known(&account->responder.heard->order);
}

uint64_t rda_account_answers_behind(const struct rda_account *account)
{
	return account->responder.heard->order.behind;
}
