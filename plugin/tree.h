/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of one frame:
 *
 *     RDMA, RC RDMA WRITE First, QP 0x000011, PSN 4711
 *         [RDMA analysis]                   generated: stream, PSN, answers, resends, findings
 *         [NVMe over RDMA: Read]            generated: commands of upper layers
 *         Base Transport Header             each header, as it lies in the frame
 *         RDMA Extended Transport Header
 *         ICRC: 0x12345678 [Good]
 */
#ifndef RDA_PLUGIN_TREE_H
#define RDA_PLUGIN_TREE_H

#include "analyzer/rda.h"
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
	struct rda_verdict verdict; /* once the session is finished; else of nothing known */
	const char *info; /* of the packet's memory: see info.c; NULL: none, or nobody looks */
};

/* `tree` may be NULL: expert infos are told all the same. */
void rda_tree_show(const struct rda_shown *shown, proto_tree *tree);

/* One header, as it lies in the frame. */
void rda_tree_add_header(const struct rda_shown *shown, proto_tree *tree,
			 const struct rda_layer *layer);

/* The FPDUs of a frame; their names go to the title. See fpdu_tree.c. */
void rda_fpdus_show(const struct rda_shown *shown, proto_tree *tree, proto_item *title);

/* Stream (plus one; 0: none), connection, QPs: whose a packet is. */
void rda_tree_add_stream(const struct rda_shown *shown, proto_tree *tree, uint32_t stream,
			 struct rda_verdict verdict);

/* See completeness.c. */
struct rda_connection_facts;
void rda_completeness_show(const struct rda_shown *shown, proto_tree *tree,
			   const struct rda_connection_facts *connection);

/*
 * What is out of the ordinary about a packet, in a word each: RDA_FLAGS(F): F(ID, "word"). Of iWARP
 * an FPDU has DAMAGED and MALFORMED only.
 */
#define RDA_FLAGS(F)                                                                               \
	F(RESENT, "resent")                                                                        \
	F(REORDERED, "late")                                                                       \
	F(MIRRORED, "copy")                                                                        \
	F(GAP, "previous not captured")                                                            \
	F(NAK, "NAK")                                                                              \
	F(RNR, "RNR NAK")                                                                          \
	F(MARKED, "congestion marked")                                                             \
	F(CNP, "CNP")                                                                              \
	F(DAMAGED, "damaged")                                                                      \
	F(MALFORMED, "malformed")

enum rda_flag {
#define RDA_F(ID, word) RDA_FLAG_##ID,
	RDA_FLAGS(RDA_F)
#undef RDA_F
		RDA_FLAG_COUNT
};

/* A mask of 1 << enum rda_flag; see flags.c. */
uint32_t rda_flags_of(const struct rda_shown *shown);
const char *rda_flag_word(enum rda_flag flag);
void rda_flags_show(const struct rda_shown *shown, proto_tree *tree, uint32_t flags);

/* The line for the packet list, of the packet's memory; see info.c. */
const char *rda_info_text(const struct rda_shown *shown);

/* Whether somebody looks at the column Info; puts the line into it, in place of what is there. */
bool rda_info_is_column(const packet_info *pinfo);
void rda_info_write(const struct rda_shown *shown);

/* See key_tree.c. */
struct rda_frame_record;
void rda_tree_show_key(const struct rda_shown *shown, proto_tree *tree,
		       const struct rda_frame_record *record);

/* Commands of upper layers: see command_tree.c. */
void rda_commands_show(const struct rda_shown *shown, proto_tree *tree);

/* [RDMA analysis]: see analysis.c. */
void rda_analysis_show(const struct rda_shown *shown, proto_tree *tree);

/* ---- items ----------------------------------------------------------------------------------- */

/*
 * Items that no bytes of the frame stand for: marked as generated.
 */

proto_item *rda_tree_add_number(const struct rda_shown *shown, proto_tree *tree,
				enum rda_own_field field, uint64_t number);
void rda_tree_add_time(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		       int64_t ns);
void rda_tree_add_mark(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field);

/* Nothing is added of frame 0, and of no words. */
void rda_tree_add_frame(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
			uint64_t frame);
void rda_tree_add_words(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
			const char *words);

#endif
