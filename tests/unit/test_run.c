/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why runs begin: stories.
 */
#include "analyzer/track/roce/run.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"a NAK", "send 10-12 nak 11 send 11 12 ack 12", .fresh = 3, .resent = 2, .after_nak = 1,
	 .lost_after = 1, .out_of_sequence = 1},
	{"a NAK that was not obeyed for long", "send 10-12 nak 11 wait 400 send 11 12 ack 12",
	 .fresh = 3, .resent = 2, .after_timeout = 1, .lost_after = 1, .out_of_sequence = 1},
	{"a timer", "send 10 wait 400 send 10 ack 10", .fresh = 1, .resent = 1, .after_timeout = 1},
	{"none", "send 10-12 ack 10 send 12 ack 12", .fresh = 3, .resent = 1, .unexplained = 1,
	 .duplicates = 1},
	{"an answer to what follows a READ",
	 "agreed 10 read 10-11 send 12 ack 12 read 10-11 send 12 response 10-11 ack 12", .fresh = 2,
	 .resent = 2, .after_implied = 1, .spurious = 2, .implied_naks = 1, .duplicates = 2,
	 .responses_lost_before = 2, .done = 1},
	{"a READ's answer that stopped before its end, no longer ago than it takes to go back",
	 "agreed 8 send 8 9 nak 8 wait 2 send 8 9 ack 9 read 10-14 response 10-13 wait 2 read 11-14"
	 " response 11-14",
	 .fresh = 3, .resent = 3, .after_nak = 1, .after_implied = 1, .lost_after = 1,
	 .spurious = 1, .duplicates = 1, .out_of_sequence = 1, .responses_lost_after = 1,
	 .done = 1},
	{"a NAK that an earlier run crossed, and the run after it lost what that had repaired",
	 "agreed 10 read 10-12 send 13 14 response 10 12 read 11-12 send 13 14 nak 13"
	 " response 11 read 12 send 14 ack 14",
	 .fresh = 3, .resent = 5, .after_implied = 1, .after_nak = 1, .lost_after = 1,
	 .spurious = 2, .duplicates = 3, .implied_naks = 1, .responses_lost_before = 1,
	 .waiting = 1},
	{"what a run from a READ left out was lost: the next run shows that it goes back N",
	 "numbered agreed 8 send 8 9 ack 9 read 10 send 11 12 nak 10 read 10 response 10 send 13 "
	 "14 nak 11"
	 " send 11 12 ack 11 send 13 14 ack 14",
	 .fresh = 7, .lost_before = 2, .resent = 5, .after_nak = 2, .lost_after = 1,
	 .out_of_sequence = 4, .done = 1},
	{"an RNR NAK, and what it asked to wait", "send 10 11 rnr 10 wait 700 send 10 11 ack 11",
	 .fresh = 2, .resent = 2, .after_rnr = 1, .out_of_sequence = 1},
	{"an RNR NAK, and a run before its wait is over",
	 "send 13 10 rnr 10 send 11-13 nak 10 wait 40 send 10-13 ack 13", .fresh = 1, .resent = 7,
	 .reordered = 1, .after_rnr = 1, .unexplained = 1, .out_of_sequence = 4},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_run(void)
{
	Suite *suite = suite_create("run");
	TCase *tcase = tcase_create("run");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
