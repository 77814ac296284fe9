/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expectations that hold for every right frame. See expect.h.
 */
#include "tests/unit/expect.h"

#include "tests/unit/suite.h"

#include <stdio.h>

void rda_expect_layers(const struct rda_packet *packet, const char *ids)
{
	char found[512] = "";

	for (unsigned i = 0; i < packet->layer_count; i++) {
		size_t used = strlen(found);

		snprintf(found + used, sizeof(found) - used, "%s%s", i ? " " : "",
			 rda_headers[packet->layers[i].header].id);
	}
	ck_assert_str_eq(found, ids);
}

void rda_expect_faults(const struct rda_packet *packet, unsigned faults)
{
	const unsigned odd = RDA_FAULT_BIT(UDP_LENGTH) | RDA_FAULT_BIT(LRH_LENGTH) |
			     RDA_FAULT_BIT(GRH_HEADER) | RDA_FAULT_BIT(PAYLOAD_LENGTH);

	ck_assert_uint_eq(packet->faults, faults);
	ck_assert_int_eq(packet->status == RDA_STATUS_MALFORMED, (faults & ~odd) != 0);
}

/* The last byte that the frame's decoding needs. */
static uint32_t end_of(const struct rda_packet *packet)
{
	const struct rda_layer *last = &packet->layers[packet->layer_count - 1];

	return packet->carrier != RDA_CARRIER_NONE ? packet->end_offset
						   : last->offset + last->length;
}

static void expect_cut(const struct rda_packet *whole, const struct rda_build *b, uint32_t captured,
		       uint16_t link)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, captured, b->length, link);
	bool cut = captured < end_of(whole);
	struct rda_packet packet;

	rda_dissect(&packet, &frame, NULL);
	rda_frame_free(&frame);
	RDA_CHECK(packet.status == (cut ? RDA_STATUS_CUT : RDA_STATUS_OK), "at %u", captured);
	RDA_CHECK(packet.faults == 0, "at %u", captured);
	RDA_CHECK(packet.layer_count <= whole->layer_count, "at %u", captured);
	for (unsigned i = 0; i < whole->layer_count; i++) {
		const struct rda_layer *want = &whole->layers[i], *got = &packet.layers[i];

		if (i >= packet.layer_count) {
			RDA_CHECK(want->offset + want->length > captured, "at %u", captured);
			break;
		}
		RDA_CHECK(got->header == want->header && got->offset == want->offset &&
				  got->length == want->length,
			  "at %u", captured);
	}
}

void rda_expect_whole(struct rda_packet *packet, const struct rda_build *b, uint16_t link,
		      const char *ids)
{
	rda_dissect_build(packet, b, link);
	rda_expect_layers(packet, ids);
	rda_expect_faults(packet, 0);
	ck_assert_int_eq(packet->status, RDA_STATUS_OK);
	ck_assert_uint_eq(packet->layers[0].offset, 0);
	for (uint32_t captured = 0; captured < b->length; captured++)
		expect_cut(packet, b, captured, link);
}
