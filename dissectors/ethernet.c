/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ethernet, VLAN tags in any number (802.1Q, 802.1ad), and MAC control: pause frames (IEEE 802.3
 * annex 31B) and priority flow control (802.1Qbb).
 *
 *     pause:  0x8808 | opcode 0x0001 | quanta
 *     PFC:    0x8808 | opcode 0x0101 | 0, class enable vector | quanta of priority 0 .. 7
 *
 * 802.3 frames with a length instead of a type (LLC, SNAP) carry no RDMA and end the walk.
 */
#include "dissectors/walk.h"

enum rda_next rda_walk_ethernet(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_eth eth;

	if (!rda_read_eth(&w->cursor, &eth))
		return rda_walk_stop(w, RDA_ETH_BYTES);
	rda_walk_add_layer(w, RDA_ETH, offset, RDA_ETH_BYTES);
	return rda_next_of_ethertype(eth.type);
}

enum rda_next rda_walk_vlan(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_vlan vlan;

	if (!rda_read_vlan(&w->cursor, &vlan))
		return rda_walk_stop(w, RDA_VLAN_BYTES);
	if (w->packet->layer_count == 1) {
		w->packet->tagged = true;
		w->packet->priority = vlan.priority;
	}
	rda_walk_add_layer(w, RDA_VLAN, offset, RDA_VLAN_BYTES);
	return rda_next_of_ethertype(vlan.type);
}

enum rda_next rda_walk_mac_control(struct rda_walk *w)
{
	struct rda_cursor start = w->cursor;
	struct rda_pause pause;
	struct rda_pfc pfc;

	if (!rda_read_pause(&w->cursor, &pause))
		return rda_walk_stop(w, RDA_PAUSE_BYTES);
	if (pause.opcode == RDA_MAC_CONTROL_PAUSE) {
		rda_walk_add_layer(w, RDA_PAUSE, start.offset, RDA_PAUSE_BYTES);
	} else if (pause.opcode == RDA_MAC_CONTROL_PFC) {
		w->cursor = start;
		if (!rda_read_pfc(&w->cursor, &pfc))
			return rda_walk_stop(w, RDA_PFC_BYTES);
		rda_walk_add_layer(w, RDA_PFC, start.offset, RDA_PFC_BYTES);
	}
	return RDA_NEXT_STOP;
}

/*
 * What an EtherType announces, wherever one stands: Ethernet, VLAN tags, Linux cooked captures,
 * GRE, GENEVE. GRE's own protocol types (ERSPAN, bridged Ethernet) are read in overlay.c.
 */
enum rda_next rda_next_of_ethertype(uint16_t type)
{
	if (type == RDA_ETHERTYPE_IP4) /* nearly always: a comparison instead of four */
		return RDA_NEXT_IP4;
	switch (type) {
	case RDA_ETHERTYPE_IP6: return RDA_NEXT_IP6;
	case RDA_ETHERTYPE_ARP: return RDA_NEXT_ARP;
	case RDA_ETHERTYPE_ROCE: return RDA_NEXT_GRH;
	case RDA_ETHERTYPE_VLAN:
	case RDA_ETHERTYPE_QINQ:
	case RDA_ETHERTYPE_QINQ_OLD: return RDA_NEXT_VLAN;
	case RDA_ETHERTYPE_MPLS:
	case RDA_ETHERTYPE_MPLS_MULTICAST: return RDA_NEXT_MPLS;
	case RDA_ETHERTYPE_MAC_CONTROL: return RDA_NEXT_MAC_CONTROL;
	case RDA_ETHERTYPE_TEB: return RDA_NEXT_ETHERNET;
	default: return RDA_NEXT_STOP;
	}
}
