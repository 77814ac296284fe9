/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol "rdma": a postdissector that sees every frame after the built-in dissectors, which
 * know nothing of it.
 */
#ifndef RDA_PLUGIN_PROTOCOL_H
#define RDA_PLUGIN_PROTOCOL_H

#include "plugin/source.h"

struct rda_flow;

extern int rda_protocol;

/* What the tap "rdma" gets of each RDMA frame. */
struct rda_tapped {
	const struct rda_packet *packet;
	struct rda_source_frame source;
	/* that carries it, and the other way's: on the first pass, as far as they are known */
	const struct rda_flow *flow, *back;
};

void rda_protocol_register(void);

#endif
