/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --annotate: the capture once more, with a comment on each frame that a finding lists. Of a pcapng
 * all blocks stay byte for byte, but for those comments, the lengths that count them, and the
 * length of sections, which becomes "not told". Other formats become pcapng (capture_out.h).
 */
#ifndef RDA_ANNOTATE_H
#define RDA_ANNOTATE_H

#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/run.h"

/* Writes the file of a finished run of one, and finishes it. False with the reason in *error. */
bool rda_annotate_write(struct rda_run *run, struct rda_outfile *file, char **error);

#endif
