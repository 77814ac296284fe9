/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes and marks of tunnels. See outer.h.
 */
#include "dissectors/outer.h"

#include "dissectors/values.h"

/* False: it is no IP header, or none of it was captured. */
static bool read_class(const struct rda_frame *frame, const struct rda_layer *layer, uint8_t *dscp,
		       uint8_t *ecn)
{
	struct rda_cursor c = {frame->bytes, layer->offset, frame->captured, frame->wire};
	struct rda_ip4 ip4;
	struct rda_ip6 ip6;

	if (layer->header == RDA_IP4 && rda_read_ip4(&c, &ip4)) {
		*dscp = ip4.dscp;
		*ecn = ip4.ecn;
		return true;
	}
	if (layer->header != RDA_IP6 || !rda_read_ip6(&c, &ip6))
		return false;
	*dscp = ip6.dscp;
	*ecn = ip6.ecn;
	return true;
}

struct rda_outer rda_outer_of(const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_outer outer = {.dscp = packet->dscp};
	unsigned count = packet->plain ? 0 : packet->layer_count;

	for (unsigned i = 0; i < count && packet->layers[i].offset < packet->l3_offset; i++) {
		uint8_t dscp, ecn;

		if (!read_class(frame, &packet->layers[i], &dscp, &ecn))
			continue;
		if (!outer.tunnels++)
			outer.dscp = dscp;
		outer.marked |= ecn == RDA_ECN_CE;
	}
	return outer;
}
