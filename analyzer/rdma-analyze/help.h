/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the program prints of its own options: --help and the completion scripts.
 */
#ifndef RDA_HELP_H
#define RDA_HELP_H

#include "analyzer/rdma-analyze/options.h"
#include "analyzer/report/output.h"

void rda_print_help(struct rda_output *out);

/* `shell`: RDA_SHELL_BASH, ... */
void rda_print_completion(struct rda_output *out, int shell);

#endif
