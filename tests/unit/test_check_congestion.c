/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which packets group G looks at. Its parts have suites of their own, the stories are in
 * tests/scenarios/congestion.
 */
#include "analyzer/checks/judge.h"

#include "analyzer/checks/congestion/state.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

#include <glib.h>

enum { TOS = 1, DSCP_26 = 26 << 2, ECT = 2 };

static struct rda_feed feed;

static void send(uint32_t psn, uint8_t tos, bool damaged)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, RC_SEND_ONLY, psn);
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

static void add_check_congestion(Suite *suite)
{
	TCase *tcase = tcase_create("check_congestion");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	tcase_add_test(tcase, packets_before_the_first_that_counts);
	tcase_add_test(tcase, damaged_packets_say_nothing);
	suite_add_tcase(suite, tcase);
}

/*
 * What a half-flow begins with that is watched from now on: its packets so far were of one class.
 */

enum { FIRST_PLACE = 77, PAYLOAD = 100 };

static const struct rda_opcode data_opcode = {.roles = RDA_ROLE_SEND};
static const struct rda_opcode cnp_opcode = {.roles = RDA_ROLE_CNP};
static const struct rda_packet data = {
	.opcode = &data_opcode, .payload_known = true, .payload_length = PAYLOAD};
static const struct rda_packet cnp = {
	.opcode = &cnp_opcode, .payload_known = true, .payload_length = 16};

START_TEST(what_came_before)
{
	static const struct {
		const char *name;
		uint64_t packets, damaged, cnps, payload_bytes;
		const struct rda_packet *packet;
		uint64_t dscps;
		bool incapable;
	} cases[] = {
		{"the packet is the first", 1, 0, 0, PAYLOAD, &data, 0, 0},
		{"one with payload before it", 2, 0, 0, 2 * PAYLOAD, &data, 1, 1},
		{"one without payload before it", 2, 0, 0, PAYLOAD, &data, 1, 0},
		{"damaged ones before it have no class", 3, 2, 0, PAYLOAD, &data, 0, 0},
		{"CNPs before it have a class of their own", 3, 0, 2, PAYLOAD, &data, 0, 0},
		{"a CNP is the first", 1, 0, 1, 0, &cnp, 0, 0},
		{"one before a CNP", 2, 0, 1, PAYLOAD, &cnp, 1, 1},
		{"a short one before a CNP", 2, 0, 1, 8, &cnp, 1, 1},
		{"nothing, and a packet of another flow", 0, 0, 0, 0, NULL, 0, 0},
		{"one, and a packet of another flow", 1, 0, 0, PAYLOAD, NULL, 1, 1},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_flow_rare rare = {.damaged = cases[i].damaged, .cnps = cases[i].cnps};
		struct rda_flow flow = {
			.rare = &rare,
			.packets = cases[i].packets,
			.payload_bytes = cases[i].payload_bytes,
			.first_place = FIRST_PLACE,
		};
		const struct rda_classes *classes =
			&rda_congestion_watch_of(&flow, cases[i].packet)->classes;

		ck_assert_msg(classes->dscps == cases[i].dscps, "%s", cases[i].name);
		ck_assert_uint_eq(classes->first_place, cases[i].dscps ? FIRST_PLACE : 0);
		ck_assert_uint_eq(classes->incapable_place, cases[i].incapable ? FIRST_PLACE : 0);
		rda_congestion_watch_free(&flow);
	}
}
END_TEST

/* The sanitizer looks whether all of it goes. */
START_TEST(it_is_made_once)
{
	struct rda_flow flow = {.packets = 1};
	struct rda_congestion_watch *watch = rda_congestion_watch_of(&flow, &data);

	watch->rate = g_new0(struct rda_rate, 1);
	flow.packets = 2;
	ck_assert_ptr_eq(rda_congestion_watch_of(&flow, &data), watch);
	ck_assert_uint_eq(watch->classes.dscps, 0);
	rda_congestion_watch_free(&flow);
	ck_assert_ptr_null(flow.watch.congestion);
	rda_congestion_watch_free(&flow);
}
END_TEST

static void add_check_congestion_state(Suite *suite)
{
	TCase *tcase = tcase_create("check_congestion_watch");

	tcase_add_test(tcase, what_came_before);
	tcase_add_test(tcase, it_is_made_once);
	suite_add_tcase(suite, tcase);
}

Suite *rda_suite_check_congestion(void)
{
	Suite *suite = suite_create("check_congestion");

	add_check_congestion(suite);
	add_check_congestion_state(suite);
	return suite;
}
