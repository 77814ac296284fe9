/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of what is known of rates has all of it, and shares nothing with its original.
 */
#include "analyzer/track/congestion/slowing.h"

#include "analyzer/base/latency.h"
#include "tests/unit/suite.h"

#include <glib.h>

START_TEST(a_copy_stands_alone)
{
	const struct rda_cut cuts[] = {{.time_ns = 1, .cnps = 2}, {.time_ns = 3, .cnps = 4}};
	struct rda_slowdown *original = g_new0(struct rda_slowdown, 1), *copy;

	original->cuts = original->kept = G_N_ELEMENTS(cuts);
	original->allocated = 4;
	original->list = g_memdup2(cuts, sizeof(cuts));
	rda_latency_add(&original->half, 1000);
	rda_latency_add(&original->back, 2000);
	copy = rda_slowdown_copy(original);
	rda_slowdown_free(original);
	ck_assert_uint_eq(copy->cuts, 2);
	ck_assert_uint_eq(copy->allocated, 2);
	ck_assert_int_eq(copy->list[1].time_ns, 3);
	ck_assert_uint_eq(copy->list[1].cnps, 4);
	ck_assert_uint_eq(copy->half.count, 1);
	ck_assert_int_eq(copy->back.max, 2000);
	rda_slowdown_free(copy);
}
END_TEST

START_TEST(nothing_is_known)
{
	ck_assert_ptr_null(rda_slowdown_copy(NULL));
	rda_slowdown_free(NULL);
}
END_TEST

Suite *rda_suite_slowdown(void)
{
	Suite *suite = suite_create("slowdown");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, a_copy_stands_alone);
	tcase_add_test(tests, nothing_is_known);
	suite_add_tcase(suite, tests);
	return suite;
}
