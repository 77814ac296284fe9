/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The headers of a packet as a tree, and its checksums. What the capture was cut before is left
 * out; the status says so.
 */
#include "plugin/tree.h"

#include "analyzer/report/headers_walk.h"
#include "analyzer/track/roce/icrc_source.h"
#include "dissectors/icrc.h"
#include "plugin/fields.h"
#include "plugin/protocol.h"
#include "plugin/session.h"

#include <inttypes.h>
#include <string.h>

/* Where bytes of the engine's frame are in Wireshark's: `before` is not there. */
struct place {
	int offset, length;
};

static struct place place_of(const struct rda_shown *shown, uint32_t offset, uint32_t length)
{
	uint32_t captured = tvb_captured_length(shown->tvb);
	struct place place = {0, 0};

	if (offset < shown->source->before)
		return place;
	offset -= shown->source->before;
	if (offset > captured)
		return place;
	place.offset = (int)offset;
	place.length = (int)MIN(length, captured - offset);
	return place;
}

/* ---- headers -------------------------------------------------------------------------------- */

static void add_value(const struct rda_shown *shown, proto_tree *tree, int hf, struct place place,
		      const struct rda_field_value *value)
{
	tvbuff_t *tvb = shown->tvb;

	switch (value->field->show) {
	case RDA_SHOW_FLAG:
		proto_tree_add_boolean(tree, hf, tvb, place.offset, place.length,
				       value->number != 0);
		break;
	case RDA_SHOW_DEC:
	case RDA_SHOW_HEX:
		if (value->field->width > 32)
			proto_tree_add_uint64(tree, hf, tvb, place.offset, place.length,
					      value->number);
		else
			proto_tree_add_uint(tree, hf, tvb, place.offset, place.length,
					    (uint32_t)value->number);
		break;
	default: /* addresses and bytes: read from where they lie */
		proto_tree_add_item(tree, hf, tvb, place.offset, place.length, ENC_BIG_ENDIAN);
	}
}

void rda_tree_add_header(const struct rda_shown *shown, proto_tree *tree,
			 const struct rda_layer *layer)
{
	const struct rda_header *header = &rda_headers[layer->header];
	struct place place = place_of(shown, layer->offset, layer->length);
	proto_tree *subtree;

	subtree = proto_item_add_subtree(
		proto_tree_add_item(tree, rda_field_header_hf((enum rda_header_id)layer->header),
				    shown->tvb, place.offset, place.length, ENC_NA),
		rda_ett[layer->header]);
	for (unsigned i = 0; i < header->field_count; i++) {
		const struct rda_field *field = &header->fields[i];
		uint32_t begin = field->bit / 8u, end = (field->bit + field->width + 7u) / 8u;
		struct rda_field_value value;

		rda_read_field_value(&value, &shown->source->frame, layer, field);
		if (!value.known || (!rda_field_is_number(field) && !value.length))
			continue;
		if (!rda_field_is_number(field))
			end = begin + value.length;
		place = place_of(shown, layer->offset + begin, end - begin);
		add_value(shown, subtree, rda_field_hf((enum rda_header_id)layer->header, i), place,
			  &value);
	}
}

/* The key under the name that people type, whichever header has it. */
static void add_key(const struct rda_shown *shown, proto_tree *tree)
{
	const struct rda_packet *packet = shown->packet;
	uint32_t key;

	if (rda_has(packet, RETH))
		key = packet->reth.rkey;
	else if (rda_has(packet, ATOMICETH))
		key = packet->atomiceth.rkey;
	else if (rda_has(packet, IETH))
		key = packet->ieth.rkey;
	else
		return;
	proto_item_set_hidden(
		proto_tree_add_uint(tree, rda_own_hf[RDA_OWN_RKEY], shown->tvb, 0, 0, key));
}

/* ---- checksums ------------------------------------------------------------------------------ */

/*
 * What is known for good: an ICRC that fails may be one that the NIC puts in later, which only the
 * others of its sender can tell.
 */
static const char *icrc_words(const struct rda_shown *shown)
{
	const struct rda_frame *frame = &shown->source->frame;

	if (rda_session_is_finished()) {
		switch (shown->verdict.icrc) {
		case RDA_ICRC_GOOD: return "Good";
		case RDA_ICRC_BAD: return "Bad";
		case RDA_ICRC_ABSENT: return "Absent";
		default: return "Not checkable";
		}
	}
	switch (rda_icrc_check(frame, shown->packet)) {
	case RDA_ICRC_CHECK_NONE: return "Not checkable";
	case RDA_ICRC_CHECK_MATCH: return "Good";
	case RDA_ICRC_CHECK_DAMAGED: return "Bad";
	default: return NULL;
	}
}

static void add_checksums(const struct rda_shown *shown, proto_tree *tree)
{
	const struct rda_frame *frame = &shown->source->frame;
	const struct rda_packet *packet = shown->packet;
	struct place place;
	struct rda_crc crc;

	if (packet->end_offset >= 4 && frame->captured >= packet->end_offset) {
		place = place_of(shown, packet->end_offset - 4, 4);
		proto_tree_add_uint(tree, rda_own_hf[RDA_OWN_ICRC], shown->tvb, place.offset,
				    place.length, rda_icrc_stored(frame, packet));
	}
	rda_tree_add_words(shown, tree, RDA_OWN_ICRC_STATUS, icrc_words(shown));
	if (rda_vcrc(frame, packet, &crc))
		rda_tree_add_words(shown, tree, RDA_OWN_VCRC_STATUS,
				   crc.stored == crc.computed ? "Good" : "Bad");
}

static void add_status(const struct rda_shown *shown, proto_tree *tree)
{
	static const char *const words[] = {[RDA_STATUS_OK] = NULL,
					    [RDA_STATUS_CUT] = "Cut by the capture",
					    [RDA_STATUS_MALFORMED] = "Malformed"};
	const struct rda_packet *packet = shown->packet;

	rda_tree_add_words(shown, tree, RDA_OWN_STATUS, words[packet->status]);
	for (unsigned i = 0; i < RDA_FAULT_COUNT; i++)
		if (packet->faults & 1u << i)
			rda_tree_add_words(shown, tree, RDA_OWN_FAULT,
					   rda_fault_words((enum rda_fault)i));
}

/* ---- the whole ------------------------------------------------------------------------------ */

static proto_tree *add_title(const struct rda_shown *shown, proto_tree *tree, proto_item **title)
{
	const struct rda_packet *packet = shown->packet;
	proto_item *item = proto_tree_add_item(tree, rda_protocol, shown->tvb, 0, 0, ENC_NA);

	if (rda_has(packet, BTH))
		proto_item_append_text(item, ", %s, QP 0x%06" PRIx32 ", PSN %" PRIu32,
				       packet->opcode->name, packet->bth.dest_qp, packet->bth.psn);
	*title = item;
	return proto_item_add_subtree(item, rda_ett[RDA_ETT_RDMA]);
}

/* In the packet's headers; the analysis stands before them, as it is what people look for. */
static void show_headers(const struct rda_shown *shown, proto_tree *tree)
{
	const struct rda_packet *packet = shown->packet;

	for (unsigned i = 0; i < packet->layer_count; i++)
		if (packet->layers[i].header >= RDA_FIRST_SHOWN)
			rda_tree_add_header(shown, tree, &packet->layers[i]);
	if (packet->carrier == RDA_CARRIER_NONE)
		return;
	add_key(shown, tree);
	if (packet->payload_known)
		rda_tree_add_number(shown, tree, RDA_OWN_PAYLOAD, packet->payload_length);
	add_checksums(shown, tree);
	add_status(shown, tree);
}

void rda_tree_show(const struct rda_shown *shown, proto_tree *tree)
{
	proto_item *title;

	if (!tree) {
		rda_analysis_show(shown, NULL);
		return;
	}
	tree = add_title(shown, tree, &title);
	if (shown->info)
		proto_item_set_hidden(proto_tree_add_string(tree, rda_own_hf[RDA_OWN_INFO],
							    shown->tvb, 0, 0, shown->info));
	rda_analysis_show(shown, tree);
	rda_commands_show(shown, tree);
	rda_fpdus_show(shown, tree, title);
	show_headers(shown, tree);
}

/* ---- items that no bytes of the frame stand for ---------------------------------------------- */

proto_item *rda_tree_add_number(const struct rda_shown *shown, proto_tree *tree,
				enum rda_own_field field, uint64_t number)
{
	int hf = rda_own_hf[field];
	proto_item *item;

	if (proto_registrar_get_ftype(hf) == FT_UINT64)
		item = proto_tree_add_uint64(tree, hf, shown->tvb, 0, 0, number);
	else
		item = proto_tree_add_uint(tree, hf, shown->tvb, 0, 0, (uint32_t)number);
	proto_item_set_generated(item);
	return item;
}

void rda_tree_add_time(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		       int64_t ns)
{
	nstime_t time = {.secs = (time_t)(ns / 1000000000), .nsecs = (int)(ns % 1000000000)};

	proto_item_set_generated(
		proto_tree_add_time(tree, rda_own_hf[field], shown->tvb, 0, 0, &time));
}

void rda_tree_add_mark(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field)
{
	proto_item_set_generated(
		proto_tree_add_item(tree, rda_own_hf[field], shown->tvb, 0, 0, ENC_NA));
}

void rda_tree_add_frame(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
			uint64_t frame)
{
	if (frame)
		rda_tree_add_number(shown, tree, field, frame);
}

void rda_tree_add_words(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
			const char *words)
{
	if (words)
		proto_item_set_generated(
			proto_tree_add_string(tree, rda_own_hf[field], shown->tvb, 0, 0, words));
}
