/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links that are stopped inside a message: which gaps that explains.
 */
#include "analyzer/track/congestion/holds.h"

#include "dissectors/link.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { US = 1000, FULL = 0xffff, ITSELF = 1, SWITCH = 0xff01, OTHER_PORT = 0xff02 };

static struct rda_feed feed;

static void stop(uint32_t port, int priority, uint16_t quanta)
{
	struct rda_build b = {0};

	rda_put_hex(&b, "0180c2000001 0200");
	rda_put32(&b, port);
	rda_put_hex(&b, "8808");
	if (priority < 0) {
		rda_put16(&b, 1);
		rda_put16(&b, quanta);
	} else {
		rda_put16(&b, 0x0101);
		rda_put16(&b, (uint16_t)(1u << priority));
		for (int i = 0; i < RDA_PRIORITIES; i++)
			rda_put16(&b, i == priority ? quanta : 0);
	}
	rda_feed_frame(&feed, &b, b.length, RDA_LINK_ETHERNET);
}

/* A packet of host 1, which is ITSELF, in DSCP 24: priority 3. */
static void put(uint8_t opcode, uint32_t psn)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x12, opcode, psn);
	struct rda_built built;

	rda_build_packet(&built, &recipe);
	built.b.bytes[built.l3 + 1] = 24 << 2;
	rda_close_ip4(&built.b, built.l3);
	ck_assert_mem_eq(built.b.bytes + 6, "\x02\x00\x00\x00\x00\x01", 6);
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
}

enum { NEVER = -1 };

static const struct {
	const char *name;
	uint32_t port;
	int priority; /* below 0: all */
	uint16_t quanta;
	int64_t again_us, go_us; /* XOFF once more, XON, after the first; NEVER */
	int64_t late_us;	 /* of the XOFF behind the packet before it */
	int64_t gap_us;		 /* from the XOFF to the next packet */
	int64_t held_us;
} cases[] = {
	{"up to an XON", SWITCH, 3, FULL, NEVER, 200, 1, 203, 203},
	{"the quanta are over: 335 us at 100 Gbit/s", SWITCH, 3, FULL, NEVER, NEVER, 1, 336, 336},
	{"over long before it goes on", SWITCH, 3, FULL, NEVER, NEVER, 1, 500, 335},
	{"goes on before it is over", SWITCH, 3, FULL, NEVER, NEVER, 1, 203, 0},
	{"asked again", SWITCH, 3, FULL, 300, NEVER, 1, 636, 636},
	{"plain pause frames", SWITCH, -1, FULL, NEVER, 200, 1, 203, 203},
	{"another priority", SWITCH, 4, FULL, NEVER, 200, 1, 203, 0},
	{"by itself", ITSELF, 3, FULL, NEVER, 200, 1, 203, 0},
	{"let go at once", SWITCH, 3, 0, NEVER, NEVER, 1, 203, 0},
	{"begins inside the gap", SWITCH, 3, FULL, NEVER, 200, 50, 203, 203},
};

START_TEST(gap)
{
	struct rda_result *result;
	const struct rda_flow_time *time = NULL;
	const struct rda_held *held = NULL;
	int64_t xoff_ns;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 5);
	put(RC_SEND_FIRST, 0);
	put(RC_SEND_MIDDLE, 1);
	feed.meta.time_ns += cases[_i].late_us * US - RDA_FEED_STEP_NS;
	stop(cases[_i].port, cases[_i].priority, cases[_i].quanta);
	xoff_ns = feed.meta.time_ns;
	if (cases[_i].again_us != NEVER) {
		feed.meta.time_ns = xoff_ns + cases[_i].again_us * US - RDA_FEED_STEP_NS;
		stop(cases[_i].port, cases[_i].priority, cases[_i].quanta);
	}
	if (cases[_i].go_us != NEVER) {
		feed.meta.time_ns = xoff_ns + cases[_i].go_us * US - RDA_FEED_STEP_NS;
		stop(cases[_i].port, cases[_i].priority, 0);
	}
	feed.meta.time_ns = xoff_ns + cases[_i].gap_us * US - RDA_FEED_STEP_NS;
	put(RC_SEND_LAST, 2);
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 500, 2);
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	for (unsigned i = 0; i < rda_result_connection_count(result); i++)
		for (unsigned side = 0; side < 2; side++) {
			const struct rda_flow_facts *flow =
				rda_result_flow(result, rda_result_connection(result, i), side);

			if (flow && flow->key.dest_qp == 0x12) {
				time = flow->time;
				held = flow->held;
			}
		}
	ck_assert_msg(time != NULL, "%s", cases[_i].name);
	ck_assert_msg(time->ns[RDA_TIME_HELD] / US == cases[_i].held_us, "%s: %" PRId64 " ns",
		      cases[_i].name, time->ns[RDA_TIME_HELD]);
	ck_assert_uint_eq(held ? held[RDA_HELD_REQUESTS].gaps : 0, cases[_i].held_us > 0);
	ck_assert_uint_eq(rda_result_held_count(result), cases[_i].held_us > 0);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

/* Who sends while a port is stopped is behind another one. */
START_TEST(who_sends_on_is_not_held)
{
	struct rda_result *result;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 5);
	put(RC_SEND_FIRST, 0);
	stop(OTHER_PORT, 3, FULL);
	feed.meta.time_ns += 100 * US;
	put(RC_SEND_MIDDLE, 1);
	feed.meta.time_ns += 100 * US;
	put(RC_SEND_LAST, 2);
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 500, 2);
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	ck_assert_uint_eq(rda_result_held_count(result), 0);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

/* A port holds by its priority, then by plain pause frames: the sums are of the first. */
START_TEST(a_port_with_two_priorities)
{
	const struct rda_held_host *held;
	struct rda_result *result;
	uint32_t psn = 0;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 5);
	put(RC_SEND_FIRST, psn++);
	for (int priority = 3; priority >= -1; priority -= 4) {
		put(RC_SEND_MIDDLE, psn++);
		stop(SWITCH, priority, FULL);
		feed.meta.time_ns += 100 * US;
		stop(SWITCH, priority, 0);
		feed.meta.time_ns += US;
	}
	put(RC_SEND_LAST, psn);
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 500, 2);
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	ck_assert_uint_eq(rda_result_held_count(result), 1);
	held = rda_result_held(result, 0);
	ck_assert_int_eq(held->priority, 3);
	ck_assert_uint_eq(held->gaps, 1);
	ck_assert_int_eq(held->ns / US, 103);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(more_ports_than_are_kept)
{
	struct rda_result *result;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < RDA_HOLDS_KEPT + 5; i++)
		stop(SWITCH + i, 3, FULL);
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	ck_assert_uint_eq(rda_result_holds_not_kept(result), 5);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_holds(void)
{
	Suite *suite = suite_create("holds");
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, gap, 0, RDA_COUNT(cases));
	tcase_add_test(tests, who_sends_on_is_not_held);
	tcase_add_test(tests, a_port_with_two_priorities);
	tcase_add_test(tests, more_ports_than_are_kept);
	suite_add_tcase(suite, tests);
	return suite;
}
