/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --packets while packets come: a line for each as it passes, with what is known then. What only
 * the end tells is missing: which findings list it, and whether a source whose ICRCs never fit has
 * any. Connections are numbered as they come; halves that are found to be one later keep the
 * number of the first from then on.
 */
#ifndef RDA_PASSING_H
#define RDA_PASSING_H

#include "analyzer/rdma-analyze/packets.h"

struct rda_passing;

/* The run's engine was made with `trace`. Both are borrowed. */
struct rda_passing *rda_passing_new(struct rda_run *run, struct rda_output *out);

/* A frame that the engine has taken. False: nobody reads the lines any more. */
bool rda_passing_frame(struct rda_passing *passing, const struct rda_meta *meta,
		       const struct rda_frame *frame, const struct rda_packet *packet);

/* Lines that were gathered are written. */
void rda_passing_flush(struct rda_passing *passing);

/* The run's engine has ended; what comes has another one. */
void rda_passing_tap_end(struct rda_passing *passing);

/* Takes NULL. */
void rda_passing_free(struct rda_passing *passing);

#endif
