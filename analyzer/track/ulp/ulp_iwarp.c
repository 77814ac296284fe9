/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SENDs by the offset in their message, WRITEs and READs by STag and offset; see ulp_iwarp.h.
 */
#include "analyzer/track/ulp/ulp_iwarp.h"

#include "analyzer/track/ulp/ulp_stream.h"

/* How far both sides are; MPA's pad and CRC do not matter. */
static void note_sent(const struct rda_ulp_fpdu *at)
{
	enum { LENGTH_BYTES = 2 };
	const struct rda_ulpdu *u = &at->fpdu->ulpdu;
	const struct rda_ulp *ulp = at->flow->ulp;
	struct rda_ulp_stream *stream, *other;

	if (!ulp)
		return;
	stream = rda_ulp_stream_of(at->flow);
	other = ulp->streams[at->flow == ulp->asker];
	stream->sent = at->fpdu->offset + LENGTH_BYTES + u->headers + u->payload_length;
	stream->acked = at->acked;
	if (other)
		other->acked = at->heard;
}

static void take_send(struct rda_ulps *ulps, const struct rda_ulp_fpdu *at)
{
	const struct rda_fpdu_seen *fpdu = at->fpdu;
	const struct rda_ulpdu *u = &fpdu->ulpdu;
	struct rda_ulp_piece piece = {
		.bytes = fpdu->payload,
		.have = fpdu->payload_have,
		.length = u->payload_length,
		.place = fpdu->first_place,
		.last_place = fpdu->place,
		.first_ns = fpdu->first_ns,
		.last_ns = fpdu->time_ns,
		.at = u->ddp_untagged.offset,
		.next = (int64_t)u->ddp_untagged.offset + u->payload_length,
		.begins = at->step->begins && !at->step->message.cut,
		.ends = at->step->ends,
		.checked = fpdu->checked,
	};

	if (!at->flow->ulp && piece.begins)
		rda_ulps_look(ulps, at->flow, at->peer, piece.bytes, piece.have);
	note_sent(at);
	if (at->flow->ulp)
		rda_ulp_stream_send(at->flow, rda_ulp_stream_of(at->flow), &piece);
}

static void take_write(const struct rda_ulp_fpdu *at)
{
	const struct rda_rdmap_message *message = &at->step->message;
	struct rda_ulp_stream *stream = rda_ulp_stream_of(at->flow);
	const struct rda_ulp_range range = {message->offset, message->target, 1};

	if (at->step->begins && !message->cut) {
		rda_ulp_placed(at->flow->ulp, &range,
			       &(struct rda_ulp_bytes){at->fpdu->payload, at->fpdu->payload_have,
						       at->fpdu->checked});
		rda_ulp_stream_write(at->flow, stream, &range, at->fpdu->first_ns);
	}
	if (!at->step->ends || !stream->writing)
		return;
	stream->write.range.length = (uint32_t)MIN(message->bytes, UINT32_MAX);
	rda_ulp_stream_written(at->flow, stream, !at->step->offset_wrong, at->fpdu->time_ns);
}

/* The data of a READ is there. */
static void take_data(struct rda_ulp *ulp, const struct rda_ulp_fpdu *at)
{
	const struct rda_rdmap_asked *asked = &at->step->asked;
	const struct rda_ulp_transfer transfer = {
		.range = {asked->read.source_offset, asked->read.source_stag, asked->read.size},
		.whole = true,
		.begin_ns = asked->time_ns,
		.end_ns = at->fpdu->time_ns,
	};

	rda_ulp_transferred(ulp, &transfer);
}

void rda_ulp_iwarp(struct rda_ulps *ulps, const struct rda_ulp_fpdu *at)
{
	uint16_t roles = rda_rdmap_operation(at->fpdu->ulpdu.opcode)->roles;

	if (!at->step->counted)
		return;
	note_sent(at);
	if (roles & RDA_ROLE_SEND)
		take_send(ulps, at);
	else if (!at->flow->ulp)
		return;
	else if (roles & RDA_ROLE_WRITE)
		take_write(at);
	else if (at->step->done && at->step->done_kind == RDA_MESSAGE_READ)
		take_data(at->flow->ulp, at);
}

uint8_t *rda_ulp_iwarp_room(struct rda_flow *flow)
{
	struct rda_ulp_stream *stream = flow->ulp ? rda_ulp_stream_of(flow) : NULL;

	if (stream && !stream->fpdu)
		stream->fpdu = g_malloc(RDA_ULP_BYTES);
	return stream ? stream->fpdu : NULL;
}

void rda_ulp_iwarp_lost(struct rda_flow *flow)
{
	if (flow->ulp)
		rda_ulp_stream_lost(flow, rda_ulp_stream_of(flow));
}
