/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FPDUs in the engine: counted for their capture and flow, and told to whoever prints packets, at
 * the frame in which they end.
 */
#include "analyzer/fpdus.h"

#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

/* An engine that tells what ended in each frame. */
static void begin(struct rda_iwarp_feed *w)
{
	const struct rda_config config = {.trace = true};

	rda_iwarp_feed_begin(w);
	rda_engine_free(w->feed.engine);
	w->feed.engine = rda_engine_new(&config);
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
	tcase_add_test(tcase, nothing_is_kept_for_nobody);
	suite_add_tcase(suite, tcase);
	return suite;
}
