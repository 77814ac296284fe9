/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections whose start was not captured: what makes them iWARP, and what does not.
 */
#include "analyzer/track/iwarp/state.h"

#include "dissectors/crc32c.h"
#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { WRITE_BYTES = 100, FPDU_BYTES = 2 + 14 + WRITE_BYTES + 4 }; /* no pad is needed */

/* A side's segment of these bytes, without a handshake. */
static void give(struct rda_iwarp_feed *w, const uint8_t *bytes, uint32_t length)
{
	rda_iwarp_bytes(w, 0, bytes, length);
}

/* FPDUs of WRITEs, as bytes; their CRCs are 0, or right. */
static uint32_t put_fpdus(uint8_t *out, unsigned count, bool crc)
{
	for (unsigned i = 0; i < count; i++) {
		uint8_t *fpdu = out + (size_t)i * FPDU_BYTES;

		memset(fpdu, (int)(0x55 + i), FPDU_BYTES);
		memcpy(fpdu, "\0\162\301\100\0\0\021\0\0\0\0\0\0\0\160\0", 16); /* a whole WRITE */
		memset(fpdu + FPDU_BYTES - 4, 0, 4);
		for (unsigned at = 0; crc && at < 4; at++)
			fpdu[FPDU_BYTES - 4 + at] =
				(uint8_t)(rda_crc32c(0, fpdu, FPDU_BYTES - 4) >> 8 * at);
	}
	return count * FPDU_BYTES;
}

/* How many FPDUs the program counted. */
static uint64_t finish(struct rda_iwarp_feed *w)
{
	uint64_t fpdus;

	rda_iwarp_finish(w);
	fpdus = rda_engine_capture(w->feed.engine, 0)->rdma_packets[RDA_CARRIER_IWARP];
	rda_iwarp_feed_end(w);
	return fpdus;
}

START_TEST(three_fpdus_in_a_row_are_enough)
{
	uint8_t bytes[4 * FPDU_BYTES];
	struct rda_iwarp_feed w;

	for (unsigned count = 1; count <= 4; count++) {
		uint32_t length = put_fpdus(bytes, count, false);

		rda_iwarp_feed_begin(&w);
		for (uint32_t at = 0; at < length; at += FPDU_BYTES)
			give(&w, bytes + at, FPDU_BYTES);
		ck_assert_uint_eq(finish(&w), count < RDA_IWARP_CONFIRM ? 0 : count);
	}
}
END_TEST

START_TEST(one_is_enough_when_its_crc_fits)
{
	uint8_t bytes[FPDU_BYTES];
	struct rda_iwarp_feed w;

	put_fpdus(bytes, 1, true);
	rda_iwarp_feed_begin(&w);
	w.checksums = true;
	give(&w, bytes, FPDU_BYTES);
	ck_assert_uint_eq(finish(&w), 1);
}
END_TEST

/* Ports may be what was changed in it; where all checksums are wrong, another one follows. */
START_TEST(one_whose_checksum_does_not_fit_is_not_enough)
{
	uint8_t bytes[FPDU_BYTES];
	struct rda_iwarp_feed w;

	put_fpdus(bytes, 1, true);
	for (unsigned count = 1; count <= 2; count++) {
		rda_iwarp_feed_begin(&w);
		for (unsigned i = 0; i < count; i++)
			give(&w, bytes, FPDU_BYTES);
		ck_assert_uint_eq(finish(&w), count == 2 ? 2 : 0);
	}
}
END_TEST

/* Segments of any number of words: only the first FPDU begins where one does. */
START_TEST(fpdus_are_found_inside_of_segments)
{
	uint8_t bytes[40 * FPDU_BYTES];
	uint32_t length = put_fpdus(bytes, 40, false), size = 4 * (uint32_t)_i;
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	for (uint32_t at = 0; at < length; at += size)
		give(&w, bytes + at, MIN(size, length - at));
	ck_assert_uint_ge(finish(&w), 30);
}
END_TEST

/* A request and its answer, and so on: each side's FPDUs are counted, and one's do not disturb the
 * other's. */
START_TEST(both_sides_count)
{
	uint8_t bytes[2 * FPDU_BYTES];
	struct rda_iwarp_feed w;

	put_fpdus(bytes, 2, false);
	rda_iwarp_feed_begin(&w);
	for (unsigned i = 0; i < 2; i++)
		for (unsigned side = 0; side < 2; side++)
			rda_iwarp_bytes(&w, side, bytes + (size_t)i * FPDU_BYTES, FPDU_BYTES);
	ck_assert_uint_eq(finish(&w), 4);
}
END_TEST

START_TEST(the_same_bytes_again_prove_nothing)
{
	uint8_t bytes[FPDU_BYTES];
	struct rda_iwarp_feed w;

	put_fpdus(bytes, 1, false);
	rda_iwarp_feed_begin(&w);
	for (unsigned i = 0; i < 10; i++) {
		give(&w, bytes, FPDU_BYTES);
		w.streams[0].sequence -= FPDU_BYTES; /* sent again */
	}
	ck_assert_uint_eq(finish(&w), 0);
}
END_TEST

/* Each record begins as an FPDU does, and has not the length that it says. */
START_TEST(lengths_must_fit)
{
	uint8_t bytes[FPDU_BYTES];
	struct rda_iwarp_feed w;

	put_fpdus(bytes, 1, false);
	rda_iwarp_feed_begin(&w);
	for (unsigned i = 0; i < 10; i++)
		give(&w, bytes, FPDU_BYTES - 8);
	ck_assert_uint_eq(finish(&w), 0);
}
END_TEST

START_TEST(what_is_kept_is_bounded)
{
	static uint8_t bytes[60000] = "\377\360\301\100";
	const struct rda_iwarp_hooks hooks = {0};
	const struct rda_frame frame = {.bytes = bytes, .captured = sizeof(bytes)};
	const struct rda_packet packet = {0};
	struct rda_iwarp_detected detected;
	struct rda_segment segment = {.bytes = bytes, .captured = sizeof(bytes)};
	struct rda_iwarp_key key;
	struct rda_iwarp *iw = rda_iwarp_new(1, &hooks);

	memset(&key, 0, sizeof(key));
	segment.length = segment.captured;
	for (unsigned i = 0; i < 2000; i++) {
		key.low_port = (uint16_t)i;
		ck_assert(!rda_iwarp_detect(iw, &key, 0, &segment, &frame, &packet, &detected));
		ck_assert_uint_le(iw->kept_bytes, RDA_IWARP_KEPT_MAX);
	}
	ck_assert_uint_gt(iw->kept_bytes, RDA_IWARP_KEPT_MAX - sizeof(bytes));
	rda_iwarp_forget_candidates(iw);
	ck_assert_uint_eq(iw->kept_bytes, 0);
	rda_iwarp_free(iw);
}
END_TEST

Suite *rda_suite_iwarp_detect(void)
{
	Suite *suite = suite_create("iwarp_detect");
	TCase *tcase = tcase_create("iwarp_detect");

	tcase_add_test(tcase, three_fpdus_in_a_row_are_enough);
	tcase_add_test(tcase, one_is_enough_when_its_crc_fits);
	tcase_add_test(tcase, one_whose_checksum_does_not_fit_is_not_enough);
	tcase_add_loop_test(tcase, fpdus_are_found_inside_of_segments, 6, 100);
	tcase_add_test(tcase, both_sides_count);
	tcase_add_test(tcase, the_same_bytes_again_prove_nothing);
	tcase_add_test(tcase, lengths_must_fit);
	tcase_add_test(tcase, what_is_kept_is_bounded);
	suite_add_tcase(suite, tcase);
	return suite;
}
