/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --counters HOST=FILE: whose NIC's counters are in which files. They are read before the captures,
 * so that a mistake is told before hours of reading, and held against them once these were read.
 *
 *     10.0.0.1=stats.txt                two dumps in one file
 *     10.0.0.1=before.txt,after.txt
 *     10.0.0.1+fd00::1=stats.txt        several addresses of one NIC
 *     10.0.0.1/mlx5_1=stats.txt         of several devices in the file this one
 *     left=stats.txt                    the host at which --tap left=... was taken
 */
#ifndef RDA_COUNTED_H
#define RDA_COUNTED_H

#include "analyzer/rdma-analyze/run.h"

#include <glib.h>

/* Larger files are no dumps of counters. */
#define RDA_COUNTED_BYTES_MAX (16 * 1024 * 1024)

struct rda_counted;

/* Reads the files of --counters. NULL on a mistake, with the reason in *error (g_free it). */
struct rda_counted *rda_counted_new(const struct rda_options *options, char **error);
void rda_counted_free(struct rda_counted *counted);

/* The files that --counters names, to be given to g_strfreev. */
char **rda_counted_files(const struct rda_options *options);

/*
 * Holds them against what was read: run->result has their findings then, and run->compared what
 * reports tell. A host that is not in the captures is told on stderr, and the run has failed; the
 * counters of others are held.
 */
void rda_counted_hold(struct rda_counted *counted, struct rda_run *run);

#endif
