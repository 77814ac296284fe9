/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that come after they were told as lost; told_lost.h has the figure.
 */
#include "analyzer/track/roce/told_lost.h"

#include "analyzer/track/roce/answer_place.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

void rda_told_lost_add(struct rda_responder *s, const struct rda_owed *owed, uint32_t count,
		       uint32_t apart)
{
	struct rda_owing *owing = &rda_responder_rare(s)->owing;
	uint32_t at;

	if (!count)
		return;
	if (!owing->told)
		owing->told = g_new0(struct rda_told_lost, 1);
	at = owing->told->next++ % RDA_TOLD_LOST_KEPT;
	owing->told->items[at].begin = owed->begin;
	owing->told->items[at].end = owed->end;
	owing->told->items[at].place = owed->place;
	owing->told->items[at].count = count;
	owing->told->items[at].apart = apart;
}

void rda_told_lost_came(struct rda_responder *s, int64_t psn, bool asked,
			const struct rda_response *a, const struct rda_event_sink *sink)
{
	const struct rda_sending_order *order = &s->heard->order;
	int64_t place = rda_sending_order_place(order, a->ip_id);
	struct rda_told_lost *told = s->rare->owing.told;
	struct rda_request at = {.time_ns = a->time_ns, .frame = a->frame};

	if (!told || !rda_sending_order_is_known(order))
		return;
	for (unsigned i = 0; i < RDA_TOLD_LOST_KEPT; i++) {
		bool is_late = place <= told->items[i].place || (order->leapt && !asked);
		bool apart = told->items[i].apart > 0;

		if (!told->items[i].count || psn < told->items[i].begin ||
		    psn >= told->items[i].end || !is_late)
			continue;
		told->items[i].count--;
		told->items[i].apart -= apart;
		rda_answers_came(s, a->late, apart);
		rda_responder_rare(s)->counts.lost_before--;
		rda_tally_emit(sink, RDA_EVENT_RESPONSE_FOUND, &at, psn, 1, 0);
		return;
	}
}
