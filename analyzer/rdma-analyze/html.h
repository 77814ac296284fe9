/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --html: the page of a run, in a file.
 */
#ifndef RDA_HTML_H
#define RDA_HTML_H

#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/run.h"

/* Writes the page of a finished run, and finishes the file. False with the reason in *error. */
bool rda_html_write(struct rda_run *run, struct rda_outfile *file, char **error);

#endif
