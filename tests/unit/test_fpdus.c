/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FPDUs in the engine: counted for their capture and flow, and told to whoever prints packets, at
 * the frame in which they end.
 */
#include "analyzer/engine/fpdus.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

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

Suite *rda_suite_fpdus(void)
{
	Suite *suite = suite_create("fpdus");
	TCase *tcase = tcase_create("fpdus");

	tcase_add_test(tcase, each_is_told_where_it_ends);
	tcase_add_test(tcase, what_waits_for_a_gap_is_told_at_the_end);
	tcase_add_test(tcase, parts_are_told_in_order);
	tcase_add_test(tcase, what_is_past_a_limit_is_counted);
	tcase_add_test(tcase, nothing_is_kept_for_nobody);
	suite_add_tcase(suite, tcase);
	return suite;
}
