/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of resends among what was sent, and which run has sent what.
 */
#include "analyzer/track/roce/past_run.h"

#include "tests/unit/suite.h"

/* Where the run begins, among places of sending. */
static struct rda_past_run *begin(struct rda_requester *requester, int64_t psn, int64_t place,
				  int64_t before)
{
	const struct rda_request first = {.begin = psn, .end = psn + 1, .frame = 1};

	return rda_past_run_add(requester, &first, place, before, psn);
}

static struct rda_requester requester;

static void setup(void)
{
	rda_requester_init(&requester, 0);
	requester.progress.next = 20;
}

static void teardown(void)
{
	rda_requester_cleanup(&requester);
}

START_TEST(none_has_begun)
{
	struct rda_sent record = {.begin = 10, .end = 11};

	ck_assert_ptr_null(rda_past_run_newest(&requester));
	ck_assert_ptr_null(rda_past_run_of(&requester, 100, 10));
	rda_past_run_counts(&requester, NULL, &record);
	ck_assert_uint_eq(record.runs, 0);
}
END_TEST

START_TEST(what_a_place_belongs_to)
{
	struct rda_past_run *first = begin(&requester, 10, 101, 100);

	first->end = 110;
	begin(&requester, 12, 121, 120);
	ck_assert_ptr_null(rda_past_run_of(&requester, 100, 10)); /* before both */
	ck_assert_int_eq(rda_past_run_of(&requester, 101, 10)->begin, 10);
	ck_assert_ptr_null(rda_past_run_of(&requester, 110, 14)); /* the first had ended */
	ck_assert_int_eq(rda_past_run_of(&requester, 121, 14)->begin, 12);
	ck_assert_ptr_null(rda_past_run_of(&requester, 121, 20)); /* was not sent before it */
	ck_assert_int_eq(rda_past_run_newest(&requester)->begin, 12);
}
END_TEST

/* A run that began before others is put ahead of them, and keeps its number. */
START_TEST(one_that_is_known_late)
{
	struct rda_sent record = {.begin = 12, .end = 13};
	struct rda_past_run *run;

	begin(&requester, 10, 121, 120);
	rda_past_run_counts(&requester, NULL, &record);
	run = begin(&requester, 12, 101, 100);
	run->end = 110;
	ck_assert_int_eq(rda_past_run_of(&requester, 101, 12)->number, 2);
	ck_assert_int_eq(rda_past_run_of(&requester, 121, 12)->number, 1);
	ck_assert(!rda_past_run_has_counted(&requester, run, &record));
	ck_assert(rda_past_run_has_counted(&requester, rda_past_run_newest(&requester), &record));
}
END_TEST

START_TEST(another_one_sent_it)
{
	struct rda_sent record = {.begin = 12, .end = 13};
	struct rda_past_run from, *to;

	from = *begin(&requester, 10, 101, 100);
	rda_past_run_counts(&requester, NULL, &record);
	to = begin(&requester, 12, 121, 120);
	rda_past_run_hands_over(&requester, &from, to, &record);
	ck_assert(!rda_past_run_has_counted(&requester, &from, &record));
	ck_assert(rda_past_run_has_counted(&requester, to, &record));
}
END_TEST

/* No more than RDA_PAST_RUNS are known; of a record, whether each of the latest 32 sent it. */
START_TEST(the_oldest_is_forgotten)
{
	struct rda_sent record = {.begin = 12, .end = 13};
	struct rda_past_run first;

	first = *begin(&requester, 10, 1, 0);
	rda_past_run_counts(&requester, NULL, &record);
	for (int64_t at = 1; at <= RDA_PAST_RUNS; at++)
		begin(&requester, 10, 10 * at + 1, 10 * at);
	ck_assert_ptr_null(rda_past_run_of(&requester, 1, 10));
	ck_assert(rda_past_run_has_counted(&requester, &first, &record));
	for (int64_t at = RDA_PAST_RUNS + 1; at <= 32; at++)
		begin(&requester, 10, 10 * at + 1, 10 * at);
	ck_assert(!rda_past_run_has_counted(&requester, &first, &record));
}
END_TEST

/* Two that began there behind a time, and not one that began elsewhere. */
START_TEST(again_since)
{
	ck_assert(!rda_past_runs_twice_since(&requester, 10, 0));
	begin(&requester, 10, 101, 100)->ns = 5;
	begin(&requester, 12, 121, 120)->ns = 7;
	ck_assert(!rda_past_runs_twice_since(&requester, 10, 4));
	ck_assert(!rda_past_runs_twice_since(&requester, 12, 4));
	begin(&requester, 10, 131, 130)->ns = 9;
	ck_assert(rda_past_runs_twice_since(&requester, 10, 4));
	ck_assert(!rda_past_runs_twice_since(&requester, 10, 5));
}
END_TEST

Suite *rda_suite_past_run(void)
{
	Suite *suite = suite_create("past_run");
	TCase *tcase = tcase_create("past_run");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, none_has_begun);
	tcase_add_test(tcase, what_a_place_belongs_to);
	tcase_add_test(tcase, one_that_is_known_late);
	tcase_add_test(tcase, another_one_sent_it);
	tcase_add_test(tcase, the_oldest_is_forgotten);
	tcase_add_test(tcase, again_since);
	suite_add_tcase(suite, tcase);
	return suite;
}
