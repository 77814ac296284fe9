/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * InfiniBand routing headers: LRH (native InfiniBand), RWH (raw packets), GRH (native and RoCEv1).
 *
 *     LNH 3:  LRH 8 | GRH 40 | BTH ... ICRC 4 | VCRC 2
 *     LNH 2:  LRH 8 | BTH ... ICRC 4 | VCRC 2
 *     LNH 1:  LRH 8 | IPv6 ... | VCRC 2
 *     LNH 0:  LRH 8 | RWH 4 | ... | VCRC 2
 *     RoCEv1: Ethernet 0x8915 | GRH 40 | BTH ... ICRC 4 | Ethernet padding
 *
 * LRH PktLen counts words from the LRH's first byte to the ICRC; GRH PayLen counts bytes behind the
 * GRH to the ICRC. Both are measured: PktLen * 4 - 48 == PayLen.
 */
#include "dissectors/walk.h"

static struct rda_address address_of_lid(uint16_t lid)
{
	struct rda_address address = {.kind = RDA_ADDRESS_LID};

	address.bytes[14] = (uint8_t)(lid >> 8);
	address.bytes[15] = (uint8_t)lid;
	return address;
}

/* The raw packet's EtherType; what follows is no RDMA. */
static enum rda_next step_rwh(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_rwh rwh;

	if (!rda_read_rwh(&w->cursor, &rwh))
		return rda_walk_stop(w, RDA_RWH_BYTES);
	rda_walk_add_layer(w, RDA_RWH, offset, RDA_RWH_BYTES);
	return RDA_NEXT_STOP;
}

enum rda_next rda_walk_lrh(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t offset = w->cursor.offset, length;
	struct rda_lrh lrh;

	if (!rda_read_lrh(&w->cursor, &lrh))
		return rda_walk_stop(w, RDA_LRH_BYTES);
	rda_walk_add_layer(w, RDA_LRH, offset, RDA_LRH_BYTES);
	packet->carrier = RDA_CARRIER_INFINIBAND;
	packet->l3_offset = offset;
	packet->source = address_of_lid(lrh.slid);
	packet->destination = address_of_lid(lrh.dlid);
	length = lrh.pktlen * 4u;
	if (length < RDA_LRH_BYTES || !rda_cursor_limit(&w->cursor, length - RDA_LRH_BYTES)) {
		rda_note_fault(packet, RDA_FAULT_LENGTH_EXCEEDS);
		length = RDA_LRH_BYTES + rda_cursor_wire_left(&w->cursor);
	}
	packet->end_offset = offset + length;
	packet->has_vcrc = w->frame_end - packet->end_offset >= 2;
	switch (lrh.lnh) {
	case RDA_LNH_IBA_LOCAL: return RDA_NEXT_BTH;
	case RDA_LNH_IBA_GLOBAL: return RDA_NEXT_GRH;
	case RDA_LNH_IP6: return RDA_NEXT_IP6;
	default: return step_rwh(w);
	}
}

enum rda_next rda_walk_grh(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t offset = w->cursor.offset;
	struct rda_grh grh;

	if (!rda_read_grh(&w->cursor, &grh))
		return rda_walk_stop(w, RDA_GRH_BYTES);
	rda_walk_add_layer(w, RDA_GRH, offset, RDA_GRH_BYTES);
	if (packet->carrier != RDA_CARRIER_INFINIBAND) {
		packet->carrier = RDA_CARRIER_ROCEV1;
		packet->l3_offset = offset;
	} else if (grh.paylen != rda_cursor_wire_left(&w->cursor)) {
		rda_note_fault(packet, RDA_FAULT_LRH_LENGTH);
	}
	if (!rda_cursor_limit(&w->cursor, grh.paylen))
		rda_note_fault(packet, RDA_FAULT_LENGTH_EXCEEDS);
	packet->end_offset = w->cursor.wire_end;
	packet->source = rda_address_of_gid(grh.sgid);
	packet->destination = rda_address_of_gid(grh.dgid);
	packet->dscp = grh.tclass >> 2;
	packet->ecn = grh.tclass & 3;
	if (grh.ipver != 6 || grh.nxthdr != RDA_IP_PROTO_IB_BTH)
		rda_note_fault(packet, RDA_FAULT_GRH_HEADER);
	return grh.nxthdr == RDA_IP_PROTO_IB_BTH ? RDA_NEXT_BTH : RDA_NEXT_STOP;
}
