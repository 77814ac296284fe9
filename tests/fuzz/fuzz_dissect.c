/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One frame through everything that dissectors/ offers.
 *
 *     link 1 | bytes on the wire but not captured 2 | a second cut 1 | frame
 *
 * Besides reads past the end, this finds packets whose description contradicts itself: layers that
 * lie outside the frame, a payload that does not end at the ICRC, a status without its fault. And a
 * frame that is right must, cut anywhere, be called cut: never malformed, never with other headers.
 */
#include "dissectors/rewrite.h"
#include "dissectors/icrc.h"
#include "dissectors/mad.h"
#include "dissectors/values.h"
#include "tests/fuzz/must.h"

enum { PREFIX = 4, ICRC_BYTES = 4 };

/* what was read goes here, so that no read is optimised away */
static volatile uint64_t sink;

static const struct rda_dissect_config config = {.ports = {4790, 0xbeef}, .port_count = 2};

/* One field, read as the listings read it: only when all of it was captured. */
static void read_field(const struct rda_frame *frame, const struct rda_layer *layer,
		       const struct rda_field *field)
{
	uint32_t begin = field->bit / 8u, end = (field->bit + field->width + 7u) / 8u;
	const uint8_t *header = frame->bytes + layer->offset;

	if (field->width == 0)
		end = layer->length > begin ? layer->length : begin;
	if (end > layer->length || layer->offset > frame->captured ||
	    end > frame->captured - layer->offset)
		return;
	if (rda_field_is_number(field)) {
		uint64_t value = rda_bits(header, field->bit, field->width);
		const char *words = rda_words((enum rda_value_set)field->values, value);

		RDA_MUST(field->width == 64 || value >> field->width == 0);
		sink += value + (words ? (uint64_t)words[0] : 0);
		return;
	}
	for (uint32_t i = begin; i < end; i++)
		sink += header[i];
}

static void read_layers(const struct rda_frame *frame, const struct rda_packet *packet)
{
	RDA_MUST(packet->layer_count <= RDA_MAX_LAYERS);
	for (unsigned i = 0; i < packet->layer_count; i++) {
		const struct rda_layer *layer = &packet->layers[i];

		RDA_MUST(layer->header < RDA_HEADER_COUNT);
		RDA_MUST(layer->offset + layer->length <= frame->wire);
		RDA_MUST(i == 0 || layer->offset > packet->layers[i - 1].offset);
		for (unsigned j = 0; j < rda_headers[layer->header].field_count; j++)
			read_field(frame, layer, &rda_headers[layer->header].fields[j]);
	}
}

static void check_status(const struct rda_frame *frame, const struct rda_packet *packet)
{
	bool malformed = false;

#define MALFORMED	       true
#define ODD		       false
#define RDA_X(ID, words, kind) malformed |= kind && packet->faults & 1u << RDA_FAULT_##ID;
	RDA_FAULTS(RDA_X)
#undef RDA_X
#undef MALFORMED
#undef ODD
	RDA_MUST(malformed == (packet->status == RDA_STATUS_MALFORMED));
	if (packet->status == RDA_STATUS_CUT)
		RDA_MUST(frame->captured < frame->wire);
	if (packet->status == RDA_STATUS_OK && packet->carrier != RDA_CARRIER_NONE)
		RDA_MUST(frame->captured >= packet->end_offset);
}

/* No BTH: TCP, or nothing that is decoded. */
static void check_segment(const struct rda_frame *frame, const struct rda_packet *packet)
{
	RDA_MUST(packet->present == 0 || packet->present == RDA_HAS(TCP));
	RDA_MUST(!packet->payload_known || packet->present);
	if (packet->payload_known)
		RDA_MUST(packet->payload_offset + packet->payload_length <= frame->wire);
}

static void check_transport(const struct rda_frame *frame, const struct rda_packet *packet)
{
	const struct rda_layer *bth = rda_find_layer(packet, RDA_BTH);

	RDA_MUST(packet->end_offset <= frame->wire);
	RDA_MUST((bth != NULL) == rda_has(packet, BTH));
	if (!bth) {
		check_segment(frame, packet);
		return;
	}
	RDA_MUST(packet->carrier != RDA_CARRIER_NONE);
	RDA_MUST(bth->offset == packet->bth_offset && packet->l3_offset < packet->bth_offset);
	RDA_MUST(packet->opcode == rda_opcode(packet->bth.opcode));
	RDA_MUST((packet->present & ~(packet->opcode->headers | RDA_HAS(BTH) | RDA_HAS(MAD))) == 0);
	if (!packet->payload_known)
		return;
	RDA_MUST(packet->payload_offset ==
		 packet->bth_offset + RDA_BTH_BYTES + packet->opcode->extension);
	RDA_MUST(packet->payload_offset + packet->payload_length + packet->bth.padcnt +
			 ICRC_BYTES ==
		 packet->end_offset);
}

static void check_crcs(const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_crc crc;

	if (rda_icrc(frame, packet, &crc))
		RDA_MUST(frame->captured >= packet->end_offset && !packet->fragment);
	if (rda_vcrc(frame, packet, &crc))
		RDA_MUST(frame->captured >= packet->end_offset + 2 && crc.computed <= 0xffff);
	sink += rda_ip4_checksum_fails(frame, packet);
}

static void check_management(const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_ip_cm ip_cm;
	struct rda_cm cm;

	if (rda_has(packet, MAD)) {
		const char *name = rda_mad_attribute(&packet->mad);

		sink += name ? (uint64_t)name[0] : 0;
	}
	if (rda_read_cm(frame, packet, &cm)) {
		const struct rda_header *header = &rda_headers[cm.id];

		RDA_MUST(cm.captured > 0 && cm.captured <= header->bytes);
		for (unsigned i = 0; i < header->field_count; i++)
			sink += rda_cm_knows(&cm, header->fields[i].member);
	}
	if (rda_read_ip_cm_of(frame, packet, &ip_cm))
		sink += ip_cm.source_port;
}

/* The same frame with less of it captured says the same, as far as it goes. */
static void check_cut(const struct rda_frame *whole, const struct rda_packet *packet,
		      uint8_t choice)
{
	uint32_t captured = (uint32_t)((uint64_t)whole->captured * choice / 256);
	struct rda_frame frame = rda_frame_copy(whole->bytes, captured, whole->wire, whole->link);
	struct rda_packet cut;

	rda_dissect(&cut, &frame, &config);
	RDA_MUST(cut.status != RDA_STATUS_MALFORMED);
	RDA_MUST(cut.layer_count <= packet->layer_count);
	for (unsigned i = 0; i < cut.layer_count; i++) {
		RDA_MUST(cut.layers[i].header == packet->layers[i].header);
		RDA_MUST(cut.layers[i].offset == packet->layers[i].offset);
		RDA_MUST(cut.layers[i].length == packet->layers[i].length);
	}
	RDA_MUST((cut.present & ~packet->present) == 0);
	if (rda_has(&cut, BTH)) {
		RDA_MUST(cut.end_offset == packet->end_offset);
		RDA_MUST(cut.payload_known == packet->payload_known);
		RDA_MUST(cut.payload_length == packet->payload_length);
	}
	check_transport(&frame, &cut);
	rda_frame_free(&frame);
}

static void no_secret(void *context, enum rda_secret kind, uint8_t *bytes, unsigned length)
{
	(void)context;
	RDA_MUST(kind < RDA_SECRET_COUNT && length >= 2 && length <= 16);
	memset(bytes, 0, length);
}

/* Written anew it has the same layers, and stays within its bytes. */
static void check_rewrite(const struct rda_frame *frame, const struct rda_packet *packet)
{
	static const struct rda_rewrite rewrite = {.secret = no_secret};
	struct rda_frame anew =
		rda_frame_copy(frame->bytes, frame->captured, frame->wire, frame->link);
	struct rda_packet again;

	rda_rewrite((uint8_t *)(uintptr_t)anew.bytes, frame, &config, &rewrite);
	rda_dissect(&again, &anew, &config);
	RDA_MUST(again.end_offset == packet->end_offset);
	rda_frame_free(&anew);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rda_packet packet;
	struct rda_frame frame;
	uint32_t captured;

	if (size < PREFIX || size > UINT16_MAX)
		return 0;
	captured = (uint32_t)size - PREFIX;
	frame = rda_frame_copy(data + PREFIX, captured, captured + rda_be16(data + 1),
			       rda_link_of_byte(data[0]));
	memset(&packet, data[3], sizeof(packet)); /* what the last packet left must not matter */
	rda_dissect(&packet, &frame, &config);
	read_layers(&frame, &packet);
	check_status(&frame, &packet);
	check_transport(&frame, &packet);
	check_crcs(&frame, &packet);
	check_management(&frame, &packet);
	check_rewrite(&frame, &packet);
	if (packet.status == RDA_STATUS_OK)
		check_cut(&frame, &packet, data[3]);
	rda_frame_free(&frame);
	return 0;
}
