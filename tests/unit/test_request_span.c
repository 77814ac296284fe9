/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READs whose spans the next requests tell: stories.
 */
#include "analyzer/track/roce/request_span.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"a READ of unknown span: four packets of 256 bytes", "guess 10 send 14 15 ack 15",
	 .fresh = 3, .implied_naks = 1, .waiting = 1},
	{"a READ of unknown span: what follows is in sequence", "guess 10 send 14 15", .fresh = 3,
	 .waiting = 1},
	{"a READ of unknown span: one packet", "guess 10 send 11 12 ack 12", .fresh = 3,
	 .implied_naks = 1, .waiting = 1},
	/* of 1024 bytes: with an MTU of 512 it takes 11 too, so only 12 was missed for certain */
	{"a READ of unknown span, and what no MTU gives to it", "guess 10 send 13 14 ack 14",
	 .fresh = 3, .lost_by_capture = 1, .implied_naks = 1, .waiting = 1},
	{"a READ turns out to be longer",
	 "guess 10 wait 500 read 10-13 response 10-13 send 14 ack 14", .fresh = 2, .resent = 1,
	 .after_timeout = 1, .done = 1},
	{"a READ of unknown span turns out to be shorter", "guess 10 send 14 send 12 13 ack 14",
	 .fresh = 2, .reordered = 2, .implied_naks = 1, .waiting = 1},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_request_span(void)
{
	Suite *suite = suite_create("request_span");
	TCase *tcase = tcase_create("request_span");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
