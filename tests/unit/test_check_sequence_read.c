/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S12-S14: READ responses against the READs that they answer.
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

static struct rda_feed feed;

/* A READ of 3000 bytes from PSN 10 and one of 8 from 13, then one response. */
START_TEST(each_response_has_its_place_and_length)
{
	static const struct {
		uint8_t opcode;
		uint32_t psn, payload;
		bool order, length;
	} cases[] = {
		{0x0d, 10, 1024, false, false}, {0x0e, 11, 1024, false, false},
		{0x0f, 12, 952, false, false},	{0x10, 13, 8, false, false},
		{0x0e, 10, 1024, true, false},	{0x10, 10, 1024, true, false},
		{0x0d, 11, 1024, true, false},	{0x0f, 11, 1024, true, false},
		{0x0e, 12, 1024, true, false},	{0x0f, 13, 8, true, false},
		{0x0f, 12, 953, false, true},	{0x0f, 12, 1, false, true},
		{0x10, 13, 9, false, true},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		const struct rda_line lines[] = {
			{'A', 0x00, 8},
			{'A', 0x02, 9},
			{'B', 0x11, 9},
			{'A', 0x0c, 10, 3000},
			{'A', 0x0c, 13, 8},
			{.from = 'B',
			 .opcode = cases[i].opcode,
			 .psn = cases[i].psn,
			 .payload = cases[i].payload},
			{.from = 'A', .opcode = 0x04, .psn = 14, .pause_us = 1000},
		};

		rda_talk(&feed, lines, RDA_COUNT(lines));
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S13) == cases[i].order, "case %u", i);
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S14) == cases[i].length, "case %u",
			      i);
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S12) == 0, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

/* A mirror of two queues shows the answer first; or nobody asks, or it is too late for that. */
START_TEST(the_rest_may_be_asked_for_behind_its_answer)
{
	static const struct {
		uint32_t psn, pause_us;
		unsigned count;
	} cases[] = {{11, 30, 0}, {11, 200, 1}, {12, 30, 1}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		RDA_TALK(&feed, {'A', 0x04, 9}, {'B', 0x11, 9}, {'A', 0x0c, 10, 3000},
			 {.from = 'B', .opcode = 0x0d, .psn = 10, .payload = 1024},
			 {.from = 'B', .opcode = 0x0d, .psn = 11, .payload = 1024},
			 {.from = 'A',
			  .opcode = 0x0c,
			  .psn = cases[i].psn,
			  .value = 1000,
			  .pause_us = cases[i].pause_us},
			 {.from = 'A', .opcode = 0x04, .psn = 14, .pause_us = 1000});
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S13) == cases[i].count, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

/* Asked again from the middle: answers to both may come. */
START_TEST(a_read_that_was_asked_again_is_not_judged)
{
	RDA_TALK(&feed, {'A', 0x0c, 10, 3000}, {'B', 0x0d, 10},
		 {.from = 'A', .opcode = 0x0c, .psn = 10, .value = 3000, .pause_us = 90000},
		 {'B', 0x0e, 11}, {'B', 0x0d, 11}, {'B', 0x0f, 12});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S13), 0);
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S14), 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(the_answer_to_a_send_is_no_read_response)
{
	RDA_TALK(&feed, {'A', 0x04, 10}, {'B', 0x11, 10}, {'A', 0x04, 11}, {'B', 0x10, 11});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S12), 1);
	rda_talk_frames(rda_talk_found(&feed, RDA_CHECK_S12), 4, 3, 0);
	rda_feed_end(&feed);
}
END_TEST

/* Behind all requests; what comes next tells whether that is a fault. */
START_TEST(responses_that_nobody_asked_for)
{
	static const struct {
		struct rda_line next;
		int severity; /* -1: not found */
	} cases[] = {
		{{'A', 0x0c, 11, 2048}, -1}, /* the request came late */
		{{'A', 0x04, 11}, RDA_SEVERITY_ERROR},
		{{'A', 0x04, 13}, -1}, /* the capture missed the request */
		{{'B', 0x11, 10}, RDA_SEVERITY_WARNING},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		const struct rda_finding *finding;

		RDA_TALK(&feed, {'A', 0x04, 10}, {'B', 0x11, 10}, {'B', 0x0d, 11}, {'B', 0x0f, 12},
			 cases[i].next);
		finding = rda_talk_found(&feed, RDA_CHECK_S12);
		ck_assert_msg((finding ? finding->key.severity : -1) == cases[i].severity,
			      "case %u", i);
		if (finding)
			rda_talk_frames(finding, 3, 0);
		rda_feed_end(&feed);
	}
}
END_TEST

/* What was asked before the capture began, or in a part that it missed. */
START_TEST(a_capture_that_starts_in_the_middle)
{
	RDA_TALK(&feed, {'A', 0x04, 100}, {'B', 0x11, 100}, {'B', 0x0d, 90}, {'B', 0x0e, 91},
		 {'A', 0x04, 110}, {'B', 0x0d, 105});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S12), 0);
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S13), 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_sequence_read(void)
{
	Suite *suite = suite_create("check_sequence_read");
	TCase *tcase = tcase_create("check_sequence_read");

	tcase_add_test(tcase, each_response_has_its_place_and_length);
	tcase_add_test(tcase, the_rest_may_be_asked_for_behind_its_answer);
	tcase_add_test(tcase, a_read_that_was_asked_again_is_not_judged);
	tcase_add_test(tcase, the_answer_to_a_send_is_no_read_response);
	tcase_add_test(tcase, responses_that_nobody_asked_for);
	tcase_add_test(tcase, a_capture_that_starts_in_the_middle);
	suite_add_tcase(suite, tcase);
	return suite;
}
