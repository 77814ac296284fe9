/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --explain 'LINE' and --explain @FILE: lines of logs are read before the captures, and joined with
 * them once these were read.
 */
#ifndef RDA_EXPLAINED_H
#define RDA_EXPLAINED_H

#include "analyzer/rdma-analyze/run.h"

/* Of a longer file the end is not looked at. */
#define RDA_EXPLAINED_BYTES_MAX (64 * 1024 * 1024)

struct rda_explain;

/* The lines of --explain. NULL on a mistake, with the reason in *error (g_free it). */
struct rda_explain *rda_explained_new(const struct rda_options *options, char **error);

/* The files that --explain names, to be given to g_strfreev. */
char **rda_explained_files(const struct rda_options *options);

/* What the lines are about, and the frames of those connections once more. */
void rda_explained_join(struct rda_run *run);

#endif
