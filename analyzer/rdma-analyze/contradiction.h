/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a command line does not go together. Each option by itself is options.c.
 */
#ifndef RDA_CONTRADICTION_H
#define RDA_CONTRADICTION_H

#include "analyzer/rdma-analyze/options.h"

/* What does not go together, or is out of range; g_free it. NULL: all is well. */
char *rda_contradiction_of(const struct rda_options *options);

#endif
