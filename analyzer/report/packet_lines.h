/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets for people, a line each.
 */
#ifndef RDA_PACKET_LINES_H
#define RDA_PACKET_LINES_H

#include "analyzer/report/describe.h"
#include "analyzer/report/output.h"

/* packets_text.c: one line, as a tcpdump user would like it */
void rda_print_packet_line(struct rda_output *out, const struct rda_sight *sight);

/* packets_text.c: the line of an FPDU, or of a start frame of MPA */
void rda_print_fpdu_line(struct rda_output *out, const struct rda_sight *sight);

/* cm_text.c: what a management datagram says: "CM REQ: qp 0x000011, psn 7, ..." */
void rda_print_mad_line(struct rda_output *out, const struct rda_frame *frame,
			const struct rda_packet *packet);

#endif
