/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FPDUs by their place in a stream, put together again where they are written. See streams_anew.h.
 */
#include "analyzer/rdma-analyze/streams_anew.h"

#include "dissectors/crc32c.h"

#include <glib.h>
#include <string.h>

enum { CRC_BYTES = 4, MARKER_BYTES = 4, LENGTH_BYTES = 2 };

/* A start frame or FPDU. */
struct unit {
	int64_t offset;	  /* in the stream, of its first byte that is no marker */
	int64_t marker;	  /* one is here in the stream, others 512 bytes apart */
	uint32_t head_at; /* in the bytes of the stream: */
	uint32_t
		crc_with; /* the CRC that was stored was another one than computed, by these bits */
	uint32_t have;	  /* it never became whole: so many bytes without markers; 0: it did */
	uint16_t length;  /* of the ULPDU, or of the private data */
	uint8_t head_bytes;
	uint8_t bad_markers, swapped_markers;
	bool is_start, markers, has_crc, pad;
};

/* One direction of a connection. */
struct stream {
	GArray *units;	   /* of struct unit; once settled, in the order of the stream */
	GByteArray *heads; /* of units, anew: headers and the payload that stays, up to the last
			      byte that is not 0 */
};

struct part {
	uint64_t place;
	const struct stream *stream;
	int64_t offset;
	uint32_t length;
};

struct rda_streams_anew {
	const struct rda_rewrite *rewrite;
	GHashTable *streams;	   /* struct rda_flow, as an address only -> struct stream */
	GArray *parts;		   /* of struct part; once settled, by place */
	const struct stream *last; /* whose unit is put together in `bytes`; NULL: none */
	guint unit;
	GByteArray *bytes;
};

static void free_stream(void *data)
{
	struct stream *stream = data;

	g_array_unref(stream->units);
	g_byte_array_unref(stream->heads);
	g_free(stream);
}

struct rda_streams_anew *rda_streams_anew_new(const struct rda_rewrite *rewrite)
{
	struct rda_streams_anew *s = g_new0(struct rda_streams_anew, 1);

	s->rewrite = rewrite;
	s->streams = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_stream);
	s->parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	s->bytes = g_byte_array_new();
	return s;
}

void rda_streams_anew_free(struct rda_streams_anew *s)
{
	g_hash_table_unref(s->streams);
	g_array_unref(s->parts);
	g_byte_array_unref(s->bytes);
	g_free(s);
}

/* ---- what is noted --------------------------------------------------------------------------- */

static struct stream *stream_of(struct rda_streams_anew *s, const struct rda_flow *flow)
{
	struct stream *stream = g_hash_table_lookup(s->streams, flow);

	if (!stream) {
		stream = g_new(struct stream, 1);
		stream->units = g_array_new(FALSE, FALSE, sizeof(struct unit));
		stream->heads = g_byte_array_new();
		g_hash_table_insert(s->streams, (void *)(uintptr_t)flow, stream);
	}
	return stream;
}

/* Headers and the beginning of the payload, anew. Returns how many bytes. */
static uint32_t write_head(const struct rda_rewrite *rewrite, const struct rda_fpdu_told *told,
			   uint8_t head[RDA_MPA_KEPT])
{
	struct rda_layer layers[RDA_FPDU_LAYERS_MAX];
	unsigned count = rda_fpdu_layers(told, layers);
	uint32_t bytes = told->kept_bytes;

	memset(head, 0, RDA_MPA_KEPT);
	rda_rewrite_headers(head, told->head, told->head_bytes, layers, count, rewrite);
	if (rewrite->payload && bytes > told->head_bytes)
		rewrite->payload(rewrite->context, NULL, head + told->head_bytes,
				 told->head + told->head_bytes, bytes - told->head_bytes);
	while (bytes && !head[bytes - 1])
		bytes--;
	return bytes;
}

static struct unit unit_of_start(const struct rda_fpdu_told *told)
{
	uint16_t length = MIN(told->start.start.private_data_length, RDA_MPA_PRIVATE_DATA_MAX);

	return (struct unit){
		.is_start = true,
		.length = length,
		.offset = told->marker - RDA_MPA_START_BYTES - length,
	};
}

static struct unit unit_of_fpdu(const struct rda_fpdu_told *told)
{
	const struct rda_fpdu_seen *fpdu = &told->fpdu;

	return (struct unit){
		.offset = fpdu->offset,
		.markers = told->markers,
		.marker = told->marker,
		.length = rda_be16(told->head),
		.have = told->unfinished,
		.has_crc = fpdu->crc != RDA_MPA_CRC_OFF,
		.crc_with = fpdu->crc_stored ^ fpdu->crc_computed,
		.pad = fpdu->pad_not_zero,
		.bad_markers = fpdu->bad_markers,
		.swapped_markers = fpdu->swapped_markers,
	};
}

/* A start frame right before another one was damaged: what comes once more has its place. */
static void drop_start(GArray *units)
{
	if (units->len && g_array_index(units, struct unit, units->len - 1).is_start)
		g_array_set_size(units, units->len - 1);
}

void rda_streams_anew_fpdus(struct rda_streams_anew *s, const struct rda_fpdu_told *told,
			    unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct stream *stream = stream_of(s, told[i].flow);
		struct unit unit =
			told[i].is_start ? unit_of_start(&told[i]) : unit_of_fpdu(&told[i]);
		uint8_t head[RDA_MPA_KEPT];

		if (unit.is_start)
			drop_start(stream->units);
		unit.head_at = stream->heads->len;
		unit.head_bytes = (uint8_t)write_head(s->rewrite, &told[i], head);
		g_byte_array_append(stream->heads, head, unit.head_bytes);
		g_array_append_val(stream->units, unit);
	}
}

void rda_streams_anew_parts(struct rda_streams_anew *s, const struct rda_fpdu_part *parts,
			    unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct part part = {parts[i].place, stream_of(s, parts[i].flow), parts[i].offset,
				    parts[i].length};

		g_array_append_val(s->parts, part);
	}
}

static int compare_parts(const void *one, const void *two)
{
	const struct part *a = one, *b = two;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int compare_units(const void *one, const void *two)
{
	const struct unit *a = one, *b = two;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

void rda_streams_anew_settle(struct rda_streams_anew *s)
{
	GHashTableIter all;
	gpointer stream;

	g_hash_table_iter_init(&all, s->streams);
	while (g_hash_table_iter_next(&all, NULL, &stream))
		g_array_sort(((struct stream *)stream)->units, compare_units);
	g_array_sort(s->parts, compare_parts);
}

/* ---- units put together ---------------------------------------------------------------------- */

/* Without markers and CRC; with the pad. */
static uint32_t body_bytes(const struct unit *u)
{
	return u->is_start ? RDA_MPA_START_BYTES + (uint32_t)u->length
			   : (LENGTH_BYTES + (uint32_t)u->length + 3) & ~3u;
}

/* Whether a marker stands at this place of the stream. */
static bool marker_at(const struct unit *u, int64_t at)
{
	return u->markers && (at - u->marker) % RDA_MPA_MARKER_EVERY == 0;
}

/* The place of its first byte, that of the marker in front of it where there is one. */
static int64_t begin_of(const struct unit *u)
{
	return marker_at(u, u->offset - MARKER_BYTES) ? u->offset - MARKER_BYTES : u->offset;
}

/* The `count`-th marker of the unit: of those that are wrong the first are so. */
static void put_marker(const struct unit *u, uint8_t *out, int64_t at, unsigned count)
{
	uint16_t distance = (uint16_t)(at < u->offset ? 0 : at - u->offset);
	uint8_t high = (uint8_t)(distance >> 8), low = (uint8_t)distance;
	const uint8_t right[MARKER_BYTES] = {0, 0, high, low};
	const uint8_t swapped[MARKER_BYTES] = {low, high, 0, 0};
	const uint8_t wrong[MARKER_BYTES] = {0xff, 0xff, 0xff, 0xff};

	memcpy(out,
	       count < u->swapped_markers ? swapped
	       : count < u->bad_markers	  ? wrong
					  : right,
	       MARKER_BYTES);
}

static uint8_t body_byte(const struct unit *u, const uint8_t *head, uint32_t index)
{
	if (index < u->head_bytes)
		return head[index];
	return u->pad && index == LENGTH_BYTES + (uint32_t)u->length; /* so that it is not 0 */
}

static uint8_t crc_byte(const struct unit *u, uint32_t crc, uint32_t index)
{
	return u->has_crc ? (uint8_t)((crc ^ u->crc_with) >> 8 * index) : 0;
}

/* As it is in the stream, from begin_of(u) on. The CRC covers the markers in front of it. */
static void put_together(struct rda_streams_anew *s, const struct stream *stream, guint number)
{
	const struct unit *u = &g_array_index(stream->units, struct unit, number);
	const uint8_t *head = stream->heads->data + u->head_at;
	uint32_t body = body_bytes(u), total = body + (u->is_start ? 0 : CRC_BYTES), crc = 0;
	uint32_t at = 0;
	unsigned markers = 0;

	total = u->have ? MIN(u->have, total) : total;
	if (s->last == stream && s->unit == number)
		return;
	s->last = stream;
	s->unit = number;
	g_byte_array_set_size(s->bytes, total + (total / MARKER_BYTES + 2) * MARKER_BYTES);
	for (uint32_t i = 0; i < total;) {
		uint8_t *out = s->bytes->data + at;

		if (marker_at(u, begin_of(u) + at)) {
			put_marker(u, out, begin_of(u) + at, markers++);
			at += MARKER_BYTES;
			continue;
		}
		if (i == body)
			crc = rda_crc32c(0, s->bytes->data, at);
		*out = i < body ? body_byte(u, head, i) : crc_byte(u, crc, i - body);
		at++;
		i++;
	}
	g_byte_array_set_size(s->bytes, at);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* The first unit that does not end before a place of the stream. */
static guint first_unit(const struct stream *stream, int64_t at)
{
	guint low = 0, high = stream->units->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const struct unit *next = &g_array_index(stream->units, struct unit, middle);

		if (next->offset <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0; /* a marker in front of the next may be at the place, too */
}

/* Puts the bytes of a part into the payload, which begins at `begin` of the stream. */
static void write_part(struct rda_streams_anew *s, const struct part *part, int64_t begin,
		       uint8_t *out, uint32_t length)
{
	int64_t end = MIN(part->offset + part->length, begin + length);

	for (guint i = first_unit(part->stream, part->offset); i < part->stream->units->len; i++) {
		const struct unit *u = &g_array_index(part->stream->units, struct unit, i);
		int64_t from, to;

		if (begin_of(u) >= end)
			break;
		put_together(s, part->stream, i);
		from = MAX(part->offset, begin_of(u));
		to = MIN(end, begin_of(u) + s->bytes->len);
		if (from < to)
			memcpy(out + (from - begin), s->bytes->data + (from - begin_of(u)),
			       (size_t)(to - from));
	}
}

bool rda_streams_anew_write(struct rda_streams_anew *s, uint64_t place, const struct rda_tcp *tcp,
			    uint8_t *out, uint32_t length)
{
	guint low = 0, high = s->parts->len;
	bool any = false;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(s->parts, struct part, middle).place < place)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < s->parts->len; low++) {
		const struct part *part = &g_array_index(s->parts, struct part, low);
		/* places of a stream are sequence numbers, widened */
		uint32_t into = (uint32_t)part->offset - tcp->sequence - tcp->syn;

		if (part->place != place)
			break;
		if (into < length)
			write_part(s, part, part->offset - into, out, length);
		any = true;
	}
	return any;
}
