/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections that go before the end, so that memory is bounded: those that were idle for the
 * longest time are judged and counted as if no more packets came. Then nothing is known of them,
 * nor of hosts that had no others: packets that come all the same begin another connection, of
 * which the capture missed the beginning.
 *
 * Memory keys are forgotten whenever connections go: indices of flows and hosts are others then. In
 * a part (rda_config.part) no keys are followed any more, as the events of all parts are judged by
 * the indices of before.
 *
 * Connections of iWARP and those with an upper layer stay; they have limits of their own.
 */
#ifndef RDA_RETIRE_H
#define RDA_RETIRE_H

#include <stdint.h>

struct rda_engine;

/*
 * Where less than this part of what is used could go, nothing does: keys are forgotten and all is
 * judged each time, so it has to be worth it.
 */
#define RDA_RETIRE_LEAST 16

/* Leaves about `bytes`, between two frames; returns what is used then. */
uint64_t rda_retire(struct rda_engine *engine, uint64_t bytes);

#endif
