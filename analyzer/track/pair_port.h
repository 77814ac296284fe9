/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flows that answers have joined while packets came, and whose UDP source ports tell of others in
 * the end. Most NICs send both directions of a connection from one port:
 *
 *     to QP 0x106, port 65355      answers to QP 0x200, port 52047, fit its requests: joined
 *     to QP 0x20a, port 65355      came later, and is its partner more likely
 *
 * An answer to what was sent before the capture began may fit another's requests, by chance.
 */
#ifndef RDA_PAIR_PORT_H
#define RDA_PAIR_PORT_H

#include "analyzer/base/table.h"
#include "analyzer/track/flow.h"

/* Of the flows of a table by index: `peer` (NULL: none) and `by` (enum rda_paired_by), of which
 * responses become only_candidate where another flow that goes back has the port of one. */
void rda_pair_port_doubts(const struct rda_table *flows, struct rda_flow *const *peer, uint8_t *by);

#endif
