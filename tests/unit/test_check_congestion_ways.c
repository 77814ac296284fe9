/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When QPs that share a UDP source port are told of.
 */
#include "analyzer/checks/congestion/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

static void send_data(uint32_t qp, unsigned port)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, qp, RC_SEND_ONLY, 1);

	recipe.source_port = (uint16_t)port;
	recipe.payload_length = 16;
	rda_feed(&feed, &recipe);
}

/* `qps` QPs, `shared` of them on one port. */
static uint64_t told(unsigned qps, unsigned shared)
{
	uint64_t cases;

	rda_feed_begin(&feed);
	for (unsigned i = 0; i < qps; i++)
		send_data(0x100 + i, i < shared ? 500 : 501 + i);
	rda_engine_finish(feed.engine);
	cases = rda_feed_cases(&feed, RDA_CHECK_G17);
	rda_feed_end(&feed);
	return cases;
}

START_TEST(a_quarter_on_one_port)
{
	ck_assert_uint_eq(told(3, 3), 0);
	ck_assert_uint_eq(told(4, 3), 0);
	ck_assert_uint_eq(told(4, 4), 1);
	ck_assert_uint_eq(told(16, 4), 1);
	ck_assert_uint_eq(told(17, 4), 0);
	ck_assert_uint_eq(told(17, 5), 1);
}
END_TEST

/* Nine ports with four QPs each: none has a quarter, and there is a quarter of the ways. */
START_TEST(a_quarter_of_the_ports)
{
	for (unsigned ports = 9; ports <= 10; ports++) {
		rda_feed_begin(&feed);
		for (unsigned i = 0; i < 36; i++)
			send_data(0x100 + i, 500 + i % ports);
		rda_engine_finish(feed.engine);
		ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G17), ports == 9);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_congestion_ways(void)
{
	Suite *suite = suite_create("check_congestion_ways");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, a_quarter_on_one_port);
	tcase_add_test(tests, a_quarter_of_the_ports);
	suite_add_tcase(suite, tests);
	return suite;
}
