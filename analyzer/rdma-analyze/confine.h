/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files the program keeps for itself when it gives up the rest (sandbox.h): its captures, the
 * folders of the files that it is writing, those for temporary files, and the system's libraries,
 * as libwiretap is loaded when it is needed.
 */
#ifndef RDA_CONFINE_H
#define RDA_CONFINE_H

#include "analyzer/rdma-analyze/options.h"

/* What a run would give up here (RDA_SANDBOX_...). */
unsigned rda_confine_offered(void);

/* Call it when outputs are open and filters are compiled, before anything is read that comes from
 * elsewhere: only the outputs that are open by then can be given their names. Returns what holds
 * (RDA_SANDBOX_...); 0 with --no-sandbox, and in builds with sanitizers, whose own checks need what
 * is given up. */
unsigned rda_confine(const struct rda_options *options);

#endif
