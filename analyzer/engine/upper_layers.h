/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the engine to the trackers of upper layers, and from those to the judge. FPDUs of iWARP go
 * there from fpdus.c.
 */
#ifndef RDA_UPPER_LAYERS_H
#define RDA_UPPER_LAYERS_H

#include "analyzer/engine/state.h"
#include "analyzer/track/ulp/ulp_roce.h"

void rda_upper_layers_init(struct rda_engine *engine, uint64_t seed);

/* A packet of a flow with an upper layer, or a SEND's first packet, to find out which there is. */
RDA_APART void rda_upper_layers_packet(struct rda_engine *engine, const struct rda_at *at);

/* A message was completed: it may be slow, and its data an upper layer's. */
void rda_upper_layers_done(struct rda_engine *engine, struct rda_flow *asker,
			   const struct rda_event *event);

#endif
