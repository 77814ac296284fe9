/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders of flows: what each holds equal, and what it tells apart.
 */
#include "analyzer/track/pair_order.h"

#include "tests/unit/suite.h"

static struct rda_flow flow_between(uint8_t from, uint8_t to)
{
	struct rda_flow flow = {0};

	flow.key.source.bytes[15] = from;
	flow.key.destination.bytes[15] = to;
	flow.source_port_known = true;
	flow.source_port = 0xc001;
	return flow;
}

START_TEST(whichever_sends_the_hosts_are_the_same)
{
	const struct rda_flow there = flow_between(1, 2), back = flow_between(2, 1),
			      other = flow_between(1, 3);

	ck_assert_int_eq(rda_order_hosts(&there, &back), 0);
	ck_assert_int_ne(rda_order_hosts(&there, &other), 0);
	ck_assert_int_eq(rda_order_hosts(&there, &other) < 0, rda_order_hosts(&other, &there) > 0);
}
END_TEST

START_TEST(carriers_ports_and_taps_part_them)
{
	const struct rda_flow there = flow_between(1, 2);
	struct rda_flow back = flow_between(2, 1);

	back.source_port = 0xc002;
	ck_assert_int_eq(rda_order_hosts(&there, &back), 0);
	ck_assert_int_lt(rda_order_hosts_port(&there, &back), 0);
	ck_assert_int_eq(rda_order_tap_hosts(&there, &back), 0);
	back.source_port = there.source_port;
	back.key.tap = 1;
	ck_assert_int_eq(rda_order_hosts_port(&there, &back), 0);
	ck_assert_int_lt(rda_order_tap_hosts(&there, &back), 0);
	ck_assert_int_gt(rda_order_tap_hosts_port(&back, &there), 0);
	back.key.carrier = 1;
	ck_assert_int_ne(rda_order_hosts(&there, &back), 0);
}
END_TEST

Suite *rda_suite_pair_order(void)
{
	Suite *suite = suite_create("pair_order");
	TCase *tcase = tcase_create("pair_order");

	tcase_add_test(tcase, whichever_sends_the_hosts_are_the_same);
	tcase_add_test(tcase, carriers_ports_and_taps_part_them);
	suite_add_tcase(suite, tcase);
	return suite;
}
