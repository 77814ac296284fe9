/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --packets: one record a packet, in each of the formats.
 */
#ifndef RDA_PACKETS_H
#define RDA_PACKETS_H

#include "analyzer/report/output.h"
#include "analyzer/rdma-analyze/run.h"

struct rda_sight;
struct rda_packet_lines;

/* Lines of sights, as the options of the run say; both are borrowed. */
struct rda_packet_lines *rda_packet_lines_new(struct rda_output *out, struct rda_run *run);
/* False when nobody reads them any more. */
bool rda_packet_lines_take(struct rda_packet_lines *lines, const struct rda_sight *sight);
void rda_packet_lines_flush(struct rda_packet_lines *lines);
void rda_packet_lines_free(struct rda_packet_lines *lines);

/* Prints every RDMA packet of a finished run, as the options say. */
void rda_print_packets(struct rda_output *out, struct rda_run *run);

#endif
