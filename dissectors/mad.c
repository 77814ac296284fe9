/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Management datagrams (IBTA vol 1, ch. 13: 256 bytes, 24 of common header) and, in those of class
 * CM, the connection management message (ch. 12) with the RDMA IP CM service's private data (annex
 * A11).
 *
 *     MAD 24 | CM message: fixed part | private data, to byte 256 of the MAD
 *                                       IP CM 36 | the consumer's data
 *
 * Snap lengths cut CM messages as a rule, and their first fields are the ones that matter, so a
 * message is noted as a layer as soon as any of it was captured; rda_read_cm says how much.
 * Attributes of the other classes are named (rda_mad_attribute), their bodies are not decoded.
 */
#include "dissectors/mad.h"
#include "dissectors/values.h"
#include "dissectors/walk.h"

enum { MAD_TOTAL_BYTES = 256 };

/* the header that a CM attribute announces, or RDA_HEADER_COUNT */
static enum rda_header_id header_of_attribute(uint16_t attribute)
{
	switch (attribute) {
#define RDA_M(ID, id)                                                                              \
	case RDA_CM_ATTRIBUTE_##ID: return RDA_CM_##ID;
		RDA_CM_MESSAGES(RDA_M)
#undef RDA_M
	default: return RDA_HEADER_COUNT;
	}
}

bool rda_cm_knows(const struct rda_cm *cm, const char *member)
{
	const struct rda_header *header = &rda_headers[cm->id];

	for (unsigned i = 0; i < header->field_count; i++) {
		const struct rda_field *field = &header->fields[i];

		if (strcmp(field->member, member) == 0)
			return (field->bit + field->width + 7u) / 8 <= cm->captured;
	}
	return false;
}

/* Where the private data begins when it is the RDMA IP CM service's, else 0. */
static uint32_t ip_cm_offset(const struct rda_cm *cm)
{
	if (cm->id == RDA_CM_REQ && rda_cm_knows(cm, "service_id") &&
	    rda_ip_cm_port(cm->cm_req.service_id) >= 0)
		return RDA_CM_REQ_BYTES;
	if (cm->id == RDA_CM_SIDR_REQ && rda_cm_knows(cm, "service_id") &&
	    rda_ip_cm_port(cm->cm_sidr_req.service_id) >= 0)
		return RDA_CM_SIDR_REQ_BYTES;
	return 0;
}

/* Reads a message of which `c` may hold only the beginning: what is not there reads as zeros. */
static void read_cm(struct rda_cursor *c, enum rda_header_id id, struct rda_cm *cm)
{
	uint8_t padded[MAD_TOTAL_BYTES] = {0};
	uint32_t captured = rda_cursor_captured_left(c);
	struct rda_cursor whole = {padded, 0, sizeof(padded), sizeof(padded)};

	if (captured > rda_headers[id].bytes)
		captured = rda_headers[id].bytes;
	memcpy(padded, rda_cursor_take(c, captured), captured);
	cm->id = (uint8_t)id;
	cm->captured = (uint16_t)captured;
	switch (id) {
#define RDA_M(ID, id)                                                                              \
	case RDA_CM_##ID: rda_read_cm_##id(&whole, &cm->cm_##id); break;
		RDA_CM_MESSAGES(RDA_M)
#undef RDA_M
	default: break;
	}
}

static void note_cm(struct rda_walk *w, enum rda_header_id id, uint32_t length)
{
	uint32_t offset = w->cursor.offset, ip_cm;
	struct rda_cm cm;

	if (rda_cursor_captured_left(&w->cursor) == 0) {
		rda_walk_stop(w, rda_headers[id].bytes);
		return;
	}
	rda_walk_add_layer(w, id, offset, length);
	read_cm(&w->cursor, id, &cm);
	if (cm.captured < rda_headers[id].bytes) {
		rda_walk_stop(w, rda_headers[id].bytes - cm.captured);
		return;
	}
	ip_cm = ip_cm_offset(&cm);
	if (ip_cm && length >= ip_cm + RDA_IP_CM_BYTES)
		rda_walk_add_layer(w, RDA_IP_CM, offset + ip_cm, length - ip_cm);
}

void rda_walk_mad(struct rda_walk *w)
{
	struct rda_packet *packet = w->packet;
	uint32_t offset = w->cursor.offset;
	enum rda_header_id id;

	if (!rda_read_mad(&w->cursor, &packet->mad)) {
		rda_walk_stop(w, RDA_MAD_BYTES);
		return;
	}
	packet->present |= RDA_HAS(MAD);
	rda_walk_add_layer(w, RDA_MAD, offset, RDA_MAD_BYTES);
	if (packet->mad.mgmt_class != RDA_MAD_CLASS_CM)
		return;
	id = header_of_attribute(packet->mad.attribute);
	if (id == RDA_HEADER_COUNT)
		return;
	rda_cursor_limit(&w->cursor, MAD_TOTAL_BYTES - RDA_MAD_BYTES);
	note_cm(w, id, rda_cursor_wire_left(&w->cursor));
}

/* Where a packet's CM message is; false: it has none, or none of it was captured. */
static bool find_cm(const struct rda_frame *frame, const struct rda_packet *packet, uint8_t *id,
		    struct rda_cursor *c)
{
	const struct rda_layer *layer = packet->layers;
	const struct rda_layer *end = layer + packet->layer_count;

	if (!rda_has(packet, MAD))
		return false;
	while (layer < end && !(layer->header >= RDA_CM_REQ && layer->header <= RDA_CM_APR))
		layer++;
	if (layer == end || layer->offset >= frame->captured)
		return false;
	*id = layer->header;
	*c = (struct rda_cursor){frame->bytes, layer->offset, frame->captured, frame->wire};
	rda_cursor_limit(c, layer->length);
	return true;
}

bool rda_read_cm(const struct rda_frame *frame, const struct rda_packet *packet, struct rda_cm *cm)
{
	struct rda_cursor c;
	uint8_t id;

	if (!find_cm(frame, packet, &id, &c))
		return false;
	read_cm(&c, id, cm);
	return true;
}

bool rda_cm_private_data(const struct rda_frame *frame, const struct rda_packet *packet,
			 const struct rda_cm *cm, struct rda_cursor *private_data, bool *ip_cm)
{
	uint32_t fixed = rda_headers[cm->id].bytes;
	uint8_t id;

	*ip_cm = ip_cm_offset(cm) != 0;
	return find_cm(frame, packet, &id, private_data) &&
	       rda_cursor_take(private_data, fixed + (*ip_cm ? RDA_IP_CM_BYTES : 0)) &&
	       rda_cursor_captured_left(private_data) != 0;
}

const char *rda_mad_attribute(const struct rda_mad *mad)
{
	switch (mad->mgmt_class) {
	case RDA_MAD_CLASS_SUBN_LID:
	case RDA_MAD_CLASS_SUBN_DIRECTED: return rda_words(RDA_SET_SM_ATTRIBUTE, mad->attribute);
	case RDA_MAD_CLASS_SUBN_ADM: return rda_words(RDA_SET_SA_ATTRIBUTE, mad->attribute);
	case RDA_MAD_CLASS_PERF: return rda_words(RDA_SET_PERF_ATTRIBUTE, mad->attribute);
	case RDA_MAD_CLASS_CM: return rda_words(RDA_SET_CM_ATTRIBUTE, mad->attribute);
	default: return NULL;
	}
}

const char *rda_ip_cm_protocol(uint64_t service_id)
{
	const char *name = rda_words(RDA_SET_IP_PROTO, service_id >> 16 & 0xff);

	if (rda_ip_cm_port(service_id) < 0)
		return NULL;
	return name ? name : "IP";
}
