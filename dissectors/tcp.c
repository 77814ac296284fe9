/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP (RFC 9293): the header, and where the segment's payload lies. What the stream carries, iWARP
 * or a tool's own exchange, is found above, where segments are put together.
 */
#include "dissectors/walk.h"

enum rda_next rda_step_tcp(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t offset = w->cursor.offset, header;

	if (!rda_read_tcp(&w->cursor, &packet->tcp))
		return rda_stop(w, RDA_TCP_BYTES);
	header = packet->tcp.data_offset * 4u;
	if (header < RDA_TCP_BYTES || header - RDA_TCP_BYTES > rda_wire_left(&w->cursor)) {
		rda_note_fault(packet, RDA_FAULT_HEADER_SHORT);
		return RDA_NEXT_STOP;
	}
	if (!rda_skip(w, header - RDA_TCP_BYTES))
		return rda_stop(w, header - RDA_TCP_BYTES);
	rda_add_layer(w, RDA_TCP, offset, header);
	packet->present |= RDA_HAS(TCP);
	packet->payload_offset = w->cursor.offset;
	packet->payload_length = rda_wire_left(&w->cursor);
	packet->payload_known = !packet->fragment;
	packet->end_offset = w->cursor.wire_end;
	return RDA_NEXT_STOP;
}
