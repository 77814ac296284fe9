/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S01 and S09 of UC, S18, S19.
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

static struct rda_feed feed;

/* PSNs of UC SENDs Only, and how many of them are missing. */
START_TEST(what_is_missing_of_uc)
{
	enum { WRAPS = 4 };
	static const struct {
		uint32_t psns[5];
		unsigned missing;
	} cases[] = {
		{{10, 11, 12, 13, 14}, 0},
		{{10, 12, 13, 14, 15}, 1},
		{{10, 12, 11, 13, 14}, 0}, /* late */
		{{10, 15, 12, 11, 16}, 2},
		[WRAPS] = {{0xffffff, 1, 2, 3, 4}, 1},
		{{10, 500000, 500001, 500003, 3}, 1}, /* it begins anew, twice */
		{{10, 10, 10, 11, 12}, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_line lines[5];

		for (unsigned j = 0; j < 5; j++)
			lines[j] = (struct rda_line){'A', 0x24, cases[i].psns[j]};
		rda_talk(&feed, lines, 5);
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S01) == cases[i].missing, "case %u",
			      i);
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S18) == 0, "case %u", i);
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S20) == (i == WRAPS), "case %u", i);
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S19) == 0, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

/* What comes late is told; as a warning where it tears a message, which nothing repeats. */
START_TEST(what_comes_late_of_uc)
{
	const struct rda_finding *finding;

	RDA_TALK(&feed, {'A', 0x24, 10}, {'A', 0x24, 12}, {'A', 0x24, 11}, {'A', 0x24, 13});
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert_ptr_nonnull(finding);
	ck_assert_uint_eq(finding->severity, RDA_SEVERITY_NOTE);
	rda_talk_frames(finding, 3, 0);
	rda_feed_end(&feed);

	RDA_TALK(&feed, {'A', 0x20, 10}, {'A', 0x22, 12}, {'A', 0x21, 11}, {'A', 0x24, 13});
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert_ptr_nonnull(finding);
	ck_assert_uint_eq(finding->severity, RDA_SEVERITY_WARNING);
	ck_assert_uint_eq(rda_finding_find_argument(finding, "torn")->number, 1);
	rda_feed_end(&feed);
}
END_TEST

/* A gap between messages tears none; one inside tears that. */
START_TEST(torn_messages_of_uc)
{
	RDA_TALK(&feed, {'A', 0x20, 10}, {'A', 0x22, 12}, {'A', 0x24, 14}, {'A', 0x26, 15, 3000},
		 {'A', 0x24, 18});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S18), 2);
	rda_talk_frames(rda_talk_found(&feed, RDA_CHECK_S18), 2, 5, 0);
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S01), 4);
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S09), 0);
	ck_assert_int_eq(rda_talk_found(&feed, RDA_CHECK_S01)->proof, RDA_PROOF_SUSPECTED);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(the_order_of_opcodes_of_uc)
{
	RDA_TALK(&feed, {'A', 0x26, 10, 3000}, {'A', 0x24, 11});
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S09), 1);
	rda_feed_end(&feed);
}
END_TEST

/* The same contents, and not at once: a mirror's copy comes at once. */
START_TEST(a_repeated_datagram)
{
	static const struct {
		uint32_t pause_us;
		uint8_t fill;
		unsigned found;
	} cases[] = {{1000, 0, 1}, {10, 0, 0}, {1000, 7, 0}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		RDA_TALK(&feed, {'A', 0x64, 5, 0x11}, {'A', 0x64, 9, 0x11},
			 {.from = 'A',
			  .opcode = 0x64,
			  .psn = 5,
			  .value = 0x11,
			  .pause_us = cases[i].pause_us,
			  .fill = cases[i].fill});
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S19) == cases[i].found, "case %u", i);
		ck_assert_msg(rda_talk_count(&feed, RDA_CHECK_S01) == 0, "case %u", i);
		if (cases[i].found)
			rda_talk_frames(rda_talk_found(&feed, RDA_CHECK_S19), 3, 1, 0);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_sequence_datagram(void)
{
	Suite *suite = suite_create("check_sequence_datagram");
	TCase *tcase = tcase_create("check_sequence_datagram");

	tcase_add_test(tcase, what_is_missing_of_uc);
	tcase_add_test(tcase, what_comes_late_of_uc);
	tcase_add_test(tcase, torn_messages_of_uc);
	tcase_add_test(tcase, the_order_of_opcodes_of_uc);
	tcase_add_test(tcase, a_repeated_datagram);
	suite_add_tcase(suite, tcase);
	return suite;
}
