/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields are found by the dissector's layers and the tables of headers.def, so that nothing here
 * knows an offset.
 */
#include "tests/simulate/rewrite.h"

#include "dissectors/icrc.h"
#include "dissectors/link.h"

#include <glib.h>
#include <string.h>

void sim_edit_begin(struct sim_edit *edit, struct sim_capture *capture, uint32_t index)
{
	const struct sim_frame *f = &capture->frames[index];
	struct rda_crc crc;

	edit->bytes = capture->store + f->offset;
	edit->frame = (struct rda_frame){edit->bytes, f->captured, f->wire, RDA_LINK_ETHERNET};
	rda_dissect(&edit->packet, &edit->frame, NULL);
	edit->checked = rda_icrc(&edit->frame, &edit->packet, &crc);
	edit->error = edit->checked ? crc.stored ^ crc.computed : 0;
}

void sim_edit_end(struct sim_edit *edit)
{
	uint8_t *icrc = edit->bytes + edit->packet.end_offset - 4;
	struct rda_crc crc;

	rda_dissect(&edit->packet, &edit->frame, NULL);
	if (!edit->checked || !rda_icrc(&edit->frame, &edit->packet, &crc))
		return;
	crc.computed ^= edit->error;
	for (unsigned i = 0; i < 4; i++) /* least significant byte first */
		icrc[i] = (uint8_t)(crc.computed >> 8 * i);
}

/* ---- fields ---------------------------------------------------------------------------------- */

typedef uint32_t new_value(uint32_t value, const void *context);

/* Changes a field of whole bytes in each layer of a kind, where the capture has all of it. */
static void change(struct sim_edit *edit, enum rda_header_id header, const char *member,
		   new_value *value, const void *context)
{
	const struct rda_header *row = &rda_headers[header];

	for (unsigned i = 0; i < edit->packet.layer_count; i++)
		for (unsigned j = 0; j < row->field_count; j++) {
			const struct rda_layer *layer = &edit->packet.layers[i];
			const struct rda_field *field = &row->fields[j];
			uint32_t at = layer->offset + field->bit / 8, bytes = field->width / 8, v;

			if (layer->header != header || strcmp(field->member, member) != 0 ||
			    at + bytes > edit->frame.captured)
				continue;
			v = (uint32_t)rda_bits(edit->bytes + layer->offset, field->bit,
					       field->width);
			v = value(v, context);
			for (uint32_t k = 0; k < bytes; k++)
				edit->bytes[at + k] = (uint8_t)(v >> 8 * (bytes - 1 - k));
		}
}

static uint32_t added(uint32_t value, const void *context)
{
	return (value + *(const uint32_t *)context) & 0xffffff;
}

static uint32_t exchanged(uint32_t value, const void *context)
{
	const uint32_t *qpn = context;

	return value == qpn[0] ? qpn[1] : value == qpn[1] ? qpn[0] : value;
}

static void exchange_bytes(uint8_t *a, uint8_t *b, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		uint8_t kept = a[i];

		a[i] = b[i];
		b[i] = kept;
	}
}

/* ---- captures -------------------------------------------------------------------------------- */

void sim_copy(struct sim_capture *to, const struct sim_capture *from)
{
	*to = *from;
	to->frames = g_memdup2(from->frames, from->count * sizeof(*from->frames));
	to->store = g_memdup2(from->store, from->used);
	to->allocated = from->count;
	to->size = from->used;
}

void sim_shift_psns(struct sim_capture *capture, uint32_t add)
{
	for (uint32_t i = 0; i < capture->count; i++) {
		struct sim_edit edit;

		sim_edit_begin(&edit, capture, i);
		if (rda_has(&edit.packet, BTH) && edit.packet.opcode->roles & RDA_ROLE_CNP)
			continue; /* a CNP's is no PSN of the connection: always 0 */
		change(&edit, RDA_BTH, "psn", added, &add);
		change(&edit, RDA_CM_REQ, "starting_psn", added, &add);
		change(&edit, RDA_CM_REP, "starting_psn", added, &add);
		sim_edit_end(&edit);
	}
}

void sim_shift_times(struct sim_capture *capture, int64_t add_ns)
{
	for (uint32_t i = 0; i < capture->count; i++)
		capture->frames[i].time_ns += add_ns;
}

/* Only the two hosts talk: what one sends is what the other sent. */
void sim_swap_sides(struct sim_capture *capture, const uint32_t qpn[2])
{
	for (uint32_t i = 0; i < capture->count; i++) {
		struct sim_edit edit;

		sim_edit_begin(&edit, capture, i);
		exchange_bytes(edit.bytes, edit.bytes + 6, 6);
		exchange_bytes(edit.bytes + edit.packet.l3_offset + 12,
			       edit.bytes + edit.packet.l3_offset + 16, 4);
		change(&edit, RDA_BTH, "dest_qp", exchanged, qpn);
		change(&edit, RDA_CM_REQ, "local_qpn", exchanged, qpn);
		change(&edit, RDA_CM_REP, "local_qpn", exchanged, qpn);
		sim_edit_end(&edit);
	}
}

void sim_cut(struct sim_capture *capture, uint32_t bytes, bool management)
{
	for (uint32_t i = 0; i < capture->count; i++) {
		struct sim_edit edit;

		sim_edit_begin(&edit, capture, i);
		if (management || !rda_has(&edit.packet, MAD))
			capture->frames[i].captured = MIN(capture->frames[i].captured, bytes);
	}
}

/* The sum at `at` covers a word of which the upper byte becomes `to`: RFC 1624. */
static void adjust_sum(uint8_t *at, uint8_t from, uint8_t to)
{
	uint32_t sum = rda_be16(at) + 0xffffu + from * 0x0100u;

	sum = sum % 0xffff + 0xffffu - to * 0x0100u;
	sum = (sum & 0xffff) + (sum >> 16);
	at[0] = (uint8_t)(sum >> 8);
	at[1] = (uint8_t)sum;
}

/* The sum of TCP or UDP, which covers the addresses too; NULL: it has none, or it was cut off. */
static uint8_t *sum_above(const struct sim_edit *edit, uint8_t *ip)
{
	uint8_t *above = ip + 4 * (ip[0] & 15u);
	uint8_t *sum = ip[9] == 6 ? above + 16 : ip[9] == 17 ? above + 6 : NULL;

	if (!sum || sum + 2 > edit->bytes + edit->frame.captured)
		return NULL;
	return ip[9] == 6 || sum[0] || sum[1] ? sum : NULL;
}

void sim_place_hosts(struct sim_capture *capture, uint8_t number, bool shared)
{
	for (uint32_t i = 0; i < capture->count; i++) {
		struct sim_edit edit;
		uint8_t *ip, *above;

		sim_edit_begin(&edit, capture, i);
		ip = edit.bytes + edit.packet.l3_offset;
		if (!edit.packet.l3_offset || ip + 20 > edit.bytes + edit.frame.captured ||
		    ip[0] >> 4 != 4)
			continue;
		above = sum_above(&edit, ip);
		for (unsigned end = 0; end < 2; end++) { /* source, destination */
			uint8_t *octet = ip + 14 + 4 * end;

			if (shared && octet[1] == 1)
				continue;
			edit.bytes[end ? 4 : 10] = number;
			adjust_sum(ip + 10, *octet, number);
			if (above)
				adjust_sum(above, *octet, number);
			*octet = number;
		}
		sim_edit_end(&edit);
	}
}

void sim_watch(struct sim_capture *capture, int64_t time_ns)
{
	static const uint8_t other[60] = {[5] = 1, [11] = 2, [12] = 0x88, [13] = 0xb5};
	bool first = capture->count && time_ns < capture->frames[0].time_ns;
	struct sim_frame *frame;

	capture->allocated = ++capture->count;
	capture->size = capture->used + sizeof(other);
	capture->frames = g_renew(struct sim_frame, capture->frames, capture->count);
	capture->store = g_realloc(capture->store, capture->size);
	memcpy(capture->store + capture->used, other, sizeof(other));
	frame = &capture->frames[capture->count - 1];
	if (first) {
		frame = capture->frames;
		memmove(frame + 1, frame, (capture->count - 1) * sizeof(*frame));
	}
	*frame = (struct sim_frame){time_ns, capture->used, sizeof(other), sizeof(other)};
	capture->used = capture->size;
}

void sim_merge(struct sim_capture *to, const struct sim_capture *a, const struct sim_capture *b,
	       int32_t **places)
{
	uint32_t i = 0, j = 0;

	*to = (struct sim_capture){
		.frames = g_new(struct sim_frame, a->count + b->count),
		.store = g_malloc(a->used + b->used),
		.allocated = a->count + b->count,
		.used = a->used + b->used,
		.size = a->used + b->used,
	};
	*places = g_new(int32_t, a->count + b->count + 1);
	if (a->used) /* none of an empty one */
		memcpy(to->store, a->store, a->used);
	memcpy(to->store + a->used, b->store, b->used);
	while (i < a->count || j < b->count) {
		bool first = j == b->count ||
			     (i < a->count && a->frames[i].time_ns <= b->frames[j].time_ns);
		struct sim_frame *frame = &to->frames[to->count];

		(*places)[to->count++] = first ? (int32_t)i + 1 : -(int32_t)j - 1;
		*frame = first ? a->frames[i++] : b->frames[j++];
		if (!first)
			frame->offset += a->used;
	}
}
