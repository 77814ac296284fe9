/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What responses tell of the PSNs that a READ takes; read_span.h has the figure. What the next
 * request tells: request_span.c.
 */
#include "analyzer/track/roce/read_span.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/roce/request_span.h"

#include <glib.h>

enum { RDA_READ_PACKETS_MAX = 0x7fffff };

/* At most what can be outstanding (2^23): a longer READ is nonsense, and its PSNs could not be
 * told. */
int64_t rda_read_span_packets(uint32_t length, uint32_t mtu)
{
	return CLAMP(((int64_t)length + mtu - 1) / mtu, 1, RDA_READ_PACKETS_MAX);
}

int64_t rda_read_span_end(const struct rda_sent *read, uint32_t mtu)
{
	return read->psn + rda_read_span_packets(read->payload, mtu);
}

/*
 * A response tells how many PSNs the latest READ took: the last one by its own, the first by the
 * MTU.
 */
static void learn_span(struct rda_account *account, const struct rda_response *response,
		       uint32_t mtu)
{
	struct rda_requester *r = &account->requester;
	struct rda_responder *s = &account->responder;
	int64_t psn = rda_psn_widen(r->progress.acked, response->psn), end;
	const struct rda_sent *last;

	if (!r->window.count)
		return;
	last = rda_window_at(&r->window, r->window.count - 1);
	if (!last->span_unknown)
		return;
	if (mtu && !last->length_unknown)
		end = rda_read_span_end(last, mtu);
	else if (response->roles & RDA_ROLE_LAST &&
		 (response->roles & RDA_ROLE_FIRST ? psn == last->begin : psn > last->begin))
		end = psn + 1;
	else
		return;
	rda_request_span_ends(r, end, !mtu && !last->length_unknown);
	rda_responder_span(s, r, last->begin, end);
}

/* A READ, of which the span was guessed or left open, ends at `end`. */
static void ends_at(struct rda_account *account, int64_t begin, int64_t end)
{
	uint64_t since = rda_request_span_told(&account->requester, begin, end);

	if (since)
		rda_responder_shorten(&account->responder, begin, end, since);
	else
		rda_responder_span(&account->responder, &account->requester, begin, end);
}

static bool is_open(const struct rda_sent *record)
{
	return record->span_guessed || record->span_unknown;
}

/* That is the length of a READ that ends with this response, for some MTU. */
static bool fits(const struct rda_sent *read, int64_t psn, const struct rda_response *response)
{
	int64_t before = (int64_t)read->payload - response->payload;
	int64_t mtu = psn > read->begin ? before / (psn - read->begin) : 0;

	return read->length_unknown || (rda_flow_is_path_mtu(mtu) && response->payload <= mtu &&
					before == mtu * (psn - read->begin));
}

/* The READ that has this PSN; or an open one right before what did not pass, if it fits. */
static const struct rda_sent *asked_with(const struct rda_requester *r, int64_t psn,
					 const struct rda_response *response)
{
	int64_t index = rda_window_find(&r->window, psn);
	const struct rda_sent *record;

	for (; index > 0 && !rda_window_at(&r->window, index)->seen; index--)
		;
	record = index < 0 ? NULL : rda_window_at(&r->window, index);
	return record && (psn < record->end || (is_open(record) && fits(record, psn, response)))
		       ? record
		       : NULL;
}

/* The last response to a READ that was asked once, all of it: it ends there. */
static void check_end(struct rda_account *account, const struct rda_response *response)
{
	struct rda_requester *r = &account->requester;
	int64_t psn = rda_psn_widen(r->progress.acked, response->psn);
	const struct rda_sent *record = asked_with(r, psn, response);

	if (!record || !is_open(record) || record->seen != 1 || psn + 1 == record->end)
		return;
	if (response->roles & RDA_ROLE_FIRST
		    ? psn == record->begin && response->payload == record->payload
		    : psn > record->begin)
		ends_at(account, record->begin, psn + 1);
}

/* An answer to one READ tells the MTU, and so the spans of all. */
static void check_spans(struct rda_account *account, uint32_t mtu)
{
	struct rda_requester *r = &account->requester;
	bool left = false;

	for (uint32_t i = 0; i < r->window.count; i++) {
		const struct rda_sent *record = rda_window_at(&r->window, i);

		if (is_open(record) && !record->length_unknown)
			ends_at(account, record->begin, rda_read_span_end(record, mtu));
		else
			left |= is_open(record);
	}
	rda_requester_rare(r)->span.guessed = left;
}

void rda_read_span_answered(struct rda_account *account, const struct rda_response *response,
			    uint32_t mtu)
{
	learn_span(account, response, mtu);
	if (mtu && account->requester.rare->span.guessed)
		check_spans(account, mtu);
	if (account->requester.rare->span.guessed && response->roles & RDA_ROLE_LAST)
		check_end(account, response);
}
