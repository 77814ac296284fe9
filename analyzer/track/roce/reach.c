/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packets behind a late one are in the window of requests, or in what is kept of each response
 * of a READ (response_bound.h).
 */
#include "analyzer/track/roce/reach.h"

#include "analyzer/track/roce/account_parts.h"

#include <glib.h>

struct rda_reach rda_reach_of_request(const struct rda_account *account, int64_t psn)
{
	const struct rda_window *window = &account->requester.window;
	int64_t index = window->lean ? -1 : rda_window_find(window, psn);
	const struct rda_sent *late;
	struct rda_reach reach = {0};

	if (index < 0)
		return reach;
	late = rda_window_at(window, index);
	for (int64_t i = index + 1; i < window->count && reach.packets < RDA_REACH_MOST; i++) {
		const struct rda_sent *other = rda_window_at(window, i);

		if (!other->seen || other->first_ns > late->last_ns)
			continue;
		reach.packets++;
		reach.late_ns = MAX(reach.late_ns, late->last_ns - other->first_ns);
	}
	return reach;
}

struct rda_reach rda_reach_of_response(const struct rda_account *account, int64_t psn,
				       int64_t time_ns)
{
	const struct rda_responder *s = &account->responder;
	struct rda_reach reach = {
		.packets = rda_response_bounds_behind(s->rare->owing.bounds, psn, RDA_REACH_MOST),
	};

	for (uint32_t i = 0; i < s->waiting.count; i++) {
		const struct rda_pending *pending = &s->waiting.items[i];

		/* of another hole it is not kept when that was left */
		if (psn >= pending->begin && psn < pending->end && psn == pending->hole)
			reach.late_ns = MAX(time_ns - pending->hole_ns, 0);
	}
	return reach;
}

void rda_reach_join(struct rda_reach *to, const struct rda_reach *from)
{
	to->packets = MAX(to->packets, from->packets);
	to->late_ns = MAX(to->late_ns, from->late_ns);
}
