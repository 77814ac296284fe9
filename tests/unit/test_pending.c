/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READs and ATOMICs that wait for their responses: stories.
 */
#include "analyzer/track/roce/pending.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"a READ", "read 10-17 response 10-17 send 18 ack 18", .fresh = 2, .done = 1},
	{"an ATOMIC", "atomic 10 result 10", .fresh = 1, .done = 1},
	{"two READs at once", "read 10-13 read 14-17 response 10-17", .fresh = 2, .done = 2},
	{"a gap in the responses, and asked again from the middle",
	 "read 10-17 response 10 11 13-17 read 12-17 response 12-17 send 18 ack 18", .fresh = 2,
	 .resent = 1, .after_implied = 1, .spurious = 1, .implied_naks = 1, .duplicates = 1,
	 .responses_lost_before = 1, .done = 1},
	{"two gaps", "read 10-17 response 10 12 14-17 read 11-17 response 11-17", .fresh = 1,
	 .resent = 1, .after_implied = 1, .spurious = 1, .implied_naks = 1, .duplicates = 1,
	 .responses_lost_before = 2, .done = 1},
	{"a gap that was the capture's own, and a later one",
	 "read 10-17 response 10 12 13 read 15-17 response 15-17", .fresh = 1, .resent = 1,
	 .after_implied = 1, .spurious = 1, .implied_naks = 1, .duplicates = 1,
	 .responses_lost_by_capture = 1, .done = 1},
	{"a READ that is longer than it looked",
	 "guess 10 read 10-12 response 10 11 send 13 ack 13 response 12", .fresh = 2, .resent = 1,
	 .unexplained = 0, .after_timeout = 1, .implied_naks = 1, .done = 1},
	{"an answer that its successor overtook is not lost",
	 "atomic 10 send 11 ack 11 result 10 atomic 10 send 11 result 10 ack 11", .fresh = 2,
	 .resent = 2, .after_implied = 1, .implied_naks = 1, .spurious = 2, .duplicates = 2,
	 .done = 1},
	{"a READ of which only the capture missed the end, and all of another",
	 "read 10-12 read 13 14 read 15-16 response 10 11 15 16 wait 100 send 17 18", .fresh = 6,
	 .implied_naks = 1, .responses_lost_by_capture = 3, .done = 1},
	{"late responses", "read 10-17 response 10 12 11 13-17 read 18-19 response 18-19",
	 .fresh = 2, .implied_naks = 1, .done = 2},
	{"copies of responses", "read 10-12 response 10 10 11 11 12 12", .fresh = 1, .done = 1},
	{"the READ was lost", "read 10-13 wait 500 read 10-13 response 10-13", .fresh = 1,
	 .resent = 1, .after_timeout = 1, .done = 1},
	{"the READ was lost before the tap",
	 "send 9 14 nak 10 read 10-13 send 14 response 10-13 ack 14", .fresh = 2, .resent = 2,
	 .after_nak = 1, .lost_before = 1, .lost_by_capture = 0, .out_of_sequence = 1, .done = 1},
	{"the response of an ATOMIC was lost",
	 "agreed 10 atomic 10 atomic 11 result 11 atomic 10 11"
	 " result 10 11",
	 .fresh = 2, .resent = 2, .after_implied = 1, .spurious = 2, .implied_naks = 1,
	 .duplicates = 2, .responses_lost_before = 1, .done = 2},
	{"a later ATOMIC alone was answered, and both may be repeats of before the capture",
	 "atomic 10 atomic 11 result 11 atomic 10 11"
	 " result 10 11",
	 .fresh = 2, .resent = 2, .after_implied = 1, .spurious = 2, .implied_naks = 1,
	 .duplicates = 2, .done = 2},
	{"an ACK passes a READ",
	 "agreed 10 read 10-13 send 14 ack 14 read 10-13 send 14 response 10-13 ack 14", .fresh = 2,
	 .resent = 2, .after_implied = 1, .spurious = 2, .implied_naks = 1, .duplicates = 2,
	 .responses_lost_before = 4, .done = 1},
	{"the end of an answer was lost or never sent, and all is asked for again",
	 "read 10-13 response 10-11 wait 500 read 10-13 response 10-13", .fresh = 1, .resent = 1,
	 .after_timeout = 1, .spurious = 1, .duplicates = 1, .done = 1},
	{"the end of an answer came late, and was asked for again",
	 "read 10-13 response 10-11 wait 1 read 10-13 response 10-13 12 13", .fresh = 1,
	 .resent = 1, .after_timeout = 1, .spurious = 1, .duplicates = 1, .done = 1},
	{"a response proves that what a NAK named came late",
	 "send 10 read 11-12 nak 10 response 11-12 send 10", .fresh = 2, .resent = 1,
	 .after_nak = 1, .spurious = 1, .duplicates = 1, .out_of_sequence = 1, .done = 1},
	{"asked again with a request that was never captured",
	 "send 10 ack 10 read 12-13 send 14 response 12 13 ack 14 read 12-13 response 12 13",
	 .fresh = 3, .resent = 1, .after_implied = 1, .lost_by_capture = 1, .spurious = 1,
	 .duplicates = 1, .done = 1},
	{"asked again for what the latest answer had not come to",
	 "read 10-13 wait 500 read 10-13 response 10-13 10-12 wait 500 read 13-13 response 13",
	 .fresh = 1, .resent = 2, .after_timeout = 2, .spurious = 1, .duplicates = 2, .done = 1},
	{"a copy of a response is not the one that is missing",
	 "read 10-12 response 10 12 12 read 11-12 response 11 12", .fresh = 1, .resent = 1,
	 .after_implied = 1, .spurious = 1, .duplicates = 1, .implied_naks = 1,
	 .responses_lost_before = 1, .done = 1},
	{"a NAK of what follows, and then the responses",
	 "read 10-11 send 12 13 nak 12 response 10 11 read 10-11 response 10 11", .fresh = 3,
	 .resent = 1, .after_nak = 1, .lost_after = 1, .spurious = 1, .duplicates = 1,
	 .out_of_sequence = 1, .done = 1},
	{"a NAK of what follows a gap in the responses",
	 "read 10-12 send 13 14 response 10 12 nak 13 read 11-12 send 13 14 ack 14", .fresh = 3,
	 .resent = 3, .after_implied = 1, .lost_after = 1, .spurious = 1, .duplicates = 1,
	 .out_of_sequence = 1, .implied_naks = 1, .responses_lost_before = 1, .waiting = 1},
	{"a run from below asks again for a response, and that request was lost",
	 "agreed 10 atomic 10 read 11-12 send 13 response 12 ack 13 atomic 10 send 13 wait 100 "
	 "result 10 send 14",
	 .fresh = 4, .resent = 2, .after_implied = 1, .spurious = 2, .duplicates = 2,
	 .implied_naks = 1, .responses_lost_before = 1, .waiting = 1, .done = 1},
	{"a run that a timer began goes back to it, though what was seen first lies behind",
	 "agreed 9 send 9 ack 9 atomic 10 send 11 12 ack 11 wait 400 send 11 12 wait 1 send 13",
	 .fresh = 5, .resent = 2, .after_timeout = 1, .spurious = 1, .duplicates = 1,
	 .implied_naks = 1, .waiting = 1},
	{"what an answer lacks had come with the one before, behind the request that asks again",
	 "agreed 10 read 10-14 response 10 read 10-14 response 11-14 response 10 11 13 14 ack 14"
	 " send 15 ack 15 wait 100 send 16 wait 100 send 17",
	 .fresh = 4, .resent = 1, .unexplained = 1, .spurious = 1, .duplicates = 1,
	 .implied_naks = 1},
	{"a response that came before it was asked for again",
	 "read 10-12 send 13 response 10 12 read 11-12 response 11 ack 13 wait 100 send 14 15",
	 .fresh = 4, .resent = 1, .after_implied = 1, .spurious = 1, .duplicates = 1,
	 .implied_naks = 2, .responses_lost_before = 1},
	{"an answer of which the capture missed the question, and no run had it",
	 "send 10 result 11 send 12 wait 500 send 12 wait 500 send 12 ack 12", .fresh = 2,
	 .resent = 2, .after_timeout = 2, .lost_by_capture = 1},
	{"responses to nothing", "send 10 response 10-12 result 10", .fresh = 1},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

/* Unanswered READs without end: the oldest are forgotten. */
START_TEST(the_cap)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "atomic 0-299");
	ck_assert_uint_eq(t.responder.waiting.count, RDA_PENDING_CAP);
	ck_assert_uint_eq(t.responder.rare->forgotten, 300 - RDA_PENDING_CAP);
	ck_assert_uint_eq(t.responder.waiting.count, RDA_PENDING_CAP);
	rda_tell(&t, "result 44-299");
	ck_assert_uint_eq(t.responder.waiting.count, 0);
	rda_telling_end(&t);
}
END_TEST

/* One that is asked again after it was forgotten takes its place among the others. */
START_TEST(the_order)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "guess 10 read 14-15 response 10 read 12-13");
	ck_assert_uint_eq(t.responder.waiting.count, 2);
	rda_tell(&t, "response 12-15");
	ck_assert_uint_eq(t.responder.waiting.count, 0);
	ck_assert_uint_eq(t.responder.rare->counts.implied_naks, 0);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_pending(void)
{
	Suite *suite = suite_create("pending");
	TCase *tcase = tcase_create("pending");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, the_cap);
	tcase_add_test(tcase, the_order);
	suite_add_tcase(suite, tcase);
	return suite;
}
