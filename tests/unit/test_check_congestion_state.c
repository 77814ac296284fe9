/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a half-flow begins with that is watched from now on: its packets so far were of one class.
 */
#include "analyzer/checks/congestion/state.h"

#include "tests/unit/suite.h"

#include <glib.h>

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
		uint64_t dscps, incapable;
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
		struct rda_flow flow = {
			.packets = cases[i].packets,
			.damaged = cases[i].damaged,
			.cnps = cases[i].cnps,
			.payload_bytes = cases[i].payload_bytes,
			.first_place = FIRST_PLACE,
		};
		const struct rda_classes *classes =
			&rda_congestion_watch_of(&flow, cases[i].packet)->classes;

		ck_assert_msg(classes->dscps == cases[i].dscps, "%s", cases[i].name);
		ck_assert_msg(classes->incapable == cases[i].incapable, "%s", cases[i].name);
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

Suite *rda_suite_check_congestion_state(void)
{
	Suite *suite = suite_create("check_congestion_watch");
	TCase *tcase = tcase_create("check_congestion_watch");

	tcase_add_test(tcase, what_came_before);
	tcase_add_test(tcase, it_is_made_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
