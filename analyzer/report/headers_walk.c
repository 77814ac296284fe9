/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the layers of a packet and the fields of their headers. See headers_walk.h.
 */
#include "analyzer/report/headers_walk.h"

#include "analyzer/base/address.h"
#include "analyzer/report/units.h"
#include "dissectors/aeth.h"
#include "dissectors/mad.h"
#include "dissectors/values.h"

#include <inttypes.h>
#include <string.h>

/* Words that depend on more than the field's own set. */
static const char *words_of(const struct rda_frame *frame, const struct rda_layer *layer,
			    const struct rda_field *field, uint64_t number)
{
	struct rda_cursor cursor = rda_layer_cursor(frame, layer);
	struct rda_mad mad;

	if (field->values != RDA_SET_NONE)
		return rda_words((enum rda_value_set)field->values, number);
	if (layer->header == RDA_BTH && strcmp(field->member, "opcode") == 0)
		return rda_opcode((uint8_t)number)->name;
	if (layer->header == RDA_MAD && strcmp(field->member, "attribute") == 0 &&
	    rda_read_mad(&cursor, &mad))
		return rda_mad_attribute(&mad);
	return NULL;
}

void rda_read_field_value(struct rda_field_value *value, const struct rda_frame *frame,
			  const struct rda_layer *layer, const struct rda_field *field)
{
	uint32_t begin = field->bit / 8u, end = (field->bit + field->width + 7u) / 8u;
	struct rda_cursor cursor = rda_layer_cursor(frame, layer);
	const uint8_t *bytes;

	if (field->width == 0) /* to the end of the layer */
		end = MAX(layer->length, begin);
	cursor.offset += begin;
	bytes = rda_cursor_take(&cursor, end - begin);
	*value = (struct rda_field_value){.field = field, .length = end - begin};
	value->known = bytes || value->length == 0; /* no options are no options, cut or not */
	if (!bytes)
		return;
	if (rda_field_is_number(field)) {
		value->number = rda_bits(bytes, field->bit % 8, field->width);
		value->words = words_of(frame, layer, field, value->number);
	} else {
		value->bytes = bytes;
	}
}

const struct rda_field *rda_find_field(enum rda_header_id id, const char *member)
{
	const struct rda_header *header = &rda_headers[id];

	for (unsigned i = 0; i < header->field_count; i++)
		if (strcmp(header->fields[i].member, member) == 0)
			return &header->fields[i];
	g_assert_not_reached();
}

/* ---- as text -------------------------------------------------------------------------------- */

static void append_bytes(GString *to, const uint8_t *bytes, uint32_t length)
{
	static const char digits[] = "0123456789abcdef";

	for (uint32_t i = 0; i < length; i++) {
		g_string_append_c(to, digits[bytes[i] >> 4]);
		g_string_append_c(to, digits[bytes[i] & 15]);
	}
}

/* A field that is no number, as machines and people read it. */
static void append_text(GString *to, const struct rda_field_value *value)
{
	char text[RDA_ADDRESS_TEXT];

	switch (value->field->show) {
	case RDA_SHOW_MAC: g_string_append(to, rda_address_mac_text(text, value->bytes)); break;
	case RDA_SHOW_IP4: g_string_append(to, rda_address_ip4_text(text, value->bytes)); break;
	case RDA_SHOW_IP6: g_string_append(to, rda_address_ip6_text(text, value->bytes)); break;
	default: append_bytes(to, value->bytes, value->length);
	}
}

void rda_field_value_text(GString *to, const struct rda_field_value *value)
{
	if (!value->known) {
		g_string_append(to, "cut");
		return;
	}
	switch (value->field->show) {
	case RDA_SHOW_FLAG: g_string_append(to, value->number ? "yes" : "no"); break;
	case RDA_SHOW_DEC: g_string_append_printf(to, "%" PRIu64, value->number); break;
	case RDA_SHOW_HEX:
		g_string_append_printf(to, "0x%0*" PRIx64, (value->field->width + 3) / 4,
				       value->number);
		break;
	default: append_text(to, value);
	}
	if (value->words)
		g_string_append_printf(to, " (%s)", value->words);
}

/* ACK credits and RNR timers have no words in a set: they are numbers in a code. */
static void append_syndrome(GString *to, const struct rda_field_value *value)
{
	uint8_t syndrome = (uint8_t)value->number;

	if (value->words || !value->known)
		return;
	switch (rda_syndrome_kind(syndrome)) {
	case RDA_AETH_ACK:
		g_string_append(to, " (ACK");
		if (rda_aeth_credits(syndrome) != RDA_NO_CREDITS)
			g_string_append_printf(to, ", %" PRId32 " credits",
					       rda_aeth_credits(syndrome));
		g_string_append(to, ")");
		break;
	case RDA_AETH_RNR:
		g_string_append_printf(to, " (RNR NAK: wait %g ms)",
				       (double)rda_aeth_rnr_ns(syndrome) / 1e6);
		break;
	case RDA_AETH_NAK:
	case RDA_AETH_RESERVED: g_string_append(to, " (reserved)"); break;
	}
}

void rda_print_headers(struct rda_output *out, const struct rda_frame *frame,
		       const struct rda_packet *packet)
{
	for (unsigned i = 0; i < packet->layer_count; i++) {
		const struct rda_layer *layer = &packet->layers[i];
		const struct rda_header *header = &rda_headers[layer->header];

		rda_print(out, "    ");
		rda_print_in(out, RDA_STYLE_CYAN, "%s", header->name);
		rda_print(out, ", bytes %" PRIu32 " to %" PRIu32 "\n", layer->offset,
			  layer->offset + layer->length);
		for (unsigned j = 0; j < header->field_count; j++) {
			struct rda_field_value value;

			rda_read_field_value(&value, frame, layer, &header->fields[j]);
			if (value.known && !rda_field_is_number(value.field) && !value.length)
				continue; /* no options, no private data */
			rda_print(out, "        %s: ", value.field->name);
			rda_field_value_text(out->text, &value);
			if (value.field->values == RDA_SET_SYNDROME)
				append_syndrome(out->text, &value);
			g_string_append_c(out->text, '\n');
		}
	}
}

/* ---- as a record ---------------------------------------------------------------------------- */

/* Wider ones are text: readers with floating-point numbers only would round them. */
enum { NUMBER_BITS = 53 };

static void describe_value(struct rda_record *record, const struct rda_field_value *value)
{
	const char *name = value->field->member;
	GString *text;

	if (!value->known) {
		rda_record_null(record, name);
	} else if (value->field->show == RDA_SHOW_FLAG) {
		rda_record_flag(record, name, value->number != 0);
	} else if (rda_field_is_number(value->field) && value->field->width > NUMBER_BITS) {
		rda_record_hex(record, name, value->number, value->field->width / 4);
	} else if (rda_field_is_number(value->field)) {
		rda_record_number(record, name, value->number);
	} else {
		text = g_string_new(NULL);
		append_text(text, value);
		rda_record_text(record, name, text->str);
		g_string_free(text, TRUE);
	}
}

void rda_describe_headers(struct rda_record *record, const struct rda_frame *frame,
			  const struct rda_packet *packet)
{
	rda_record_open_list(record, "headers");
	for (unsigned i = 0; i < packet->layer_count; i++) {
		const struct rda_layer *layer = &packet->layers[i];
		const struct rda_header *header = &rda_headers[layer->header];

		rda_record_open(record, NULL);
		rda_record_text(record, "header", header->id);
		rda_record_number(record, "offset", layer->offset);
		rda_record_number(record, "length", layer->length);
		rda_record_open(record, "fields");
		for (unsigned j = 0; j < header->field_count; j++) {
			struct rda_field_value value;

			rda_read_field_value(&value, frame, layer, &header->fields[j]);
			describe_value(record, &value);
		}
		rda_record_close(record);
		rda_record_close(record);
	}
	rda_record_close(record);
}
