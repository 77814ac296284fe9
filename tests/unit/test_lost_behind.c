/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that passed the tap and are asked for again: stories.
 */
#include "analyzer/track/roce/lost_behind.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"lost behind the tap, and the last one before it, or never sent",
	 "read 10-13 send 14 response 10-12 wait 500 read 12-13 response 12 13 ack 14", .fresh = 2,
	 .resent = 1, .after_timeout = 1, .spurious = 1, .duplicates = 1, .responses_lost_after = 1,
	 .done = 1},
	{"or before it for certain: something behind was put off",
	 "agreed 10 read 10-13 send 14 response 10-12 rnr 14 wait 500 read 13 response 13",
	 .fresh = 2, .resent = 1, .after_implied = 1, .spurious = 1, .duplicates = 1,
	 .responses_lost_before = 1, .done = 1},
	{"asked again while it may be under way",
	 "read 10-13 send 14 response 10-12 read 12-13 response 12 13 ack 14", .fresh = 2,
	 .resent = 1, .unexplained = 1, .spurious = 1, .duplicates = 1, .done = 1},
	{"lost behind the tap, all having passed",
	 "agreed 10 read 10-12 read 13-14 response 10-14 read 11-12 13-14 response 11-14",
	 .fresh = 2, .resent = 2, .after_implied = 1, .spurious = 2, .duplicates = 2,
	 .responses_lost_after = 1, .done = 2},
	{"or, of a connection that began before, not waited for",
	 "read 10-12 read 13-14 response 10-14 read 11-12 13-14 response 11-14", .fresh = 2,
	 .resent = 2, .after_implied = 1, .spurious = 2, .duplicates = 2, .done = 2},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_lost_behind(void)
{
	Suite *suite = suite_create("lost_behind");
	TCase *tcase = tcase_create("lost_behind");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
