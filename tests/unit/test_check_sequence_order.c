/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S09, S10, S20: the order of opcodes, the window, the wrap.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/base/psn.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

static struct rda_feed feed;

/* Every state with every place in a message. */
START_TEST(what_breaks_the_order)
{
	enum {
		UNKNOWN = RDA_MESSAGE_STATE_UNKNOWN,
		NONE = RDA_MESSAGE_STATE_NONE,
		SEND = RDA_MESSAGE_STATE_SEND,
		WRITE = RDA_MESSAGE_STATE_WRITE
	};
	static const struct {
		uint8_t state, opcode, then;
		bool breaks;
	} cases[] = {
		{UNKNOWN, 0x00, SEND, false}, {UNKNOWN, 0x01, SEND, false},
		{UNKNOWN, 0x02, NONE, false}, {UNKNOWN, 0x06, WRITE, false},
		{UNKNOWN, 0x0c, NONE, false}, {NONE, 0x00, SEND, false},
		{NONE, 0x06, WRITE, false},   {NONE, 0x01, SEND, true},
		{NONE, 0x08, NONE, true},     {NONE, 0x04, NONE, false},
		{NONE, 0x0c, NONE, false},    {NONE, 0x13, NONE, false},
		{SEND, 0x01, SEND, false},    {SEND, 0x02, NONE, false},
		{SEND, 0x16, NONE, false},    {SEND, 0x00, SEND, true},
		{SEND, 0x07, WRITE, true},    {SEND, 0x0c, NONE, true},
		{WRITE, 0x07, WRITE, false},  {WRITE, 0x09, NONE, false},
		{WRITE, 0x0a, NONE, true},    {WRITE, 0x02, NONE, true},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		enum rda_phrase breaks;
		enum rda_message_state then =
			rda_message_after((enum rda_message_state)cases[i].state,
					  rda_opcode(cases[i].opcode)->roles, &breaks);

		ck_assert_msg(then == cases[i].then, "case %u", i);
		ck_assert_msg((breaks != RDA_PHRASE_NONE) == cases[i].breaks, "case %u", i);
	}
}
END_TEST

START_TEST(an_illegal_order_is_told_once_for_each)
{
	RDA_TALK(&feed, {'A', 0x06, 10, 3000}, {'A', 0x04, 11}, {'A', 0x04, 12}, {'A', 0x02, 13});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S09), 2);
	rda_talk_frames(rda_talk_found(&feed, RDA_CHECK_S09), 2, 4, 0);
	rda_feed_end(&feed);
}
END_TEST

/* Behind a gap, a damaged packet or a resend nothing is known. */
START_TEST(the_order_is_judged_only_in_sequence)
{
	RDA_TALK(&feed, {'A', 0x06, 10, 3000}, {'A', 0x04, 13}, {'A', 0x06, 14, 2000},
		 {.from = 'A', .opcode = 0x08, .psn = 15, .damaged = true}, {'A', 0x06, 16, 2000},
		 {.from = 'A', .opcode = 0x06, .psn = 14, .value = 2000, .pause_us = 90000},
		 {'A', 0x08, 15}, {'A', 0x06, 16, 2000}, {'A', 0x08, 17});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S09), 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(a_wrap_is_noted)
{
	RDA_TALK(&feed, {'A', 0x04, 0xfffffe}, {'A', 0x04, 0xffffff}, {'A', 0x04, 0},
		 {'A', 0x04, 1});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S20), 1);
	rda_talk_frames(rda_talk_found(&feed, RDA_CHECK_S20), 3, 0);
	rda_feed_end(&feed);
	/* a READ that takes the last PSNs and the first; far away is no wrap */
	RDA_TALK(&feed, {'B', 0x06, 1, 9000}, {'A', 0x0c, 0xfffffe, 4096}, {'A', 0x04, 2});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S20), 1);
	rda_feed_end(&feed);
	RDA_TALK(&feed, {'A', 0x04, 0xe00000}, {'A', 0x04, 0x100000});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S20), 0);
	rda_feed_end(&feed);
}
END_TEST

/* READs of 2^31 bytes at 256 take 2^23 PSNs each. */
START_TEST(more_than_half_of_the_psns_outstanding)
{
	struct rda_line lines[] = {
		{.from = 'A', .opcode = 0x00, .psn = 10, .payload = 256},
		{'A', 0x02, 11},
		{'B', 0x11, 11},
		{'A', 0x0c, 12, 0x7fffff00},
		{'A', 0x04, 12 + 0x7fffff},
		{'A', 0x04, 13 + 0x7fffff},
		{'A', 0x04, 14 + 0x7fffff},
	};

	rda_talk(&feed, lines, 5);
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S10), 0);
	rda_feed_end(&feed);
	rda_talk(&feed, lines, 7);
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S10), 1);
	rda_talk_frames(rda_talk_found(&feed, RDA_CHECK_S10), 6, 3, 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_sequence_order(void)
{
	Suite *suite = suite_create("check_sequence_order");
	TCase *tcase = tcase_create("check_sequence_order");

	tcase_add_test(tcase, what_breaks_the_order);
	tcase_add_test(tcase, an_illegal_order_is_told_once_for_each);
	tcase_add_test(tcase, the_order_is_judged_only_in_sequence);
	tcase_add_test(tcase, a_wrap_is_noted);
	tcase_add_test(tcase, more_than_half_of_the_psns_outstanding);
	suite_add_tcase(suite, tcase);
	return suite;
}
