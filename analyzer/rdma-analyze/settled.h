/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What requests turned out to be, of which that could not be told when they passed (trace.h):
 * those that filled a hole after a NAK. So there are as many as packets were lost.
 */
#ifndef RDA_SETTLED_H
#define RDA_SETTLED_H

#include "analyzer/engine/engine.h"

#include <glib.h>

struct rda_settled {
	GHashTable *requests; /* owned; struct settled by place; NULL until there is one */
};

void rda_settled_cleanup(struct rda_settled *settled);

/* After each packet of the first pass; the engine was made with `trace`. */
void rda_settled_packet(struct rda_settled *settled, const struct rda_engine *engine);

/* Puts into the trace of the packet at `place` what is known now. */
void rda_settled_apply(const struct rda_settled *settled, uint64_t place, struct rda_trace *trace);

#endif
