/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FPDUs written anew: split over segments, with markers right and wrong, with CRCs good, damaged
 * and not in use; start frames; what no frame brought.
 */
#include "analyzer/rdma-analyze/streams_anew.h"

#include "dissectors/crc32c.h"
#include "dissectors/headers.h"
#include "tests/unit/build.h"
#include "tests/unit/suite.h"

#include <string.h>

enum {
	PAYLOAD = 700,
	ULPDU = RDA_DDP_TAGGED_BYTES + PAYLOAD,
	BODY = (2 + ULPDU + 3) & ~3,
	FPDU = BODY + 4,
	MARKERS = 2, /* in an FPDU of that length which begins behind one */
	OFFSET = 100004,
};

static struct rda_streams_anew *streams;
static struct rda_flow *flow = (struct rda_flow *)(void *)&streams; /* its address is what counts */

/* STags become ones, offsets stay. */
static void ones(void *context, enum rda_secret kind, uint8_t *bytes, unsigned length)
{
	(void)context;
	if (kind == RDA_SECRET_KEY)
		memset(bytes, 1, length);
}

static const struct rda_rewrite rewrite = {.secret = ones};

static void setup(void)
{
	streams = rda_streams_anew_new(&rewrite);
}

static void teardown(void)
{
	rda_streams_anew_free(streams);
}

/* A WRITE as fpdus.c tells it. */
static struct rda_fpdu_told make_write(void)
{
	struct rda_fpdu_told told = {
		.flow = flow,
		.fpdu = {.offset = OFFSET, .crc = RDA_MPA_CRC_GOOD},
		.marker = OFFSET - 4,
		.head_bytes = 2 + RDA_DDP_TAGGED_BYTES,
		.kept_bytes = RDA_MPA_KEPT,
	};
	struct rda_build b = {0};

	rda_put16(&b, ULPDU);
	rda_put16(&b, 0xc140); /* tagged, last; WRITE */
	rda_put32(&b, 0x11223344);
	rda_put64(&b, 0x1000);
	rda_put_pattern(&b, RDA_MPA_KEPT - b.length);
	memcpy(told.head, b.bytes, RDA_MPA_KEPT);
	rda_read_ulpdu(&told.fpdu.ulpdu, told.head + 2, RDA_MPA_KEPT - 2, ULPDU);
	return told;
}

/* Frame 1 brought `first` bytes from `begin` on, frame 2 the others. Returns what both have. */
static uint32_t write_both(const struct rda_fpdu_told *told, int64_t begin, uint32_t first,
			   uint32_t length, uint8_t *out)
{
	const struct rda_fpdu_part parts[] = {
		{flow, 2, begin + first, length - first}, /* out of order */
		{flow, 1, begin, first},
	};
	struct rda_tcp tcp = {.sequence = (uint32_t)begin};

	rda_streams_anew_parts(streams, parts, RDA_COUNT(parts));
	rda_streams_anew_fpdus(streams, told, 1);
	rda_streams_anew_settle(streams);
	memset(out, 0, length);
	ck_assert(rda_streams_anew_write(streams, 1, &tcp, out, first));
	tcp.sequence += first;
	ck_assert(rda_streams_anew_write(streams, 2, &tcp, out + first, length - first));
	return length;
}

static uint32_t stored_crc(const uint8_t *at)
{
	return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static bool is_zero(const uint8_t *bytes, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Wherever the segments meet: in the length, the headers, the payload, the pad, the CRC. */
START_TEST(an_fpdu_of_two_segments)
{
	struct rda_fpdu_told told = make_write();
	uint8_t out[FPDU];

	for (uint32_t first = 1; first < FPDU; first++) {
		teardown();
		setup();
		write_both(&told, OFFSET, first, FPDU, out);
		ck_assert_mem_eq(out, told.head, 4);
		ck_assert_uint_eq(rda_be32(out + 4), 0x01010101);
		ck_assert_uint_eq(rda_be64(out + 8), 0x1000);
		ck_assert(is_zero(out + 16, BODY - 16));
		ck_assert_uint_eq(stored_crc(out + BODY), rda_crc32c(0, out, BODY));
	}
}
END_TEST

START_TEST(a_crc_is_as_wrong_as_it_was)
{
	struct rda_fpdu_told told = make_write();
	uint8_t out[FPDU];

	told.fpdu.crc = RDA_MPA_CRC_BAD;
	told.fpdu.crc_stored = 0x12345678;
	told.fpdu.crc_computed = 0x12345679;
	write_both(&told, OFFSET, 50, FPDU, out);
	ck_assert_uint_eq(stored_crc(out + BODY), rda_crc32c(0, out, BODY) ^ 1);
}
END_TEST

START_TEST(a_crc_that_is_not_in_use_is_zero)
{
	struct rda_fpdu_told told = make_write();
	uint8_t out[FPDU];

	told.fpdu.crc = RDA_MPA_CRC_OFF;
	told.fpdu.crc_stored = 0x12345678;
	write_both(&told, OFFSET, 50, FPDU, out);
	ck_assert_uint_eq(stored_crc(out + BODY), 0);
}
END_TEST

START_TEST(a_pad_that_was_not_zero_is_not)
{
	struct rda_fpdu_told told = make_write();
	uint8_t out[FPDU];

	told.fpdu.pad_not_zero = true;
	write_both(&told, OFFSET, 50, FPDU, out);
	ck_assert_uint_ne(out[2 + ULPDU], 0);
	ck_assert_uint_eq(stored_crc(out + BODY), rda_crc32c(0, out, BODY));
}
END_TEST

/* One in front of the FPDU, one in it, 512 bytes on: both are in the CRC. */
START_TEST(markers)
{
	static const struct {
		uint8_t bad, swapped;
		uint32_t first, second;
	} rows[] = {
		{0, 0, 0, 508},
		{1, 0, 0xffffffff, 508},
		{2, 0, 0xffffffff, 0xffffffff},
		{2, 2, 0, 0xfc010000}, /* 508, the low byte first */
	};
	enum { LENGTH = FPDU + MARKERS * 4 };
	struct rda_fpdu_told told = make_write();
	uint8_t out[LENGTH];

	told.markers = true;
	told.fpdu.bad_markers = rows[_i].bad;
	told.fpdu.swapped_markers = rows[_i].swapped;
	write_both(&told, OFFSET - 4, 514, LENGTH, out);
	ck_assert_uint_eq(rda_be32(out), rows[_i].first);
	ck_assert_uint_eq(rda_be32(out + 512), rows[_i].second);
	ck_assert_mem_eq(out + 4, told.head, 4);
	ck_assert_uint_eq(stored_crc(out + LENGTH - 4), rda_crc32c(0, out, LENGTH - 4));
}
END_TEST

/* It ends where the first marker would be; what it says of its length stays, not its private data.
 */
START_TEST(a_start_frame)
{
	enum { PRIVATE = 8, LENGTH = RDA_MPA_START_BYTES + PRIVATE };
	struct rda_fpdu_told told = {
		.flow = flow,
		.is_start = true,
		.start = {.start = {.private_data_length = PRIVATE}},
		.marker = OFFSET,
		.head_bytes = RDA_MPA_START_BYTES,
		.kept_bytes = RDA_MPA_START_BYTES,
	};
	uint8_t out[LENGTH];

	memcpy(told.head, "MPA ID Req Frame\x40\x01\0\x08", RDA_MPA_START_BYTES);
	write_both(&told, OFFSET - LENGTH, 10, LENGTH, out);
	ck_assert_mem_eq(out, told.head, RDA_MPA_START_BYTES);
	ck_assert(is_zero(out + RDA_MPA_START_BYTES, PRIVATE));
}
END_TEST

/* A SYN has a sequence number of its own; a segment may be longer than what it brought. */
START_TEST(bytes_that_came_before)
{
	struct rda_fpdu_told told = make_write();
	const struct rda_fpdu_part part = {flow, 7, OFFSET + 10, FPDU - 10};
	const struct rda_tcp tcp = {.sequence = OFFSET - 1, .syn = true};
	uint8_t out[FPDU] = {0};

	rda_streams_anew_parts(streams, &part, 1);
	rda_streams_anew_fpdus(streams, &told, 1);
	rda_streams_anew_settle(streams);
	ck_assert(rda_streams_anew_write(streams, 7, &tcp, out, sizeof(out)));
	ck_assert(is_zero(out, 10));
	ck_assert_uint_eq(rda_be16(out + 14), 0x1000);
	ck_assert_uint_ne(stored_crc(out + BODY), 0);
	ck_assert(!rda_streams_anew_write(streams, 6, &tcp, out, sizeof(out)));
	ck_assert(!rda_streams_anew_write(streams, 8, &tcp, out, sizeof(out)));
}
END_TEST

Suite *rda_suite_streams_anew(void)
{
	Suite *suite = suite_create("streams_anew");
	TCase *tc = tcase_create("streams_anew");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, an_fpdu_of_two_segments);
	tcase_add_test(tc, a_crc_is_as_wrong_as_it_was);
	tcase_add_test(tc, a_crc_that_is_not_in_use_is_zero);
	tcase_add_test(tc, a_pad_that_was_not_zero_is_not);
	tcase_add_loop_test(tc, markers, 0, 4);
	tcase_add_test(tc, a_start_frame);
	tcase_add_test(tc, bytes_that_came_before);
	suite_add_tcase(suite, tc);
	return suite;
}
