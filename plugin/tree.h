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

#include "dissectors/packet.h"
#include "plugin/compat.h"
#include "plugin/fields.h"
#include "plugin/source.h"

/* A frame that is shown. */
struct rda_shown {
	tvbuff_t *tvb; /* the frame */
	packet_info *pinfo;
	const struct rda_source_frame *source;
	const struct rda_packet *packet;
};

/* `tree` may be NULL: expert infos are told all the same. */
void rda_tree_show(const struct rda_shown *shown, proto_tree *tree);

/* One header, as it lies in the frame. */
void rda_tree_add_header(const struct rda_shown *shown, proto_tree *tree,
			 const struct rda_layer *layer);

/* The FPDUs of a frame; their names go to the title. See fpdu_tree.c. */
void rda_fpdus_show(const struct rda_shown *shown, proto_tree *tree, proto_item *title);

/* Stream, QPs: whose a packet is. */
struct rda_verdict;
void rda_tree_add_stream(const struct rda_shown *shown, proto_tree *tree,
			 struct rda_verdict verdict);

/* See key_tree.c. */
struct rda_frame_record;
void rda_tree_show_key(const struct rda_shown *shown, proto_tree *tree,
		       const struct rda_frame_record *record);

/* [RDMA analysis]: see analysis.c. */
void rda_analysis_show(const struct rda_shown *shown, proto_tree *tree);

/* ---- items ----------------------------------------------------------------------------------- */

/*
 * Items that no bytes of the frame stand for: marked as generated.
 */

proto_item *rda_tree_add_number(const struct rda_shown *shown, proto_tree *tree,
				enum rda_own_field field, uint64_t number);
proto_item *rda_tree_add_seconds(const struct rda_shown *shown, proto_tree *tree,
				 enum rda_own_field field, int64_t ns);
void rda_tree_add_mark(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field);

/* Nothing is added of frame 0, and of no words. */
void rda_tree_add_frame(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
			uint64_t frame);
void rda_tree_add_words(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
			const char *words);

#endif
