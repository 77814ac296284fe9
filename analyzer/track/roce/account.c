/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values that the trackers ask for, taken from packets: widened PSNs, the PSNs that a READ
 * takes, what tells copies of one packet from a resend.
 */
#include "analyzer/track/roce/account.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/roce/tally.h"
#include "analyzer/track/setup/cm_track.h"
#include "dissectors/icrc.h"

#include <glib.h>

enum { RDA_READ_PACKETS_MAX = 0x7fffff };

void rda_account_free(struct rda_account *account)
{
	if (!account)
		return;
	rda_requester_cleanup(&account->requester);
	rda_responder_cleanup(&account->responder);
	g_free(account->giveup);
	g_free(account);
}

uint32_t rda_account_mtu(const struct rda_flow *flow)
{
	if (flow->path_mtu)
		return flow->path_mtu;
	if (flow->full_payload && !flow->full_payload_varies)
		return flow->full_payload;
	if (flow->peer && flow->peer->full_payload && !flow->peer->full_payload_varies)
		return flow->peer->full_payload;
	return 0;
}

/* At most what can be outstanding (2^23): a longer READ is nonsense, and its PSNs could not be
 * told. */
static int64_t packets_of_read(uint32_t length, uint32_t mtu)
{
	return CLAMP(((int64_t)length + mtu - 1) / mtu, 1, RDA_READ_PACKETS_MAX);
}

RDA_COLD static struct rda_account *make_account(struct rda_flow *flow, uint32_t window_cap)
{
	flow->account = g_new0(struct rda_account, 1);
	rda_requester_init(&flow->account->requester, window_cap);
	rda_responder_init(&flow->account->responder);
	if (flow->pair && rda_cm_sender(flow->pair, flow)->first_psn >= 0)
		rda_requester_agreed(&flow->account->requester,
				     (uint32_t)rda_cm_sender(flow->pair, flow)->first_psn);
	return flow->account;
}

/* What the headers ask for. */
static void take_headers(struct rda_request *q, const struct rda_frame *frame,
			 const struct rda_packet *packet)
{
	if (rda_has(packet, RETH)) {
		q->va = packet->reth.va;
		q->rkey = packet->reth.rkey;
		q->length = packet->reth.dmalen;
	} else if (rda_has(packet, ATOMICETH)) {
		q->va = packet->atomiceth.va;
		q->rkey = packet->atomiceth.rkey;
		q->length = 8;
	}
	if (rda_has(packet, IMMDT))
		q->extra = packet->immdt.immediate;
	else if (rda_has(packet, IETH))
		q->extra = packet->ieth.rkey;
	q->icrc = rda_icrc_stored(frame, packet);
}

/* The request that a packet carries; PSNs near `near`. */
static void take(struct rda_request *request, const struct rda_flow *flow,
		 const struct rda_posting *posting, int64_t near)
{
	const struct rda_packet *packet = posting->packet;

	*request = (struct rda_request){
		.begin = rda_psn_widen(near, packet->bth.psn),
		.time_ns = posting->meta->time_ns,
		.frame = posting->place,
		.payload = packet->payload_known ? packet->payload_length : 0,
		.ip_id = packet->ip_id,
		.opcode = packet->bth.opcode,
		.roles = packet->opcode->roles,
		.ack_req = packet->bth.ack_req,
	};
	request->end = request->begin + 1;
	take_headers(request, posting->frame, packet);
	if (packet->opcode->roles & RDA_ROLE_READ && rda_has(packet, RETH)) {
		uint32_t mtu = rda_account_mtu(flow);

		request->payload = packet->reth.dmalen;
		if (mtu)
			request->end = request->begin + packets_of_read(request->payload, mtu);
		else
			request->span_unknown = request->payload > 256;
	}
}

enum rda_request_kind rda_account_request(struct rda_flow *flow, const struct rda_posting *posting,
					  struct rda_request *request, uint64_t *original)
{
	struct rda_account *account =
		flow->account ? flow->account : make_account(flow, posting->window_cap);
	const struct rda_requester *requester = &account->requester;
	enum rda_request_kind kind;

	take(request, flow, posting,
	     requester->started ? requester->run_next : rda_psn_first(posting->packet->bth.psn));
	kind = rda_requester_packet(&account->requester, request, posting->sink, original);
	rda_responder_request(&account->responder, &account->requester, request, kind,
			      posting->sink);
	return kind;
}

enum rda_request_kind rda_account_copy(struct rda_flow *flow, const struct rda_posting *posting,
				       struct rda_request *request, uint64_t original)
{
	struct rda_requester *requester = &flow->account->requester;

	take(request, flow, posting, requester->run_next);
	requester->packets[RDA_REQUEST_MIRRORED]++;
	rda_tally_emit(posting->sink, RDA_EVENT_MIRRORED, request, request->begin, 1, original);
	return RDA_REQUEST_MIRRORED;
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
	int64_t psn = rda_psn_widen(r->acked, response->psn), end;
	struct rda_sent *last;

	if (!r->window.count)
		return;
	last = rda_window_at(&r->window, r->window.count - 1);
	if (!last->span_unknown)
		return;
	if (mtu)
		end = last->begin + packets_of_read(last->payload, mtu);
	else if (response->roles & RDA_ROLE_LAST &&
		 (response->roles & RDA_ROLE_FIRST ? psn == last->begin : psn > last->begin))
		end = psn + 1;
	else
		return;
	last->span_unknown = false;
	last->span_guessed = !mtu; /* it may be the answer to another, sent before the capture */
	last->end = end;
	if (r->run_next == r->next) /* else a run is on its way there */
		r->run_next = end;
	r->next = end;
	rda_responder_span(s, last->begin, last->end);
}

/* A READ's span was guessed or left open, and now the MTU is known. */
static void check_span(struct rda_account *account, const struct rda_response *response,
		       uint32_t mtu)
{
	struct rda_requester *r = &account->requester;
	int64_t index = rda_window_find(&r->window, rda_psn_widen(r->acked, response->psn));
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);
	int64_t begin, end;
	uint64_t since;

	if (!record || !(record->span_guessed || record->span_unknown) || !mtu)
		return;
	begin = record->begin;
	end = begin + packets_of_read(record->payload, mtu);
	since = rda_requester_span(r, begin, end);
	if (since)
		rda_responder_shorten(&account->responder, begin, end, since);
	else
		rda_responder_span(&account->responder, begin, end);
}

void rda_account_response(struct rda_flow *flow, const struct rda_posting *posting)
{
	const struct rda_packet *packet = posting->packet;
	struct rda_flow *asker = flow->peer;
	struct rda_response response = {
		.psn = packet->bth.psn,
		.time_ns = posting->meta->time_ns,
		.frame = posting->place,
		.roles = packet->opcode->roles,
		.has_aeth = rda_has(packet, AETH),
		.payload = packet->payload_known ? packet->payload_length : 0,
	};

	if (!asker || !asker->account)
		return;
	if (response.has_aeth) {
		response.syndrome = packet->aeth.syndrome;
		response.msn = packet->aeth.msn;
	}
	if (packet->opcode->roles & RDA_ROLE_READ)
		learn_span(asker->account, &response, rda_account_mtu(asker));
	if (packet->opcode->roles & RDA_ROLE_READ && asker->account->requester.guessed)
		check_span(asker->account, &response, rda_account_mtu(asker));
	rda_responder_response(&asker->account->responder, &asker->account->requester, &response,
			       posting->sink);
}

uint64_t rda_account_asked(const struct rda_flow *asker, uint32_t psn)
{
	const struct rda_requester *requester;
	int64_t index;

	if (!asker || !asker->account)
		return 0;
	requester = &asker->account->requester;
	index = rda_window_find(&requester->window, rda_psn_widen(requester->acked, psn));
	return index < 0 ? 0 : rda_window_at(&requester->window, index)->last_frame;
}

void rda_account_damaged(struct rda_flow *flow, const struct rda_posting *posting)
{
	if (flow->account)
		rda_requester_damaged(&flow->account->requester, posting->meta->time_ns,
				      posting->place);
}
