/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was taken for resends, once the order of sending is known. See look_back.h.
 */
#include "analyzer/track/roce/look_back.h"

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/copied.h"
#include "analyzer/track/roce/filling.h"
#include "analyzer/track/roce/giveup.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* The order of PSNs does not tell of a READ that is asked again from inside it. */
static bool has_asked_again(const struct rda_requester *r)
{
	for (uint32_t i = 0; i < r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);

		if (record->roles & RDA_ROLE_READ && record->seen > 1)
			return true;
	}
	return false;
}

void rda_look_back_stands(struct rda_requester *r)
{
	r->looked_back = true;
	if (r->rare->doubted) {
		g_free(r->rare->doubted);
		rda_requester_rare(r)->doubted = NULL;
	}
}

void rda_look_back_doubt(struct rda_requester *r, uint64_t frame, int64_t copied_ns)
{
	struct rda_doubted *all = r->rare->doubted;
	uint32_t allocated = all ? all->allocated : 0;

	if (r->looked_back)
		return;
	if (all && all->count == RDA_DOUBTED_MOST) {
		rda_look_back_stands(r);
		return;
	}
	if (!all || all->count == allocated) {
		allocated = allocated ? 2 * allocated : 8;
		all = g_realloc(all, sizeof(*all) + allocated * sizeof(all->items[0]));
		all->count = r->rare->doubted ? all->count : 0;
		all->allocated = allocated;
		rda_requester_rare(r)->doubted = all;
	}
	all->items[all->count].frame = frame;
	all->items[all->count++].copied_ns = copied_ns;
}

bool rda_account_doubts_resends(const struct rda_account *account)
{
	return !account->requester.looked_back;
}

/* None of these was sent again: they were late, or copies. */
static void tell_late(struct rda_requester *r, const struct rda_request *q,
		      const struct rda_event_sink *sink)
{
	const struct rda_doubted *all = r->rare->doubted;
	struct rda_request_counts *counts = &rda_requester_rare(r)->counts;
	uint64_t *packets = counts->packets;

	for (uint32_t i = 0; i < all->count; i++) {
		bool copy = all->items[i].copied_ns != RDA_NEVER_NS;
		struct rda_event event = {
			.kind = copy ? RDA_EVENT_MIRRORED : RDA_EVENT_REORDERED,
			.trigger = RDA_TRIGGER_NONE,
			.psn = q->begin,
			.count = 1,
			.frame = q->frame,
			.other_frame = all->items[i].frame,
			.time_ns = q->time_ns,
			.wait_ns = -1,
			.overtaken = true,
		};

		rda_emit(sink, &event);
		if (copy)
			counts->copied_ns = MAX(counts->copied_ns, all->items[i].copied_ns);
		packets[copy ? RDA_REQUEST_MIRRORED : RDA_REQUEST_REORDERED]++;
		/* as in overtaken.c: where identifications turn out to tell nothing */
		rda_requester_rare(r)->late_doubted |= !copy;
		packets[RDA_REQUEST_RESENT] -= packets[RDA_REQUEST_RESENT] > 0;
	}
}

void rda_look_back(struct rda_requester *r, const struct rda_request *q, int64_t place,
		   const struct rda_event_sink *sink)
{
	const struct rda_doubted *all = r->rare->doubted;

	if (place == RDA_ORDER_UNKNOWN && !r->order.again && !r->order.odd)
		return;
	if (place != RDA_ORDER_UNKNOWN && all && !r->order.odd &&
	    rda_sending_order_is_first_again(&r->order, place) && !has_asked_again(r)) {
		rda_filling_give_up(r, q, sink);
		tell_late(r, q, sink);
		rda_tally_none_again(r, q, sink);
		rda_run_none(r);
		rda_giveup_take_back(r->rare->giveup);
		rda_requester_rare(r)->none_again = true;
		rda_tally_emit(sink, RDA_EVENT_NONE_AGAIN, q, q->begin, all->count, 0);
	}
	rda_look_back_stands(r);
}

void rda_look_back_blind(struct rda_requester *r, const struct rda_request *q,
			 const struct rda_event_sink *sink)
{
	rda_requester_rare(r)->blind_ns = q->time_ns;
	if (rda_sending_order_came_behind(&r->order, q->ip_id) &&
	    !rda_copied_looks_so(rda_window_of(&r->window, q->begin), q))
		rda_tally_emit(sink, RDA_EVENT_OVERTAKEN, q, q->begin, 1, 0);
}
