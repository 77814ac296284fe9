/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of some connections: those that carry them, and those that set them up, so that who
 * analyzes only these finds the same connections:
 *
 *     RoCE, InfiniBand   packets of their QPs; messages of connection management about them; the
 *                        TCP connections in which programs told each other their QPs in clear
 *     iWARP              segments of their TCP connections, acknowledgments and resets included
 *
 * What other hosts say of them (ICMP errors, pauses, who asks for an address) is not of them.
 */
#ifndef RDA_PICKED_H
#define RDA_PICKED_H

#include "analyzer/rdma-analyze/run.h"

struct rda_picked;

/* Of a finished run of one file, or of its interfaces where they are taps: a connection's frames
 * are those at all of them; nothing is wanted yet. The run is borrowed. */
struct rda_picked *rda_picked_new(struct rda_run *run);
void rda_picked_free(struct rda_picked *picked);

/* A connection; a frame (place, meta.h), and the connection that it is of, if it is of one. */
void rda_picked_connection(struct rda_picked *picked, uint32_t connection);
void rda_picked_frame(struct rda_picked *picked, uint64_t place);

/* Reads the frames again to find out whose each is: once, after all that is wanted was said. */
void rda_picked_find(struct rda_picked *picked);

bool rda_picked_has(const struct rda_picked *picked, uint64_t number);

#endif
