/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk through one frame: a loop over the steps of walk.h, with a limit on depth.
 */
#include "dissectors/walk.h"

#include <stddef.h>

/* layers that the InfiniBand part of a packet may need: LRH or RWH, GRH, BTH, four extended, MAD,
 * CM, IP CM */
enum { LAYERS_FOR_TRANSPORT = 10 };

static enum rda_next (*const steps[RDA_NEXT_COUNT])(struct rda_walk *) = {
	[RDA_NEXT_LINK] = rda_step_link,       [RDA_NEXT_ETHERNET] = rda_step_ethernet,
	[RDA_NEXT_VLAN] = rda_step_vlan,       [RDA_NEXT_MAC_CONTROL] = rda_step_mac_control,
	[RDA_NEXT_MPLS] = rda_step_mpls,       [RDA_NEXT_IP] = rda_step_ip,
	[RDA_NEXT_IP4] = rda_step_ip4,	       [RDA_NEXT_IP6] = rda_step_ip6,
	[RDA_NEXT_IP6_EXT] = rda_step_ip6_ext, [RDA_NEXT_UDP] = rda_step_udp,
	[RDA_NEXT_TCP] = rda_step_tcp,	       [RDA_NEXT_GRE] = rda_step_gre,
	[RDA_NEXT_ERSPAN2] = rda_step_erspan2, [RDA_NEXT_ERSPAN3] = rda_step_erspan3,
	[RDA_NEXT_VXLAN] = rda_step_vxlan,     [RDA_NEXT_GENEVE] = rda_step_geneve,
	[RDA_NEXT_LRH] = rda_step_lrh,	       [RDA_NEXT_GRH] = rda_step_grh,
	[RDA_NEXT_BTH] = rda_step_bth,
};

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

bool rda_is_zero(const struct rda_frame *frame, uint32_t offset, uint32_t length)
{
	for (uint32_t i = 0; i < length && offset < frame->captured; i++, offset++)
		if (frame->bytes[offset])
			return false;
	return true;
}

/* Too many headers or tunnels for a packet that means well: the walk ends here. */
static bool too_deep(struct rda_walk *w)
{
	if (w->packet->layer_count <= RDA_MAX_LAYERS - LAYERS_FOR_TRANSPORT &&
	    w->encapsulations <= RDA_MAX_ENCAPSULATIONS)
		return false;
	rda_note_fault(w->packet, RDA_FAULT_TOO_DEEP);
	return true;
}

void rda_dissect(struct rda_packet *packet, const struct rda_frame *frame,
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
	enum rda_next next = RDA_NEXT_LINK;

	/* the header structs behind are valid only where `present` says so */
	memset(packet, 0, offsetof(struct rda_packet, opcode));
	while (next != RDA_NEXT_STOP && !too_deep(&w))
		next = steps[next](&w);
	if (packet->carrier != RDA_CARRIER_NONE && packet->status == RDA_STATUS_OK &&
	    frame->captured < packet->end_offset)
		packet->status = RDA_STATUS_CUT;
}
