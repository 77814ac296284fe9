/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What captures are held against where a script or CI decides by the exit code: findings of a
 * weight
 * (--fail-on), expectations (--expect), the document of an older run (--baseline); and the files
 * that tell CI systems what came of it (--junit, --sarif). And --diff, which only tells.
 */
#ifndef RDA_GATE_H
#define RDA_GATE_H

#include "analyzer/rdma-analyze/run.h"

struct rda_gate;

/*
 * Reads what the options name, and begins the files. NULL when that cannot be, with the reason in
 * *error (g_free it).
 */
struct rda_gate *rda_gate_new(const struct rda_options *options, char **error);

/* Files that were not written do not appear. */
void rda_gate_free(struct rda_gate *gate);

/* --diff: what differs from the older document, once all was read. */
void rda_gate_print_diff(const struct rda_gate *gate, const struct rda_run *run,
			 struct rda_output *out);

/*
 * Once all was read. Says on stderr what is not as it should be, and writes the files; where one
 * cannot be written *error has the reason.
 */
bool rda_gate_passes(struct rda_gate *gate, const struct rda_run *run, char **error);

#endif
