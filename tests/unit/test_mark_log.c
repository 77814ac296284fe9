/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is remembered of marks and CNPs.
 */
#include "analyzer/track/congestion/mark_log.h"

#include "tests/unit/suite.h"

enum { US = 1000 };

START_TEST(marks_that_are_close_are_one)
{
	struct rda_flow flow = {0};

	rda_mark_log_mark(&flow, 100 * US);
	rda_mark_log_mark(&flow, 100 * US + 999);
	ck_assert_uint_eq(flow.rare->mark_log->count, 1);
	rda_mark_log_notice(&flow, 100 * US + 999, 7);
	rda_mark_log_mark(&flow, 100 * US + 999); /* behind a CNP it counts */
	rda_mark_log_mark(&flow, 102 * US);
	rda_mark_log_notice(&flow, 103 * US, 9);
	ck_assert_uint_eq(flow.rare->mark_log->count, 5);
	ck_assert_uint_eq(flow.rare->mark_log->notice_place, 7);
	ck_assert(flow.rare->mark_log->list[1].notice && !flow.rare->mark_log->list[2].notice);
	rda_flow_cleanup(&flow);
}
END_TEST

START_TEST(the_first_are_kept)
{
	struct rda_flow flow = {0};
	struct rda_mark_log *copy;

	for (unsigned i = 0; i < RDA_MARKINGS_KEPT + 5; i++)
		rda_mark_log_mark(&flow, (int64_t)i * 10 * US);
	ck_assert_uint_eq(flow.rare->mark_log->count, RDA_MARKINGS_KEPT);
	ck_assert_uint_eq(flow.rare->mark_log->more, 5);
	copy = rda_mark_log_copy(flow.rare->mark_log);
	rda_flow_cleanup(&flow);
	ck_assert_int_eq(copy->list[RDA_MARKINGS_KEPT - 1].time_ns,
			 (RDA_MARKINGS_KEPT - 1) * 10 * US);
	rda_mark_log_free(copy);
	rda_mark_log_free(NULL);
	ck_assert_ptr_null(rda_mark_log_copy(NULL));
}
END_TEST

Suite *rda_suite_mark_log(void)
{
	Suite *suite = suite_create("mark_log");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, marks_that_are_close_are_one);
	tcase_add_test(tests, the_first_are_kept);
	suite_add_tcase(suite, tests);
	return suite;
}
