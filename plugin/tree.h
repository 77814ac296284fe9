/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of one frame:
 *
 *     RDMA, RC RDMA WRITE First, QP 0x000011, PSN 4711
 *         Base Transport Header             each header, as it lies in the frame
 *         RDMA Extended Transport Header
 *         ICRC: 0x12345678 [Good]
 *         [RDMA analysis]                   generated: stream, PSN, answers, resends, findings
 */
#ifndef RDA_PLUGIN_TREE_H
#define RDA_PLUGIN_TREE_H

#include "plugin/compat.h"
#include "plugin/source.h"

#include "dissectors/packet.h"

/* A frame that is shown. */
struct rda_shown {
	tvbuff_t *tvb; /* the frame */
	packet_info *pinfo;
	const struct rda_source_frame *source;
	const struct rda_packet *packet;
};

/* `tree` may be NULL: expert infos are told all the same. */
void rda_tree_show(const struct rda_shown *shown, proto_tree *tree);

/* [RDMA analysis]: see analysis.c. */
void rda_analysis_show(const struct rda_shown *shown, proto_tree *tree);

#endif
