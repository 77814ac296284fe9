/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every header and field of a packet, from its layers and the table of headers, for listings that
 * know nothing of either.
 */
#ifndef RDA_HEADERS_WALK_H
#define RDA_HEADERS_WALK_H

#include "analyzer/report/machine_record.h"
#include "analyzer/report/output.h"
#include "dissectors/packet.h"

/* The bytes of a layer, to be read with the readers of headers.h. */
static inline struct rda_cursor rda_layer_cursor(const struct rda_frame *frame,
						 const struct rda_layer *layer)
{
	struct rda_cursor cursor = {frame->bytes, layer->offset, frame->captured, frame->wire};

	rda_cursor_limit(&cursor, layer->length);
	return cursor;
}

/* One field as it is in a frame. */
struct rda_field_value {
	const struct rda_field *field;
	bool known;	      /* false: the capture was cut before it */
	uint64_t number;      /* valid if rda_field_is_number */
	const uint8_t *bytes; /* else these; borrowed from the frame */
	uint32_t length;      /* of them */
	const char *words;    /* what the number means, or NULL */
};

void rda_read_field_value(struct rda_field_value *value, const struct rda_frame *frame,
			  const struct rda_layer *layer, const struct rda_field *field);

/* "0x0800 (IPv4)", "02:00:00:00:00:01", "yes", "cut" */
void rda_field_value_text(GString *to, const struct rda_field_value *value);

/* The field of a header by its member name; asserts that it is there. */
const struct rda_field *rda_find_field(enum rda_header_id header, const char *member);

/* The list "headers" of a record, as docs/output.md describes it. */
void rda_describe_headers(struct rda_record *record, const struct rda_frame *frame,
			  const struct rda_packet *packet);

/* The same for people, as an indented tree. */
void rda_print_headers(struct rda_output *out, const struct rda_frame *frame,
		       const struct rda_packet *packet);

#endif
