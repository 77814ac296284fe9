/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is done while packets come, beside analyzing them: the limits of --count and --duration,
 * --write, --every, --save-on, and --packets where it does not wait for the end.
 *
 * Time is that of the packets: so a file gives the same whenever it is read. Where packets come
 * live and none does for a while, it is that of the clock.
 */
#ifndef RDA_LIVE_H
#define RDA_LIVE_H

#include "analyzer/rdma-analyze/options.h"
#include "analyzer/rdma-analyze/source.h"
#include "analyzer/report/output.h"

struct rda_run;
struct rda_live;

/* NULL where it cannot be made, with the reason in *error (g_free it). `run` is borrowed. */
struct rda_live *rda_live_new(struct rda_run *run, char **error);

/* The engine has ended; the next tap has another one. */
void rda_live_tap_end(struct rda_live *live);

/* The reading is over. False when what was to be written could not be, as was said on stderr. Takes
 * NULL. */
bool rda_live_free(struct rda_live *live);

/* Where reports are printed meanwhile; before the first source. */
void rda_live_begin(struct rda_live *live, struct rda_output *out);

/* A source is begun. */
void rda_live_source(struct rda_live *live, struct rda_source *source);

/* Whether the next two have anything to do with frames. */
bool rda_live_wants_frames(const struct rda_live *live);

/* A frame comes, which the engine has not taken yet. */
void rda_live_before(struct rda_live *live, const struct rda_meta *meta);

/* One frame, which the engine has taken. False: no more are wanted. */
bool rda_live_frame(struct rda_live *live, const struct rda_meta *meta,
		    const struct rda_frame *frame, const struct rda_packet *packet);

/* No packet came for a while. False: no more are wanted. */
bool rda_live_idle(struct rda_live *live);

/* The source that was begun has ended, and is still open. */
void rda_live_source_end(struct rda_live *live);

/* "count", "duration": why no more were wanted; NULL: they were. */
const char *rda_live_stopped(const struct rda_live *live);

#endif
