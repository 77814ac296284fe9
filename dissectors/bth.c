/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTH, the extended headers that its opcode names, and the arithmetic of the payload (IBTA vol 1,
 * ch. 9).
 *
 *     BTH 12 | extended headers | payload | pad 0..3 | ICRC 4
 *                                                             ^ end, as IP, GRH or LRH say
 *     payload = end - 4 - BTH - extended headers - pad
 *
 * The lengths follow from the BTH alone, so they are known as soon as the BTH was captured,
 * whatever else was cut. Behind a reserved or vendor opcode nothing is guessed at.
 */
#include "dissectors/walk.h"

enum { ICRC_BYTES = 4 };

bool rda_walk_extended(struct rda_walk *w, uint64_t headers)
{
	struct rda_packet *packet = w->packet;
	struct rda_cursor *c = &w->cursor;

	if (!headers) /* most packets of a long message */
		return true;
#define READ(ID, id, bytes, name, source)                                                          \
	if (headers & RDA_HAS(ID)) {                                                               \
		uint32_t offset = c->offset;                                                       \
                                                                                                   \
		if (!rda_read_##id(c, &packet->id)) {                                              \
			rda_walk_stop(w, bytes);                                                   \
			return false;                                                              \
		}                                                                                  \
		packet->present |= RDA_HAS(ID);                                                    \
		rda_walk_add_layer(w, RDA_##ID, offset, bytes);                                    \
	}
	RDA_EXTENDED_HEADERS(READ)
#undef READ
	return true;
}

/*
 * Where the payload lies. False when the packet has no room for its own headers, pad or ICRC.
 * The end of a first fragment is not the packet's, nor is that of a frame which a mirror cut before
 * it was captured, so there nothing is known.
 */
static bool place_payload(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t behind_bth = rda_cursor_wire_left(&w->cursor);
	uint32_t headers = packet->opcode->extension, pad = packet->bth.padcnt;

	if (packet->fragment || packet->faults & 1u << RDA_FAULT_LENGTH_EXCEEDS)
		return behind_bth >= headers;
	if (behind_bth < headers + ICRC_BYTES) {
		rda_note_fault(packet, behind_bth < headers ? RDA_FAULT_HEADER_SHORT
							    : RDA_FAULT_NO_ROOM_FOR_ICRC);
		return false;
	}
	if (packet->opcode->kind != RDA_OPCODE_KNOWN)
		return true;
	if (behind_bth - headers - ICRC_BYTES < pad) {
		rda_note_fault(packet, RDA_FAULT_PAD_EXCEEDS);
		return true;
	}
	packet->payload_known = true;
	packet->payload_offset = w->cursor.offset + headers;
	packet->payload_length = behind_bth - headers - ICRC_BYTES - pad;
	if ((packet->payload_length + pad) % 4)
		rda_note_fault(packet, RDA_FAULT_PAYLOAD_LENGTH);
	return true;
}

/* Datagrams to and from the management QPs 0 and 1 are MADs: an agent may redirect to another QP.
 */
static bool carries_mad(const struct rda_packet *packet)
{
	return rda_has(packet, DETH) && packet->opcode->transport == RDA_TRANSPORT_UD &&
	       (packet->bth.dest_qp <= 1 || packet->deth.src_qp <= 1) && packet->payload_known &&
	       packet->payload_length >= RDA_MAD_BYTES;
}

enum rda_next rda_walk_bth(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;

	packet->bth_offset = w->cursor.offset;
	packet->end_offset = w->cursor.wire_end;
	if (!rda_read_bth(&w->cursor, &packet->bth))
		return rda_walk_stop(w, RDA_BTH_BYTES);
	packet->present |= RDA_HAS(BTH);
	packet->opcode = rda_opcode(packet->bth.opcode);
	rda_walk_add_layer(w, RDA_BTH, packet->bth_offset, RDA_BTH_BYTES);
	if (!place_payload(w) || !rda_walk_extended(w, packet->opcode->headers))
		return RDA_NEXT_STOP;
	if (carries_mad(packet)) {
		rda_cursor_limit(&w->cursor, packet->payload_length);
		rda_walk_mad(w);
	}
	return RDA_NEXT_STOP;
}
