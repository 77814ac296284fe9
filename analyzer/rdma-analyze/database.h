/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --sqlite: a run as a database. docs/database.md has its tables, and queries.
 */
#ifndef RDA_DATABASE_H
#define RDA_DATABASE_H

#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/run.h"

/* Writes and finishes the file. False on failure, with the reason in *error (g_free it). */
bool rda_database_write(struct rda_run *run, struct rda_outfile *file, char **error);

#endif
