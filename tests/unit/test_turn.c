/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses to a READ of 5 to 8: which of them go on with the answer before.
 */
#include "analyzer/track/roce/turn.h"

#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

static const struct {
	const char *psns, *in_turn; /* a digit each; y or n */
	int64_t asked_at;	    /* so many responses had come when it was asked again; 0: not */
} cases[] = {
	{"5678", "yyyy", 0},	     {"5867", "yynn", 0}, /* overtaken */
	{"5678678", "yyyynnn", 0},			  /* again, and nobody had asked */
	{"56785678", "yyyynyyy", 4},			  /* another answer */
	{"5678", "yyyy", 2},				  /* the first one is under way */
};

START_TEST(in_turn)
{
	struct rda_pending pending = {.begin = 5, .end = 9, .expected = 5, .reached = 5};

	for (unsigned i = 0; cases[_i].psns[i]; i++) {
		int64_t psn = cases[_i].psns[i] - '0';
		bool turn;

		pending.resent += cases[_i].asked_at && i == (unsigned)cases[_i].asked_at;
		turn = rda_turn_take(&pending, psn);
		ck_assert_msg(turn == (cases[_i].in_turn[i] == 'y'), "case %d, response %u", _i, i);
		if (psn >= pending.expected)
			pending.expected = psn + 1;
	}
	ck_assert_int_eq(pending.reached, 9);
}
END_TEST

START_TEST(another_answer_is_due)
{
	struct rda_pending pending = {
		.begin = 5, .end = 9, .latest = 8, .asked_ns = 1000, .resent = 1};

	ck_assert(!rda_turn_is_other(&pending, 1100, 1000)); /* too soon */
	ck_assert(rda_turn_is_other(&pending, 1500, 1000));
	pending.latest = 7;
	ck_assert(!rda_turn_is_other(&pending, 1500, 1000)); /* the one before is under way */
}
END_TEST

START_TEST(an_answer_goes_as_far_as_it_has_no_gap)
{
	struct rda_sent record = {.begin = 5, .end = 9};
	const int64_t psns[] = {5, 6, 8, 5, 6, 7, 8, 6};
	const uint32_t answered[] = {1, 2, 2, 1, 2, 3, 4, 0};

	for (unsigned i = 0; i < 8; i++) {
		rda_turn_note(&record, NULL, psns[i], i, false);
		ck_assert_uint_eq(record.answered, answered[i]);
		ck_assert_int_eq(record.answer_ns, i);
	}
}
END_TEST

/* Of two READs: the older one was answered last. */
START_TEST(what_is_ahead_is_dropped)
{
	struct rda_window window;

	rda_window_init(&window, 0);
	rda_window_thicken(&window);
	for (int64_t psn = 5; psn < 7; psn++)
		*rda_window_append(&window) = (struct rda_sent){
			.begin = psn, .end = psn + 1, .roles = RDA_ROLE_READ, .answer_ns = psn};
	ck_assert(!rda_turn_was_ahead(&window, 1));
	rda_window_at(&window, 0)->answer_ns = 9;
	ck_assert(rda_turn_was_ahead(&window, 1));
	ck_assert(!rda_turn_was_ahead(&window, 0));
	rda_window_at(&window, 0)->roles = RDA_ROLE_WRITE;
	ck_assert(!rda_turn_was_ahead(&window, 1));
	rda_window_cleanup(&window);
}
END_TEST

/* Of three ATOMICs the first is asked for again, without an answer. */
START_TEST(what_came_ahead_is_not_lacked_by_who_begins_behind)
{
	struct rda_window window;

	rda_window_init(&window, 0);
	rda_window_thicken(&window);
	for (int64_t psn = 5; psn < 8; psn++)
		*rda_window_append(&window) = (struct rda_sent){.begin = psn,
								.end = psn + 1,
								.roles = RDA_ROLE_ATOMIC,
								.answer_ns = psn,
								.answered = 1,
								.ahead = psn == 7};
	ck_assert(!rda_turn_lacks(&window, 7, 7));
	rda_window_at(&window, 1)->answer_ns = 9; /* it was missing, and came since */
	ck_assert(rda_turn_lacks(&window, 7, 7));
	rda_window_at(&window, 1)->answer_ns = 6;
	rda_window_at(&window, 0)->answered = 0; /* or may have come, unseen */
	ck_assert(rda_turn_lacks(&window, 7, 7));
	ck_assert(!rda_turn_lacks(&window, 6, 7));
	rda_window_cleanup(&window);
}
END_TEST

/* READ 5-8 is asked again from 6: its answer begins with a First or Only. */
START_TEST(the_middle_of_an_older_answer)
{
	struct rda_pending pending = {
		.begin = 5, .end = 9, .expected = 6, .again = true, .read = true};
	uint16_t read = RDA_ROLE_RESPONSE | RDA_ROLE_READ;

	ck_assert(rda_turn_may_be_older(&pending, 6, read, false));
	ck_assert(rda_turn_may_be_older(&pending, 6, read | RDA_ROLE_LAST, true));
	ck_assert(!rda_turn_may_be_older(&pending, 6, read | RDA_ROLE_FIRST, true));
	ck_assert(!rda_turn_may_be_older(&pending, 6, read | RDA_ROLE_ONLY, true));
	ck_assert(!rda_turn_may_be_older(&pending, 7, read, false)); /* of either */
	pending.again = false;
	ck_assert(!rda_turn_may_be_older(&pending, 6, read, false)); /* it goes on */
}
END_TEST

Suite *rda_suite_turn(void)
{
	Suite *suite = suite_create("turn");
	TCase *tcase = tcase_create("turn");

	tcase_add_loop_test(tcase, in_turn, 0, RDA_COUNT(cases));
	tcase_add_test(tcase, another_answer_is_due);
	tcase_add_test(tcase, an_answer_goes_as_far_as_it_has_no_gap);
	tcase_add_test(tcase, what_is_ahead_is_dropped);
	tcase_add_test(tcase, what_came_ahead_is_not_lacked_by_who_begins_behind);
	tcase_add_test(tcase, the_middle_of_an_older_answer);
	suite_add_tcase(suite, tcase);
	return suite;
}
