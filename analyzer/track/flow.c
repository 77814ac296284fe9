/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting what a half-flow carries. A PSN counts once, however often it was sent: `requests` and
 * `responses` remember which were seen.
 */
#include "analyzer/track/flow.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/iwarp/fpdu.h"
#include "analyzer/track/iwarp/rdmap_track.h"
#include "analyzer/track/keys/key_track.h"
#include "analyzer/base/meta.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/trail.h"
#include "analyzer/track/congestion/mark_log.h"
#include "analyzer/track/congestion/slowing.h"
#include "analyzer/track/steps.h"
#include "dissectors/icrc.h"
#include "dissectors/values.h"

#include <glib.h>

enum rda_nak rda_nak_of_syndrome(uint8_t syndrome)
{
	switch (syndrome) {
#define RDA_N(ID, name)                                                                            \
	case RDA_SYNDROME_NAK_##ID: return RDA_NAK_##ID;
		RDA_NAKS(RDA_N)
#undef RDA_N
	default: return RDA_NAK_OTHER;
	}
}

void rda_flow_key_of(struct rda_flow_key *key, const struct rda_meta *meta,
		     const struct rda_packet *packet)
{
	memset(key, 0, sizeof(*key)); /* padding too: keys are compared as bytes */
	memcpy(&key->source, &packet->source, sizeof(key->source));
	memcpy(&key->destination, &packet->destination, sizeof(key->destination));
	key->carrier = packet->carrier;
	key->dest_qp = packet->bth.dest_qp;
	key->tap = meta->tap;
	if (rda_flow_is_datagram(packet)) {
		key->datagram = true;
		key->src_qp = packet->deth.src_qp;
	}
}

void rda_flow_reverse_key(struct rda_flow_key *key, const struct rda_flow *flow, uint32_t dest_qp,
			  uint32_t tap)
{
	memset(key, 0, sizeof(*key));
	memcpy(&key->source, &flow->key.destination, sizeof(key->source));
	memcpy(&key->destination, &flow->key.source, sizeof(key->destination));
	key->carrier = flow->key.carrier;
	key->datagram = flow->key.datagram;
	key->dest_qp = dest_qp;
	key->src_qp = flow->key.datagram ? flow->key.dest_qp : 0;
	key->tap = tap;
}

bool rda_flow_is_upward(const struct rda_flow *flow)
{
	return memcmp(&flow->key.source, &flow->key.destination, sizeof(flow->key.source)) <= 0;
}

const struct rda_flow_rare rda_flow_ordinary = {.damaged = 0};

const struct rda_flow_answers rda_flow_unanswering = {.packets = 0};

RDA_COLD static void begin_answers(struct rda_flow *flow)
{
	flow->answers = g_new0(struct rda_flow_answers, 1);
}

struct rda_flow_answers *rda_flow_make_answers(struct rda_flow *flow)
{
	if (!flow->answers)
		begin_answers(flow);
	return flow->answers;
}

RDA_COLD static void begin_rare(struct rda_flow *flow)
{
	flow->rare = g_new0(struct rda_flow_rare, 1);
	rda_ranges_init(&flow->rare->responses);
}

struct rda_flow_rare *rda_flow_make_rare(struct rda_flow *flow)
{
	if (!flow->rare)
		begin_rare(flow);
	return flow->rare;
}

void rda_flow_init(struct rda_flow *flow, uint32_t index, int64_t time_ns)
{
	flow->index = flow->number = index;
	flow->transport = RDA_TRANSPORT_NONE;
	flow->message_kind = RDA_MESSAGE_COUNT;
	flow->first_time_ns = flow->last_time_ns = time_ns;
	flow->plain = flow->key.carrier == RDA_CARRIER_ROCEV2 && !flow->key.datagram &&
		      flow->key.source.kind == RDA_ADDRESS_IP4 &&
		      flow->key.destination.kind == RDA_ADDRESS_IP4;
	rda_ranges_init(&flow->requests);
}

void rda_flow_cleanup(struct rda_flow *flow)
{
	rda_ranges_cleanup(&flow->requests);
	if (flow->rare) {
		rda_ranges_cleanup(&flow->rare->responses);
		rda_mark_log_free(flow->rare->mark_log);
		rda_trail_free(flow->rare->trail);
		g_free(flow->rare->reads);
		g_free(flow->rare);
	}
	g_free(flow->other_messages);
	g_free(flow->answers);
	rda_account_free(flow->account);
	rda_key_track_free(flow->keys);
	rda_rdmap_free(flow->rdmap);
	rda_steps_free(flow->steps);
	rda_slowing_free(flow->slowing);
}

/* Marks a PSN as seen; true when it was not before. */
RDA_INLINE bool see(struct rda_ranges *seen, uint32_t psn24, int64_t *wide)
{
	int64_t next = rda_ranges_end(seen, rda_psn_first(psn24));

	*wide = rda_psn_widen(next, psn24);
	return rda_ranges_add(seen, *wide, *wide + 1) > 0;
}

/*
 * Whether a READ request asks again for the rest of an earlier one: same key, the same end, the PSN
 * ahead by no more packets than the address is at the smallest MTU (256).
 */
static bool is_rest_of_read(const struct rda_flow_rare *flow, const struct rda_read *read)
{
	uint64_t kept = MIN(flow->read_count, RDA_READS_KEPT);

	for (uint64_t i = 0; i < kept; i++) {
		const struct rda_read *old = &flow->reads[i];
		uint64_t ahead = read->va - old->va;

		if (read->rkey == old->rkey && ahead > 0 && ahead < old->length &&
		    read->length == old->length - ahead && read->psn > old->psn &&
		    (uint64_t)(read->psn - old->psn) <= ahead / 256)
			return true;
	}
	return false;
}

/* Remembers a READ request; false when it is the rest of one that is known. */
static bool note_read(struct rda_flow *flow, int64_t psn, const struct rda_reth *reth)
{
	struct rda_read read = {psn, reth->va, reth->rkey, reth->dmalen};
	struct rda_flow_rare *rare = rda_flow_make_rare(flow);

	if (!rare->reads)
		rare->reads = g_new0(struct rda_read, RDA_READS_KEPT);
	else if (is_rest_of_read(rare, &read))
		return false;
	rare->reads[rare->read_count++ % RDA_READS_KEPT] = read;
	return true;
}

/*
 * Nothing of UC is sent again: a packet that fills a gap was overtaken. One below all others may be
 * that, or the QP began anew there.
 */
RDA_COLD static void fills_a_gap(struct rda_flow *flow, const struct rda_packet *packet,
				 int64_t psn)
{
	if (packet->opcode->transport == RDA_TRANSPORT_UC &&
	    psn > rda_ranges_array(&flow->requests)[0].begin) {
		rda_flow_make_rare(flow)->overtaken++;
		flow->rare->overtaken_at = flow->request_packets;
	}
}

/* ---- messages -------------------------------------------------------------------------------- */

struct rda_message_count rda_flow_messages(const struct rda_flow *flow, enum rda_message kind)
{
	if (kind == flow->message_kind)
		return flow->messages;
	return flow->other_messages ? flow->other_messages[kind] : (struct rda_message_count){0};
}

/* Of a kind that is not the first, or becomes it. */
RDA_COLD static struct rda_message_count *other_messages(struct rda_flow *flow,
							 enum rda_message kind)
{
	if (flow->message_kind == RDA_MESSAGE_COUNT) {
		flow->message_kind = (uint8_t)kind;
		return &flow->messages;
	}
	if (!flow->other_messages)
		flow->other_messages = g_new0(struct rda_message_count, RDA_MESSAGE_COUNT);
	return &flow->other_messages[kind];
}

static void count_message(struct rda_flow *flow, enum rda_message kind, uint64_t bytes, bool ends)
{
	struct rda_message_count *messages =
		kind == flow->message_kind ? &flow->messages : other_messages(flow, kind);

	messages->bytes += bytes;
	messages->count += ends;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Nearly all requests go on behind the highest PSN so far: seen without widening them. */
RDA_INLINE bool see_next(struct rda_ranges *seen, uint32_t psn24)
{
	struct rda_range *last;

	if (!seen->count)
		return false;
	last = &rda_ranges_array(seen)[seen->count - 1];
	if (((uint32_t)last->end ^ psn24) & RDA_PSN_MASK)
		return false;
	last->end++;
	return true;
}

/* Whether a request with another PSN was not seen before. */
RDA_APART static bool see_other(struct rda_flow *flow, const struct rda_packet *packet)
{
	int64_t psn;

	if (!see(&flow->requests, packet->bth.psn, &psn))
		return false;
	if (psn + 1 < rda_ranges_end(&flow->requests, 0))
		fills_a_gap(flow, packet, psn);
	return true;
}

/* Of a request that was just seen: whether it asks for what no READ before it asked for. */
RDA_APART static bool is_new_read(struct rda_flow *flow, const struct rda_packet *packet)
{
	int64_t next = rda_ranges_end(&flow->requests, 0);

	return note_read(flow, rda_psn_widen(next, packet->bth.psn), &packet->reth);
}

static void count_request(struct rda_flow *flow, const struct rda_packet *packet)
{
	uint16_t roles = packet->opcode->roles;
	enum rda_message kind = rda_message_of(roles);
	uint64_t bytes = packet->payload_length;

	if (flow->request_packets++ == 0)
		flow->first_psn = packet->bth.psn;
	flow->last_psn = packet->bth.psn;
	if (!see_next(&flow->requests, packet->bth.psn) && !see_other(flow, packet))
		return;
	flow->payload_bytes += bytes;
	if (kind == RDA_MESSAGE_COUNT)
		return;
	if (kind == RDA_MESSAGE_READ && rda_has(packet, RETH)) {
		if (!is_new_read(flow, packet))
			return;
		bytes = packet->reth.dmalen;
	}
	count_message(flow, kind, bytes, (roles & RDA_ROLE_LAST) != 0);
}

RDA_APART static void count_response(struct rda_flow *flow, const struct rda_packet *packet)
{
	struct rda_flow_answers *answers = rda_flow_make_answers(flow);
	int64_t psn;

	if (answers->packets++ == 0)
		answers->first_psn = packet->bth.psn;
	answers->last_psn = packet->bth.psn;
	if (packet->opcode->roles & RDA_ROLE_READ &&
	    see(&rda_flow_make_rare(flow)->responses, packet->bth.psn, &psn) &&
	    packet->payload_known)
		flow->payload_bytes += packet->payload_length;
	if (!rda_has(packet, AETH)) {
		answers->unread += (packet->opcode->roles & RDA_ROLE_ACK) != 0;
		return;
	}
	switch (rda_aeth_kind(&packet->aeth)) {
	case RDA_AETH_ACK: answers->acks += (packet->opcode->roles & RDA_ROLE_ACK) != 0; break;
	case RDA_AETH_RNR: rda_flow_make_rare(flow)->rnr_naks++; break;
	case RDA_AETH_NAK:
		rda_flow_make_rare(flow)->naks[rda_nak_of_syndrome(packet->aeth.syndrome)]++;
		break;
	default: break;
	}
}

static void count_frame(struct rda_flow *flow, const struct rda_meta *meta,
			const struct rda_frame *frame)
{
	flow->packets++;
	flow->bytes += frame->wire;
	flow->cut += frame->captured < frame->wire;
	flow->gap_ns = meta->time_ns - flow->last_time_ns;
	if (meta->time_ns >= flow->last_time_ns) /* nearly always: one is written */
		flow->last_time_ns = meta->time_ns;
	else if (meta->time_ns < flow->first_time_ns)
		flow->first_time_ns = meta->time_ns;
}

RDA_APART void rda_flow_damaged(struct rda_flow *flow, const struct rda_meta *meta,
				const struct rda_frame *frame)
{
	count_frame(flow, meta, frame);
	rda_flow_make_rare(flow)->damaged++;
}

/* As long as no packet that is credible has told the service. */
RDA_APART static void tell_transport(struct rda_flow *flow, int8_t transport, bool credible)
{
	if (transport == RDA_TRANSPORT_NONE)
		return;
	if (credible || flow->transport == RDA_TRANSPORT_NONE)
		flow->transport = transport;
	flow->transport_told = credible;
}

void rda_flow_packet(struct rda_flow *flow, const struct rda_meta *meta,
		     const struct rda_frame *frame, const struct rda_packet *packet, bool credible)
{
	const struct rda_opcode *opcode = packet->opcode;

	count_frame(flow, meta, frame);
	if (rda_ip4_is_marked(frame, packet))
		rda_flow_make_rare(flow)->ce_marked++;
	if (opcode->roles & RDA_ROLE_CNP) {
		rda_flow_make_rare(flow)->cnps++;
		return;
	}
	if (!flow->source_port_known && packet->carrier == RDA_CARRIER_ROCEV2) {
		flow->source_port = packet->source_port;
		flow->source_port_known = true;
	}
	if (!flow->transport_told)
		tell_transport(flow, opcode->transport, credible);
	if (rda_has(packet, MAD) && packet->mad.mgmt_class == RDA_MAD_CLASS_CM)
		flow->management = true;
	if (opcode->payload == RDA_PAYLOAD_FULL && packet->payload_known &&
	    flow->full_payload != packet->payload_length) {
		flow->full_payload_varies |= flow->full_payload != 0;
		flow->full_payload = packet->payload_length;
	}
	if (opcode->roles & RDA_ROLE_REQUEST)
		count_request(flow, packet);
	else if (opcode->roles & RDA_ROLE_RESPONSE)
		count_response(flow, packet);
}

void rda_flow_copy(struct rda_flow *flow, const struct rda_frame *frame,
		   const struct rda_packet *packet)
{
	struct rda_flow_copies *copies = &rda_flow_make_rare(flow)->copies;

	copies->packets++;
	copies->bytes += frame->wire;
	copies->requests += (packet->opcode->roles & RDA_ROLE_REQUEST) != 0;
	copies->responses += (packet->opcode->roles & RDA_ROLE_RESPONSE) != 0;
}

void rda_flow_stream_holes(struct rda_flow *flow, uint64_t holes)
{
	if (holes || flow->rare)
		rda_flow_make_rare(flow)->stream_holes = holes;
}

void rda_flow_fpdu_damaged(struct rda_flow *flow)
{
	rda_flow_make_rare(flow)->damaged++;
}

/* ---- iWARP ----------------------------------------------------------------------------------- */

static void count_stream(struct rda_flow *flow, uint64_t bytes, int64_t first_ns, int64_t last_ns)
{
	flow->packets++;
	flow->bytes += bytes;
	flow->first_time_ns = MIN(flow->first_time_ns, first_ns);
	flow->last_time_ns = MAX(flow->last_time_ns, last_ns);
}

void rda_flow_mpa_start(struct rda_flow *flow, const struct rda_mpa_start_seen *start)
{
	count_stream(flow, RDA_MPA_START_BYTES + start->start.private_data_length, start->time_ns,
		     start->time_ns);
}

void rda_flow_mpa_start_damaged(struct rda_flow *flow, const struct rda_mpa_start *start)
{
	flow->packets--;
	flow->bytes -= RDA_MPA_START_BYTES + start->private_data_length;
}

void rda_flow_fpdu(struct rda_flow *flow, const struct rda_fpdu_seen *fpdu)
{
	const struct rda_ulpdu *ulpdu = &fpdu->ulpdu;
	uint16_t roles = rda_rdmap_operation(ulpdu->opcode)->roles;
	enum rda_message kind = rda_message_of(roles);
	uint64_t bytes = ulpdu->payload_length;

	count_stream(flow, rda_fpdu_bytes(ulpdu->length), fpdu->first_ns, fpdu->time_ns);
	if (roles & RDA_ROLE_RESPONSE) {
		rda_flow_make_answers(flow)->packets++;
		flow->payload_bytes += bytes;
		return;
	}
	if (!(roles & RDA_ROLE_REQUEST))
		return;
	flow->request_packets++;
	flow->payload_bytes += bytes;
	if (kind == RDA_MESSAGE_READ)
		bytes = ulpdu->present & RDA_HAS(RDMAP_READ) ? ulpdu->read.size : 0;
	else if (kind == RDA_MESSAGE_ATOMIC)
		bytes = 8;
	count_message(flow, kind, bytes, ulpdu->last);
}
