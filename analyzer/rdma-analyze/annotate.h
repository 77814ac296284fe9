/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --annotate: the capture once more (capture_copy.h), with a comment on each frame that a finding
 * lists.
 */
#ifndef RDA_ANNOTATE_H
#define RDA_ANNOTATE_H

#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/run.h"

/* Writes the file of a finished run of one, and finishes it. False with the reason in *error. */
bool rda_annotate_write(struct rda_run *run, struct rda_outfile *file, char **error);

#endif
