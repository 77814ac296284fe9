/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests by their places in the order of sending; sent_log.h has the figure.
 */
#include "analyzer/track/roce/sent_log.h"

#include <glib.h>
#include <string.h>

static void forget(struct rda_sent_log *log, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		log->forgotten = MAX(log->forgotten, log->items[i].psn);
}

static struct rda_sent_log *room(struct rda_requester *r)
{
	struct rda_sent_log *log = r->rare->log;
	uint32_t allocated = log ? log->allocated : 0;

	if (log && log->count < allocated)
		return log;
	if (allocated == RDA_SENT_LOG_CAP) { /* half of it goes at once */
		forget(log, allocated - allocated / 2);
		log->count /= 2;
		memmove(log->items, log->items + allocated - log->count,
			log->count * sizeof(log->items[0]));
		return log;
	}
	allocated = allocated ? 2 * allocated : 64;
	log = g_realloc(log, sizeof(*log) + allocated * sizeof(log->items[0]));
	if (!r->rare->log) {
		const uint64_t *packets = r->rare->counts.packets;

		/* of what was sent again before the order was known, only the latest is */
		log->count = 0, log->forgotten = INT64_MIN;
		log->since = packets[RDA_REQUEST_RESENT] + packets[RDA_REQUEST_REORDERED]
				     ? INT64_MAX
				     : INT64_MIN;
	}
	log->allocated = allocated;
	rda_requester_rare(r)->log = log;
	return log;
}

/* The index of the first that was not sent before a place. */
static uint32_t find(const struct rda_sent_log *log, int64_t place)
{
	uint32_t at = log ? log->count : 0;

	while (at > 0 && log->items[at - 1].place >= place)
		at--;
	return at;
}

static void insert(struct rda_requester *r, struct rda_logged item)
{
	struct rda_sent_log *log = room(r);
	uint32_t at = find(log, item.place);

	if (at < log->count && log->items[at].place == item.place)
		return; /* a copy */
	memmove(log->items + at + 1, log->items + at, (log->count - at) * sizeof(item));
	log->items[at] = item;
	log->count++;
}

void rda_sent_log_catch_up(struct rda_requester *r, int64_t place)
{
	int64_t index = 0;

	if (place == RDA_ORDER_UNKNOWN && r->rare->log)
		r->rare->log->since = INT64_MAX;
	if (place == RDA_ORDER_UNKNOWN || r->window.lean || !r->window.count)
		return;
	if (r->rare->log)
		index = rda_window_find(
			&r->window, MAX(r->rare->log->next, rda_window_at(&r->window, 0)->begin));
	for (; index >= 0 && index < (int64_t)r->window.count; index++) {
		const struct rda_sent *record = rda_window_at(&r->window, index);

		if (record->seen)
			insert(r, (struct rda_logged){rda_sent_place(r, record), record->begin,
						      record->last_ns, record->last_frame,
						      RDA_LOGGED_ANEW});
	}
	if (r->rare->log)
		r->rare->log->next = r->progress.next;
}

void rda_sent_log_add(struct rda_requester *r, const struct rda_request *q, int64_t place)
{
	if (place == RDA_ORDER_UNKNOWN)
		return;
	insert(r, (struct rda_logged){place, q->begin, q->time_ns, q->frame, RDA_LOGGED_ANEW});
	if (r->rare->log->since == INT64_MAX)
		r->rare->log->since = r->order.latest;
	r->rare->log->next = r->progress.next;
}

const struct rda_logged *rda_sent_log_before(const struct rda_requester *r, int64_t place)
{
	const struct rda_sent_log *log = r->rare->log;
	uint32_t at = find(log, place);

	return at ? &log->items[at - 1] : NULL;
}

const struct rda_logged *rda_sent_log_at(const struct rda_requester *r, int64_t place, int64_t psn)
{
	const struct rda_sent_log *log = r->rare->log;
	uint32_t at = find(log, place);

	return log && at < log->count && log->items[at].place == place && log->items[at].psn == psn
		       ? &log->items[at]
		       : NULL;
}

const struct rda_logged *rda_sent_log_last(const struct rda_requester *r, int64_t psn, int64_t from,
					   int64_t to)
{
	const struct rda_sent_log *log = r->rare->log;

	for (uint32_t at = find(log, to); at > 0 && log->items[at - 1].place >= from; at--)
		if (log->items[at - 1].psn == psn)
			return &log->items[at - 1];
	return NULL;
}

bool rda_sent_log_reached(const struct rda_requester *r, int64_t place, int64_t psn)
{
	const struct rda_sent_log *log = r->rare->log;

	for (uint32_t at = find(log, place); at > 0; at--)
		if (log->items[at - 1].psn >= psn)
			return true;
	return false;
}
