/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which packets group G looks at. Its parts have suites of their own, the stories are in
 * tests/scenarios/congestion.
 */
#include "analyzer/checks/congestion/congestion.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { SEND_ONLY = 0x04, TOS = 1, DSCP_26 = 26 << 2, ECT = 2 };

static struct rda_feed feed;

static void send(uint32_t psn, uint8_t tos, bool damaged)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, SEND_ONLY, psn);
	struct rda_built built;

	recipe.payload_length = 8;
	recipe.damaged = damaged;
	rda_build_packet(&built, &recipe);
	built.b.bytes[built.l3 + TOS] = tos;
	rda_close_ip4(&built.b, built.l3);
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
}

START_TEST(nothing_is_found_in_nothing)
{
	rda_feed_begin(&feed);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_finding_count(feed.engine), 0);
	rda_feed_end(&feed);
}
END_TEST

/* A flow is watched from its first DSCP or ECN on, and what came before is not forgotten. */
START_TEST(packets_before_the_first_that_counts)
{
	static const struct {
		uint8_t tos[3];
		uint64_t split, incapable;
	} cases[] = {
		{{0, 0, 0}, 0, 0},	 {{DSCP_26, DSCP_26, DSCP_26}, 0, 0},
		{{0, 0, DSCP_26}, 1, 0}, {{DSCP_26, 0, 0}, 1, 0},
		{{ECT, ECT, ECT}, 0, 0}, {{0, ECT, ECT}, 0, 1},
		{{ECT, ECT, 0}, 0, 1},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_feed_begin(&feed);
		for (unsigned j = 0; j < 3; j++)
			send(j + 1, cases[i].tos[j], false);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G09) == cases[i].split, "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G08) == cases[i].incapable, "case %u",
			      i);
		rda_feed_end(&feed);
	}
}
END_TEST

START_TEST(damaged_packets_say_nothing)
{
	rda_feed_begin(&feed);
	send(1, ECT, false);
	send(2, DSCP_26 | 3, true);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G01), 0);
	ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G09), 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_congestion(void)
{
	Suite *suite = suite_create("check_congestion");
	TCase *tcase = tcase_create("check_congestion");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	tcase_add_test(tcase, packets_before_the_first_that_counts);
	tcase_add_test(tcase, damaged_packets_say_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
