/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk through one frame: a loop over the steps of walk.h, with a limit on depth.
 */
#include "dissectors/link.h"
#include "dissectors/plain.h"
#include "dissectors/walk.h"

#include <stddef.h>

/* layers that the InfiniBand part of a packet may need: LRH or RWH, GRH, BTH, four extended, MAD,
 * CM, IP CM */
enum { LAYERS_FOR_TRANSPORT = 10 };

/*
 * One step of the others. Calls that the compiler can put in place, and not a table of pointers: a
 * tenth of what it costs to dissect a packet.
 */
static enum rda_next take_step(struct rda_walk *w, enum rda_next next)
{
	switch (next) {
	case RDA_NEXT_LINK: return rda_walk_link(w);
	case RDA_NEXT_VLAN: return rda_walk_vlan(w);
	case RDA_NEXT_MAC_CONTROL: return rda_walk_mac_control(w);
	case RDA_NEXT_MPLS: return rda_walk_mpls(w);
	case RDA_NEXT_IP: return rda_walk_ip(w);
	case RDA_NEXT_IP6: return rda_walk_ip6(w);
	case RDA_NEXT_IP6_EXT: return rda_walk_ip6_ext(w);
	case RDA_NEXT_ICMP: return rda_walk_icmp(w);
	case RDA_NEXT_ARP: return rda_walk_arp(w);
	case RDA_NEXT_TCP: return rda_walk_tcp(w);
	case RDA_NEXT_GRE: return rda_walk_gre(w);
	case RDA_NEXT_ERSPAN2: return rda_walk_erspan2(w);
	case RDA_NEXT_ERSPAN3: return rda_walk_erspan3(w);
	case RDA_NEXT_VXLAN: return rda_walk_vxlan(w);
	case RDA_NEXT_GENEVE: return rda_walk_geneve(w);
	case RDA_NEXT_LRH: return rda_walk_lrh(w);
	case RDA_NEXT_GRH: return rda_walk_grh(w);
	case RDA_NEXT_ETHERNET:
	case RDA_NEXT_IP4:
	case RDA_NEXT_UDP:
	case RDA_NEXT_BTH: return next; /* see take_steps */
	case RDA_NEXT_STOP:
	case RDA_NEXT_COUNT: break;
	}
	return RDA_NEXT_STOP;
}

static const struct {
	const char *words;
	bool malformed;
} faults[RDA_FAULT_COUNT] = {
#define MALFORMED	      true
#define ODD		      false
#define RDA_X(ID, text, kind) [RDA_FAULT_##ID] = {text, kind},
	RDA_FAULTS(RDA_X)
#undef RDA_X
#undef MALFORMED
#undef ODD
};

const char *rda_fault_words(enum rda_fault fault)
{
	return faults[fault].words;
}

void rda_note_fault(struct rda_packet *packet, enum rda_fault fault)
{
	packet->faults |= (uint16_t)(1u << fault);
	if (faults[fault].malformed)
		packet->status = RDA_STATUS_MALFORMED;
}

const struct rda_layer *rda_find_layer(const struct rda_packet *packet, enum rda_header_id id)
{
	for (unsigned i = packet->layer_count; i-- > 0;)
		if (packet->layers[i].header == id)
			return &packet->layers[i];
	return NULL;
}

bool rda_packet_is_zero(const struct rda_frame *frame, uint32_t offset, uint32_t length)
{
	for (uint32_t i = 0; i < length && offset < frame->captured; i++, offset++)
		if (frame->bytes[offset])
			return false;
	return true;
}

const uint8_t *rda_packet_payload(const struct rda_frame *frame, const struct rda_packet *packet,
				  uint32_t *length)
{
	uint32_t captured = frame->captured > packet->payload_offset
				    ? frame->captured - packet->payload_offset
				    : 0;

	*length = captured < packet->payload_length ? captured : packet->payload_length;
	return frame->bytes + packet->payload_offset;
}

static uint64_t mac_number(const uint8_t bytes[6])
{
	uint64_t mac = 0;

	for (uint32_t i = 0; i < 6; i++)
		mac = mac << 8 | bytes[i];
	return mac;
}

uint64_t rda_packet_source_mac(const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_eth eth;

	return rda_read_eth_of(frame, packet, &eth) ? mac_number(eth.source) : 0;
}

uint64_t rda_packet_destination_mac(const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_eth eth;

	return rda_read_eth_of(frame, packet, &eth) ? mac_number(eth.destination) : 0;
}

uint8_t rda_packet_hop_limit(const struct rda_frame *frame, const struct rda_packet *packet)
{
	bool ip4 = packet->source.kind == RDA_ADDRESS_IP4;
	uint32_t at =
		packet->l3_offset + (ip4 ? 8u : 7u); /* IPv6 and the GRH have it at one place */

	return packet->source.kind != RDA_ADDRESS_LID && at < frame->captured ? frame->bytes[at]
									      : 0;
}

/* Too many headers or tunnels for a packet that means well: the walk ends here. */
static bool too_deep(struct rda_walk *w)
{
	/* of nearly all packets the first comparison tells: a tunnel is in a layer of its own */
	if (w->packet->layer_count <= RDA_MAX_ENCAPSULATIONS ||
	    (w->packet->layer_count <= RDA_MAX_LAYERS - LAYERS_FOR_TRANSPORT &&
	     w->encapsulations <= RDA_MAX_ENCAPSULATIONS))
		return false;
	rda_note_fault(w->packet, RDA_FAULT_TOO_DEEP);
	return true;
}

/*
 * Nearly all frames take four steps, each of which announces the next: in this order they need no
 * look at what else there is.
 */
static enum rda_next take_steps(struct rda_walk *w, enum rda_next next)
{
	if (next == RDA_NEXT_ETHERNET)
		next = rda_walk_ethernet(w);
	if (next == RDA_NEXT_IP4 && !too_deep(w))
		next = rda_walk_ip4(w);
	if (next == RDA_NEXT_UDP && !too_deep(w))
		next = rda_walk_udp(w);
	if (next == RDA_NEXT_BTH && !too_deep(w))
		next = rda_walk_bth(w);
	return next;
}

void rda_walk(struct rda_packet *packet, const struct rda_frame *frame,
	      const struct rda_dissect_config *config)
{
	uint32_t wire = frame->wire > frame->captured ? frame->wire : frame->captured;
	struct rda_walk w = {
		.cursor = {frame->bytes, 0, frame->captured, wire},
		.packet = packet,
		.config = config,
		.frame_end = wire,
		.link = frame->link,
	};
	enum rda_next next = frame->link == RDA_LINK_ETHERNET ? RDA_NEXT_ETHERNET : RDA_NEXT_LINK;

	/* the header structs behind are valid only where `present` says so */
	memset(packet, 0, offsetof(struct rda_packet, opcode));
	while (next != RDA_NEXT_STOP && !too_deep(&w)) {
		next = take_steps(&w, next);
		if (next != RDA_NEXT_STOP && !too_deep(&w))
			next = take_step(&w, next);
	}
	if (packet->carrier != RDA_CARRIER_NONE && packet->status == RDA_STATUS_OK &&
	    frame->captured < packet->end_offset)
		packet->status = RDA_STATUS_CUT;
}

void rda_dissect(struct rda_packet *packet, const struct rda_frame *frame,
		 const struct rda_dissect_config *config)
{
	if (!rda_dissect_plain(packet, frame))
		rda_walk(packet, frame, config);
}
