/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UDP (RFC 768) and what its destination port announces: RoCEv2 on 4791 and on the ports that the
 * user adds, VXLAN on 4789 and on Linux's older default 8472, GENEVE on 6081.
 *
 * The packet ends where IP says; a UDP length that differs is noted and not followed.
 */
#include "dissectors/walk.h"

enum { VXLAN_PORT = 4789, VXLAN_PORT_LINUX = 8472, GENEVE_PORT = 6081 };

bool rda_packet_is_rocev2_port(const struct rda_dissect_config *config, uint16_t port)
{
	if (port == RDA_ROCEV2_PORT)
		return true;
	for (unsigned i = 0; config && i < config->port_count; i++)
		if (config->ports[i] == port)
			return true;
	return false;
}

enum rda_next rda_walk_udp(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t offset = w->cursor.offset;
	struct rda_udp udp;

	if (!rda_read_udp(&w->cursor, &udp))
		return rda_walk_stop(w, RDA_UDP_BYTES);
	rda_walk_add_layer(w, RDA_UDP, offset, RDA_UDP_BYTES);
	if (rda_packet_is_rocev2_port(w->config, udp.destination_port)) {
		packet->carrier = RDA_CARRIER_ROCEV2;
		packet->source_port = udp.source_port;
		if (!packet->fragment &&
		    udp.length != RDA_UDP_BYTES + rda_cursor_wire_left(&w->cursor))
			rda_note_fault(packet, RDA_FAULT_UDP_LENGTH);
		return RDA_NEXT_BTH;
	}
	switch (udp.destination_port) {
	case VXLAN_PORT:
	case VXLAN_PORT_LINUX: return RDA_NEXT_VXLAN;
	case GENEVE_PORT: return RDA_NEXT_GENEVE;
	default: return RDA_NEXT_STOP;
	}
}
