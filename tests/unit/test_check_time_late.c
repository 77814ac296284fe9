/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host of a ring that lets the others wait.
 */
#include "analyzer/checks/time/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { HOSTS = 3, STEPS = 5, PORT = 0xc000, LATE_NS = 5000000 };

static struct rda_feed feed;

/* Each sends to the next in each step, the last so much later. */
static uint64_t told(int64_t late_ns)
{
	uint64_t cases;

	rda_feed_begin(&feed);
	for (uint8_t i = 0; i < HOSTS; i++)
		rda_feed_exchange(&feed, (uint8_t)(i + 1), (uint8_t)((i + 1) % HOSTS + 1),
				  0x10u + i, 0x20u + i, 1u + i);
	for (uint32_t step = 0; step < STEPS; step++)
		for (uint8_t i = 0; i < HOSTS; i++) {
			uint8_t next = (uint8_t)((i + 1) % HOSTS + 1);

			feed.meta.time_ns += i == HOSTS - 1 ? late_ns : 0;
			rda_feed_send(&feed, (uint8_t)(i + 1), next, 0x20u + i, PORT, step);
			rda_feed_acknowledge(&feed, next, (uint8_t)(i + 1), 0x10u + i, PORT, step);
		}
	rda_engine_finish(feed.engine);
	cases = rda_feed_cases(&feed, RDA_CHECK_T14);
	rda_feed_end(&feed);
	return cases;
}

START_TEST(one_is_late_or_nobody)
{
	ck_assert_uint_eq(told(LATE_NS), 1);
	ck_assert_uint_eq(told(0), 0);
}
END_TEST

Suite *rda_suite_check_time_late(void)
{
	Suite *suite = suite_create("check_time_late");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, one_is_late_or_nobody);
	suite_add_tcase(suite, tests);
	return suite;
}
