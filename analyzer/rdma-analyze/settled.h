/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What requests turned out to be of which that could not be told when they passed (trace.h): those
 * that filled a hole after a NAK, or were taken for resends before the order of sending was known.
 * It is noted the first time that the packets are read, and asked the second time (run.h). There
 * are as many as packets were lost or late.
 */
#ifndef RDA_SETTLED_H
#define RDA_SETTLED_H

#include "analyzer/engine/engine.h"
#include "analyzer/engine/trace.h"

struct rda_settled;

struct rda_settled *rda_settled_new(void);
/* NULL is none. */
void rda_settled_free(struct rda_settled *settled);

/* What the latest packet of the engine settled. */
void rda_settled_packet(struct rda_settled *settled, const struct rda_engine *engine);

/* Corrects what was known of the packet at `place` (rda_place_id) when it passed: all is known now.
 */
void rda_settled_look(const struct rda_settled *settled, uint64_t place, struct rda_trace *trace);

#endif
