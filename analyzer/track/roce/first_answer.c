/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First answers to READs and ATOMICs, by their places; first_answer.h has the figure.
 */
#include "analyzer/track/roce/first_answer.h"

#include "analyzer/track/roce/answer_place.h"

#include <glib.h>

/* Nothing came of it from this PSN on so far, and the order of sending will tell whether what comes
 * is the first answer. False: or that is owed by now. */
static bool is_first(const struct rda_responder *s, const struct rda_pending *pending, int64_t psn)
{
	return rda_sending_order_is_known(&s->heard->order) && !pending->done && !pending->owed &&
	       psn >= pending->brought;
}

uint32_t rda_first_answer_at_end(const struct rda_responder *s, const struct rda_requester *r,
				 const struct rda_pending *pending, const struct rda_request *q,
				 bool *uncertain)
{
	bool begun = rda_requester_just_begun(r, pending->asked_ns);
	/* what the responder put off itself, and counts as not answered yet, it did not pass */
	bool waits = pending->put_off && pending->put_off_msn == s->rare->rnr.msn;
	bool put_off = s->rare->rnr.open && s->rare->rnr.psn >= pending->end && !waits;
	bool behind = (r->heard->answers.next >= pending->end &&
		       r->heard->answers.next_ns > pending->asked_ns) ||
		      put_off;
	int64_t reached = MAX(pending->expected, pending->reached);

	if (pending->done || q->begin > reached || reached >= pending->end)
		return 0;
	if (pending->again && !(behind && !pending->owed && reached >= pending->brought))
		return 0;
	if (!behind &&
	    (!pending->answered ||
	     q->time_ns - pending->latest_ns <=
		     MAX(RDA_MIRROR_NS, rda_ns_times(pending->latest_ns - pending->asked_ns, 8))))
		return 0;
	*uncertain = !behind || begun || (pending->again && !is_first(s, pending, reached));
	return (uint32_t)(pending->end - reached);
}

void rda_first_answer_put_off(struct rda_responder *s, int64_t psn, uint32_t msn)
{
	for (uint32_t i = 0; i < s->waiting.count; i++) {
		struct rda_pending *pending = &s->waiting.items[i];

		if (psn < pending->begin || psn >= pending->end)
			continue;
		pending->put_off++;
		pending->put_off_msn = msn;
	}
}

bool rda_first_answer_waits(const struct rda_responder *s, uint32_t msn)
{
	return s->waiting.count && s->waiting.items[0].put_off &&
	       s->waiting.items[0].put_off_msn == msn;
}

uint32_t rda_first_answer_count(struct rda_responder *s, const struct rda_requester *r,
				int64_t begin, uint32_t count)
{
	for (uint32_t i = 0; i < s->waiting.count; i++) {
		struct rda_pending *pending = &s->waiting.items[i];

		if (begin < pending->begin || begin >= pending->end)
			continue;
		pending->owed = true;
		if (pending->done || begin < pending->brought)
			return 0;
		return r->heard->answers.next >= pending->end || count == pending->missing ? count
											   : 0;
	}
	return 0;
}

bool rda_first_answer_is_placed(const struct rda_responder *s, const struct rda_owed *owed)
{
	return owed->first && rda_sending_order_is_known(&s->heard->order);
}

bool rda_first_answer_came(struct rda_responder *s, int64_t psn, bool asked, uint16_t ip_id)
{
	bool may_be_behind = s->heard->order.leapt && !asked;
	int64_t place = rda_sending_order_place(&s->heard->order, ip_id);

	for (uint32_t i = 0; i < s->rare->owing.count; i++) {
		struct rda_owed *owed = &s->rare->owing.owed[i];

		if (psn < owed->begin || psn >= owed->end || !owed->first ||
		    (place > owed->place && !may_be_behind))
			continue;
		owed->first--;
		if (!rda_sending_order_is_known(&s->heard->order))
			return true; /* if it is known later, then this one was in its place */
		owed->count--;
		rda_answers_came(s, place <= owed->place, false);
		if (owed->certain > owed->count) {
			owed->certain--;
			rda_responder_rare(s)->counts.lost_before--;
		}
		return true;
	}
	return false;
}
