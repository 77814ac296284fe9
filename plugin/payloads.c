/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two sorted lists. See payloads.h.
 */
#include "plugin/payloads.h"

#include "analyzer/engine/fpdus.h"

enum { LENGTH_BYTES = 2, CRC_BYTES = 4, MARKER_BYTES = 4 };

void rda_payloads_init(struct rda_payloads *p)
{
	p->parts = g_array_new(FALSE, FALSE, sizeof(struct rda_payload_part));
	p->fpdus = g_array_new(FALSE, FALSE, sizeof(struct rda_payload_fpdu));
}

void rda_payloads_cleanup(struct rda_payloads *p)
{
	g_array_free(p->parts, TRUE);
	g_array_free(p->fpdus, TRUE);
}

/* Bytes from `offset` to the next marker, which is none itself. */
static uint16_t before_marker(const struct rda_fpdu_told *told)
{
	int64_t behind = (told->fpdu.offset - told->marker) % RDA_MPA_MARKER_EVERY;

	return told->markers ? (uint16_t)(RDA_MPA_MARKER_EVERY - behind) : 0;
}

static void keep_fpdu(struct rda_payloads *p, const struct rda_fpdu_told *told)
{
	struct rda_payload_fpdu one = {
		.flow = told->flow,
		.offset = told->fpdu.offset,
		.frame = (uint32_t)rda_place_number(told->fpdu.place),
		.head = (uint16_t)(LENGTH_BYTES + told->fpdu.ulpdu.headers),
		.ulpdu = told->fpdu.ulpdu.length,
		.marker = before_marker(told),
		.damaged = told->fpdu.crc == RDA_MPA_CRC_BAD,
	};

	g_array_append_val(p->fpdus, one);
}

void rda_payloads_packet(struct rda_payloads *p, const struct rda_engine *engine)
{
	unsigned count;
	const struct rda_fpdu_part *parts = rda_engine_fpdu_parts(engine, &count);
	const struct rda_fpdu_told *told;

	for (unsigned i = 0; i < count; i++) {
		struct rda_payload_part part = {parts[i].flow, parts[i].offset,
						(uint32_t)rda_place_number(parts[i].place),
						parts[i].length};

		g_array_append_val(p->parts, part);
	}
	told = rda_engine_fpdus(engine, &count);
	for (unsigned i = 0; i < count; i++)
		if (!told[i].is_start)
			keep_fpdu(p, &told[i]);
}

/* ---- finding them ---------------------------------------------------------------------------- */

static int compare_parts(const void *one, const void *two)
{
	const struct rda_payload_part *a = one, *b = two;

	return (a->frame > b->frame) - (a->frame < b->frame);
}

static int compare_fpdus(const void *one, const void *two)
{
	const struct rda_payload_fpdu *a = one, *b = two;

	if (a->flow->index != b->flow->index)
		return a->flow->index < b->flow->index ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

void rda_payloads_finish(struct rda_payloads *p)
{
	g_array_sort(p->parts, compare_parts);
	g_array_sort(p->fpdus, compare_fpdus);
}

const struct rda_payload_part *rda_payloads_part(const struct rda_payloads *p, uint64_t frame)
{
	const struct rda_payload_part wanted = {.frame = (uint32_t)frame};
	guint index;

	return g_array_binary_search(p->parts, &wanted, compare_parts, &index)
		       ? &g_array_index(p->parts, struct rda_payload_part, index)
		       : NULL;
}

/* Where in the stream is its byte number `count`, counted without markers. */
static int64_t place_of(const struct rda_payload_fpdu *fpdu, uint32_t count)
{
	enum { BETWEEN = RDA_MPA_MARKER_EVERY - MARKER_BYTES };

	if (!fpdu->marker || count < fpdu->marker)
		return fpdu->offset + count;
	count -= fpdu->marker;
	return fpdu->offset + fpdu->marker + MARKER_BYTES + count / BETWEEN * RDA_MPA_MARKER_EVERY +
	       count % BETWEEN;
}

static int64_t end_of(const struct rda_payload_fpdu *fpdu)
{
	uint32_t padded = (LENGTH_BYTES + fpdu->ulpdu + 3u) & ~3u;

	return place_of(fpdu, padded + CRC_BYTES - 1) + 1;
}

/* The first that ends behind a place in the stream. */
static guint first_fpdu(const struct rda_payloads *p, const struct rda_flow *flow, int64_t place)
{
	guint low = 0, high = p->fpdus->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const struct rda_payload_fpdu *fpdu =
			&g_array_index(p->fpdus, struct rda_payload_fpdu, middle);

		if (fpdu->flow->index < flow->index ||
		    (fpdu->flow == flow && end_of(fpdu) <= place))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct rda_payload_fpdu *rda_payloads_fpdu(const struct rda_payloads *p,
						 const struct rda_payload_part *part,
						 unsigned *next)
{
	guint index = first_fpdu(p, part->flow, part->offset) + (*next)++;
	const struct rda_payload_fpdu *fpdu;

	if (index >= p->fpdus->len)
		return NULL;
	fpdu = &g_array_index(p->fpdus, struct rda_payload_fpdu, index);
	return fpdu->flow == part->flow && fpdu->offset < part->offset + part->length ? fpdu : NULL;
}

int64_t rda_payloads_begin(const struct rda_payloads *p, const struct rda_flow *flow)
{
	guint index = first_fpdu(p, flow, INT64_MIN);

	return g_array_index(p->fpdus, struct rda_payload_fpdu, index).offset;
}

/* Bytes from `at` to the next marker; 0 at one, and *marker of it are left. */
static int64_t room(const struct rda_payload_fpdu *fpdu, int64_t at, int64_t *marker)
{
	int64_t behind = at - fpdu->offset - fpdu->marker;

	*marker = 0;
	if (!fpdu->marker)
		return INT64_MAX;
	if (behind < 0)
		return -behind;
	behind %= RDA_MPA_MARKER_EVERY;
	if (behind >= MARKER_BYTES)
		return RDA_MPA_MARKER_EVERY - behind;
	*marker = MARKER_BYTES - behind;
	return 0;
}

int64_t rda_payload_append(GByteArray *to, const struct rda_payload_fpdu *fpdu,
			   const struct rda_payload_part *part, const uint8_t *bytes)
{
	int64_t first = MAX(place_of(fpdu, fpdu->head), part->offset), at = first, marker;
	int64_t end = MIN(place_of(fpdu, LENGTH_BYTES + fpdu->ulpdu - 1u) + 1,
			  part->offset + part->length);

	while (at < end) {
		int64_t count = MIN(room(fpdu, at, &marker), end - at);

		if (count)
			g_byte_array_append(to, bytes + (at - part->offset), (guint)count);
		at += count + marker;
	}
	return first;
}
