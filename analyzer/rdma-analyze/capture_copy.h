/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capture of a run of one file once more: all of its frames or some, some with comments. Of a
 * pcapng all blocks but frames stay byte for byte, and so do the frames, but for their comments and
 * the lengths that count them; the lengths of sections become "not told". Other formats, and what
 * came through a pipe, become pcapng (capture_out.h).
 */
#ifndef RDA_CAPTURE_COPY_H
#define RDA_CAPTURE_COPY_H

#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/run.h"

/* Whether frame `number` is wanted, with which comments: texts in *comments, which is NULL. */
typedef bool rda_capture_copy_choose(void *context, uint64_t number, const GPtrArray **comments);

/* Writes the file of a finished run of one, and finishes it. False with the reason in *error. */
bool rda_capture_copy(struct rda_run *run, struct rda_outfile *file,
		      rda_capture_copy_choose *choose, void *context, char **error);

#endif
