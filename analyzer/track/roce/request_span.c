/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spans of READs, as requests tell them. See request_span.h; what responses tell: read_span.c.
 */
#include "analyzer/track/roce/request_span.h"

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/read_span.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* A READ that may ask again for the rest of another one, or for a part of it. */
static bool is_part_of(const struct rda_request *q, const struct rda_sent *read)
{
	if (!(q->roles & RDA_ROLE_READ))
		return false;
	if (q->length_unknown || read->length_unknown)
		return true;
	return q->rkey == read->rkey && q->va > read->va &&
	       q->va + q->length <= read->va + read->length;
}

/* The READ before `end` ends there at most: of those in between one may come late too. */
static void ends_at_most(struct rda_requester *r, int64_t end)
{
	int64_t index = rda_window_find(&r->window, end - 1);
	struct rda_sent *read = index < 0 ? NULL : rda_window_at(&r->window, index);

	if (!read || end <= read->begin + 1)
		return;
	read->span_guessed = true;
	rda_requester_rare(r)->span.guessed = true;
}

void rda_request_span_mend(struct rda_requester *r, const struct rda_request *q,
			   const struct rda_event_sink *sink)
{
	int64_t index = rda_window_find(&r->window, q->begin);
	const struct rda_sent *read = index < 0 ? NULL : rda_window_at(&r->window, index);
	bool again = read && read->begin == q->begin && q->roles & RDA_ROLE_READ &&
		     read->payload == q->payload;
	int64_t end = again ? q->end : q->begin;

	if (q->span_unknown)
		rda_requester_rare(r)->span.guessed = true;
	if (q->length_unknown)
		rda_requester_rare(r)->span.cut = true;
	if (!read || !(read->span_guessed || read->span_unknown))
		return;
	if (again ? q->span_unknown || index < (int64_t)r->settled
		  : q->begin == read->begin || is_part_of(q, read))
		return;
	rda_requester_rare(r)->span.begin = read->begin;
	rda_requester_rare(r)->span.end = end;
	if (r->run.trigger != RDA_TRIGGER_NONE && r->run.next == read->end)
		rda_run_at(r, end); /* so far the run at hand had come with the READ */
	rda_request_span_told(r, read->begin, end);
	if (!again)
		ends_at_most(r, end);
	rda_tally_settle(r, q, sink);
}

/* The latest request is a READ that takes PSNs up to `end`. */
static void end_last(struct rda_requester *r, int64_t end)
{
	rda_tally_extend(r, end);
	rda_run_at(r, end);
	rda_requester_rare(r)->span.begin = rda_window_at(&r->window, r->window.count - 1)->begin;
	rda_requester_rare(r)->span.end = end;
}

/*
 * What a READ takes at most, for the smallest MTU with which it ends before this request: what lies
 * behind that was missed, or comes late. 0: not known.
 */
static int64_t most_before(const struct rda_sent *read, const struct rda_request *q)
{
	if (read->length_unknown)
		return q->roles & RDA_ROLE_FIRST ? q->begin : 0;
	for (uint32_t mtu = 256; mtu <= 4096; mtu *= 2)
		if (rda_read_span_end(read, mtu) <= q->begin)
			return rda_read_span_end(read, mtu);
	return 0;
}

void rda_request_span_settle(struct rda_requester *r, const struct rda_request *q)
{
	struct rda_sent *last;
	int64_t end;

	if (q->begin <= r->progress.next || !r->window.count)
		return;
	last = rda_window_at(&r->window, r->window.count - 1);
	if (!last->span_unknown)
		return;
	rda_requester_rare(r)->span.guessed = true;
	end = most_before(last, q);
	if (end <= last->begin)
		return;
	end_last(r, end);
	last = rda_window_at(&r->window, r->window.count - 1);
	last->span_unknown = false;
	last->span_guessed = true;
}

void rda_request_span_covered(struct rda_requester *r)
{
	if (r->window.count && rda_window_at(&r->window, r->window.count - 1)->span_unknown)
		rda_requester_rare(r)->span.guessed = true;
}

void rda_request_span_new_part(struct rda_requester *r, const struct rda_request *q)
{
	struct rda_request part = *q;
	struct rda_sent *last;

	if (q->end <= r->progress.next)
		return;
	last = r->window.count ? rda_window_at(&r->window, r->window.count - 1) : NULL;
	if (last && last->begin <= q->begin && last->roles & q->roles & RDA_ROLE_READ) {
		end_last(r, q->end);
		return;
	}
	part.begin = r->progress.next;
	rda_tally_new(r, &part);
}

void rda_request_span_ends(struct rda_requester *r, int64_t end, bool guessed)
{
	struct rda_sent *last = rda_window_at(&r->window, r->window.count - 1);

	last->span_unknown = false;
	last->span_guessed = guessed;
	if (r->run.next == r->progress.next) /* else a run is on its way there */
		rda_run_at(r, end);
	rda_tally_extend(r, end);
}

uint64_t rda_request_span_told(struct rda_requester *r, int64_t begin, int64_t end)
{
	int64_t index = rda_window_find(&r->window, begin);
	struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);

	if (!record || record->begin != begin || !(record->span_guessed || record->span_unknown))
		return 0;
	record->span_guessed = record->span_unknown = false;
	if (end > record->end)
		rda_tally_lengthen(r, index, end);
	else if (end < record->end && end > begin)
		return r->ordinal - rda_tally_shorten(r, index, end);
	return 0;
}

bool rda_request_span_may_have(const struct rda_requester *r, uint32_t index)
{
	const struct rda_sent *hole = rda_window_at(&r->window, index), *read = hole;

	while (index && !read->seen)
		read = rda_window_at(&r->window, --index);
	if (read->damaged && !read->roles)
		return true;
	return (read->span_guessed || read->span_unknown) &&
	       (read->length_unknown || rda_read_span_end(read, 256) > hole->begin);
}

uint64_t rda_account_guessed(const struct rda_account *account, int64_t begin, int64_t end)
{
	const struct rda_window *window = &account->requester.window;
	int64_t index = window->lean ? -1 : rda_window_find(window, begin);
	uint64_t psns = 0;

	for (; index >= 0 && index < (int64_t)window->count; index++) {
		const struct rda_sent *read = rda_window_at(window, index);

		if (read->begin >= end)
			break;
		if (read->span_guessed)
			psns += (uint64_t)(MIN(read->end, end) - read->begin - 1);
	}
	return psns;
}

bool rda_account_reads_are_cut(const struct rda_account *account)
{
	return account->requester.rare->span.cut;
}
