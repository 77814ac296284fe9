/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A response held against what is outstanding; fit.h has the reasoning.
 */
#include "analyzer/track/roce/fit.h"

#include "analyzer/track/roce/account_parts.h"
#include "dissectors/aeth.h"
#include "dissectors/opcode.h"

/* The bytes of a READ Response, at its place in the answer to a READ. */
static bool fits_read(const struct rda_sent *read, int64_t psn, const struct rda_packet *response)
{
	uint16_t roles = response->opcode->roles;
	uint32_t payload = response->payload_length;
	bool is_first = roles & RDA_ROLE_FIRST, is_last = roles & RDA_ROLE_LAST;
	int64_t place = psn - read->begin;

	if (!response->payload_known || read->length_unknown)
		return true;
	if (read->psn != read->begin) /* the rest was asked for again: this may answer either */
		return true;
	if (is_first && is_last) /* may be all that was left to be asked for */
		return payload <= read->payload && (place || payload == read->payload);
	if (is_first)
		return payload < read->payload;
	if (!is_last)
		return place > 0 && (uint64_t)(place + 1) * payload < read->payload;
	return place > 0 && payload <= read->payload &&
	       (read->payload - payload) % (uint64_t)place == 0;
}

static bool fits_record(const struct rda_sent *sent, int64_t psn, const struct rda_packet *response)
{
	uint16_t roles = response->opcode->roles;

	if (!sent->seen)
		return true; /* what it was is not known */
	if (roles & RDA_ROLE_ATOMIC)
		return sent->roles & RDA_ROLE_ATOMIC;
	if (!(roles & RDA_ROLE_READ)) /* a NAK may be about anything */
		return true;
	if (sent->roles & RDA_ROLE_READ)
		return fits_read(sent, psn, response);
	return sent->roles & RDA_ROLE_ANSWERED && !(sent->roles & RDA_ROLE_ATOMIC);
}

/* Behind the last READ, whose PSNs cannot be told. */
static const struct rda_sent *open_read(const struct rda_account *account, int64_t psn)
{
	const struct rda_sent *last =
		rda_account_sent(account, rda_account_progress(account)->next - 1);

	if (!last || !last->span_unknown)
		return NULL;
	return last->length_unknown || psn < last->psn + last->payload / 256 + 1 ? last : NULL;
}

/* A NAK for what precedes the first packet: that was not answered yet. */
static bool names_first(const struct rda_account *account, int64_t psn,
			const struct rda_packet *response)
{
	const struct rda_progress *progress = rda_account_progress(account);

	return rda_has(response, AETH) && response->aeth.syndrome == RDA_SYNDROME_NAK_SEQUENCE &&
	       !progress->acked_frame && psn < progress->acked &&
	       progress->acked - psn <= RDA_FIRST_PSNS;
}

/* What precedes the first packet, and passed behind it: nothing was answered yet. */
static bool came_from_below(const struct rda_account *account, int64_t psn)
{
	return !rda_account_progress(account)->acked_frame &&
	       psn >= account->requester.rare->lowest;
}

static bool is_ack(const struct rda_packet *response)
{
	return rda_has(response, AETH) && !(response->opcode->roles & RDA_ROLE_ANSWERED) &&
	       rda_aeth_kind(&response->aeth) == RDA_AETH_ACK;
}

/* It fits otherwise. What passed from below the first packet is not among the messages counted. */
static enum rda_fit by_count(const struct rda_account *account, int64_t psn,
			     const struct rda_packet *response)
{
	if (!is_ack(response))
		return RDA_FIT_MAY;
	if (came_from_below(account, psn))
		return RDA_FIT_OPEN;
	return rda_account_ended(account, psn) == response->aeth.msn ? RDA_FIT_WELL : RDA_FIT_MAY;
}

enum rda_fit rda_fit_of(const struct rda_account *account, const struct rda_packet *response)
{
	const struct rda_progress *progress = rda_account_progress(account);
	int64_t psn = rda_account_widen(account, response->bth.psn);
	const struct rda_sent *sent = NULL;

	if (!rda_account_started(account))
		return RDA_FIT_NOT;
	if (psn >= progress->next)
		sent = open_read(account, psn);
	else if (psn >= progress->acked && response->opcode->roles & RDA_ROLE_ANSWERED)
		sent = rda_account_sent(account, psn);
	if (sent)
		return fits_record(sent, psn, response) ? RDA_FIT_MAY : RDA_FIT_NOT;
	if (psn < progress->acked)
		return names_first(account, psn, response) || came_from_below(account, psn)
			       ? by_count(account, psn, response)
			       : RDA_FIT_NOT;
	return psn < progress->next ? by_count(account, psn, response) : RDA_FIT_NOT;
}
