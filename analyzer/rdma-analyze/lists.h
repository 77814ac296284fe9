/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --list-opcodes and --list-headers: the tables that the program itself works by.
 */
#ifndef RDA_LISTS_H
#define RDA_LISTS_H

#include "analyzer/report/output.h"

/* `form`: RDA_LISTING_TEXT, ... */
void rda_list_checks(struct rda_output *out, int form);
void rda_list_opcodes(struct rda_output *out, int form);
void rda_list_headers(struct rda_output *out, int form);

#endif
