/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reasons to send again that are left when runs have begun.
 */
#include "analyzer/track/roce/unobeyed.h"

#include "tests/unit/suite.h"

#define MS INT64_C(1000000)

static struct rda_unobeyed unobeyed;

static void setup(void)
{
	unobeyed = (struct rda_unobeyed){0};
	rda_unobeyed_add(&unobeyed, 16, 1 * MS, 7);
	rda_unobeyed_add(&unobeyed, 13, 2 * MS, 7); /* it overtook that of 13 */
	rda_unobeyed_add(&unobeyed, 19, 3 * MS, 7);
}

/* `psns`: up to 0, in order. */
static void expect(const int64_t *psns)
{
	uint8_t count = 0;

	for (; psns[count]; count++)
		ck_assert_int_eq(unobeyed.left[count].psn, psns[count]);
	ck_assert_uint_eq(unobeyed.count, count);
}

START_TEST(in_order)
{
	expect((int64_t[]){13, 16, 19, 0});
	ck_assert(unobeyed.any);
	ck_assert(!rda_unobeyed_allows(&unobeyed, 12));
	ck_assert(rda_unobeyed_allows(&unobeyed, 14));
}
END_TEST

START_TEST(a_run_makes_those_before_its_own_useless)
{
	rda_unobeyed_run(&unobeyed, 16, 4 * MS);
	expect((int64_t[]){19, 0});
	rda_unobeyed_run(&unobeyed, 12, 4 * MS); /* another's: a timer's, perhaps */
	expect((int64_t[]){19, 0});
	rda_unobeyed_run(&unobeyed, 19, 4 * MS);
	expect((int64_t[]){0});
	ck_assert(unobeyed.any);
	ck_assert(!rda_unobeyed_allows(&unobeyed, 30));
}
END_TEST

START_TEST(of_a_run_whose_first_packet_was_overtaken)
{
	rda_unobeyed_run(&unobeyed, 17, 4 * MS);
	expect((int64_t[]){16, 19, 0});
}
END_TEST

START_TEST(what_seems_of_no_use_is_named_until_just_that_is_obeyed)
{
	ck_assert(!rda_unobeyed_names(&unobeyed, 12, 0));
	rda_unobeyed_run(&unobeyed, 17, 4 * MS);
	ck_assert(rda_unobeyed_names(&unobeyed, 13, 2 * MS));
	ck_assert(!rda_unobeyed_names(&unobeyed, 13, 3 * MS));
	rda_unobeyed_run(&unobeyed, 13, 5 * MS);
	ck_assert(!rda_unobeyed_names(&unobeyed, 13, 0));
	ck_assert(rda_unobeyed_names(&unobeyed, 16, 0));
	for (int64_t psn = 20; psn < 20 + RDA_UNOBEYED_MAX; psn++)
		rda_unobeyed_add(&unobeyed, psn, 6 * MS, 7);
	ck_assert(!rda_unobeyed_names(&unobeyed, 16, 0)); /* forgotten */
	ck_assert(rda_unobeyed_names(&unobeyed, 20, 0));
}
END_TEST

START_TEST(what_came_long_before_the_next_is_not_obeyed_any_more)
{
	rda_unobeyed_run(&unobeyed, 20, 12 * MS);
	expect((int64_t[]){0}); /* 13 and 16 are 10 ms old, so it obeys 19 */
}
END_TEST

START_TEST(one_that_comes_again_is_one)
{
	rda_unobeyed_add(&unobeyed, 13, 11 * MS, 7);
	expect((int64_t[]){13, 16, 19, 0});
	rda_unobeyed_run(&unobeyed, 20, 12 * MS);
	expect((int64_t[]){16, 19, 0});
}
END_TEST

START_TEST(beyond_the_most_the_lowest_goes)
{
	for (int64_t psn = 20; psn < 17 + RDA_UNOBEYED_MAX; psn++)
		rda_unobeyed_add(&unobeyed, psn, 4 * MS, 7);
	ck_assert_uint_eq(unobeyed.count, RDA_UNOBEYED_MAX);
	rda_unobeyed_add(&unobeyed, 40, 4 * MS, 7);
	ck_assert_uint_eq(unobeyed.count, RDA_UNOBEYED_MAX);
	ck_assert_int_eq(unobeyed.left[0].psn, 16);
	ck_assert_int_eq(unobeyed.left[RDA_UNOBEYED_MAX - 1].psn, 40);
}
END_TEST

Suite *rda_suite_unobeyed(void)
{
	Suite *suite = suite_create("unobeyed");
	TCase *tcase = tcase_create("reasons");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, in_order);
	tcase_add_test(tcase, a_run_makes_those_before_its_own_useless);
	tcase_add_test(tcase, of_a_run_whose_first_packet_was_overtaken);
	tcase_add_test(tcase, what_seems_of_no_use_is_named_until_just_that_is_obeyed);
	tcase_add_test(tcase, what_came_long_before_the_next_is_not_obeyed_any_more);
	tcase_add_test(tcase, one_that_comes_again_is_one);
	tcase_add_test(tcase, beyond_the_most_the_lowest_goes);
	suite_add_tcase(suite, tcase);
	return suite;
}
