/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identifications and PSNs that are passed over alike; unshown.h has the figure.
 */
#include "analyzer/track/roce/unshown.h"

#include "analyzer/track/roce/bound.h"
#include "analyzer/track/roce/other_ids.h"
#include "analyzer/track/roce/sent_log.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* So many packets are looked for between two. */
enum { MOST = 64 };

/* Of the PSNs [begin, end): packets, as far as it is known which of them READs took. */
static int64_t packets_of(const struct rda_requester *r, int64_t begin, int64_t end)
{
	int64_t packets = 0;

	while (begin < end) {
		const struct rda_sent *record = rda_window_of(&r->window, begin);

		begin = record && record->seen ? record->end : begin + 1;
		packets++;
	}
	return packets;
}

/* One more, or one less, of each packet in [begin, end) was sent and not shown. */
static void count(struct rda_requester *r, int64_t begin, int64_t end, bool more,
		  const struct rda_request *q, const struct rda_event_sink *sink)
{
	while (begin < end) {
		struct rda_request one = {.begin = begin, .end = begin + 1};
		struct rda_sent *record = rda_tally_find(r, &one);

		begin++;
		if (!record)
			continue;
		if (more)
			record->unshown += record->unshown < UINT8_MAX;
		else
			record->unshown -= record->unshown > 0;
		begin = MAX(begin, record->end);
		rda_bound_unshown(r, record, q, sink);
	}
}

/* From where on the packets before a logged one were sent behind the one before it; its PSN: none
 * was, or nothing tells. */
static int64_t begin_of(const struct rda_requester *r, const struct rda_logged *one,
			const struct rda_logged *next)
{
	const struct rda_sent *record = rda_window_of(&r->window, one->psn);
	int64_t begin = record ? record->end : one->psn + 1, step = next->place - one->place;

	if (begin >= next->psn || next->psn - begin > MOST || step > 2 * MOST ||
	    one->place < rda_other_ids_since(r) ||
	    next->time_ns - one->time_ns >= RDA_REACTION_MIN_NS)
		return next->psn;
	step -= 1 + rda_other_ids_between(r, one->place, next->place);
	return step == packets_of(r, begin, next->psn) ? begin : next->psn;
}

void rda_unshown_logged(struct rda_requester *r, const struct rda_request *q, int64_t place,
			const struct rda_event_sink *sink)
{
	struct rda_sent_log *log = r->rare->log;
	uint32_t at;

	if (place == RDA_ORDER_UNKNOWN || !log || !rda_sending_order_is_close(&r->order) ||
	    r->rare->counts.lost_damaged)
		return;
	at = log->count - 1;
	while (at > 1 && log->items[at - 1].place > place)
		at--; /* to what was sent just behind it */
	for (; at > 0; at--) {
		struct rda_logged *one = &log->items[at - 1], *next = &log->items[at];

		if ((next->begin != RDA_LOGGED_ANEW && next->place < place) ||
		    one->place < log->since)
			return;
		if (next->begin != RDA_LOGGED_ANEW)
			count(r, next->begin, next->psn, false, q, sink);
		next->begin = begin_of(r, one, next);
		count(r, next->begin, next->psn, true, q, sink);
	}
}
