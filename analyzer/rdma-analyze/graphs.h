/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --graph: a connection of a finished run over time.
 */
#ifndef RDA_GRAPHS_H
#define RDA_GRAPHS_H

#include "analyzer/rdma-analyze/run.h"
#include "analyzer/report/output.h"

/* Why there is no graph, by which option: g_free it; NULL: there is one. */
char *rda_graphs_why_not(const struct rda_run *run, const char **option);

/* Of the connection that the options name, or the only one; which there is. */
void rda_graphs_print(struct rda_output *out, struct rda_run *run);

#endif
