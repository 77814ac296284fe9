/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages that were completed, by the frame that did it, of the capture that is open: 16 bytes
 * each.
 */
#ifndef RDA_PLUGIN_COMPLETED_H
#define RDA_PLUGIN_COMPLETED_H

#include "analyzer/engine/engine.h"

struct rda_completed {
	int64_t latency_ns;
	uint32_t frame;
	uint8_t kind; /* enum rda_message */
};

void rda_completed_begin(void);
void rda_completed_end(void);

/* The engine took this frame; or it has finished, this being the last one. */
void rda_completed_packet(const struct rda_engine *engine, uint64_t frame);
void rda_completed_finish(const struct rda_engine *engine, uint64_t frame);

/* Those of a frame; NULL when there are none. */
const struct rda_completed *rda_completed_of(uint64_t frame, unsigned *count);

#endif
