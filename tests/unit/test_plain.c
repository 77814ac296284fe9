/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain RoCEv2 taken at once is what the walk from header to header makes of it, to the last field;
 * and what is not plain is left alone.
 */
#include "dissectors/plain.h"

#include "dissectors/link.h"
#include "dissectors/walk.h"
#include "tests/unit/build.h"
#include "tests/unit/suite.h"

#include <stddef.h>
#include <string.h>

/* Without the bytes between fields, which nobody reads. */
static void expect_same(const struct rda_packet *got, const struct rda_packet *want,
			const char *what, unsigned at)
{
#define SAME(member) RDA_CHECK_SAME(got->member, want->member, "%s %u", what, at)
	SAME(carrier);
	SAME(status);
	SAME(layer_count);
	SAME(fragment);
	SAME(payload_known);
	SAME(has_vcrc);
	SAME(ecn);
	SAME(dscp);
	SAME(source_port);
	SAME(ip_id);
	SAME(faults);
	SAME(tagged);
	SAME(priority);
	SAME(present);
	SAME(source.kind);
	SAME(destination.kind);
	SAME(l3_offset);
	SAME(bth_offset);
	SAME(payload_offset);
	SAME(payload_length);
	SAME(end_offset);
	RDA_CHECK_SAME((uintptr_t)got->opcode, (uintptr_t)want->opcode, "%s %u", what, at);
#undef SAME
#define BYTES(member)                                                                              \
	RDA_CHECK(memcmp(&got->member, &want->member, sizeof(got->member)) == 0,                   \
		  "%s %u: " #member, what, at)
	BYTES(source.bytes);
	BYTES(destination.bytes);
	/* the rest: both began as zeros, so that what only one has written differs */
	RDA_CHECK(memcmp(&got->bth, &want->bth, sizeof(*got) - offsetof(struct rda_packet, bth)) ==
			  0,
		  "%s %u: what follows the opcode", what, at);
#undef BYTES
}

/* Returns whether it was plain. */
static bool expect_alike(const struct rda_frame *frame, const char *what, unsigned at)
{
	static const struct rda_packet zeros;
	struct rda_packet got = zeros, want = zeros;

	rda_walk(&want, frame, NULL);
	if (!rda_dissect_plain(&got, frame)) {
		RDA_CHECK(memcmp(&got, &zeros, sizeof(got)) == 0, "%s %u: written to", what, at);
		return false;
	}
	expect_same(&got, &want, what, at);
	return true;
}

static bool expect_alike_bytes(const uint8_t *bytes, uint32_t captured, uint32_t wire,
			       const char *what, unsigned at)
{
	struct rda_frame frame = rda_exact_frame(bytes, captured, wire, RDA_LINK_ETHERNET);
	bool plain = expect_alike(&frame, what, at);

	rda_frame_free(&frame);
	return plain;
}

static const uint8_t extended[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static void build(struct rda_built *built, uint8_t opcode)
{
	rda_build_packet(built,
			 &(struct rda_recipe){.from = 3,
					      .to = 200,
					      .source_port = 0xc123,
					      .ecn = 2,
					      .opcode = opcode,
					      .ack_req = true,
					      .dest_qp = 0x123456,
					      .psn = 0xfedcba,
					      .extended = extended,
					      .extended_length = rda_opcode(opcode)->extension,
					      .payload_length = 16});
}

START_TEST(every_opcode_is_read_as_by_the_walk)
{
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		const struct rda_opcode *row = rda_opcode((uint8_t)opcode);
		struct rda_built built;

		build(&built, (uint8_t)opcode);
		ck_assert_int_eq(expect_alike_bytes(built.b.bytes, built.b.length, built.b.length,
						    "opcode", opcode),
				 row->kind == RDA_OPCODE_KNOWN &&
					 row->transport != RDA_TRANSPORT_UD);
	}
}
END_TEST

static const uint8_t opcodes[] = {0x06 /* WRITE First */, 0x07, 0x11 /* ACK */, 0x81 /* CNP */,
				  0x64 /* UD SEND */};

START_TEST(any_value_of_any_byte_is_read_as_by_the_walk)
{
	for (unsigned k = 0; k < RDA_COUNT(opcodes); k++) {
		struct rda_built built;
		unsigned plain = 0;

		build(&built, opcodes[k]);
		for (uint32_t at = 0; at < built.payload; at++)
			for (unsigned value = 0; value < 256; value++) {
				const uint8_t before = built.b.bytes[at];

				built.b.bytes[at] = (uint8_t)value;
				plain += expect_alike_bytes(built.b.bytes, built.b.length,
							    built.b.length, "byte", at);
				built.b.bytes[at] = before;
			}
		ck_assert_uint_gt(plain, opcodes[k] == 0x64 ? 0 : 5000);
	}
}
END_TEST

START_TEST(frames_that_are_cut_or_have_bytes_behind_are_read_as_by_the_walk)
{
	for (unsigned k = 0; k < RDA_COUNT(opcodes); k++) {
		struct rda_built built;

		build(&built, opcodes[k]);
		for (uint32_t captured = 0; captured <= built.b.length + 8; captured++)
			for (uint32_t wire = 0; wire <= built.b.length + 8; wire++)
				expect_alike_bytes(built.b.bytes, captured, wire, "captured",
						   captured);
	}
}
END_TEST

/* The packet's own length, with that of UDP and without. */
START_TEST(lengths_that_contradict_are_left_to_the_walk)
{
	for (unsigned k = 0; k < RDA_COUNT(opcodes); k++) {
		struct rda_built built;

		build(&built, opcodes[k]);
		for (uint32_t total = 0; total < 300; total++) {
			rda_set16(&built.b, built.l3 + 2, (uint16_t)total);
			expect_alike_bytes(built.b.bytes, built.b.length, built.b.length, "total",
					   total);
			rda_set16(&built.b, built.udp + 4, (uint16_t)(total - 20));
			expect_alike_bytes(built.b.bytes, built.b.length, built.b.length, "both",
					   total);
		}
	}
}
END_TEST

START_TEST(another_link_is_not_plain)
{
	struct rda_built built;
	struct rda_frame frame;

	build(&built, 0x07);
	frame = rda_exact_frame(built.b.bytes, built.b.length, built.b.length, RDA_LINK_IPV4);
	ck_assert(!expect_alike(&frame, "link", 0));
	rda_frame_free(&frame);
}
END_TEST

Suite *rda_suite_plain(void)
{
	Suite *suite = suite_create("plain");
	TCase *tcase = tcase_create("plain");

	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, every_opcode_is_read_as_by_the_walk);
	tcase_add_test(tcase, any_value_of_any_byte_is_read_as_by_the_walk);
	tcase_add_test(tcase, frames_that_are_cut_or_have_bytes_behind_are_read_as_by_the_walk);
	tcase_add_test(tcase, lengths_that_contradict_are_left_to_the_walk);
	tcase_add_test(tcase, another_link_is_not_plain);
	suite_add_tcase(suite, tcase);
	return suite;
}
