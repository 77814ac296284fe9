/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stream below: what is no FPDU, how connections end; in every shape of it.
 * Alignment differs by shape: tests of their own.
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "analyzer/checks/iwarp/state.h"
#include "analyzer/track/iwarp/state.h"
#include "tests/unit/iwarp_feed.h"
#include "tests/unit/suite.h"

#include <glib.h>

static void sound(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 10);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_send(w, 0, 2, 10);
}

static void desync(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_send(w, 0, 1, 10);
	rda_iwarp_bytes(w, 0,
			(const uint8_t *)"no FPDU at all, but text; as long as the headers of one "
					 "can be, so that it can be told from one that goes on",
			100);
}

static void text_behind_a_hole(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	w->flags = RDA_IWARP_MISSED;
	rda_iwarp_send(w, 0, 1, 10);
	rda_iwarp_bytes(w, 0,
			(const uint8_t *)"no FPDU at all, but text; as long as the headers of one "
					 "can be, so that it can be told from one that goes on",
			100);
}

static void reset_with_read(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	w->flags = RDA_IWARP_RST;
	rda_iwarp_bytes(w, 1, NULL, 0);
}

static void closed_with_read(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_bytes(w, 0, NULL, 0);
}

static void closed_after_answer(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_response(w, 1, 100);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_bytes(w, 0, NULL, 0);
}

static void terminated_with_read(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	rda_iwarp_terminate_write(w, 1, "1100 c000", 0x1100, 0x7000);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_bytes(w, 1, NULL, 0);
}

/* Nothing comes behind the answer; that it was there is known from its acknowledgment. */
static void closed_after_missed_answer(struct rda_iwarp_feed *w)
{
	rda_iwarp_open_with(w, 0x40);
	rda_iwarp_read(w, 0, 1, 0x1100, 0x7000, 100);
	w->flags = RDA_IWARP_MISSED;
	rda_iwarp_response(w, 1, 100);
	w->flags = RDA_IWARP_FIN;
	rda_iwarp_bytes(w, 0, NULL, 0);
}

static const struct rda_iwarp_story stories[] = {
	{"sound", sound, "", NULL},
	{"no FPDU", desync, "W04x1 ", "Behind 1 FPDU the bytes"},
	{"no FPDU behind a hole", text_behind_a_hole, "", NULL},
	{"reset", reset_with_read, "W29x1 ", "came while 1 READ or atomic had no answer"},
	{"closed", closed_with_read, "W29x1 ", "closed the connection"},
	{"closed after the answer", closed_after_answer, "", NULL},
	{"closed after an answer that was not captured", closed_after_missed_answer, "", NULL},
	{"terminated", terminated_with_read, "W18x1 ", NULL},
};

START_TEST(stories_end_as_they_should)
{
	rda_iwarp_story_check(&stories[_i]);
}
END_TEST

/* ---- alignment ----------------------------------------------------------------------------- */

/* Two FPDUs as one run of bytes, cut where neither begins. */
START_TEST(an_fpdu_inside_a_segment_is_told)
{
	static const uint8_t two[] = {
		0, 18, 0xc1, 0x40, 0, 0, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 0, 0, 0, 0,
		0, 18, 0xc1, 0x40, 0, 0, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 0, 0, 0, 0,
	};
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	rda_iwarp_open(&w);
	rda_iwarp_bytes(&w, 0, two, 20);
	rda_iwarp_bytes(&w, 0, two + 20, sizeof(two) - 20);
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(rda_iwarp_cases(&w, RDA_CHECK_W26), 1);
	ck_assert(rda_iwarp_says(&w, RDA_CHECK_W26, "1 of 2 FPDUs"));
	rda_iwarp_feed_end(&w);
}
END_TEST

START_TEST(a_marker_in_front_of_an_fpdu_is_part_of_it)
{
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	rda_iwarp_open_with(&w, 0xc0);
	for (unsigned i = 0; i < 40; i++)
		rda_iwarp_write(&w, 0, 0x1100, 0x7000, 100 + 4 * i);
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(rda_engine_finding_count(w.feed.engine), 0);
	rda_iwarp_feed_end(&w);
}
END_TEST

/* What a capture has of a connection, as the verdict on it rests on that. */
START_TEST(what_was_seen_is_known)
{
	struct rda_iwarp_feed w;
	uint8_t seen;

	rda_iwarp_feed_begin(&w);
	w.checksums = true; /* of a reply alone, that does not fit, another copy may have come */
	rda_iwarp_open(&w);
	rda_iwarp_send(&w, 0, 1, 4);
	rda_iwarp_finish(&w);
	seen = rda_engine_connection(w.feed.engine, 0)->seen;
	ck_assert_uint_eq(seen, RDA_SEEN_BOTH | RDA_SEEN_START | RDA_SEEN_UNBROKEN |
					RDA_SEEN_WHOLE | RDA_SEEN_CM | RDA_SEEN_SAID |
					RDA_SEEN_TIMES);
	rda_iwarp_feed_end(&w);

	rda_iwarp_feed_begin(&w);
	for (uint32_t msn = 7; msn < 12; msn++)
		rda_iwarp_send(&w, 0, msn, 4);
	w.flags = RDA_IWARP_MISSED;
	rda_iwarp_send(&w, 0, 12, 4);
	rda_iwarp_send(&w, 0, 13, 4);
	rda_iwarp_finish(&w);
	seen = rda_engine_connection(w.feed.engine, 0)->seen;
	ck_assert_uint_eq(seen & (RDA_SEEN_START | RDA_SEEN_UNBROKEN), 0);
	rda_iwarp_feed_end(&w);
}
END_TEST

/* The responder's message before the initiator's: no harm once the initiator goes on. */
START_TEST(what_did_no_harm_is_a_note)
{
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	rda_iwarp_open_with(&w, 0x40);
	rda_iwarp_send(&w, 1, 1, 4);
	rda_iwarp_send(&w, 0, 1, 4);
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(rda_engine_finding_count(w.feed.engine), 1);
	ck_assert_uint_eq(rda_engine_finding(w.feed.engine, 0)->severity, RDA_SEVERITY_NOTE);
	rda_iwarp_feed_end(&w);
}
END_TEST

/* What was sent again with something new behind it is cut as it was before. */
START_TEST(a_segment_that_is_sent_again_with_more_is_aligned)
{
	static const uint8_t two[] = "\0\x0e\xc1\x40\0\0\x11\0\0\0\0\0\0\0\x70\0\0\0\0\0"
				     "\0\x0e\xc1\x40\0\0\x11\0\0\0\0\0\0\0\x70\0\0\0\0\0";
	enum { FPDU = (sizeof(two) - 1) / 2 };
	struct rda_iwarp_feed w;

	rda_iwarp_feed_begin(&w);
	rda_iwarp_open(&w);
	rda_iwarp_bytes(&w, 0, two, FPDU);
	w.streams[0].sequence -= FPDU;
	rda_iwarp_bytes(&w, 0, two, 2 * FPDU);
	rda_iwarp_finish(&w);
	ck_assert_uint_eq(rda_iwarp_cases(&w, RDA_CHECK_W27), 1);
	ck_assert_uint_eq(rda_iwarp_cases(&w, RDA_CHECK_W26), 0);
	rda_iwarp_feed_end(&w);
}
END_TEST

static void add_check_iwarp(Suite *suite)
{
	TCase *tcase = tcase_create("check_iwarp");

	tcase_add_test(tcase, a_segment_that_is_sent_again_with_more_is_aligned);
	tcase_add_loop_test(tcase, stories_end_as_they_should, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, an_fpdu_inside_a_segment_is_told);
	tcase_add_test(tcase, a_marker_in_front_of_an_fpdu_is_part_of_it);
	tcase_add_test(tcase, what_was_seen_is_known);
	tcase_add_test(tcase, what_did_no_harm_is_a_note);
	suite_add_tcase(suite, tcase);
}

/*
 * A case has the side that sent what is at hand, and the other.
 */

START_TEST(a_case_is_of_the_side_that_sent)
{
	struct rda_flow flows[2] = {{.index = 4}, {.index = 5}};
	struct rda_judge judge = {.whole = {0}};
	struct rda_iwarp_connection *connection = g_new0(struct rda_iwarp_connection, 1);

	connection->sides[0].flow = &flows[0];
	connection->sides[1].flow = &flows[1];
	for (uint8_t side = 0; side < 2; side++) {
		struct rda_iwarp_at at = {.connection = connection, .side = side};
		struct rda_iwarp_case c = rda_iwarp_case_of(&judge, &at);

		ck_assert_ptr_eq(c.judge, &judge);
		ck_assert_ptr_eq(c.at, &at);
		ck_assert_ptr_eq(c.side.flow, &flows[side]);
		ck_assert_ptr_eq(c.other.flow, &flows[1 - side]);
		ck_assert_ptr_eq(c.flow, &flows[side]);
		ck_assert_ptr_eq(c.peer, &flows[1 - side]);
		ck_assert_ptr_eq(c.watch, flows[side].watch.iwarp);
		ck_assert_ptr_null(c.fpdu);
		ck_assert_ptr_null(c.step);
	}
	rda_iwarp_watch_free(&flows[0]);
	rda_iwarp_watch_free(&flows[1]);
	g_free(connection);
}
END_TEST

/* What is watched is kept from case to case, until it is freed. */
START_TEST(a_flow_is_watched_once)
{
	struct rda_flow flow = {.index = 4};
	struct rda_judge judge = {.whole = {0}};
	struct rda_iwarp_connection *connection = g_new0(struct rda_iwarp_connection, 1);
	struct rda_iwarp_at at = {.connection = connection, .side = 1};
	struct rda_iwarp_case c;

	connection->sides[1].flow = &flow;
	rda_iwarp_case_of(&judge, &at).watch->fpdus = 3;
	c = rda_iwarp_case_of(&judge, &at);
	ck_assert_uint_eq(c.watch->fpdus, 3);
	ck_assert_ptr_null(c.peer);
	rda_iwarp_watch_free(&flow);
	ck_assert_ptr_null(flow.watch.iwarp);
	rda_iwarp_watch_free(&flow);
	g_free(connection);
}
END_TEST

static void add_check_iwarp_state(Suite *suite)
{
	TCase *tcase = tcase_create("check_iwarp_case");

	tcase_add_test(tcase, a_case_is_of_the_side_that_sent);
	tcase_add_test(tcase, a_flow_is_watched_once);
	suite_add_tcase(suite, tcase);
}

Suite *rda_suite_check_iwarp(void)
{
	Suite *suite = suite_create("check_iwarp");

	add_check_iwarp(suite);
	add_check_iwarp_state(suite);
	return suite;
}
