/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the IP headers of tunnels around a packet say.
 */
#ifndef RDA_OUTER_H
#define RDA_OUTER_H

#include "dissectors/packet.h"

struct rda_outer {
	uint8_t tunnels; /* such headers */
	uint8_t dscp;	 /* of the outermost one; without tunnels the packet's own */
	bool marked;	 /* one of them has CE */
};

struct rda_outer rda_outer_of(const struct rda_frame *frame, const struct rda_packet *packet);

#endif
