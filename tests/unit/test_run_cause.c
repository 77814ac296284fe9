/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of two reasons a run obeys: stories.
 */
#include "analyzer/track/roce/run_cause.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"
#include "tests/unit/told.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"an older NAK was under way when the newer one was sent",
	 "send 10-14 nak 11 nak 13 send 11-14 ack 14", .fresh = 5, .resent = 4, .after_nak = 1,
	 .lost_after = 1, .spurious = 2, .duplicates = 2, .out_of_sequence = 1},
	{"three NAKs, and a run for each",
	 "send 10-16 nak 11 nak 13 nak 15 send 11-16 send 13-16 send 15 16 ack 16", .fresh = 7,
	 .resent = 12, .after_nak = 3, .lost_after = 1, .spurious = 6, .duplicates = 10,
	 .out_of_sequence = 1},
	{"a NAK behind an RNR NAK: back to the READ before it, whose answer was lost behind",
	 "agreed 10 read 10 send 11 response 10 rnr 11 send 12 nak 11 read 10 send 11 12"
	 " response 10 ack 12",
	 .fresh = 3, .resent = 3, .after_nak = 1, .spurious = 1, .duplicates = 1,
	 .out_of_sequence = 1, .done = 1},
	{"an RNR NAK of what a later NAK acknowledges: it had not come when the wait was over",
	 "agreed 10 send 10-13 rnr 11 nak 13 wait 700 send 11-13 ack 13", .fresh = 4, .resent = 3,
	 .after_rnr = 1, .spurious = 2, .duplicates = 2},
	{"an RNR NAK alone does not ask for the READ before it",
	 "agreed 10 read 10 send 11 response 10 rnr 11 send 12 read 10 send 11 12 response 10"
	 " ack 12",
	 .fresh = 3, .resent = 3, .unexplained = 1, .spurious = 1, .duplicates = 1,
	 .out_of_sequence = 1, .done = 1},
	{"a NAK behind an RNR NAK, and the wait that goes on behind the READ",
	 "agreed 10 read 10 send 11 response 10 rnr 11 send 12 nak 11 read 10 response 10 wait 700"
	 " send 11 12 ack 12",
	 .fresh = 3, .resent = 3, .after_nak = 1, .spurious = 1, .duplicates = 1,
	 .out_of_sequence = 1, .done = 1, .after_rnr = 1},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

/* What was seen first of a run lies behind the newer NAK, and it began where the older one said. */
START_TEST(seen_late)
{
	struct rda_told told;
	const struct rda_request_counts *counts;

	rda_told(&told, "10:1 11:2 12:3 13:4 14:5 15:6 nak:11 nak:13 14:10 11:7 12:8 13:9 15:11"
			" 14:13 13:12 15:14 ack:15");
	counts = &told.requester.rare->counts;
	ck_assert_str_eq(told.kinds, "nnnnnnRRRRRRRR");
	ck_assert_uint_eq(counts->resends[RDA_TRIGGER_NAK], 2);
	ck_assert_uint_eq(told.runs, 2);
	rda_told_cleanup(&told);
}
END_TEST

Suite *rda_suite_run_cause(void)
{
	Suite *suite = suite_create("run_cause");
	TCase *tcase = tcase_create("run_cause");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, seen_late);
	suite_add_tcase(suite, tcase);
	return suite;
}
