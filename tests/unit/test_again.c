/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many requests a responder had before, as its answers tell.
 */
#include "analyzer/track/roce/again.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

struct again_case {
	const char *name, *story;
	uint64_t duplicates;
};

static const struct again_case cases[] = {
	{"a timer's run, answered once", "send 10 11 wait 500 send 10 11 ack 11", 0},
	{"answered twice", "send 10 11 wait 500 send 10 11 ack 11 ack 11", 2},
	{"two runs", "send 10 wait 500 send 10 wait 500 send 10 ack 10 ack 10 ack 10", 2},
	{"the last answer to two runs was lost",
	 "send 10 wait 500 send 10 wait 500 send 10 ack 10 ack 10", 1},
	{"a copy that is not answered", "send 10 copy ack 10 send 11 ack 11", 0},
	{"a copy that is answered", "send 10 copy ack 10 ack 10 send 11 ack 11", 1},
	{"more answers than requests", "send 10 copy ack 10 ack 10 ack 10 ack 10", 1},
	{"a copy of what was not the next", "send 10 12 copy nak 11 send 11 12 ack 12", 0},
	{"a timer's run of all, whose answer counts on",
	 "msn 1 send 10 ack 10 msn 2 send 11 ack 11 wait 500 send 10 11 ack 11", 2},
	{"the next life of the QP, whose answers count anew",
	 "msn 1 send 10 ack 10 msn 2 send 11 ack 11 wait 500 send 10 11 msn 1 ack 10 msn 2 ack 11",
	 0},
	{"the next life, and a timer's run in it",
	 "msn 1 send 10 ack 10 msn 2 send 11 ack 11 wait 500 send 10 11 wait 500 send 10 11 msn 1 "
	 "ack 10",
	 2},
	{"the same, and the first of all had been lost",
	 "send 11 12 msn 0 nak 10 send 10-12 msn 3 ack 12 wait 500 send 10-12 wait 500 send 10-12 "
	 "msn 1 ack 10",
	 3},
	{"what passed behind a hole in the next life was none",
	 "msn 4 send 10-13 ack 13 wait 500 send 10 11 13 wait 500 send 10-13 msn 1 ack 10", 2},
	{"the next life, as a NAK tells",
	 "msn 4 send 10-13 ack 13 wait 500 send 10 12 13 msn 1 nak 11 send 11-13 msn 4 ack 13", 0},
	{"the next life goes further than the one before",
	 "msn 1 send 10 ack 10 msn 2 send 11 ack 11 wait 500 send 10 msn 1 ack 10 send 11-13 msn 4 "
	 "ack 13",
	 0},
	{"the first overtakes those before it, which arrive in their turn",
	 "send 12 10 11 nak 10 send 10-12 ack 12", 2},
	{"the same, one by one", "send 12 11 10 nak 10 send 10-12 ack 12", 1},
	{"what passes behind a refused request",
	 "send 10 11 ack 11 send 12 wait 500 send 10-12 fatal 12", 0},
	{"and before it", "send 10 11 ack 11 wait 500 send 10-12 fatal 12 send 10 11", 2},
	{"what passed twice before a receiver was not ready for it",
	 "send 10-14 ack 10 send 12-14 rnr 13 send 13 14 ack 14", 1},
	{"an ATOMIC, answered twice", "atomic 10 wait 500 atomic 10 result 10 result 10", 1},
	{"nothing tells of a run that a NAK follows",
	 "send 10 11 wait 500 send 10 11 13 nak 12 send 12 13 ack 13", 0},
};

START_TEST(told)
{
	const struct again_case *c = &cases[_i];
	struct rda_telling t;
	uint64_t duplicates;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, c->story);
	duplicates = rda_responder_duplicates(&t.responder, &t.requester, false);
	RDA_CHECK(duplicates == c->duplicates, "%s: %llu", c->name, (unsigned long long)duplicates);
	rda_telling_end(&t);
}
END_TEST

/* A mirror that shows requests twice shows the answers twice, too. */
START_TEST(mirrored)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 copy ack 10 ack 10 send 11 ack 11");
	ck_assert_uint_eq(rda_responder_duplicates(&t.responder, &t.requester, true), 0);
	rda_telling_end(&t);
}
END_TEST

static uint64_t latest_of(const struct rda_telling *t, int64_t psn)
{
	return rda_window_of(&t->requester.window, psn)->last_frame;
}

/* What passed ahead of its turn, and comes by again in its turn, was made by the network. */
START_TEST(a_copy_in_its_turn)
{
	struct rda_telling t;
	struct rda_request copy;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 12 11");
	copy = t.latest;
	copy.begin++;
	copy.end++;
	rda_responder_copied(&t.responder, &t.requester, &copy, latest_of(&t, copy.begin));
	ck_assert_int_eq(t.responder.at.expected, copy.end);
	ck_assert_uint_eq(t.responder.rare->again.copies, 0);
	rda_responder_copied(&t.responder, &t.requester, &copy, latest_of(&t, copy.begin));
	ck_assert_uint_eq(t.responder.rare->again.copies, 1);
	rda_telling_end(&t);
}
END_TEST

/* Where a mirror copies all, it made that copy too. */
START_TEST(a_mirrors_copy_in_its_turn)
{
	struct rda_telling t;
	struct rda_request copy;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 8 copy send 9 copy send 10 copy send 12 11");
	copy = t.latest;
	copy.begin++;
	copy.end++;
	rda_responder_copied(&t.responder, &t.requester, &copy, latest_of(&t, copy.begin));
	ck_assert_int_eq(t.responder.at.expected, copy.begin);
	rda_telling_end(&t);
}
END_TEST

/* Of what passed before it was sent again the copies are as old as that. */
START_TEST(a_copy_of_another_in_its_turn)
{
	struct rda_telling t;
	struct rda_request copy;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 12 11");
	copy = t.latest;
	copy.begin++;
	copy.end++;
	rda_responder_copied(&t.responder, &t.requester, &copy, latest_of(&t, copy.begin) - 1);
	ck_assert_int_eq(t.responder.at.expected, copy.begin);
	rda_telling_end(&t);
}
END_TEST

/* A mirror's copy of what was lost behind it, when a NAK has named that, arrives nowhere. */
START_TEST(a_late_copy_of_what_was_lost)
{
	struct rda_telling t;
	struct rda_request copy;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 11");
	copy = t.latest;
	rda_tell(&t, "send 12 13 nak 11");
	rda_responder_copied(&t.responder, &t.requester, &copy, latest_of(&t, copy.begin));
	ck_assert_int_eq(t.responder.at.expected, copy.begin);
	rda_telling_end(&t);
}
END_TEST

/* An ACK that nothing asked for names a copy, whatever became of the answers to others. */
START_TEST(a_copy_that_is_named)
{
	struct rda_telling t;
	struct rda_window *window = &t.requester.window;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 11 copy");
	rda_window_at(window, window->count - 1)->ack_req = false;
	rda_responder_heard(&t.responder)->habit.asked = 4;
	rda_responder_rare(&t.responder)->unexpected.duplicates = 3;
	rda_tell(&t, "ack 11");
	ck_assert_uint_eq(rda_responder_duplicates(&t.responder, &t.requester, false), 4);
	ck_assert_uint_eq(rda_responder_duplicates(&t.responder, &t.requester, true), 3);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_again(void)
{
	Suite *suite = suite_create("again");
	TCase *tcase = tcase_create("duplicates");

	tcase_add_loop_test(tcase, told, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tcase, mirrored);
	tcase_add_test(tcase, a_copy_in_its_turn);
	tcase_add_test(tcase, a_mirrors_copy_in_its_turn);
	tcase_add_test(tcase, a_copy_of_another_in_its_turn);
	tcase_add_test(tcase, a_late_copy_of_what_was_lost);
	tcase_add_test(tcase, a_copy_that_is_named);
	suite_add_tcase(suite, tcase);
	return suite;
}
