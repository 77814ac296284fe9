/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hops of a connection among all.
 */
#include "analyzer/taps/taps.h"

#include "tests/unit/suite.h"

START_TEST(hops_of_a_connection)
{
	struct rda_hop hops[] = {
		{.connection = 1}, {.connection = 1, .flow = 1}, {.connection = 4}};
	struct rda_taps taps = {.hops = hops, .hop_count = 3};
	uint32_t count;

	ck_assert_ptr_eq(rda_taps_hops(&taps, 1, &count), &hops[0]);
	ck_assert_uint_eq(count, 2);
	ck_assert_ptr_eq(rda_taps_hops(&taps, 4, &count), &hops[2]);
	ck_assert_uint_eq(count, 1);
	ck_assert_ptr_null(rda_taps_hops(&taps, 0, &count));
	ck_assert_uint_eq(count, 0);
	ck_assert_ptr_null(rda_taps_hops(&taps, 5, &count));
}
END_TEST

Suite *rda_suite_taps(void)
{
	Suite *suite = suite_create("taps");
	TCase *tcase = tcase_create("taps");

	tcase_add_test(tcase, hops_of_a_connection);
	suite_add_tcase(suite, tcase);
	return suite;
}
