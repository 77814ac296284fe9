/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which half-flows become one connection: each rule with a case where it fires and one that it just
 * misses.
 */
#include "analyzer/track/pair.h"

#include "analyzer/track/roce/source_port.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, REQ = 0x10, REP = 0x13 };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static void finish(unsigned connections)
{
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_connection_count(feed.engine), connections);
}

/* The connection in which host `from` sends to QP `dest_qp` of its peer. */
static const struct rda_connection *with_flow(uint8_t from, uint32_t dest_qp)
{
	for (unsigned i = 0; i < rda_engine_connection_count(feed.engine); i++) {
		const struct rda_connection *c = rda_engine_connection(feed.engine, i);

		for (unsigned side = 0; side < 2; side++)
			if (c->flows[side] && c->flows[side]->key.dest_qp == dest_qp &&
			    c->flows[side]->key.source.bytes[15] == from)
				return c;
	}
	ck_abort_msg("no flow from host %u to QP 0x%x", from, dest_qp);
}

static void check_paired(uint8_t from, uint32_t dest_qp, uint32_t back_qp, enum rda_paired_by by)
{
	const struct rda_connection *c = with_flow(from, dest_qp);

	ck_assert_int_eq(c->paired_by, by);
	ck_assert_ptr_nonnull(c->flows[1]);
	ck_assert_ptr_eq(with_flow(from == A ? B : A, back_qp), c);
	for (unsigned side = 0; side < 2; side++)
		ck_assert_uint_eq(rda_engine_connection_of(feed.engine, c->flows[side]), c->id);
}

static void check_alone(uint8_t from, uint32_t dest_qp)
{
	const struct rda_connection *c = with_flow(from, dest_qp);

	ck_assert_int_eq(c->paired_by, RDA_PAIRED_BY_NONE);
	ck_assert_ptr_null(c->flows[1]);
}

/* ---- 1: the numbers themselves --------------------------------------------------------------- */

START_TEST(a_cm_exchange_pairs)
{
	rda_feed_exchange(&feed, A, B, 0x11, 0x22, 7);
	rda_feed_exchange(&feed, A, B, 0x12, 0x21, 9);
	rda_feed_send(&feed, A, B, 0x22, 0xc001,
		      5); /* other rules would pair 0x22 with 0x12: same port, same PSN */
	rda_feed_acknowledge(&feed, B, A, 0x12, 0xc001, 5);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc002, 5);
	rda_feed_send(&feed, A, B, 0x21, 0xc002, 5);
	finish(3); /* and the CM's own */
	check_paired(A, 0x22, 0x11, RDA_PAIRED_BY_CM);
	check_paired(A, 0x21, 0x12, RDA_PAIRED_BY_CM);
	ck_assert_uint_eq(with_flow(A, 0x22)->path_mtu, 1024);
	ck_assert_uint_eq(with_flow(A, 0x22)->endpoints[0].qpn, 0x11);
	ck_assert_uint_eq(with_flow(A, 0x22)->endpoints[1].qpn, 0x22);
	ck_assert_int_eq(with_flow(A, 0x22)->service, RDA_SERVICE_RC);
}
END_TEST

START_TEST(a_cm_exchange_names_a_qp_that_was_never_seen)
{
	rda_feed_exchange(&feed, A, B, 0x11, 0x22, 7);
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	finish(2);
	check_alone(A, 0x22);
	ck_assert_uint_eq(with_flow(A, 0x22)->endpoints[0].qpn, 0x11);
	ck_assert_uint_eq(with_flow(A, 0x22)->path_mtu, 1024);
}
END_TEST

START_TEST(a_cm_exchange_of_other_hosts_pairs_nothing)
{
	rda_feed_cm(&feed,
		    &(struct rda_cm_message){
			    .from = 5, .to = B, .attribute = REQ, .local_id = 7, .qpn = 0x11});
	rda_feed_cm(&feed,
		    &(struct rda_cm_message){
			    .from = B, .to = 5, .attribute = REP, .remote_id = 7, .qpn = 0x22});
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, B, A, 0x11, 0xc002,
		      900); /* two each way, so that no other rule is sure */
	rda_feed_send(&feed, A, B, 0x23, 0xc003, 5);
	rda_feed_send(&feed, B, A, 0x12, 0xc004, 900);
	finish(5);
	check_alone(A, 0x22);
	check_alone(B, 0x11);
	ck_assert_uint_eq(with_flow(A, 0x22)->endpoints[0].qpn, RDA_QPN_UNKNOWN);
}
END_TEST

START_TEST(datagrams_name_both_qps)
{
	const struct rda_connection *answered;

	rda_feed_datagram(&feed, A, B, 0x31, 0x41);
	rda_feed_datagram(&feed, A, B, 0x32, 0x41);
	rda_feed_datagram(&feed, B, A, 0x41, 0x32);
	rda_feed_datagram(&feed, B, A, 0x42, 0x31); /* from another QP: no answer to 0x31 */
	finish(3);
	check_alone(A, 0x41); /* the one from 0x31 */
	ck_assert_uint_eq(with_flow(A, 0x41)->endpoints[0].qpn, 0x31);
	check_alone(B, 0x31);
	ck_assert_int_eq(with_flow(B, 0x31)->service, RDA_SERVICE_UD);
	answered = with_flow(B, 0x32);
	ck_assert_int_eq(answered->paired_by, RDA_PAIRED_BY_ONLY_CANDIDATE);
	ck_assert_uint_eq(answered->endpoints[0].qpn, 0x32);
	ck_assert_uint_eq(answered->endpoints[1].qpn, 0x41);
	ck_assert_uint_eq(answered->flows[0]->key.src_qp, 0x32);
	ck_assert_uint_eq(answered->flows[1]->key.src_qp, 0x41);
}
END_TEST

START_TEST(connection_management_is_a_service_of_its_own)
{
	rda_feed_exchange(&feed, A, B, 0x11, 0x22, 7);
	finish(1);
	ck_assert_int_eq(rda_engine_connection(feed.engine, 0)->service, RDA_SERVICE_CM);
}
END_TEST

/* ---- 2: the source port ---------------------------------------------------------------------- */

/* Another QPN for which the port comes out the same, together with `peer`. */
static uint32_t qpn_with_port(uint32_t after, uint32_t peer, uint16_t port)
{
	uint32_t qpn = after + 1;

	while (rda_source_port_of_qps(qpn, peer) != port)
		qpn++;
	return qpn;
}

/* Two connections with one port: the product of the QPNs tells which flows belong together. */
START_TEST(the_product_of_the_qps_pairs)
{
	uint16_t port = rda_source_port_of_qps(0x11, 0x22);
	uint32_t a2 = 0x15, b2 = qpn_with_port(0x22, 0x15, port);

	ck_assert_uint_ne(rda_source_port_of_qps(0x11, b2), port);
	ck_assert_uint_ne(rda_source_port_of_qps(a2, 0x22), port);
	rda_feed_send(&feed, A, B, 0x22, port, 5);
	rda_feed_send(&feed, A, B, b2, port, 6);
	rda_feed_send(&feed, B, A, a2, port, 7);
	rda_feed_send(&feed, B, A, 0x11, port, 8);
	finish(2);
	check_paired(A, 0x22, 0x11, RDA_PAIRED_BY_SOURCE_PORT);
	check_paired(A, b2, a2, RDA_PAIRED_BY_SOURCE_PORT);
}
END_TEST

START_TEST(one_port_without_the_product_does_not)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, 0xc001, 6);
	rda_feed_send(&feed, B, A, 0x11, 0xc001, 7);
	rda_feed_send(&feed, B, A, 0x12, 0xc001, 8);
	finish(4);
	check_alone(A, 0x22);
	check_alone(B, 0x12);
}
END_TEST

START_TEST(a_port_that_one_flow_each_way_has_pairs)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, B, A, 0x11, 0xc001, 100);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 5);
	rda_feed_send(&feed, B, A, 0x12, 0xc002, 100);
	finish(2);
	check_paired(A, 0x22, 0x11, RDA_PAIRED_BY_SOURCE_PORT);
	check_paired(A, 0x23, 0x12, RDA_PAIRED_BY_SOURCE_PORT);
}
END_TEST

START_TEST(a_port_that_two_flows_one_way_have_does_not)
{
	uint8_t one = _i ? B : A, two = _i ? A : B;

	rda_feed_send(&feed, one, two, 0x22, 0xc001, 5);
	rda_feed_send(&feed, one, two, 0x23, 0xc001, 5);
	rda_feed_send(&feed, two, one, 0x11, 0xc001, 100);
	finish(3);
	check_alone(two, 0x11);
}
END_TEST

START_TEST(services_must_agree)
{
	struct rda_recipe uc = rda_packet_of(B, A, 0x11, UC_SEND_ONLY, 100);

	uc.source_port = 0xc001;
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed(&feed, &uc);
	finish(2);
	check_alone(A, 0x22);
	check_alone(B, 0x11);
	ck_assert_int_eq(with_flow(B, 0x11)->service, RDA_SERVICE_UC);
}
END_TEST

START_TEST(equal_qpns_on_both_ends_pair)
{
	uint16_t port = rda_source_port_of_qps(0x11, 0x11);

	rda_feed_send(&feed, A, B, 0x11, port, 5);
	rda_feed_acknowledge(&feed, B, A, 0x11, port, 5);
	finish(1);
	check_paired(A, 0x11, 0x11, RDA_PAIRED_BY_SOURCE_PORT);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->endpoints[0].address.bytes[15], A);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->endpoints[1].address.bytes[15], B);
}
END_TEST

/* ---- 3: responses ---------------------------------------------------------------------------- */

/* Requests 1000 to 1009 to 0x22, and 5000 to 5009 to 0x23; answers to two QPs of A. */
static void two_requesters(uint32_t answered_one, uint32_t answered_two)
{
	for (uint32_t i = 0; i < 10; i++) {
		rda_feed_send(&feed, A, B, 0x22, 0xc001, 1000 + i);
		rda_feed_send(&feed, A, B, 0x23, 0xc002, 5000 + i);
	}
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, answered_one);
	rda_feed_acknowledge(&feed, B, A, 0x12, 0xc004, answered_two);
}

START_TEST(answers_among_the_requests_pair)
{
	two_requesters(5009, 1000);
	finish(2);
	check_paired(A, 0x23, 0x11, RDA_PAIRED_BY_RESPONSES);
	check_paired(A, 0x22, 0x12, RDA_PAIRED_BY_RESPONSES);
}
END_TEST

START_TEST(answers_beside_the_requests_do_not)
{
	two_requesters(5010, 999); /* by one */
	finish(4);
	check_alone(A, 0x22);
	check_alone(A, 0x23);
}
END_TEST

START_TEST(answers_that_fit_two_requesters_do_not)
{
	for (uint32_t i = 0; i < 10; i++) {
		rda_feed_send(&feed, A, B, 0x22, 0xc001, 1000 + i);
		rda_feed_send(&feed, A, B, 0x23, 0xc002, 1000 + i);
	}
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc003, 1005);
	rda_feed_acknowledge(&feed, B, A, 0x12, 0xc004, 1005);
	finish(4);
	check_alone(B, 0x11);
}
END_TEST

/* The last READ takes more PSNs than its request shows: its responses are answers. */
START_TEST(answers_to_the_last_read_pair)
{
	struct rda_extended reth = rda_reth(0, 1, 4096), aeth = rda_aeth(0x1f, 1);
	struct rda_recipe read = rda_with(rda_packet_of(A, B, 0x22, 0x0c, 2000), &reth);
	struct rda_recipe response = rda_with(rda_packet_of(B, A, 0x11, 0x0f, 2015), &aeth);

	read.source_port = 0xc001;
	rda_feed(&feed, &read);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 9000);
	response.source_port = 0xc003;
	response.payload_length = 256;
	rda_feed(&feed, &response); /* the 16th of 16 packets of 256 bytes */
	rda_feed_send(&feed, B, A, 0x12, 0xc004, 100);
	finish(2);
	check_paired(A, 0x22, 0x11, RDA_PAIRED_BY_RESPONSES);
}
END_TEST

/* ---- 4: nothing else is left ----------------------------------------------------------------- */

START_TEST(the_only_flow_each_way_pairs)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, B, A, 0x11, 0xc002, 900);
	finish(1);
	check_paired(A, 0x22, 0x11, RDA_PAIRED_BY_ONLY_CANDIDATE);
}
END_TEST

START_TEST(two_candidates_do_not)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, 0xc005, 5);
	rda_feed_send(&feed, B, A, 0x11, 0xc002, 900);
	finish(3);
	check_alone(A, 0x22);
	check_alone(A, 0x23);
	check_alone(B, 0x11);
}
END_TEST

START_TEST(flows_in_two_carriers_do_not)
{
	struct rda_recipe other = rda_packet_of(B, A, 0x11, RC_SEND_ONLY, 900);

	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	other.source_port = 0xc001;
	other.route = RDA_ROUTE_IP6;
	rda_feed(&feed, &other);
	other = rda_packet_of(A, B, 0x33, RC_SEND_ONLY, 5); /* the same GIDs as over IPv6 */
	other.route = RDA_ROUTE_ROCEV1;
	rda_feed(&feed, &other);
	finish(3);
	check_alone(A, 0x22);
	check_alone(A, 0x33);
}
END_TEST

/* a mirror that has one interface for each direction */
START_TEST(a_tap_for_each_direction_is_one_connection)
{
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	feed.meta.tap = 1;
	rda_feed_send(&feed, B, A, 0x11, 0xc001, 900);
	finish(1);
}
END_TEST

/* the same packets at two interfaces: each is paired by itself */
START_TEST(two_taps_that_see_both_directions_are_two_connections)
{
	for (feed.meta.tap = 0; feed.meta.tap < 2; feed.meta.tap++) {
		rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
		rda_feed_send(&feed, B, A, 0x11, 0xc001, 900);
	}
	finish(2);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->flows[0]->key.tap, 0);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->flows[1]->key.tap, 0);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 1)->flows[0]->key.tap, 1);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 1)->flows[1]->key.tap, 1);
}
END_TEST

/* ---- limits, order, and what is told of a connection ------------------------------------------
 */

/* Flows that nothing tells apart; `count` from A, `back` from B. */
static void many(uint32_t count, uint32_t back)
{
	for (uint32_t i = 0; i < count; i++)
		rda_feed_send(&feed, A, B, 0x1000 + i, 0xc001, 5);
	for (uint32_t i = 0; i < back; i++)
		rda_feed_send(&feed, B, A, 0x2000 + i, 0xc001, 900);
}

START_TEST(large_groups_are_not_compared_and_counted)
{
	many(RDA_PAIR_COMPARE_MAX + 1, RDA_PAIR_COMPARE_MAX + 1);
	finish(2 * (RDA_PAIR_COMPARE_MAX + 1));
	/* by port, and by responses */
	ck_assert_uint_eq(rda_engine_groups_not_compared(feed.engine), 2);
}
END_TEST

/* Comparisons, not seconds: one flow back that may be the partner of each is looked at by each. */
START_TEST(groups_that_are_large_one_way_cost_no_more_than_they_are_large)
{
	many(2000, 1);
	rda_engine_finish(feed.engine);
	ck_assert_uint_ge(rda_engine_flows_compared(feed.engine), 2000);
	ck_assert_uint_le(rda_engine_flows_compared(feed.engine), 5 * 2000);
}
END_TEST

START_TEST(groups_that_are_large_one_way_only_are_compared)
{
	uint16_t port = rda_source_port_of_qps(0x11, 0x22);

	many(3 * RDA_PAIR_COMPARE_MAX, RDA_PAIR_COMPARE_MAX - 1);
	for (uint32_t qpn = 0x800000; qpn < 0x800000 + 3 * RDA_PAIR_COMPARE_MAX; qpn++)
		if (rda_source_port_of_qps(qpn, 0x11) != port)
			rda_feed_send(&feed, A, B, qpn, port, 5);
	rda_feed_send(&feed, A, B, 0x22, port, 5);
	rda_feed_send(&feed, B, A, 0x11, port, 900);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_groups_not_compared(feed.engine), 0);
	check_paired(A, 0x22, 0x11, RDA_PAIRED_BY_SOURCE_PORT);
}
END_TEST

/* One connection of many by CM, although the group is too large for the other rules. */
START_TEST(numbers_pair_in_large_groups_too)
{
	rda_feed_exchange(&feed, A, B, 0x1005, 0x2005, 7);
	many(100, 100);
	rda_feed_send(&feed, A, B, 0x2005, 0xc001, 5);
	rda_feed_send(&feed, B, A, 0x1005, 0xc001, 5);
	rda_engine_finish(feed.engine);
	check_paired(A, 0x2005, 0x1005, RDA_PAIRED_BY_CM);
}
END_TEST

START_TEST(connections_are_in_order_of_their_first_packet)
{
	rda_feed_send(&feed, B, A, 0x11, 0xc001, 5);
	rda_feed_send(&feed, A, B, 0x23, 0xc002, 5);
	rda_feed_send(&feed, A, B, 0x22, 0xc001, 5);
	finish(2);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->endpoints[0].address.bytes[15], B);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->endpoints[1].qpn, 0x11);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->endpoints[0].qpn, 0x22);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 1)->endpoints[1].qpn, 0x23);
	ck_assert_int_eq(rda_engine_connection(feed.engine, 0)->endpoints[0].port, -1);
}
END_TEST

START_TEST(a_host_that_talks_to_itself)
{
	rda_feed_send(&feed, A, A, 0x22, 0xc001, 5);
	rda_feed_send(&feed, A, A, 0x11, 0xc001, 900);
	rda_feed_datagram(&feed, A, A, 0x31, 0x31);
	finish(3);
	check_alone(A, 0x31); /* no flow is its own other half */
}
END_TEST

Suite *rda_suite_pair(void)
{
	Suite *suite = suite_create("pair");
	TCase *tcase = tcase_create("rules");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_cm_exchange_pairs);
	tcase_add_test(tcase, a_cm_exchange_names_a_qp_that_was_never_seen);
	tcase_add_test(tcase, a_cm_exchange_of_other_hosts_pairs_nothing);
	tcase_add_test(tcase, datagrams_name_both_qps);
	tcase_add_test(tcase, connection_management_is_a_service_of_its_own);
	tcase_add_test(tcase, the_product_of_the_qps_pairs);
	tcase_add_test(tcase, one_port_without_the_product_does_not);
	tcase_add_test(tcase, a_port_that_one_flow_each_way_has_pairs);
	tcase_add_loop_test(tcase, a_port_that_two_flows_one_way_have_does_not, 0, 2);
	tcase_add_test(tcase, services_must_agree);
	tcase_add_test(tcase, equal_qpns_on_both_ends_pair);
	tcase_add_test(tcase, answers_among_the_requests_pair);
	tcase_add_test(tcase, answers_beside_the_requests_do_not);
	tcase_add_test(tcase, answers_that_fit_two_requesters_do_not);
	tcase_add_test(tcase, answers_to_the_last_read_pair);
	tcase_add_test(tcase, the_only_flow_each_way_pairs);
	tcase_add_test(tcase, two_candidates_do_not);
	tcase_add_test(tcase, flows_in_two_carriers_do_not);
	tcase_add_test(tcase, a_tap_for_each_direction_is_one_connection);
	tcase_add_test(tcase, two_taps_that_see_both_directions_are_two_connections);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("limits and facts");
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, large_groups_are_not_compared_and_counted);
	tcase_add_test(tcase, groups_that_are_large_one_way_only_are_compared);
	tcase_add_test(tcase, groups_that_are_large_one_way_cost_no_more_than_they_are_large);
	tcase_add_test(tcase, numbers_pair_in_large_groups_too);
	tcase_add_test(tcase, connections_are_in_order_of_their_first_packet);
	tcase_add_test(tcase, a_host_that_talks_to_itself);
	suite_add_tcase(suite, tcase);
	return suite;
}
