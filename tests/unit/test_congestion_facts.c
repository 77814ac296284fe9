/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which flows are told of.
 */
#include "analyzer/facts/congestion_facts.h"

#include "tests/unit/flow_list.h"
#include "tests/unit/suite.h"

START_TEST(flows_that_were_told_to_slow_down)
{
	struct rda_slowdown slowdown = {.cnps = 1};
	const struct rda_flow_facts flows[] = {{.slowdown = NULL},
					       {.slowdown = &slowdown},
					       {.slowdown = NULL},
					       {.slowdown = &slowdown}};
	struct rda_congestion_facts facts;

	rda_congestion_facts_of(&facts, rda_flow_list(flows, 4), 4);
	ck_assert_uint_eq(facts.slowed_count, 2);
	ck_assert_uint_eq(facts.slowed[0], 1);
	ck_assert_uint_eq(facts.slowed[1], 3);
	rda_congestion_facts_cleanup(&facts);
	rda_congestion_facts_of(&facts, rda_flow_list(flows, 0), 0);
	ck_assert_uint_eq(facts.slowed_count, 0);
	rda_congestion_facts_cleanup(&facts);
}
END_TEST

Suite *rda_suite_congestion_facts(void)
{
	Suite *suite = suite_create("congestion_facts");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, flows_that_were_told_to_slow_down);
	suite_add_tcase(suite, tests);
	return suite;
}
