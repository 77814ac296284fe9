/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --each: a report on each file by itself, and a table of all.
 */
#ifndef RDA_EACH_H
#define RDA_EACH_H

#include "analyzer/rdma-analyze/options.h"
#include "analyzer/report/output.h"

struct rda_each_outcome {
	bool failed; /* a file could not be read, or not to its end: it was said on stderr */
	bool found;  /* one does not pass --fail-on */
};

/* What is wrong with the options is in *error (g_free it): then nothing was read. */
struct rda_each_outcome rda_each_report(struct rda_output *out, const struct rda_options *options,
					char **error);

#endif
