/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results side by side: what is told of each, and nothing held against the other.
 */
#include "analyzer/engine/join.h"

#include "analyzer/engine/result_state.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, PORT = 0xc000 };

/* An engine that reads capture `index`; the ones before are others'. Host A sends to `qps` QPs. */
static struct rda_result *result_of(unsigned index, unsigned qps)
{
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	for (unsigned i = 0; i <= index; i++)
		rda_engine_begin_capture(feed.engine);
	for (uint32_t qp = 0; qp < qps; qp++) {
		rda_feed_send(&feed, A, B, 0x10 + qp, PORT, 5);
		rda_feed_send(&feed, A, B, 0x10 + qp, PORT, 7); /* a gap */
	}
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	return result;
}

/* The same QPs in two captures are two connections each, and stay where they were. */
START_TEST(nothing_is_joined)
{
	struct rda_result *one = result_of(0, 2), *two = result_of(1, 2);
	const struct rda_joined a = {.result = one}, b = {.result = two};
	struct rda_result *both = rda_result_join(&a, &b);

	ck_assert_uint_eq(rda_result_capture_count(both), 2);
	ck_assert_uint_eq(rda_result_capture(both, 0)->packets, 4);
	ck_assert_uint_eq(rda_result_capture(both, 1)->packets, 4);
	ck_assert_uint_eq(rda_result_connection_count(both), 4);
	for (unsigned i = 0; i < 4; i++) {
		const struct rda_connection_facts *connection = rda_result_connection(both, i);
		const struct rda_flow_facts *flow = rda_result_flow(both, connection, 0);

		ck_assert_uint_eq(connection->id, i);
		ck_assert_uint_eq(flow->connection, i);
		ck_assert_uint_eq(flow->packets, 2);
		ck_assert_uint_eq(rda_place_capture(flow->first_place), i / 2);
	}
	ck_assert_uint_eq(rda_result_host_count(both), 2);
	ck_assert_uint_eq(
		rda_result_host(both, 0)->packets_sent + rda_result_host(both, 1)->packets_sent, 8);
	ck_assert_uint_eq(rda_result_finding_count(both),
			  rda_result_finding_count(one) + rda_result_finding_count(two));
	rda_result_free(one);
	rda_result_free(two);
	rda_result_free(both);
}
END_TEST

/* A packet's connection is one of its own capture. */
START_TEST(packets_find_their_own)
{
	struct rda_result *one = result_of(0, 1), *two = result_of(1, 1);
	const struct rda_joined a = {.result = one}, b = {.result = two};
	struct rda_result *both = rda_result_join(&a, &b);
	const struct rda_flow_key key =
		rda_result_flow(both, rda_result_connection(both, 0), 0)->key;

	ck_assert_int_eq(rda_result_place_in(both, 0, &key).connection, 0);
	ck_assert_int_eq(rda_result_place_in(both, 1, &key).connection, 1);
	rda_result_free(one);
	rda_result_free(two);
	rda_result_free(both);
}
END_TEST

/* Cases that were not kept of one are told by nobody else. */
START_TEST(what_was_not_kept)
{
	struct rda_result *one = result_of(0, 1), *two = result_of(1, 1), *both;
	const struct rda_joined a = {.result = one}, b = {.result = two};

	one->judge.findings.not_kept = 5;
	two->judge.findings.not_kept = 6;
	one->judge.retired_withheld[RDA_CHECK_S12] = 7;
	one->conversations_not_kept = 3;
	two->conversations_not_kept = 4;
	both = rda_result_join(&a, &b);
	ck_assert_uint_eq(rda_result_findings_not_kept(both), 11);
	ck_assert_uint_eq(rda_result_conversations_not_kept(both), 7);
	ck_assert_uint_eq(rda_result_withheld(both, RDA_CHECK_S12), 7);
	rda_result_free(one);
	rda_result_free(two);
	rda_result_free(both);
}
END_TEST

/* Of two taps each connection and each host is told once. */
START_TEST(only_what_is_told)
{
	struct rda_result *one = result_of(0, 2), *two = result_of(1, 2);
	const bool first[] = {true, false}, second[] = {false, true}, none[] = {false, false};
	const struct rda_joined a = {one, first, NULL}, b = {two, second, none};
	struct rda_result *both = rda_result_join(&a, &b);

	ck_assert_uint_eq(rda_result_connection_count(both), 2);
	ck_assert_uint_eq(rda_result_connection(both, 0)->endpoints[1].qpn, 0x10);
	ck_assert_uint_eq(rda_result_connection(both, 1)->endpoints[1].qpn, 0x11);
	ck_assert_uint_eq(
		rda_place_capture(
			rda_result_flow(both, rda_result_connection(both, 1), 0)->first_place),
		1);
	ck_assert_uint_eq(
		rda_result_host(both, 0)->packets_sent + rda_result_host(both, 1)->packets_sent, 4);
	for (unsigned i = 0; i < rda_result_finding_count(both); i++)
		ck_assert_int_lt(rda_finding_connection(rda_result_finding(both, i)), 2);
	rda_result_free(one);
	rda_result_free(two);
	rda_result_free(both);
}
END_TEST

Suite *rda_suite_join(void)
{
	Suite *suite = suite_create("join");
	TCase *tcase = tcase_create("join");

	tcase_add_test(tcase, nothing_is_joined);
	tcase_add_test(tcase, packets_find_their_own);
	tcase_add_test(tcase, only_what_is_told);
	tcase_add_test(tcase, what_was_not_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
