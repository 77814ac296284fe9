/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --packets: one record a packet, in each of the formats.
 */
#ifndef RDA_PACKETS_H
#define RDA_PACKETS_H

#include "analyzer/report/output.h"
#include "analyzer/rdma-analyze/run.h"

/* Prints every RDMA packet of a finished run, as the options say. */
void rda_print_packets(struct rda_output *out, struct rda_run *run);

#endif
