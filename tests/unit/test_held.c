/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom pauses held: sums of flows by port, priority and host.
 */
#include "analyzer/facts/held.h"

#include "tests/unit/flow_list.h"
#include "tests/unit/suite.h"

static struct rda_flow_facts flow_of(uint8_t from, uint8_t to, struct rda_held *held)
{
	struct rda_flow_facts flow = {.held = held, .first_place = 1};

	flow.key.source.kind = flow.key.destination.kind = RDA_ADDRESS_IP4;
	flow.key.source.bytes[15] = from;
	flow.key.destination.bytes[15] = to;
	return flow;
}

static struct rda_held held(uint8_t port, int8_t priority, int64_t ns)
{
	return (struct rda_held){.gaps = 2,
				 .ns = ns,
				 .longest_ns = ns - 1,
				 .mac = {[5] = port},
				 .priority = priority};
}

/* Two connections of host 1 by one port; host 2 by its responses; host 1 by all priorities. */
START_TEST(sums_by_port_priority_and_host)
{
	struct rda_held by[3][RDA_HELD_KINDS] = {
		{held(9, 3, 10), held(9, 3, 20)},
		{held(9, 3, 100)},
		{held(9, -1, 5)},
	};
	const struct rda_flow_facts flows[] = {
		flow_of(1, 2, by[0]),
		flow_of(1, 3, by[1]),
		flow_of(1, 4, by[2]),
		flow_of(1, 6, NULL),
	};
	struct rda_held_hosts hosts;

	rda_held_hosts_of(&hosts, rda_flow_list(flows, RDA_COUNT(flows)), RDA_COUNT(flows));
	ck_assert_uint_eq(hosts.count, 3);
	ck_assert_int_eq(hosts.list[0].priority, -1);
	ck_assert_int_eq(hosts.list[0].ns, 5);
	ck_assert_uint_eq(hosts.list[1].host.bytes[15], 1);
	ck_assert_uint_eq(hosts.list[1].connections, 2);
	ck_assert_uint_eq(hosts.list[1].gaps, 4);
	ck_assert_int_eq(hosts.list[1].ns, 110);
	ck_assert_int_eq(hosts.list[1].longest_ns, 99);
	ck_assert_uint_eq(hosts.list[2].host.bytes[15], 2);
	ck_assert_int_eq(hosts.list[2].ns, 20);
	rda_held_hosts_cleanup(&hosts);
}
END_TEST

/* The others are of another port, priority or capture. */
START_TEST(who_was_held_longest_by_a_port)
{
	struct rda_held by[5][RDA_HELD_KINDS] = {
		{held(9, 3, 10)},  {held(9, 3, 30)},   {held(9, 3, 20)},
		{held(8, 3, 100)}, {held(9, -1, 100)},
	};
	const struct rda_flow_facts flows[] = {
		flow_of(1, 6, by[0]), flow_of(2, 6, by[1]), flow_of(3, 6, by[2]),
		flow_of(4, 6, by[3]), flow_of(5, 6, by[4]),
	};
	static const uint8_t port[6] = {[5] = 9};
	const struct rda_held_host *most;
	struct rda_held_hosts hosts;
	uint32_t others;

	rda_held_hosts_of(&hosts, rda_flow_list(flows, RDA_COUNT(flows)), RDA_COUNT(flows));
	most = rda_held_hosts_by(&hosts, port, 0, 3, &others);
	ck_assert_ptr_nonnull(most);
	ck_assert_uint_eq(most->host.bytes[15], 2);
	ck_assert_uint_eq(others, 2);
	most = rda_held_hosts_by(&hosts, port, 0, -1, &others);
	ck_assert_ptr_nonnull(most);
	ck_assert_uint_eq(most->host.bytes[15], 5);
	ck_assert_uint_eq(others, 0);
	ck_assert_ptr_null(rda_held_hosts_by(&hosts, port, 1, 3, &others));
	ck_assert_uint_eq(others, 0);
	rda_held_hosts_cleanup(&hosts);
}
END_TEST

START_TEST(nobody)
{
	static const uint8_t port[6];
	struct rda_held_hosts hosts;
	uint32_t others;

	rda_held_hosts_of(&hosts, NULL, 0);
	ck_assert_uint_eq(hosts.count, 0);
	ck_assert_ptr_null(rda_held_hosts_by(&hosts, port, 0, 0, &others));
	rda_held_hosts_cleanup(&hosts);
}
END_TEST

Suite *rda_suite_held(void)
{
	Suite *suite = suite_create("held");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, sums_by_port_priority_and_host);
	tcase_add_test(tests, who_was_held_longest_by_a_port);
	tcase_add_test(tests, nobody);
	suite_add_tcase(suite, tests);
	return suite;
}
