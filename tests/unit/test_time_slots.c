/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of time over slots: nothing is lost at their ends, and outside of them.
 */
#include "analyzer/report/time_slots.h"
#include "tests/unit/suite.h"

#include <string.h>

static struct rda_time_slots slots;

static void add(uint8_t cause, int64_t begin_ns, int64_t end_ns)
{
	rda_time_slots_add(&slots, &(struct rda_time_sight){
					   .cause = cause, .begin_ns = begin_ns, .end_ns = end_ns});
}

static int64_t sum_of(uint8_t cause)
{
	int64_t sum = 0;

	for (unsigned slot = 0; slot < slots.count; slot++)
		sum += rda_time_slots_ns(&slots, slot, cause);
	return sum;
}

/* Three slots of 10 ns from 100 on. */
START_TEST(a_part_is_spread)
{
	rda_time_slots_init(&slots, 100, 10, 3);
	ck_assert_int_eq(rda_time_slots_ns(&slots, 0, RDA_TIME_IDLE), 0);
	add(RDA_TIME_IDLE, 104, 123);
	ck_assert_int_eq(rda_time_slots_ns(&slots, 0, RDA_TIME_IDLE), 6);
	ck_assert_int_eq(rda_time_slots_ns(&slots, 1, RDA_TIME_IDLE), 10);
	ck_assert_int_eq(rda_time_slots_ns(&slots, 2, RDA_TIME_IDLE), 3);
	add(RDA_TIME_WAITING, 123, 130);
	ck_assert_int_eq(rda_time_slots_ns(&slots, 2, RDA_TIME_WAITING), 7);
	ck_assert_int_eq(sum_of(RDA_TIME_IDLE), 19);
	rda_time_slots_cleanup(&slots);
}
END_TEST

START_TEST(outside_counts_to_the_ends)
{
	rda_time_slots_init(&slots, 100, 10, 3);
	add(RDA_TIME_IDLE, 50, 105);
	add(RDA_TIME_SENDING, 125, 1000);
	add(RDA_TIME_SENDING, 2000, 2001);
	add(RDA_TIME_PAUSED, 110, 110);
	ck_assert_int_eq(rda_time_slots_ns(&slots, 0, RDA_TIME_IDLE), 55);
	ck_assert_int_eq(rda_time_slots_ns(&slots, 2, RDA_TIME_SENDING), 876);
	ck_assert_int_eq(sum_of(RDA_TIME_PAUSED), 0);
	rda_time_slots_cleanup(&slots);
}
END_TEST

/* Each cause has one look, and no two have colour and pattern, or a character, in common. */
START_TEST(looks_differ)
{
	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		for (unsigned j = 0; j < i; j++) {
			const struct rda_cause_look *a = rda_time_slots_look(i);
			const struct rda_cause_look *b = rda_time_slots_look(j);

			ck_assert_uint_ne(a->cause, b->cause);
			ck_assert(
				strcmp(a->pattern, b->pattern) != 0 ||
				(strcmp(a->light, b->light) != 0 && strcmp(a->dark, b->dark) != 0));
			ck_assert_str_ne(a->unicode, b->unicode);
			ck_assert_str_ne(a->ascii, b->ascii);
		}
}
END_TEST

Suite *rda_suite_time_slots(void)
{
	Suite *suite = suite_create("time_slots");
	TCase *tcase = tcase_create("time_slots");

	tcase_add_test(tcase, a_part_is_spread);
	tcase_add_test(tcase, outside_counts_to_the_ends);
	tcase_add_test(tcase, looks_differ);
	suite_add_tcase(suite, tcase);
	return suite;
}
