/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets through the whole engine: what is counted for a capture, what becomes of damaged packets,
 * and what a second pass says of each.
 */
#include "analyzer/engine/engine.h"

#include "dissectors/link.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, QP_A = 0x11, QP_B = 0x22, PORT = 0xc001, ETHERNET = RDA_LINK_ETHERNET };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static const struct rda_capture *capture(unsigned index)
{
	ck_assert_uint_lt(index, rda_engine_capture_count(feed.engine));
	return rda_engine_capture(feed.engine, index);
}

/* A SEND from A to B, whose ICRC may be wrong. */
static struct rda_recipe request(uint32_t psn, bool damaged)
{
	struct rda_recipe recipe = rda_packet_of(A, B, QP_B, 0x04, psn);

	recipe.source_port = PORT;
	recipe.payload_length = 8;
	recipe.damaged = damaged;
	return recipe;
}

static void feed_request(uint32_t psn, bool damaged)
{
	struct rda_recipe recipe = request(psn, damaged);

	rda_feed(&feed, &recipe);
}

/* What the finished engine says of a packet. */
static struct rda_verdict verdict_of(const struct rda_recipe *recipe, unsigned index, uint32_t tap)
{
	const struct rda_meta meta = {.time_ns = feed.meta.time_ns, .number = 1, .tap = tap};
	struct rda_verdict verdict;
	struct rda_packet packet;
	struct rda_built built;
	struct rda_frame frame;

	rda_build_packet(&built, recipe);
	frame = rda_exact_frame(built.b.bytes, built.b.length, built.b.length, built.link);
	rda_dissect(&packet, &frame, NULL);
	verdict = rda_engine_verdict(feed.engine, index, &meta, &frame, &packet);
	rda_frame_free(&frame);
	return verdict;
}

/* ---- what is counted for a capture ------------------------------------------------------------
 */

static void feed_hex(const char *hex, uint16_t link)
{
	struct rda_build b = {0};

	rda_put_hex(&b, hex);
	rda_feed_frame(&feed, &b, b.length, link);
}

START_TEST(frames_by_what_they_are)
{
	struct rda_recipe recipe = request(1, false);
	struct rda_built built;

	for (unsigned route = 0; route < RDA_ROUTE_COUNT; route++) {
		recipe.route = (enum rda_route)route;
		rda_feed(&feed, &recipe);
	}
	feed_hex("0180c2000001 020000000001 8808 0001 ffff", ETHERNET);
	feed_hex("0180c2000001 020000000001 8808 0101 0008 0000000000000000 0000000000000000",
		 ETHERNET);
	feed_hex("ffffffffffff 020000000001 0806 0001", ETHERNET);
	feed_hex("00", 105);
	rda_build_packet(&built, &recipe); /* with a wrong VCRC */
	built.b.bytes[built.end] ^= 1;
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
	recipe.route = RDA_ROUTE_IP4;
	rda_build_packet(&built, &recipe);
	rda_feed_frame(&feed, &built.b, built.b.length - 1, built.link); /* cut */
	rda_set16(&built.b, built.l3 + 6, 0x2000);			 /* a fragment */
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
	rda_engine_finish(feed.engine);

	ck_assert_uint_eq(capture(0)->packets, 12);
	ck_assert_uint_eq(capture(0)->rdma_packets[RDA_CARRIER_NONE], 0);
	ck_assert_uint_eq(capture(0)->rdma_packets[RDA_CARRIER_ROCEV2], 4);
	ck_assert_uint_eq(capture(0)->rdma_packets[RDA_CARRIER_ROCEV1], 1);
	ck_assert_uint_eq(capture(0)->rdma_packets[RDA_CARRIER_INFINIBAND], 3);
	ck_assert_uint_eq(capture(0)->pause_frames, 1);
	ck_assert_uint_eq(capture(0)->pfc_frames, 1);
	ck_assert_uint_eq(capture(0)->undecoded, 1);
	ck_assert_uint_eq(capture(0)->vcrc_good, 2);
	ck_assert_uint_eq(capture(0)->vcrc_bad, 1);
	ck_assert_uint_eq(capture(0)->cut_by_snaplen, 1);
	ck_assert_uint_eq(capture(0)->fragments, 1);
	ck_assert_uint_eq(capture(0)->malformed, 0);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_GOOD], 6);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_NOT_CHECKABLE], 2);
}
END_TEST

START_TEST(malformed_and_too_deep_frames)
{
	struct rda_recipe recipe = request(1, false);
	struct rda_build deep = {0};
	struct rda_built built;

	rda_build_packet(&built, &recipe);
	rda_build_set_end(&built, built.bth + 14);
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
	rda_put_eth(&deep, 0x8100);
	for (unsigned i = 0; i < 60; i++)
		rda_put_hex(&deep, "0001 8100");
	rda_feed_frame(&feed, &deep, deep.length, ETHERNET);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(capture(0)->malformed, 1); /* RDMA packets only */
	ck_assert_uint_eq(capture(0)->too_deep, 1);
	ck_assert_uint_eq(capture(0)->packets, 2);
}
END_TEST

START_TEST(link_types_in_order_of_appearance)
{
	static const uint16_t links[] = {1, 247, 1, 105, 105, 113, 12, 14, 101, 0, 228, 229};

	for (unsigned i = 0; i < RDA_COUNT(links); i++)
		feed_hex("00", links[i]);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(capture(0)->link_count, RDA_LINKS_KEPT);
	ck_assert_uint_eq(capture(0)->links[0], 1);
	ck_assert_uint_eq(capture(0)->links[1], 247);
	ck_assert_uint_eq(capture(0)->links[2], 105);
	ck_assert_uint_eq(capture(0)->links[3], 113);
	ck_assert_uint_eq(capture(0)->links[7], 0);
	ck_assert(capture(0)->more_links);
	ck_assert_uint_eq(capture(0)->undecoded, 2);
}
END_TEST

START_TEST(times_may_go_backwards)
{
	feed_request(1, false);
	feed.meta.time_ns -= 5 * RDA_FEED_STEP_NS;
	feed_request(2, false);
	feed_request(3, false);
	rda_engine_finish(feed.engine);
	ck_assert_int_eq(capture(0)->last_time_ns - capture(0)->first_time_ns,
			 4 * RDA_FEED_STEP_NS);
}
END_TEST

START_TEST(captures_are_counted_apart_and_connections_are_not)
{
	rda_engine_begin_capture(feed.engine);
	feed_request(1, false);
	rda_engine_begin_capture(feed.engine);
	feed_request(2, false);
	feed_request(3, false);
	rda_engine_begin_capture(feed.engine);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_capture_count(feed.engine), 3);
	ck_assert_uint_eq(capture(0)->packets, 1);
	ck_assert_uint_eq(capture(1)->packets, 2);
	ck_assert_uint_eq(capture(2)->packets, 0);
	ck_assert_uint_eq(rda_engine_connection_count(feed.engine), 1);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->flows[0]->packets, 3);
}
END_TEST

START_TEST(an_engine_that_saw_nothing)
{
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_capture_count(feed.engine), 0);
	ck_assert_uint_eq(rda_engine_connection_count(feed.engine), 0);
	ck_assert_uint_eq(rda_engine_host_count(feed.engine), 0);
	rda_engine_drop(NULL);
	rda_engine_drop(rda_engine_new(NULL)); /* and one that was not finished */
}
END_TEST

START_TEST(ports_of_the_configuration)
{
	const struct rda_config config = {.dissect = {.ports = {4790}, .port_count = 1}};
	struct rda_recipe recipe = request(1, false);
	struct rda_built built;

	rda_build_packet(&built, &recipe);
	rda_set16(&built.b, built.udp + 2, 4790);
	ck_assert_int_eq(rda_feed_frame(&feed, &built.b, built.b.length, built.link)->carrier,
			 RDA_CARRIER_NONE);
	rda_engine_drop(feed.engine);
	feed.engine = rda_engine_new(&config);
	ck_assert_int_eq(rda_feed_frame(&feed, &built.b, built.b.length, built.link)->carrier,
			 RDA_CARRIER_ROCEV2);
}
END_TEST

/* ---- damage -----------------------------------------------------------------------------------
 */

/* A sender whose others are good: what fails was damaged, and nothing in it is believed. */
START_TEST(a_damaged_packet_stops_at_the_counters)
{
	struct rda_recipe bad = request(2, true);
	const struct rda_flow *flow;
	struct rda_verdict verdict;

	feed_request(1, false);
	feed_request(2, true);
	feed_request(3, false);
	rda_engine_finish(feed.engine);
	flow = rda_engine_connection(feed.engine, 0)->flows[0];
	ck_assert_uint_eq(flow->packets, 3);
	ck_assert_uint_eq(rda_flow_rare(flow)->damaged, 1);
	ck_assert_uint_eq(flow->request_packets, 2);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_GOOD], 2);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_BAD], 1);
	verdict = verdict_of(&bad, 0, 0);
	ck_assert_int_eq(verdict.icrc, RDA_ICRC_BAD);
	ck_assert_int_eq(verdict.connection, 0);
	ck_assert_int_eq(verdict.flow, 0);
}
END_TEST

START_TEST(damage_never_makes_a_flow)
{
	struct rda_recipe bad = request(2, true);

	feed_request(1, false);
	bad.dest_qp = 0x123456; /* which may be the damage */
	rda_feed(&feed, &bad);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_connection_count(feed.engine), 1);
	ck_assert_int_eq(verdict_of(&bad, 0, 0).connection, -1);
	ck_assert_int_eq(verdict_of(&bad, 0, 0).flow, -1);
	ck_assert_int_eq(verdict_of(&bad, 0, 0).icrc, RDA_ICRC_BAD);
}
END_TEST

/* None fits: captured before the ICRC was put in. The packets are as good as any. */
START_TEST(absent_icrcs_are_no_damage)
{
	struct rda_recipe bad = request(1, true);

	for (uint32_t psn = 0; psn < 30; psn++)
		feed_request(psn, true);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_ABSENT], 30);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_BAD], 0);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->flows[0]->request_packets, 30);
	ck_assert_int_eq(verdict_of(&bad, 0, 0).icrc, RDA_ICRC_ABSENT);
}
END_TEST

/* The first packet fails, and only the later ones show that it was damage. */
START_TEST(the_second_pass_knows_more)
{
	struct rda_recipe bad = request(1, true), good = request(2, false);

	feed_request(1, true);
	feed_request(2, false);
	rda_engine_finish(feed.engine);
	ck_assert_int_eq(verdict_of(&bad, 0, 0).icrc, RDA_ICRC_BAD);
	ck_assert_int_eq(verdict_of(&good, 0, 0).icrc, RDA_ICRC_GOOD);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_BAD], 1);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_GOOD], 1);
}
END_TEST

/* One capture of a sender with ICRCs, one without: each has its own verdict. So has each tap. */
START_TEST(sources_are_judged_apart)
{
	struct rda_recipe bad = request(1, true);

	rda_engine_begin_capture(feed.engine);
	feed_request(1, true);
	rda_engine_begin_capture(feed.engine);
	feed_request(1, true);
	feed_request(2, false);
	feed.meta.tap = 1;
	feed_request(3, true);
	rda_engine_finish(feed.engine);
	ck_assert_int_eq(verdict_of(&bad, 0, 0).icrc, RDA_ICRC_ABSENT);
	ck_assert_int_eq(verdict_of(&bad, 1, 0).icrc, RDA_ICRC_BAD);
	ck_assert_int_eq(verdict_of(&bad, 1, 1).icrc, RDA_ICRC_ABSENT);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_ABSENT], 1);
	ck_assert_uint_eq(capture(1)->icrc[RDA_ICRC_ABSENT], 1);
	ck_assert_uint_eq(capture(1)->icrc[RDA_ICRC_BAD], 1);
	ck_assert_uint_eq(capture(1)->icrc[RDA_ICRC_GOOD], 1);
}
END_TEST

START_TEST(damage_counts_for_the_receiver)
{
	const struct rda_host *a, *b;

	feed_request(1, false);
	feed_request(2, true);
	feed_request(3, true);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_host_count(feed.engine), 2);
	a = rda_engine_host(feed.engine, 0);
	b = rda_engine_host(feed.engine, 1);
	ck_assert_uint_eq(a->address.bytes[15], A);
	ck_assert_uint_eq(b->address.bytes[15], B);
	ck_assert_uint_eq(a->icrc_errors_received, 0);
	ck_assert_uint_eq(b->icrc_errors_received, 2);
}
END_TEST

/* ---- the rest ---------------------------------------------------------------------------------
 */

START_TEST(verdicts_name_connection_and_side)
{
	struct rda_recipe there = request(5, false), back = rda_packet_of(B, A, QP_A, 0x04, 5);
	struct rda_recipe other = rda_packet_of(A, B, 0x999, 0x04, 5);

	rda_feed_exchange(&feed, A, B, QP_A, QP_B, 7);
	feed_request(1, false);
	rda_feed_acknowledge(&feed, B, A, QP_A, PORT, 1);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_connection_count(feed.engine), 2);
	ck_assert_int_eq(verdict_of(&there, 0, 0).connection, 1);
	ck_assert_int_eq(verdict_of(&there, 0, 0).flow, 0);
	ck_assert_int_eq(verdict_of(&back, 0, 0).connection, 1);
	ck_assert_int_eq(verdict_of(&back, 0, 0).flow, 1);
	ck_assert_int_eq(verdict_of(&other, 0, 0).connection, -1);
	ck_assert_int_eq(verdict_of(&there, 0, 3).connection, -1); /* at a tap that saw nothing */
}
END_TEST

START_TEST(hosts_are_in_order_of_address)
{
	static const uint8_t hosts[] = {200, 7, 50, 7, 1, 255};

	for (unsigned i = 0; i + 1 < RDA_COUNT(hosts); i++)
		rda_feed_send(&feed, hosts[i], hosts[i + 1], 0x11, PORT, 1);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_host_count(feed.engine), 5);
	for (unsigned i = 1; i < 5; i++)
		ck_assert_uint_lt(rda_engine_host(feed.engine, i - 1)->address.bytes[15],
				  rda_engine_host(feed.engine, i)->address.bytes[15]);
}
END_TEST

START_TEST(cut_packets_of_a_long_flow_are_counted_in_full)
{
	struct rda_recipe recipe = request(0, false);
	struct rda_built built;

	recipe.payload_length = 1024;
	for (recipe.psn = 0xfffff0; recipe.psn < 0x1000010; recipe.psn++) {
		struct rda_recipe wrapped = recipe;

		wrapped.psn &= 0xffffff;
		rda_build_packet(&built, &wrapped);
		rda_feed_frame(&feed, &built.b, 64, built.link);
	}
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(capture(0)->cut_by_snaplen, 32);
	ck_assert_uint_eq(capture(0)->icrc[RDA_ICRC_NOT_CHECKABLE], 32);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->flows[0]->payload_bytes,
			  32 * 1024);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->flows[0]->requests.count, 1);
}
END_TEST

/* The path MTU from full packets, when no CM exchange told it; not from those that differ. */
START_TEST(path_mtu_as_seen)
{
	static const uint32_t payloads[] = {1024, 1024, 2048, 256};
	struct rda_recipe first = rda_packet_of(A, B, QP_B, 0x00, 1);

	for (unsigned i = 0; i < RDA_COUNT(payloads); i++) {
		first.payload_length = payloads[i];
		first.dest_qp = QP_B + i / 2;
		rda_feed(&feed, &first);
	}
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_connection_count(feed.engine), 2);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 0)->path_mtu, 1024);
	ck_assert_uint_eq(rda_engine_connection(feed.engine, 1)->path_mtu, 0);
}
END_TEST

START_TEST(congestion_notifications_alone_tell_no_service)
{
	struct rda_recipe cnp = rda_packet_of(B, A, QP_A, 0x81, 0);

	cnp.payload_length = 16;
	rda_feed(&feed, &cnp);
	rda_engine_finish(feed.engine);
	ck_assert_int_eq(rda_engine_connection(feed.engine, 0)->service, RDA_SERVICE_UNKNOWN);
}
END_TEST

Suite *rda_suite_engine(void)
{
	Suite *suite = suite_create("engine");
	TCase *tcase = tcase_create("captures");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, frames_by_what_they_are);
	tcase_add_test(tcase, malformed_and_too_deep_frames);
	tcase_add_test(tcase, link_types_in_order_of_appearance);
	tcase_add_test(tcase, times_may_go_backwards);
	tcase_add_test(tcase, captures_are_counted_apart_and_connections_are_not);
	tcase_add_test(tcase, an_engine_that_saw_nothing);
	tcase_add_test(tcase, ports_of_the_configuration);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("damage");
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_damaged_packet_stops_at_the_counters);
	tcase_add_test(tcase, damage_never_makes_a_flow);
	tcase_add_test(tcase, absent_icrcs_are_no_damage);
	tcase_add_test(tcase, the_second_pass_knows_more);
	tcase_add_test(tcase, sources_are_judged_apart);
	tcase_add_test(tcase, damage_counts_for_the_receiver);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("the rest");
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, verdicts_name_connection_and_side);
	tcase_add_test(tcase, hosts_are_in_order_of_address);
	tcase_add_test(tcase, path_mtu_as_seen);
	tcase_add_test(tcase, congestion_notifications_alone_tell_no_service);
	tcase_add_test(tcase, cut_packets_of_a_long_flow_are_counted_in_full);
	suite_add_tcase(suite, tcase);
	return suite;
}
