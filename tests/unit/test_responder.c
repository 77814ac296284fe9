/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What acknowledgments and NAKs say of requests that did pass the tap: stories.
 */
#include "analyzer/track/roce/responder.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"lost behind the tap", "send 10-15 nak 12 send 12-16 ack 16", .fresh = 7, .resent = 4,
	 .after_nak = 1, .lost_after = 1, .out_of_sequence = 3},
	{"lost behind the tap twice", "send 10-13 nak 12 send 12 13 nak 12 send 12-14 ack 14",
	 .fresh = 5, .resent = 4, .after_nak = 2, .lost_after = 2, .out_of_sequence = 2},
	{"lost before the tap, behind a run of which nothing is known",
	 "agreed 10 send 10-13 wait 500 send 10 11 13 nak 12 send 12 13 ack 13", .fresh = 4,
	 .resent = 5, .after_timeout = 1, .after_nak = 1, .lost_before = 1, .out_of_sequence = 1},
	{"a path of which nothing is known, and a timer of 13 ms: the NAK may be of before",
	 "agreed 10 send 10 12 13 wait 13 send 10-13 wait 20 nak 11 send 11-13 ack 13", .fresh = 3,
	 .resent = 7, .after_timeout = 1, .duplicates = 3, .after_nak = 1, .lost_before = 1,
	 .out_of_sequence = 2},
	{"the NAK was under way when what it names passed again",
	 "send 10 wait 1 ack 10 send 11 13 wait 5 send 11-13 nak 12 send 12 13 ack 13", .fresh = 3,
	 .resent = 5, .after_timeout = 1, .duplicates = 2, .after_nak = 1, .lost_before = 1,
	 .out_of_sequence = 1},
	{"too long ago for that",
	 "send 10 wait 1 ack 10 send 11 13 wait 500 send 11-13 nak 12 send 12 13 ack 13",
	 .fresh = 3, .resent = 5, .after_timeout = 1, .after_nak = 1, .lost_before = 1,
	 .lost_after = 1, .out_of_sequence = 2},
	{"the NAK was of a run before, which lost it before the tap",
	 "send 10 11 13 14 send 11-14 nak 12 send 12-14 ack 14", .fresh = 4, .resent = 7,
	 .unexplained = 1, .after_nak = 1, .lost_before = 1, .out_of_sequence = 2, .duplicates = 4},
	{"the NAK was under way, and the run that it missed lost another behind the tap",
	 "send 10-14 send 11-14 nak 11 ack 11 nak 12 send 12-14 ack 14", .fresh = 5, .resent = 7,
	 .unexplained = 1, .after_nak = 1, .lost_after = 1, .out_of_sequence = 2},
	{"the RNR NAK did not arrive", "send 10 rnr 10 wait 2000 send 10 ack 10", .fresh = 1,
	 .resent = 1, .after_timeout = 1},
	{"the first of all was lost, and a NAK names it", "send 11-13 nak 10 send 10-13 ack 13",
	 .fresh = 3, .resent = 4, .after_nak = 1, .missing = 1, .out_of_sequence = 3},
	{"named, and never resent", "send 10-15 nak 12 ack 15", .fresh = 6, .out_of_sequence = 0},
	{"its latest transmission never appeared",
	 "send 10 11 13-15 nak 12 send 12 13 15 nak 14 send 14-16 ack 16", .fresh = 6, .resent = 5,
	 .after_nak = 2, .lost_before = 2, .out_of_sequence = 4},
	{"late, and past the tap before its NAK", "send 10 11 13 14 12 nak 12 send 12-15 ack 15",
	 .fresh = 5, .resent = 3, .reordered = 1, .after_nak = 1, .out_of_sequence = 2,
	 .duplicates = 1},
	{"it came late, and its run later still", "send 10-13 nak 12 ack 13 send 12-14 ack 14",
	 .fresh = 5, .resent = 2, .after_nak = 1, .spurious = 2, .duplicates = 2},
	{"no receive posted", "send 10-13 rnr 12 wait 5 send 12-14 ack 14", .fresh = 5, .resent = 2,
	 .after_rnr = 1, .out_of_sequence = 1},
	{"no receive posted, and a NAK on top", "send 10-13 rnr 12 nak 12 wait 5 send 12-14 ack 14",
	 .fresh = 5, .resent = 2, .after_rnr = 1, .out_of_sequence = 1},
	{"no receive posted, twice",
	 "send 10-12 rnr 12 wait 5 send 12 rnr 12 wait 5 send 12 ack 12", .fresh = 3, .resent = 2,
	 .after_rnr = 2},
	{"a real NAK after the RNR was served",
	 "send 10 rnr 10 wait 5 send 10 ack 10 send 11 12 nak 11 send 11 12 ack 12", .fresh = 3,
	 .resent = 3, .after_rnr = 1, .after_nak = 1, .lost_after = 1, .out_of_sequence = 1},
	{"the PSN of an RNR that was served is lost later",
	 "send 10 rnr 10 wait 5 send 10 11 ack 11 wait 1 send 12 rnr 12 wait 5 send 12 ack 12 send "
	 "13"
	 " 14 nak 13 send 13 14 ack 14",
	 .fresh = 5, .resent = 4, .after_rnr = 2, .after_nak = 1, .lost_after = 1,
	 .out_of_sequence = 1},
	{"a timeout run, and a NAK that tells it was needed",
	 "send 10-12 wait 500 send 10-12 nak 11 send 11 12 ack 12 ack 12", .fresh = 3, .resent = 5,
	 .after_timeout = 1, .after_nak = 1, .lost_after = 1, .out_of_sequence = 1},
	{"an early timeout, answered twice", "send 10 11 wait 5 send 10 11 ack 11 ack 11 ack 11",
	 .fresh = 2, .resent = 2, .after_timeout = 1, .duplicates = 2},
	{"a timeout of what was lost", "send 10 11 wait 500 send 10 11 ack 11", .fresh = 2,
	 .resent = 2, .after_timeout = 1},
	{"a NAK that comes too late to be followed", "send 10-13 nak 12 wait 900 send 12-14 ack 14",
	 .fresh = 5, .resent = 2, .after_timeout = 1, .lost_after = 1, .out_of_sequence = 1},
	{"a NAK proves what lies below it", "send 10 13 nak 12 send 12-14 ack 14", .fresh = 3,
	 .resent = 2, .after_nak = 1, .lost_before = 1, .lost_by_capture = 1},
	{"a NAK of what was never sent", "send 10 11 nak 14 send 14 ack 14", .fresh = 3,
	 .lost_by_capture = 2, .ghosts = 1},
	{"an ACK from nowhere", "send 10 11 ack 99999 send 12 ack 12", .fresh = 3, .ghosts = 1},
	{"NAKs from nowhere", "send 10 11 nak 99999 rnr 99999 fatal 99999 send 12 ack 12",
	 .fresh = 3, .ghosts = 3},
	{"an old ACK moves nothing", "send 10-13 ack 12 ack 11 send 14 ack 14", .fresh = 5},
	{"a damaged one is lost once", "send 10 11 damaged 1 send 13 nak 12 send 12 13 ack 13",
	 .fresh = 3, .resent = 2, .after_nak = 1, .lost_after = 1, .out_of_sequence = 1},
	{"a hole in the capture, and requests that only looked out of sequence",
	 "send 10 12-14 ack 14 send 15 ack 15", .fresh = 5, .lost_by_capture = 1},
	{"responses before any request", "ack 10 nak 10 rnr 10 response 10", .fresh = 0},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

START_TEST(a_fatal_nak_ends_it)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 11");
	ck_assert(!t.responder.rare->dead);
	rda_tell(&t, "fatal 11");
	ck_assert(t.responder.rare->dead);
	ck_assert_uint_eq(t.events[RDA_EVENT_NAK_FATAL], 1);
	ck_assert_int_eq(t.requester.progress.acked, t.requester.progress.next - 1);
	rda_telling_end(&t);
}
END_TEST

/* Only what was sent once tells how long its answer took. */
START_TEST(the_round_trip_time)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 wait 2 ack 10");
	ck_assert_int_eq(t.requester.rtt.smooth_ns, 2010000);
	rda_tell(&t, "send 11 wait 400 send 11 ack 11");
	ck_assert_int_eq(t.requester.rtt.smooth_ns, 2010000);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_responder(void)
{
	Suite *suite = suite_create("responder");
	TCase *tcase = tcase_create("responder");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, a_fatal_nak_ends_it);
	tcase_add_test(tcase, the_round_trip_time);
	suite_add_tcase(suite, tcase);
	return suite;
}
