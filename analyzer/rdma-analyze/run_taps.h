/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run makes of the taps that it has read.
 */
#ifndef RDA_RUN_TAPS_H
#define RDA_RUN_TAPS_H

#include "analyzer/rdma-analyze/run.h"

/* The results of all taps side by side; they are gone then. */
struct rda_result *rda_run_joined(struct rda_run *run);

/* The taps of which a file could be read; to be given to rda_taps_free. */
struct rda_taps *rda_run_taps(const struct rda_run *run);

/* The packets of a tap; and the one at hand, which the engine has just taken. */
struct rda_passages *rda_run_new_passages(void);
void rda_run_free_passages(void *passages);
void rda_run_passage(struct rda_run *run, uint64_t place, const struct rda_meta *meta,
		     const struct rda_frame *frame, const struct rda_packet *packet);

/* The result of the engine, and of the packets of its tap which of its flows is theirs. */
struct rda_result *rda_run_tap_result(struct rda_run *run);

#endif
