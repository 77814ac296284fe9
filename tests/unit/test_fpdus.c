/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FPDUs in the engine: counted for their capture and flow, and told to whoever prints packets, at
 * the frame in which they end.
 */
#include "analyzer/engine/fpdus.h"

#include "tests/unit/build.h"
#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

#include <glib.h>

static void begin_with(struct rda_iwarp_feed *w, const struct rda_config *config)
{
	rda_iwarp_feed_begin(w);
	rda_engine_drop(w->feed.engine);
	w->feed.engine = rda_engine_new(config);
}

/* An engine that tells what ended in each frame. */
static void begin(struct rda_iwarp_feed *w)
{
	begin_with(w, &(struct rda_config){.trace = true});
}

static unsigned told(const struct rda_iwarp_feed *w)
{
	unsigned count;

	rda_engine_fpdus(w->feed.engine, &count);
	return count;
}

START_TEST(each_is_told_where_it_ends)
{
	struct rda_iwarp_feed w;
	unsigned count;

	begin(&w);
	rda_iwarp_open(&w);
	ck_assert_uint_eq(told(&w), 1); /* the reply */
	ck_assert(rda_engine_fpdus(w.feed.engine, &count)->is_start);
	rda_iwarp_send(&w, 0, 1, 100);
	ck_assert_uint_eq(told(&w), 1);
	ck_assert_uint_eq(rda_engine_fpdus(w.feed.engine, &count)->fpdu.ulpdu.payload_length, 100);
	w.shape.mss = 50;
	rda_iwarp_send(&w, 0, 2, 100);
	ck_assert_uint_eq(told(&w), 1); /* at the last of its segments */
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(rda_engine_capture(w.feed.engine, 0)->rdma_packets[RDA_CARRIER_IWARP], 4);
	rda_iwarp_feed_end(&w);
}
END_TEST

START_TEST(what_waits_for_a_gap_is_told_at_the_end)
{
	struct rda_iwarp_feed w;

	begin(&w);
	rda_iwarp_open(&w);
	rda_iwarp_send(&w, 0, 1, 100);
	w.flags = RDA_IWARP_PENDING;
	rda_iwarp_send(&w, 0, 2, 100);
	rda_iwarp_send(&w, 0, 3, 100);
	ck_assert_uint_eq(told(&w), 0);
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(told(&w), 1);
	rda_iwarp_feed_end(&w);
}
END_TEST

/* Each byte is told of once: of the frame that was the first to bring it. */
START_TEST(parts_are_told_in_order)
{
	struct rda_iwarp_feed w;
	const struct rda_fpdu_part *parts;
	unsigned count, fpdus;
	int64_t next;

	begin(&w);
	rda_iwarp_open(&w);
	rda_iwarp_send(&w, 0, 1, 100);
	parts = rda_engine_fpdu_parts(w.feed.engine, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(parts->length, 2 + 18 + 100 + 4);
	ck_assert_int_eq(parts->offset, rda_engine_fpdus(w.feed.engine, &fpdus)->fpdu.offset);
	ck_assert_uint_eq(parts->place, rda_engine_fpdus(w.feed.engine, &fpdus)->fpdu.place);
	next = parts->offset + parts->length;
	w.shape = (struct rda_iwarp_shape){.mss = 70, .duplicate = true, .reverse = true};
	rda_iwarp_send(&w, 0, 2, 100);
	parts = rda_engine_fpdu_parts(w.feed.engine, &count);
	ck_assert_uint_eq(count, 0); /* a copy */
	w.shape = (struct rda_iwarp_shape){.mss = 70, .reverse = true};
	rda_iwarp_send(&w, 0, 3, 100);
	parts = rda_engine_fpdu_parts(w.feed.engine, &count);
	ck_assert_uint_eq(count, 2); /* the second waited for the first */
	ck_assert_uint_gt(parts[0].place, parts[1].place);
	ck_assert_int_eq(parts[0].offset, next + 124);
	ck_assert_int_eq(parts[1].offset, next + 124 + 70);
	ck_assert_uint_eq(parts[1].length, 54);
	rda_iwarp_finish(&w);
	rda_iwarp_feed_end(&w);
}
END_TEST

START_TEST(what_is_past_a_limit_is_counted)
{
	const struct rda_config config = {.trace = true, .iwarp_cap = 1, .held_cap = 100};
	const struct rda_capture *capture;
	struct rda_iwarp_feed w;

	begin_with(&w, &config);
	rda_iwarp_open(&w);
	w.flags = RDA_IWARP_PENDING;
	rda_iwarp_send(&w, 0, 1, 100);
	rda_iwarp_send(&w, 0, 2, 100);
	ck_assert_uint_eq(told(&w), 1); /* the gap is not waited for */
	w.port++;
	rda_iwarp_open(&w);
	rda_iwarp_send(&w, 0, 1, 100);
	ck_assert_uint_eq(told(&w), 0); /* of a second connection */
	rda_iwarp_finish(&w);
	capture = rda_engine_capture(w.feed.engine, 0);
	ck_assert_uint_eq(capture->gaps_given_up, 1);
	ck_assert_uint_gt(capture->not_followed, 0);
	rda_iwarp_feed_end(&w);
}
END_TEST

START_TEST(nothing_is_kept_for_nobody)
{
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	rda_iwarp_open(&w);
	ck_assert_uint_eq(told(&w), 0);
	rda_iwarp_feed_end(&w);
}
END_TEST

/* A reply came damaged here only, and was acknowledged: it is one. */
START_TEST(a_start_frame_that_was_accepted_counts)
{
	struct rda_iwarp_feed w;

	begin(&w);
	w.checksums = true;
	rda_iwarp_shake_hands(&w);
	rda_iwarp_start(&w, 0, 0, 1, "");
	rda_iwarp_bytes(&w, 1, NULL, 0); /* an acknowledgment, whose checksum fits */
	w.checksums = false;
	rda_iwarp_start(&w, 1, 0, 1, "");
	w.checksums = true;
	rda_iwarp_send(&w, 0, 1, 100);
	rda_iwarp_send(&w, 1, 1, 100);
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(rda_engine_capture(w.feed.engine, 0)->rdma_packets[RDA_CARRIER_IWARP], 4);
	rda_iwarp_feed_end(&w);
}
END_TEST

static void add_fpdus(Suite *suite)
{
	TCase *tcase = tcase_create("fpdus");

	tcase_add_test(tcase, each_is_told_where_it_ends);
	tcase_add_test(tcase, what_waits_for_a_gap_is_told_at_the_end);
	tcase_add_test(tcase, parts_are_told_in_order);
	tcase_add_test(tcase, what_is_past_a_limit_is_counted);
	tcase_add_test(tcase, nothing_is_kept_for_nobody);
	tcase_add_test(tcase, a_start_frame_that_was_accepted_counts);
	suite_add_tcase(suite, tcase);
}

/*
 * Which headers FPDUs and start frames have, and where.
 */

/* The layers that a ULPDU has. */
static const struct row {
	const char *ulpdu;
	uint32_t payload;
	struct rda_layer layers[RDA_FPDU_LAYERS_MAX];
} rows[] = {
	{"c140 00001100 0000000000007000", 10, {{RDA_DDP_TAGGED, 14, 2}}},
	{"4143 00000000 00000000 00000001 00000000", 10, {{RDA_DDP_UNTAGGED, 18, 2}}},
	{"4141 00000000 00000001 00000001 00000000 00005100 0000000000009000 00000064 "
	 "00001100 0000000000007000",
	 0,
	 {{RDA_DDP_UNTAGGED, 18, 2}, {RDA_RDMAP_READ, 28, 20}}},
	{"414b 00000000 00000003 00000001 00000000 00000007 0000000000000000",
	 0,
	 {{RDA_DDP_UNTAGGED, 18, 2}, {RDA_RDMAP_ATOMIC_ACK, 12, 20}}},
	{"4147 00000000 00000002 00000001 00000000 1100 c000 004e c140 00001100 0000000000007000",
	 0,
	 {{RDA_DDP_UNTAGGED, 18, 2}, {RDA_RDMAP_TERMINATE, 4, 20}, {RDA_DDP_TAGGED, 14, 26}}},
	{"4147 00000000 00000002 00000001 00000000 2002 0000",
	 0,
	 {{RDA_DDP_UNTAGGED, 18, 2}, {RDA_RDMAP_TERMINATE, 4, 20}}},
	{"c1", 0, {{0}}}, /* too short for any */
};

START_TEST(layers_are_where_the_headers_are)
{
	const struct row *row = &rows[_i];
	struct rda_layer layers[RDA_FPDU_LAYERS_MAX];
	struct rda_fpdu_told told = {0};
	struct rda_build b = {0};
	unsigned count, want = 0;

	rda_put_hex(&b, row->ulpdu);
	rda_put_pattern(&b, row->payload);
	rda_read_ulpdu(&told.fpdu.ulpdu, b.bytes, b.length, (uint16_t)b.length);
	while (want < RDA_FPDU_LAYERS_MAX && row->layers[want].length)
		want++;
	count = rda_fpdu_layers(&told, layers);
	ck_assert_uint_eq(count, want);
	for (unsigned i = 0; i < count; i++) {
		ck_assert_uint_eq(layers[i].header, row->layers[i].header);
		ck_assert_uint_eq(layers[i].length, row->layers[i].length);
		ck_assert_uint_eq(layers[i].offset, row->layers[i].offset);
	}
}
END_TEST

START_TEST(a_start_frame_may_have_depths)
{
	struct rda_layer layers[RDA_FPDU_LAYERS_MAX];
	struct rda_fpdu_told told = {.is_start = true};

	ck_assert_uint_eq(rda_fpdu_layers(&told, layers), 1);
	ck_assert_uint_eq(layers[0].header, RDA_MPA_START);
	told.start.has_depths = true;
	ck_assert_uint_eq(rda_fpdu_layers(&told, layers), 2);
	ck_assert_uint_eq(layers[1].offset, 20);
}
END_TEST

static void add_fpdu_layers(Suite *suite)
{
	TCase *tcase = tcase_create("fpdu_layers");

	tcase_add_loop_test(tcase, layers_are_where_the_headers_are, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, a_start_frame_may_have_depths);
	suite_add_tcase(suite, tcase);
}

Suite *rda_suite_fpdus(void)
{
	Suite *suite = suite_create("fpdus");

	add_fpdus(suite);
	add_fpdu_layers(suite);
	return suite;
}
