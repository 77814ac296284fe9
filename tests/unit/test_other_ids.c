/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which identifications a requester's answers took, and how many of them lie between two requests.
 */
#include "analyzer/track/roce/other_ids.h"

#include "tests/unit/suite.h"

static struct rda_requester requester;

static void setup(void)
{
	rda_requester_init(&requester, 16);
	rda_window_thicken(&requester.window);
	requester.order.latest = 0x20010; /* of 16 bits: 0x10 */
}

static void teardown(void)
{
	rda_requester_cleanup(&requester);
}

START_TEST(it_answers_nothing)
{
	ck_assert_uint_eq(rda_other_ids_between(&requester, 0x20000, 0x20010), 0);
}
END_TEST

START_TEST(between)
{
	rda_other_ids_note(&requester, 0xfffe);
	rda_other_ids_note(&requester, 0x0002);
	rda_other_ids_note(&requester, 0x0003);
	ck_assert_uint_eq(rda_other_ids_between(&requester, 0x1fffd, 0x20010), 3);
	ck_assert_uint_eq(rda_other_ids_between(&requester, 0x1fffe, 0x20003), 1); /* not these */
	ck_assert_uint_eq(rda_other_ids_between(&requester, 0x20004, 0x20010), 0);
}
END_TEST

START_TEST(only_the_latest)
{
	for (uint16_t i = 0; i < RDA_OTHER_IDS_KEPT; i++)
		rda_other_ids_note(&requester, 1);
	rda_other_ids_note(&requester, 2);
	ck_assert_uint_eq(rda_other_ids_between(&requester, 0x20000, 0x20010), RDA_OTHER_IDS_KEPT);
	ck_assert_uint_eq(rda_other_ids_between(&requester, 0x20001, 0x20010), 1);
}
END_TEST

/* Steps over them are over nothing that is unknown. */
START_TEST(steps_over_answers)
{
	struct rda_sending_order *order = &requester.order;

	*order = (struct rda_sending_order){0};
	for (uint16_t i = 0; i < 40; i++) {
		rda_sending_order_of(order, (uint16_t)(3 * i), i + (i > 20), 10000 * i);
		rda_other_ids_note(&requester, (uint16_t)(3 * i + 1));
		rda_other_ids_note(&requester, (uint16_t)(3 * i + 2));
	}
	ck_assert_uint_eq(order->strange, 0);
	ck_assert_uint_eq(order->close, 38);
	ck_assert(rda_sending_order_is_close(order));
	ck_assert(!rda_sending_order_is_dense(order)); /* which knows of no answers */
}
END_TEST

/* Nothing is remembered while all is in order. */
START_TEST(in_order)
{
	rda_requester_cleanup(&requester);
	rda_requester_init(&requester, 16);
	rda_other_ids_note(&requester, 5);
	ck_assert_ptr_null(requester.heard->others);
	ck_assert_int_eq(rda_other_ids_since(&requester), 5); /* that one is not known */
	requester.order.latest = 0x20010;
	rda_other_ids_note(&requester, 5);
	rda_window_thicken(&requester.window);
	rda_other_ids_note(&requester, 7);
	ck_assert_int_eq(rda_other_ids_since(&requester), 0x20005);
}
END_TEST

START_TEST(all_are_known)
{
	ck_assert_int_eq(rda_other_ids_since(&requester), INT64_MIN);
	rda_other_ids_note(&requester, 7);
	ck_assert_int_eq(rda_other_ids_since(&requester), INT64_MIN);
}
END_TEST

Suite *rda_suite_other_ids(void)
{
	Suite *suite = suite_create("other_ids");
	TCase *tcase = tcase_create("other_ids");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, it_answers_nothing);
	tcase_add_test(tcase, between);
	tcase_add_test(tcase, only_the_latest);
	tcase_add_test(tcase, in_order);
	tcase_add_test(tcase, all_are_known);
	tcase_add_test(tcase, steps_over_answers);
	suite_add_tcase(suite, tcase);
	return suite;
}
