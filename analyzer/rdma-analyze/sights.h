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
 * Takes one RDMA packet, FPDU, start frame of MPA, pause frame, or other frame that a finding is
 * about, in the order in which they are to be printed. False: no more are wanted. The sight is
 * valid for the call.
 */
typedef bool rda_take_sight(void *context, const struct rda_sight *sight);

/* What one of iWARP tells by itself; returns its place. `meta` becomes the sight's. */
uint64_t rda_sight_of_fpdu(struct rda_sight *sight, struct rda_meta *meta,
			   const struct rda_fpdu_told *told);

/* Takes a part of the time of a direction: they come in order, but later than what they are of. */
typedef void rda_take_time_sight(void *context, const struct rda_time_sight *time);

/* The run was made with rda_run_wants_frames_again. `take_time` may be NULL. */
void rda_sights_take(struct rda_run *run, rda_take_sight *take, rda_take_time_sight *take_time,
		     void *context);

#endif
