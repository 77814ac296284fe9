/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a finished run once more, each with all that is known about it: for outputs that
 * tell packets (--packets, --html).
 */
#ifndef RDA_SIGHTS_H
#define RDA_SIGHTS_H

#include "analyzer/rdma-analyze/run.h"
#include "analyzer/report/describe.h"

/*
 * Takes one RDMA packet, FPDU, start frame of MPA or pause frame, in the order in which they are to
 * be printed. False: no more are wanted. The sight is valid for the call.
 */
typedef bool rda_take_sight(void *context, const struct rda_sight *sight);

/* The run was made with rda_run_wants_frames_again. */
void rda_sights_take(struct rda_run *run, rda_take_sight *take, void *context);

#endif
