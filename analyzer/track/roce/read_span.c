/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What responses tell of the PSNs that a READ takes; read_span.h has the figure. What the next
 * request tells is requester.c's.
 */
#include "analyzer/track/roce/read_span.h"

#include "analyzer/base/psn.h"

#include <glib.h>

enum { RDA_READ_PACKETS_MAX = 0x7fffff };

/* At most what can be outstanding (2^23): a longer READ is nonsense, and its PSNs could not be
 * told. */
int64_t rda_read_span_packets(uint32_t length, uint32_t mtu)
{
	return CLAMP(((int64_t)length + mtu - 1) / mtu, 1, RDA_READ_PACKETS_MAX);
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
		end = last->begin + rda_read_span_packets(last->payload, mtu);
	else if (response->roles & RDA_ROLE_LAST &&
		 (response->roles & RDA_ROLE_FIRST ? psn == last->begin : psn > last->begin))
		end = psn + 1;
	else
		return;
	rda_requester_ends(r, end, !mtu && !last->length_unknown);
	rda_responder_span(s, last->begin, end);
}

/* A READ's span was guessed or left open, and now the MTU is known. */
static void check_span(struct rda_account *account, const struct rda_response *response,
		       uint32_t mtu)
{
	struct rda_requester *r = &account->requester;
	int64_t index =
		rda_window_find(&r->window, rda_psn_widen(r->progress.acked, response->psn));
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);
	int64_t begin, end;
	uint64_t since;

	if (!record || !(record->span_guessed || record->span_unknown) || !mtu ||
	    record->length_unknown)
		return;
	begin = record->begin;
	end = begin + rda_read_span_packets(record->payload, mtu);
	since = rda_requester_span(r, begin, end);
	if (since)
		rda_responder_shorten(&account->responder, begin, end, since);
	else
		rda_responder_span(&account->responder, begin, end);
}

void rda_read_span_answered(struct rda_account *account, const struct rda_response *response,
			    uint32_t mtu)
{
	learn_span(account, response, mtu);
	if (account->requester.span.guessed)
		check_span(account, response, mtu);
}
