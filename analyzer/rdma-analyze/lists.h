/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the program prints of itself: the tables that it works by, and its options.
 */
#ifndef RDA_LISTS_H
#define RDA_LISTS_H

#include "analyzer/rdma-analyze/options.h"
#include "analyzer/report/output.h"

/* `form`: RDA_LISTING_TEXT, ... */
void rda_list_checks(struct rda_output *out, int form);
/* All about the check of that number, as text. */
void rda_list_check(struct rda_output *out, int check);
void rda_list_opcodes(struct rda_output *out, int form);
void rda_list_headers(struct rda_output *out, int form);

/* --help, and the completion scripts */
void rda_list_help(struct rda_output *out);

/* `shell`: RDA_SHELL_BASH, ... */
void rda_list_completion(struct rda_output *out, int shell);

#endif
