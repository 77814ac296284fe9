/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --extract: the capture once more (capture_copy.h), but only the frames of one connection
 * (picked.h); or those that the findings of a check list, and those of the connections that these
 * findings and frames are of.
 */
#ifndef RDA_EXTRACT_H
#define RDA_EXTRACT_H

#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/run.h"

/* Why there is nothing to extract, by which option: g_free it; NULL: there is. */
char *rda_extract_why_not(const struct rda_run *run, const char **option);

/* Writes the file of a finished run of one, and finishes it. False with the reason in *error. */
bool rda_extract_write(struct rda_run *run, struct rda_outfile *file, char **error);

#endif
