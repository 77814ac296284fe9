/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which directions are joined while packets still come: each piece of evidence with a case where it
 * suffices and one that it just misses.
 */
#include "analyzer/track/roce/matcher.h"

#include "analyzer/track/roce/source_port.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2 };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

/* The flow to a QP, as it was before the end: whom it was joined with by then. */
static const struct rda_flow *flow_to(uint32_t dest_qp)
{
	for (unsigned i = 0; i < rda_engine_connection_count(feed.engine); i++)
		for (unsigned side = 0; side < 2; side++) {
			const struct rda_flow *flow =
				rda_engine_connection(feed.engine, i)->flows[side];

			if (flow && flow->key.dest_qp == dest_qp)
				return flow;
		}
	ck_abort_msg("no flow to QP 0x%x", dest_qp);
}

static void check_joined(uint32_t dest_qp, uint32_t back_qp, enum rda_paired_by by)
{
	ck_assert_ptr_eq(flow_to(dest_qp)->peer, flow_to(back_qp));
	ck_assert_ptr_eq(flow_to(back_qp)->peer, flow_to(dest_qp));
	ck_assert_int_eq(flow_to(dest_qp)->paired_by, by);
}

static void acknowledge_counting(uint32_t dest_qp, uint32_t psn, uint32_t msn)
{
	struct rda_extended aeth = rda_aeth(0x1f, msn);
	struct rda_recipe recipe = rda_packet_of(B, A, dest_qp, 0x11, psn);

	recipe = rda_with(recipe, &aeth);
	rda_feed(&feed, &recipe);
}

START_TEST(the_product_of_the_qps_joins)
{
	uint16_t port = rda_source_port_of_qps(0x11, 0x22);

	rda_feed_send(&feed, A, B, 0x22, port, 5);
	rda_feed_send(&feed, A, B, 0x23, port, 5); /* the same PSN, the same port, another QP */
	rda_feed_acknowledge(&feed, B, A, 0x11, port, 5);
	rda_engine_finish(feed.engine);
	check_joined(0x22, 0x11, RDA_PAIRED_BY_SOURCE_PORT);
	ck_assert_ptr_null(flow_to(0x23)->peer);
}
END_TEST

START_TEST(a_response_to_one_flow_only_joins)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 900);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 900);
	rda_engine_finish(feed.engine);
	check_joined(0x23, 0x11, RDA_PAIRED_BY_RESPONSES);
	ck_assert_ptr_null(flow_to(0x22)->peer);
}
END_TEST

START_TEST(a_response_that_two_flows_may_have_asked_for_waits)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 5);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 5);
	rda_engine_finish(feed.engine);
	ck_assert_ptr_null(flow_to(0x11)->peer);
}
END_TEST

START_TEST(and_joins_when_a_later_one_tells)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 5);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 5);
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 6);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 6);
	rda_engine_finish(feed.engine);
	check_joined(0x22, 0x11, RDA_PAIRED_BY_RESPONSES);
}
END_TEST

/* An ACK that counts one message: of 0x22 that is the first; of 0x23, whose first packet was lost,
 * nothing tells how many there are. The later ACK is of that one. */
START_TEST(a_count_chooses_only_where_it_is_known_of_all)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 6);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 5);
	acknowledge_counting(0x11, 5, 1);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 6);
	acknowledge_counting(0x11, 6, 2);
	rda_engine_finish(feed.engine);
	check_joined(0x23, 0x11, RDA_PAIRED_BY_RESPONSES);
}
END_TEST

/* 0x12 is shown before what it answers, and by the PSN it might answer 0x22: but that has its port
 * in common with 0x11. */
START_TEST(a_response_joins_none_whose_port_another_has)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 0);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc001, 5);
	rda_feed_acknowledge(&feed, B, A, 0x12, 0xc002, 0);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 0);
	rda_feed_acknowledge(&feed, B, A, 0x12, 0xc002, 0);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc001, 0);
	rda_engine_finish(feed.engine);
	check_joined(0x22, 0x11, RDA_PAIRED_BY_RESPONSES);
	check_joined(0x23, 0x12, RDA_PAIRED_BY_RESPONSES);
}
END_TEST

START_TEST(a_response_joins_no_other_port_where_all_pairs_have_one)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 0);
	rda_feed_acknowledge(&feed, B, A, 0x12, 0xc003, 0);
	rda_engine_finish(feed.engine);
	check_joined(0x22, 0x11, RDA_PAIRED_BY_RESPONSES);
	ck_assert_ptr_null(flow_to(0x12)->peer);
}
END_TEST

/* Nor is what is left at the end one connection there, though it is the only candidate. */
START_TEST(what_is_left_is_no_pair_where_all_others_have_equal_ports)
{
	for (unsigned equal = 0; equal < 2; equal++) {
		rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
		rda_feed_acknowledge(&feed, B, A, 0x11, equal ? 0xc001 : 0xc005, 5);
		rda_feed_send(&feed, A, B, 0x23, 0xc002, 0);
		rda_feed_acknowledge(&feed, B, A, 0x12, 0xc003, 900);
		rda_engine_finish(feed.engine);
		ck_assert_uint_eq(rda_engine_connection_count(feed.engine), 2 + equal);
		rda_feed_end(&feed);
		rda_feed_begin(&feed);
	}
}
END_TEST

START_TEST(a_response_outside_the_requests_does_not)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 6);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 4);
	rda_engine_finish(feed.engine);
	ck_assert_ptr_null(flow_to(0x11)->peer);
}
END_TEST

START_TEST(a_cm_exchange_joins_before_anything_else)
{
	rda_feed_exchange(&feed, A, B, 0x11, 0x22, 7);
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, rda_source_port_of_qps(0x11, 0x23), 5);
	rda_feed_acknowledge(&feed, B, A, 0x11, rda_source_port_of_qps(0x11, 0x23), 5);
	rda_engine_finish(feed.engine);
	check_joined(0x22, 0x11, RDA_PAIRED_BY_CM);
	ck_assert_uint_eq(flow_to(0x22)->path_mtu, 1024);
}
END_TEST

START_TEST(a_full_group_keeps_no_more)
{
	for (uint32_t i = 0; i <= RDA_MATCHER_GROUP_MAX; i++)
		rda_feed_send(&feed, A, B, 0x100 + i, (uint16_t)(0xc000 + i), i * 1000);
	/* the last one found its group full: its responses join nothing until the end */
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xd000, RDA_MATCHER_GROUP_MAX * 1000);
	rda_feed_acknowledge(&feed, B, A, 0x12, 0xd001, 7000);
	rda_engine_finish(feed.engine);
	ck_assert_ptr_null(flow_to(0x100 + RDA_MATCHER_GROUP_MAX)->peer);
	check_joined(0x107, 0x12, RDA_PAIRED_BY_RESPONSES);
}
END_TEST

START_TEST(a_flow_is_not_tried_for_ever)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	for (unsigned i = 0; i < RDA_MATCHER_TRIES; i++)
		rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 100);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 5);
	rda_engine_finish(feed.engine);
	ck_assert_ptr_null(flow_to(0x11)->peer);
}
END_TEST

/* Responses that passed before the first request use up no tries. */
START_TEST(and_is_tried_anew_when_one_comes)
{
	for (unsigned i = 0; i <= RDA_MATCHER_TRIES; i++)
		rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 100);
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 101);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 101);
	rda_engine_finish(feed.engine);
	check_joined(0x22, 0x11, RDA_PAIRED_BY_RESPONSES);
}
END_TEST

Suite *rda_suite_matcher(void)
{
	Suite *suite = suite_create("matcher");
	TCase *tcase = tcase_create("evidence");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_product_of_the_qps_joins);
	tcase_add_test(tcase, a_response_to_one_flow_only_joins);
	tcase_add_test(tcase, a_response_that_two_flows_may_have_asked_for_waits);
	tcase_add_test(tcase, and_joins_when_a_later_one_tells);
	tcase_add_test(tcase, a_count_chooses_only_where_it_is_known_of_all);
	tcase_add_test(tcase, a_response_joins_none_whose_port_another_has);
	tcase_add_test(tcase, a_response_joins_no_other_port_where_all_pairs_have_one);
	tcase_add_test(tcase, what_is_left_is_no_pair_where_all_others_have_equal_ports);
	tcase_add_test(tcase, a_response_outside_the_requests_does_not);
	tcase_add_test(tcase, a_cm_exchange_joins_before_anything_else);
	tcase_add_test(tcase, a_full_group_keeps_no_more);
	tcase_add_test(tcase, a_flow_is_not_tried_for_ever);
	tcase_add_test(tcase, and_is_tried_anew_when_one_comes);
	suite_add_tcase(suite, tcase);
	return suite;
}
