/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests by PSN as messages and transfers; see ulp_roce.h.
 */
#include "analyzer/track/ulp/ulp_roce.h"

#include "analyzer/track/ulp/ulp_stream.h"

static struct rda_ulp_range range_of(const struct rda_packet *packet)
{
	return (struct rda_ulp_range){packet->reth.va, packet->reth.rkey, packet->reth.dmalen};
}

/* What was sent of a flow with an upper layer: whether something before it is missing. */
static void note_sent(const struct rda_ulp_at *at)
{
	struct rda_ulp_stream *stream = at->flow->ulp ? rda_ulp_stream_of(at->flow) : NULL;

	if (!stream)
		return;
	stream->holes += stream->sent && at->request->begin > stream->sent;
	stream->sent = MAX(stream->sent, at->request->end);
}

/* A SEND whose end overtakes its beginning is answered before the next one begins: what waited for
 * that would be asked behind its answer. */
static void put_together(const struct rda_flow *flow, struct rda_ulp_stream *stream,
			 const struct rda_ulp_piece *piece)
{
	if (piece->ends && !piece->begins && !(stream->open && stream->next == piece->at))
		stream->ended = piece->next;
	rda_ulp_stream_send(flow, stream, piece);
	if (piece->begins && stream->ended > piece->at)
		rda_ulp_stream_ended(flow, stream);
}

static void take_send(struct rda_ulps *ulps, const struct rda_ulp_at *at)
{
	uint16_t roles = at->packet->opcode->roles;
	struct rda_ulp_piece piece = {
		.length = at->packet->payload_length,
		.place = at->place,
		.last_place = at->place,
		.first_ns = at->meta->time_ns,
		.last_ns = at->meta->time_ns,
		.at = at->request->begin,
		.next = at->request->end,
		.begins = roles & RDA_ROLE_FIRST,
		.ends = roles & RDA_ROLE_LAST,
		.checked = at->checked,
	};

	piece.bytes = rda_packet_payload(at->frame, at->packet, &piece.have);
	if (!at->flow->ulp && piece.begins)
		rda_ulps_look(ulps, at->flow, rda_ulp_other(at->flow), piece.bytes, piece.have);
	note_sent(at);
	if (at->flow->ulp)
		put_together(at->flow, rda_ulp_stream_of(at->flow), &piece);
}

static void take_write(const struct rda_ulp_at *at)
{
	struct rda_ulp_stream *stream = rda_ulp_stream_of(at->flow);
	const struct rda_packet *packet = at->packet;
	uint16_t roles = packet->opcode->roles;
	uint32_t payload = packet->payload_length;
	int64_t time_ns = at->meta->time_ns;

	if (rda_has(packet, RETH)) {
		struct rda_ulp_range range = range_of(packet);
		struct rda_ulp_bytes bytes = {.checked = at->checked};

		bytes.bytes = rda_packet_payload(at->frame, packet, &bytes.have);
		rda_ulp_placed(at->flow->ulp, &range, &bytes);
		rda_ulp_stream_write(at->flow, stream, &range, time_ns);
		stream->last = at->request->begin;
		if (payload && range.length)
			stream->last += (range.length - 1) / payload;
	}
	if (roles & RDA_ROLE_LAST && stream->writing && at->request->begin == stream->last)
		rda_ulp_stream_written(at->flow, stream, true, time_ns);
}

static void take_read(const struct rda_ulp_at *at)
{
	const struct rda_ulp_read read = {
		.number = at->request->begin,
		.range = range_of(at->packet),
		.asked_ns = at->meta->time_ns,
	};

	rda_ulp_stream_read(rda_ulp_stream_of(at->flow), &read);
}

void rda_ulp_roce(struct rda_ulps *ulps, const struct rda_ulp_at *at)
{
	uint16_t roles = at->packet->opcode->roles;

	note_sent(at);
	if (!at->packet->payload_known && roles & RDA_ROLE_SEND && at->flow->ulp) {
		at->flow->ulp->missed = true;
		rda_ulp_stream_of(at->flow)->holes++;
	}
	if (!at->packet->payload_known ||
	    !rda_account_is_first(at->flow, at->request, at->kind, at->original))
		return;
	if (roles & RDA_ROLE_SEND)
		take_send(ulps, at);
	else if (!at->flow->ulp)
		return;
	else if (roles & RDA_ROLE_READ)
		take_read(at);
	else if (roles & RDA_ROLE_WRITE && roles & (RDA_ROLE_FIRST | RDA_ROLE_LAST))
		take_write(at);
}

void rda_ulp_roce_read_done(struct rda_flow *flow, const struct rda_event *event)
{
	rda_ulp_stream_read_done(flow, rda_ulp_stream_of(flow), event->psn, event->time_ns);
}
