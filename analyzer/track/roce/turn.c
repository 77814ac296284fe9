/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses in turn; turn.h has the figure.
 */
#include "analyzer/track/roce/turn.h"

#include "dissectors/opcode.h"

#include <glib.h>

/* Behind an answer that ended the first response comes again, or one that was asked for again:
 * another answer begins. */
static bool begins_again(const struct rda_pending *pending, int64_t psn)
{
	return psn == pending->begin && pending->latest == pending->end - 1 &&
	       (pending->resent || !pending->missing || psn < pending->hole);
}

bool rda_turn_take(struct rda_pending *pending, int64_t psn)
{
	bool is_next = psn == pending->latest + 1;
	bool in_turn = psn >= pending->reached || (is_next && !pending->strayed);

	if (!is_next)
		pending->strayed = psn < pending->latest && psn != pending->expected &&
				   !begins_again(pending, psn);
	pending->reached = MAX(pending->reached, psn + 1);
	pending->latest = psn;
	return in_turn;
}

bool rda_turn_is_other(const struct rda_pending *pending, int64_t time_ns, int64_t took_ns)
{
	return pending->latest == pending->end - 1 && time_ns - pending->asked_ns >= took_ns / 2;
}

bool rda_turn_may_be_older(const struct rda_pending *pending, int64_t psn, uint16_t roles,
			   bool has_aeth)
{
	bool is_inside = !(roles & RDA_ROLE_FIRST) && (roles & RDA_ROLE_LAST || !has_aeth);

	return pending->again && pending->read && psn == pending->expected && is_inside;
}

void rda_turn_note(struct rda_sent *record, const struct rda_pending *pending, int64_t psn,
		   int64_t time_ns, bool ahead)
{
	int64_t next = record->begin + record->answered;
	bool begins = psn == record->begin || (pending && psn == pending->expected);

	record->answer_ns = time_ns;
	record->ahead = ahead;
	if (psn == next || (psn < next && begins))
		record->answered = (uint32_t)(psn + 1 - record->begin);
	else if (psn < next)
		record->answered = 0; /* another, without its beginning */
}

static bool older_came_since(const struct rda_window *window, int64_t index, int64_t time_ns)
{
	while (--index >= 0) {
		const struct rda_sent *older = rda_window_at(window, index);

		if (older->roles & RDA_ROLE_ANSWERED && !older->ahead && older->answer_ns > time_ns)
			return true;
	}
	return false;
}

/*
 * An older one was missing when the latest answer to record `index` passed, and may have come
 * since, here or unseen. Else the requester, which begins behind it, had it: what seems to be
 * missing is an answer to who asked for it again.
 */
static bool may_have_come_since(const struct rda_window *window, int64_t index)
{
	const struct rda_sent *record = rda_window_at(window, index);

	while (record->ahead && --index >= 0) {
		const struct rda_sent *older = rda_window_at(window, index);

		if (older->roles & RDA_ROLE_ANSWERED &&
		    (older->begin + older->answered < older->end ||
		     older->answer_ns > record->answer_ns))
			return true;
	}
	return false;
}

bool rda_turn_was_ahead(const struct rda_window *window, int64_t index)
{
	return older_came_since(window, index, rda_window_at(window, index)->answer_ns);
}

bool rda_turn_lacks(const struct rda_window *window, int64_t psn, int64_t acked_ns)
{
	int64_t index = window->lean ? -1 : rda_window_find(window, psn);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(window, index);

	if (!record)
		return false;
	if (!(record->roles & RDA_ROLE_ANSWERED))
		return older_came_since(window, index, acked_ns);
	return psn >= record->begin + record->answered || record->answer_ns == RDA_NEVER_NS ||
	       may_have_come_since(window, index) || rda_turn_was_ahead(window, index);
}
