/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a run begins: stories.
 */
#include "analyzer/track/roce/run_reason.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"answers take 2 ms, and the answer to a READ was lost behind: it goes back at once",
	 "agreed 10 read 10 send 11 wait 2 response 10 ack 11 wait 2 read 10 send 11 wait 2"
	 " response 10 ack 11",
	 .fresh = 2, .resent = 2, .after_implied = 1, .spurious = 2, .duplicates = 2, .done = 1},
	{"all was answered, and nothing passed for longer than that takes: a timer",
	 "agreed 10 read 10 send 11 wait 2 response 10 ack 11 wait 30 read 10 send 11 wait 2"
	 " response 10 ack 11",
	 .fresh = 2, .resent = 2, .after_timeout = 1, .spurious = 2, .duplicates = 2, .done = 1},
	{"the run for an answer that is missing is lost behind: the next one is a timer's",
	 "agreed 10 read 10 send 11 wait 2 ack 11 wait 2 read 10 send 11 wait 30 read 10 send 11"
	 " wait 2 response 10 ack 11",
	 .fresh = 2, .resent = 4, .after_implied = 1, .after_timeout = 1, .implied_naks = 1,
	 .spurious = 4, .duplicates = 4, .responses_lost_before = 1, .done = 1},
	{"an answer that others overtook ends the silence: what comes at once is no timer's",
	 "agreed 10 read 10 send 11 wait 2 response 10 ack 11 wait 30 read 10 send 11 wait 2 ack 11"
	 " wait 30 response 10 read 10 send 11 wait 2 response 10 ack 11",
	 .fresh = 2, .resent = 4, .after_timeout = 1, .after_implied = 1, .spurious = 4,
	 .duplicates = 4, .done = 1},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_run_reason(void)
{
	Suite *suite = suite_create("run_reason");
	TCase *tcase = tcase_create("run_reason");

	tcase_add_loop_test(tcase, story, 0, (int)(sizeof(stories) / sizeof(stories[0])));
	suite_add_tcase(suite, tcase);
	return suite;
}
