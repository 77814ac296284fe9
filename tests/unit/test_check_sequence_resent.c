/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S06, S07, S08, S11: whether what is sent again is the same.
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

static struct rda_feed feed;

/* a QP that was set up anew is not so soon there (RDA_SILENCE_NS) */
enum { TIMEOUT_US = 9000 };

/* A packet, then another with its PSN, or one inside its READ. */
START_TEST(what_is_sent_again)
{
	static const struct {
		struct rda_line first, again;
		enum rda_check check; /* COUNT: nothing */
	} cases[] = {
		{{'A', 0x04, 20}, {'A', 0x04, 20}, RDA_CHECK_COUNT},
		{{'A', 0x04, 20}, {'A', 0x0a, 20, 8}, RDA_CHECK_S06},
		{{'A', 0x0a, 20, 8}, {'A', 0x0a, 20, 9}, RDA_CHECK_S06},
		{{'A', 0x04, 20},
		 {.from = 'A', .opcode = 0x04, .psn = 20, .payload = 9},
		 RDA_CHECK_S06},
		{{'A', 0x04, 20},
		 {.from = 'A', .opcode = 0x04, .psn = 20, .fill = 1},
		 RDA_CHECK_S07},
		{{'A', 0x14, 20, 1}, {'A', 0x14, 20, 1}, RDA_CHECK_COUNT},
		{{'A', 0x14, 20, 1}, {'A', 0x14, 20, 2}, RDA_CHECK_S06},
		{{'A', 0x0c, 20, 4096}, {'A', 0x0c, 20, 4096}, RDA_CHECK_COUNT},
		{{'A', 0x0c, 20, 4096}, {'A', 0x0c, 20, 1024}, RDA_CHECK_COUNT},
		{{'A', 0x0c, 20, 4096}, {'A', 0x0c, 20, 5000}, RDA_CHECK_S08},
		{{'A', 0x0c, 20, 4096}, {'A', 0x0c, 21, 1024}, RDA_CHECK_S08}, /* its address */
		{{'A', 0x0c, 20, 4096}, {'A', 0x04, 20}, RDA_CHECK_S06},
		{{'A', 0x0c, 20, 4096}, {'A', 0x04, 21}, RDA_CHECK_S11},
		{{'A', 0x0c, 20, 4096}, {'A', 0x04, 23}, RDA_CHECK_S11},
		{{'A', 0x0c, 20, 4096}, {'A', 0x04, 24}, RDA_CHECK_COUNT},
	};
	static const enum rda_check all[] = {RDA_CHECK_S06, RDA_CHECK_S07, RDA_CHECK_S08,
					     RDA_CHECK_S11};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_line lines[] = {
			{'A', 0x00, 18},
			{'A', 0x02, 19},
			cases[i].first,
			cases[i].again,
		};

		lines[3].pause_us = TIMEOUT_US;
		rda_talk(&feed, lines, RDA_COUNT(lines));
		for (unsigned j = 0; j < RDA_COUNT(all); j++)
			ck_assert_msg(rda_talk_count(&feed, all[j]) == (all[j] == cases[i].check),
				      "case %u, %s", i, rda_check_row(all[j])->code);
		if (cases[i].check != RDA_CHECK_COUNT)
			rda_talk_frames(rda_talk_found(&feed, cases[i].check), 4, 3, 0);
		rda_feed_end(&feed);
	}
}
END_TEST

/* What was damaged the first time says nothing of what it was. */
START_TEST(a_damaged_packet_is_not_compared)
{
	RDA_TALK(&feed, {'A', 0x04, 10}, {'A', 0x04, 11},
		 {.from = 'A', .opcode = 0x04, .psn = 12, .fill = 3, .damaged = true},
		 {.from = 'A', .opcode = 0x04, .psn = 12, .pause_us = TIMEOUT_US});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S06), 0);
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S07), 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_sequence_resent(void)
{
	Suite *suite = suite_create("check_sequence_resent");
	TCase *tcase = tcase_create("check_sequence_resent");

	tcase_add_test(tcase, what_is_sent_again);
	tcase_add_test(tcase, a_damaged_packet_is_not_compared);
	suite_add_tcase(suite, tcase);
	return suite;
}
