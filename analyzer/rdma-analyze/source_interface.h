/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One interface of a capture that has several: its frames as if there were no others, with the
 * numbers that they have among all. What the file says of drops is of all its interfaces.
 */
#ifndef RDA_SOURCE_INTERFACE_H
#define RDA_SOURCE_INTERFACE_H

#include "analyzer/rdma-analyze/source.h"

/* Takes `file`; `interface` is a meta.tap. */
struct rda_source *rda_source_interface(struct rda_source *file, uint32_t interface);

#endif
