/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain RoCEv2, taken at once. See plain.h.
 *
 * The steps of the walk ask of each header whether it is there, what it announces and how long it
 * says it is: 360 instructions a packet. Of a plain frame all offsets are known beforehand, so that
 * each of these is asked once for all four headers: 150 instructions.
 */
#include "dissectors/plain.h"

#include "dissectors/walk.h"

#include <stddef.h>

enum { ICRC_BYTES = 4, MORE_FRAGMENTS = 0x20 };

/* What all of them have in common, up to the opcode; and their layers. */
static const struct rda_packet model = {
	.carrier = RDA_CARRIER_ROCEV2,
	.layer_count = 4,
	.payload_known = true,
	.present = RDA_HAS(BTH),
	.source = {.bytes = {[10] = 0xff, [11] = 0xff}, .kind = RDA_ADDRESS_IP4},
	.destination = {.bytes = {[10] = 0xff, [11] = 0xff}, .kind = RDA_ADDRESS_IP4},
	.plain = true,
	.l3_offset = RDA_PLAIN_IP4,
	.bth_offset = RDA_PLAIN_BTH,
	.layers = {{RDA_ETH, RDA_ETH_BYTES, 0},
		   {RDA_IP4, RDA_IP4_BYTES, RDA_PLAIN_IP4},
		   {RDA_UDP, RDA_UDP_BYTES, RDA_PLAIN_UDP},
		   {RDA_BTH, RDA_BTH_BYTES, RDA_PLAIN_BTH}},
};

/* What is looked at once for all four headers. */
RDA_INLINE bool is_plain(const struct rda_frame *frame)
{
	return rda_plain_is(frame) && frame->captured >= RDA_PLAIN_END &&
	       !(frame->bytes[RDA_PLAIN_IP4 + 6] & MORE_FRAGMENTS);
}

/* Of one packet in eight. Out of line: a walk to be filled costs all others. */
__attribute__((noinline)) static void take_extended(struct rda_packet *packet,
						    const struct rda_frame *frame)
{
	struct rda_walk w = {
		.cursor = {frame->bytes, RDA_PLAIN_END, frame->captured, packet->end_offset},
		.packet = packet,
	};

	rda_walk_extended(&w, packet->opcode->headers);
}

bool rda_dissect_plain(struct rda_packet *packet, const struct rda_frame *frame)
{
	const uint8_t *bytes = frame->bytes, *ip = bytes + RDA_PLAIN_IP4;
	struct rda_cursor bth = {bytes, RDA_PLAIN_BTH, frame->captured, frame->captured};
	const struct rda_opcode *opcode;
	uint32_t headers, end, rest, pad;

	if (!is_plain(frame))
		return false;
	opcode = rda_opcode(bytes[RDA_PLAIN_BTH]);
	headers = RDA_PLAIN_END + opcode->extension;
	end = RDA_PLAIN_IP4 + rda_plain_be16(frame, RDA_PLAIN_IP4 + 2);
	pad = (uint32_t)rda_bits(bytes + RDA_PLAIN_BTH, 10, 2);
	rest = end - headers - ICRC_BYTES; /* payload and pad; huge where there is no room */
	/* datagrams may be MADs, which only the walk reads */
	if (opcode->kind != RDA_OPCODE_KNOWN || opcode->transport == RDA_TRANSPORT_UD ||
	    headers > frame->captured || (end > frame->wire && end > frame->captured) ||
	    end < headers + ICRC_BYTES + pad || rest % 4 != 0 ||
	    rda_plain_be16(frame, RDA_PLAIN_UDP + 4) != end - RDA_PLAIN_UDP)
		return false;
	memcpy(packet, &model, offsetof(struct rda_packet, opcode));
	memcpy(packet->layers, model.layers, 4 * sizeof(model.layers[0]));
	packet->status = frame->captured < end ? RDA_STATUS_CUT : RDA_STATUS_OK;
	packet->ecn = ip[1] & 3;
	packet->dscp = ip[1] >> 2;
	packet->ip_id = rda_plain_be16(frame, RDA_PLAIN_IP4 + 4);
	packet->source_port = rda_plain_be16(frame, RDA_PLAIN_UDP);
	memcpy(packet->source.bytes + 12, ip + 12, 4);
	memcpy(packet->destination.bytes + 12, ip + 16, 4);
	packet->payload_offset = headers;
	packet->payload_length = rest - pad;
	packet->end_offset = end;
	packet->opcode = opcode;
	rda_read_bth(&bth, &packet->bth);
	if (opcode->headers)
		take_extended(packet, frame);
	return true;
}
