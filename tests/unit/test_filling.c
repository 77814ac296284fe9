/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holes that are filled: each way in which it becomes clear whether by late packets or by a run.
 */
#include "analyzer/track/roce/filling.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

static const struct rda_story stories[] = {
	{"after a NAK, and what follows is sent again", "send 10 12 13 nak 11 send 11-13 ack 13",
	 .fresh = 3, .resent = 3, .after_nak = 1, .lost_before = 1, .out_of_sequence = 2},
	{"after a NAK, and what followed it was taken", "send 10 12 13 nak 11 send 11 14 ack 14",
	 .fresh = 4, .resent = 1, .after_nak = 1, .missing = 1, .selective = 1,
	 .out_of_sequence = 2},
	{"after a silence, and what follows is sent again",
	 "send 10 ack 10 send 12 13 wait 2 send 11-13 ack 13", .fresh = 3, .resent = 3,
	 .after_timeout = 1, .lost_before = 1, .out_of_sequence = 2},
	{"after a silence, and it goes on with what is new",
	 "send 10 ack 10 send 12 13 wait 2 send 11 14 ack 14", .fresh = 4, .reordered = 1,
	 .out_of_sequence = 2},
	{"after a silence, two in a row, and what follows is sent again",
	 "send 10 ack 10 send 13 wait 2 send 11-13 ack 13", .fresh = 2, .resent = 3,
	 .after_timeout = 1, .lost_before = 2, .out_of_sequence = 1},
	{"without a silence", "send 10 ack 10 send 12 13 11 14 ack 14", .fresh = 4, .reordered = 1,
	 .out_of_sequence = 2},
	{"after a silence, where one was late before",
	 "send 10 12 11 ack 12 send 14 15 wait 2 send 13 16 ack 16", .fresh = 5, .reordered = 2,
	 .out_of_sequence = 3},
	{"after a silence, and the ACK comes before what follows",
	 "send 10 ack 10 send 12 wait 2 send 11 ack 12 send 13 ack 13", .fresh = 3, .reordered = 1,
	 .out_of_sequence = 1},
	{"after a silence so long that a timer is at work",
	 "send 10 ack 10 send 12 13 wait 60 send 11 ack 13", .fresh = 3, .resent = 1,
	 .after_timeout = 1, .missing = 1, .out_of_sequence = 2},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

Suite *rda_suite_filling(void)
{
	Suite *suite = suite_create("filling");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
