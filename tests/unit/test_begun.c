/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a connection begins, by the PSN that was agreed on: stories.
 */
#include "analyzer/track/roce/begun.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"the agreed one and the next were lost, or not captured", "agreed 10 send 12 13 ack 13",
	 .fresh = 2},
	{"a late packet of the life before, and the agreed one",
	 "agreed 100 send 7 100 101 ack 101", .fresh = 3},
	{"behind the agreed one", "agreed 100 send 7 100 102 ack 102", .fresh = 3,
	 .lost_by_capture = 1},
	{"the agreed one is not there either", "agreed 100 send 7 101 ack 101", .fresh = 2,
	 .lost_by_capture = 93},
	{"nothing was agreed on", "send 7 100 101 ack 101", .fresh = 3, .lost_by_capture = 92},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_begun(void)
{
	Suite *suite = suite_create("begun");
	TCase *tcase = tcase_create("begun");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
