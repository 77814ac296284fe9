/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The FPDUs and start frames of iWARP that ended in a frame, each with its headers. Their bytes may
 * be of several segments, with markers between them: they are shown in a tab of their own.
 */
#include "plugin/tree.h"
#include "plugin/session.h"

#include "analyzer/report/describe.h"

#include <string.h>

/* One of them, and where its head is in the tab. */
struct showing {
	struct rda_shown shown;
	struct rda_source_frame source;
	const struct rda_fpdu_record *fpdu;
	uint32_t offset;
};

/* ---- headers -------------------------------------------------------------------------------- */

static uint32_t add(const struct showing *s, proto_tree *tree, enum rda_header_id id,
		    uint32_t offset)
{
	struct rda_layer layer = {.header = (uint8_t)id,
				  .offset = s->offset + offset,
				  .length = rda_headers[id].bytes};

	if (offset + layer.length > s->fpdu->head_bytes)
		return offset;
	rda_tree_add_header(&s->shown, tree, &layer);
	return offset + layer.length;
}

static void add_stag(const struct showing *s, proto_tree *tree, uint32_t stag)
{
	proto_item_set_hidden(
		proto_tree_add_uint(tree, rda_own_hf[RDA_OWN_STAG], s->shown.tvb, 0, 0, stag));
}

static void add_stags(const struct showing *s, proto_tree *tree, const struct rda_ulpdu *u)
{
	if (u->present & RDA_HAS(DDP_TAGGED))
		add_stag(s, tree, u->ddp_tagged.stag);
	if (u->present & RDA_HAS(RDMAP_READ)) {
		add_stag(s, tree, u->read.sink_stag);
		add_stag(s, tree, u->read.source_stag);
	}
	if (u->present & RDA_HAS(RDMAP_ATOMIC))
		add_stag(s, tree, u->atomic.stag);
	if (u->present & RDA_HAS(DDP_UNTAGGED) &&
	    (u->opcode == RDA_RDMAP_OPCODE_SEND_INV || u->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV))
		add_stag(s, tree, u->ddp_untagged.invalidate_stag);
}

static void add_crc(const struct showing *s, proto_tree *tree)
{
	static const char *const words[] = {[RDA_MPA_CRC_OFF] = "Off",
					    [RDA_MPA_CRC_GOOD] = "Good",
					    [RDA_MPA_CRC_BAD] = "Bad",
					    [RDA_MPA_CRC_NOT_CHECKABLE] = "Not checkable"};
	const struct rda_fpdu_record *fpdu = s->fpdu;

	rda_tree_add_words(&s->shown, tree, RDA_OWN_MPA_CRC_STATUS, words[fpdu->crc]);
	if (fpdu->crc != RDA_MPA_CRC_BAD)
		return;
	rda_tree_add_number(&s->shown, tree, RDA_OWN_MPA_CRC, fpdu->crc_stored);
	rda_tree_add_number(&s->shown, tree, RDA_OWN_MPA_CRC_COMPUTED, fpdu->crc_computed);
}

static void add_ulpdu(const struct showing *s, proto_tree *tree, const struct rda_ulpdu *u)
{
	static const enum rda_header_id behind[] = {RDA_RDMAP_READ, RDA_RDMAP_ATOMIC,
						    RDA_RDMAP_ATOMIC_ACK, RDA_RDMAP_TERMINATE};
	uint32_t offset = add(s, tree, RDA_FPDU, 0);

	offset = add(s, tree, u->tagged ? RDA_DDP_TAGGED : RDA_DDP_UNTAGGED, offset);
	for (unsigned i = 0; i < G_N_ELEMENTS(behind); i++)
		if (u->present & UINT64_C(1) << behind[i])
			add(s, tree, behind[i], offset);
	add_stags(s, tree, u);
	if (u->present & RDA_HAS(RDMAP_TERMINATE))
		rda_tree_add_words(&s->shown, tree, RDA_OWN_TERMINATE,
				   rda_terminate_words(u->terminate.layer, u->terminate.type,
						       u->terminate.code));
	rda_tree_add_number(&s->shown, tree, RDA_OWN_PAYLOAD, u->payload_length);
	for (unsigned i = 0; i < RDA_ULPDU_FAULT_COUNT; i++)
		if (u->faults & 1u << i)
			rda_tree_add_words(&s->shown, tree, RDA_OWN_FAULT,
					   rda_ulpdu_fault_words((enum rda_ulpdu_fault)i));
	proto_item_set_generated(proto_tree_add_boolean(tree, rda_own_hf[RDA_OWN_MPA_MARKERS],
							s->shown.tvb, 0, 0, s->fpdu->markers));
	if (s->fpdu->bad_markers)
		rda_tree_add_number(&s->shown, tree, RDA_OWN_MPA_BAD_MARKERS, s->fpdu->bad_markers);
	add_crc(s, tree);
}

/* ---- analysis ------------------------------------------------------------------------------- */

static void add_times(const struct showing *s, proto_tree *tree)
{
	const struct rda_frame_record *this = rda_session_record(s->source.meta.number), *other;

	rda_tree_add_frame(&s->shown, tree, RDA_OWN_ANSWERS, s->fpdu->answers);
	other = s->fpdu->answers ? rda_session_record(s->fpdu->answers) : NULL;
	if (other && this)
		rda_tree_add_time(&s->shown, tree, RDA_OWN_ACK_RTT, this->time_ns - other->time_ns);
	rda_tree_add_frame(&s->shown, tree, RDA_OWN_ANSWERED_BY, s->fpdu->answered_by);
	other = s->fpdu->answered_by ? rda_session_record(s->fpdu->answered_by) : NULL;
	if (other && this)
		rda_tree_add_time(&s->shown, tree, RDA_OWN_ANSWER_TIME,
				  other->time_ns - this->time_ns);
}

static void add_message(const struct showing *s, proto_tree *tree)
{
	const struct rda_fpdu_record *fpdu = s->fpdu;

	if (fpdu->message_known) {
		rda_tree_add_number(&s->shown, tree, RDA_OWN_MESSAGE, fpdu->message);
		rda_tree_add_frame(&s->shown, tree, RDA_OWN_MESSAGE_FIRST, fpdu->message_frame);
		if (fpdu->message_bytes >= 0)
			rda_tree_add_number(&s->shown, tree, RDA_OWN_MESSAGE_BYTES,
					    (uint64_t)fpdu->message_bytes);
	}
	if (fpdu->reads_known)
		rda_tree_add_number(&s->shown, tree, RDA_OWN_READS_OUTSTANDING,
				    fpdu->reads_outstanding);
}

static uint32_t flags_of(const struct showing *s)
{
	const struct rda_fpdu_record *fpdu = s->fpdu;
	const uint8_t *head = rda_records_head(rda_session_records(), fpdu);
	uint32_t flags = fpdu->crc == RDA_MPA_CRC_BAD ? 1u << RDA_FLAG_DAMAGED : 0;
	struct rda_ulpdu u;

	rda_read_ulpdu(&u, head + 2, fpdu->head_bytes - 2u, (uint16_t)(head[0] << 8 | head[1]));
	return u.faults ? flags | 1u << RDA_FLAG_MALFORMED : flags;
}

static void add_analysis(const struct showing *s, proto_tree *tree)
{
	struct rda_verdict verdict = {RDA_ICRC_NOT_CHECKABLE, -1, -1};
	proto_item *item;

	tree = proto_tree_add_subtree(tree, s->shown.tvb, 0, 0, rda_ett[RDA_ETT_ANALYSIS], &item,
				      "RDMA analysis");
	proto_item_set_generated(item);
	if (rda_session_is_finished())
		verdict = rda_result_place_of(rda_session_result(), &s->fpdu->flow->key);
	rda_tree_add_stream(&s->shown, tree,
			    rda_streams_of(&rda_session_records()->streams, s->fpdu->flow->index),
			    verdict);
	if (s->fpdu->is_start)
		return;
	rda_flags_show(&s->shown, tree, flags_of(s));
	if (s->fpdu->first_frame != s->source.meta.number)
		rda_tree_add_frame(&s->shown, tree, RDA_OWN_MPA_FIRST_FRAME, s->fpdu->first_frame);
	add_times(s, tree);
	add_message(s, tree);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void show(const struct showing *s, proto_tree *tree, proto_item *title)
{
	const struct rda_fpdu_record *fpdu = s->fpdu;
	const uint8_t *head = rda_records_head(rda_session_records(), fpdu);
	struct rda_ulpdu u;
	const char *name;

	if (fpdu->is_start) {
		name = fpdu->is_reply ? "MPA Reply" : "MPA Request";
	} else {
		rda_read_ulpdu(&u, head + 2, fpdu->head_bytes - 2u,
			       (uint16_t)(head[0] << 8 | head[1]));
		name = rda_rdmap_operation(u.opcode)->name;
	}
	proto_item_append_text(title, ", %s", name);
	tree = proto_tree_add_subtree_format(tree, s->shown.tvb, (int)s->offset, fpdu->head_bytes,
					     rda_ett[RDA_ETT_FPDU], NULL, "%s", name);
	add_analysis(s, tree);
	if (fpdu->is_start)
		add(s, tree, RDA_MPA_DEPTHS, add(s, tree, RDA_MPA_START, 0));
	else
		add_ulpdu(s, tree, &u);
}

/* The heads of all that ended in the frame, one behind the other. */
static tvbuff_t *heads_of(const struct rda_shown *shown, uint32_t first)
{
	const struct rda_records *records = rda_session_records();
	const struct rda_fpdu_record *fpdu;
	uint32_t length = 0, offset = 0;
	tvbuff_t *tvb;
	uint8_t *bytes;

	for (uint32_t i = first; (fpdu = rda_records_fpdu(records, i)); i = fpdu->next)
		length += fpdu->head_bytes;
	bytes = wmem_alloc(shown->pinfo->pool, length + 1);
	for (uint32_t i = first; (fpdu = rda_records_fpdu(records, i)); i = fpdu->next) {
		memcpy(bytes + offset, rda_records_head(records, fpdu), fpdu->head_bytes);
		offset += fpdu->head_bytes;
	}
	tvb = tvb_new_child_real_data(shown->tvb, bytes, length, (int)length);
	add_new_data_source(shown->pinfo, tvb, "FPDU headers");
	return tvb;
}

void rda_fpdus_show(const struct rda_shown *shown, proto_tree *tree, proto_item *title)
{
	const struct rda_frame_record *record = rda_session_record(shown->source->meta.number);
	struct showing s = {.shown = *shown, .source = *shown->source};

	if (tree && !(record && record->fpdu) && rda_session_part(shown->source->meta.number))
		proto_item_append_text(title, ", iWARP, part of an FPDU");
	if (!tree || !record || !record->fpdu)
		return;
	s.shown.tvb = heads_of(shown, record->fpdu);
	s.shown.source = &s.source;
	s.source.before = 0;
	s.source.frame.captured = s.source.frame.wire = tvb_captured_length(s.shown.tvb);
	s.source.frame.bytes = tvb_get_ptr(s.shown.tvb, 0, -1);
	proto_item_append_text(title, ", iWARP");
	for (uint32_t i = record->fpdu; (s.fpdu = rda_records_fpdu(rda_session_records(), i));
	     i = s.fpdu->next) {
		show(&s, tree, title);
		s.offset += s.fpdu->head_bytes;
	}
}
