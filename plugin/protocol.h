/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol "rdma": a postdissector that sees every frame after the built-in dissectors, which
 * know nothing of it.
 */
#ifndef RDA_PLUGIN_PROTOCOL_H
#define RDA_PLUGIN_PROTOCOL_H

#include "dissectors/packet.h"

extern int rda_protocol;

/* What the tap "rdma" gets of each RDMA frame. */
struct rda_tapped {
	const struct rda_packet *packet;
};

void rda_protocol_register(void);
void rda_protocol_handoff(void);

#endif
