/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ethernet, its tags, padding and pause frames.
 */
#include "dissectors/link.h"

#include "dissectors/walk.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

enum { ETHERNET = RDA_LINK_ETHERNET };

START_TEST(ethernet_fields)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_eth eth;

	rda_put_hex(&b, "a1a2a3a4a5a6 b1b2b3b4b5b6 0800");
	rda_put_send(&b, RDA_ROUTE_IP4);
	rda_expect_whole(&packet, &b, ETHERNET, "eth ip4 udp bth");
	ck_assert(!packet.tagged);
	ck_assert(rda_read_eth(&(struct rda_cursor){b.bytes, 0, 14, 14}, &eth));
	ck_assert_mem_eq(eth.destination, "\xa1\xa2\xa3\xa4\xa5\xa6", 6);
	ck_assert_mem_eq(eth.source, "\xb1\xb2\xb3\xb4\xb5\xb6", 6);
	ck_assert_uint_eq(eth.type, 0x0800);
}
END_TEST

START_TEST(vlan_tags)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_vlan vlan;

	rda_put_eth(&b, 0x8100);
	rda_put_hex(&b, "b123 86dd"); /* priority 5, drop eligible, VLAN 0x123 */
	rda_put_send(&b, RDA_ROUTE_IP6);
	rda_expect_whole(&packet, &b, ETHERNET, "eth vlan ip6 udp bth");
	ck_assert(rda_read_vlan(&(struct rda_cursor){b.bytes, 14, 18, 18}, &vlan));
	ck_assert_uint_eq(vlan.priority, 5);
	ck_assert(vlan.dei);
	ck_assert_uint_eq(vlan.id, 0x123);
	ck_assert_uint_eq(vlan.type, 0x86dd);
	ck_assert(packet.tagged);
	ck_assert_uint_eq(packet.priority, 5);
}
END_TEST

START_TEST(tags_of_every_type_nest)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	rda_put_eth(&b, 0x88a8);
	rda_put_hex(&b, "2001 9100 4002 8100 6003 8915");
	rda_put_send(&b, RDA_ROUTE_ROCEV1);
	rda_expect_whole(&packet, &b, ETHERNET, "eth vlan vlan vlan grh bth");
	ck_assert(packet.tagged);
	ck_assert_uint_eq(packet.priority, 1); /* of the outermost */
}
END_TEST

/* A length instead of a type: LLC, which carries no RDMA. */
START_TEST(frames_with_a_length_are_not_decoded)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	rda_put_eth(&b, 38);
	rda_put_hex(&b, "424203 0000000000");
	rda_expect_whole(&packet, &b, ETHERNET, "eth");
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_NONE);
}
END_TEST

/* The frame is padded to 60 bytes behind the end that IP or GRH tell; pad is no payload. */
START_TEST(padding_is_not_of_the_packet)
{
	static const struct rda_recipe recipes[] = {
		{.route = RDA_ROUTE_IP4, .opcode = 0x04, .payload_length = 0},
		{.route = RDA_ROUTE_IP6, .opcode = 0x04, .payload_length = 4},
		{.route = RDA_ROUTE_ROCEV1, .opcode = 0x04, .payload_length = 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(recipes); i++) {
		struct rda_built built;
		struct rda_packet packet;

		rda_build_packet(&built, &recipes[i]);
		rda_put_pattern(&built.b, 60);
		rda_dissect_build(&packet, &built.b, ETHERNET);
		ck_assert_int_eq(packet.status, RDA_STATUS_OK);
		ck_assert_uint_eq(packet.faults, 0);
		ck_assert_uint_eq(packet.end_offset, built.end);
		ck_assert_uint_eq(packet.payload_length, recipes[i].payload_length);
	}
}
END_TEST

START_TEST(pause_frames)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_pause pause;

	rda_put_eth(&b, 0x8808);
	rda_put_hex(&b, "0001 1234");
	rda_put_zeros(&b, 42);
	rda_expect_whole(&packet, &b, ETHERNET, "eth pause");
	ck_assert(rda_read_pause(&(struct rda_cursor){b.bytes, 14, 18, 18}, &pause));
	ck_assert_uint_eq(pause.opcode, 1);
	ck_assert_uint_eq(pause.quanta, 0x1234);
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_NONE);
}
END_TEST

START_TEST(priority_flow_control_frames)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_pfc pfc;

	rda_put_eth(&b, 0x8808);
	rda_put_hex(&b, "0101 00a5 0011 0122 0233 0344 0455 0566 0677 ffff");
	rda_put_zeros(&b, 26);
	rda_dissect_build(&packet, &b, ETHERNET);
	rda_expect_layers(&packet, "eth pfc");
	rda_expect_faults(&packet, 0);
	ck_assert(rda_read_pfc(&(struct rda_cursor){b.bytes, 14, 34, 34}, &pfc));
	ck_assert_uint_eq(pfc.opcode, 0x0101);
	ck_assert_uint_eq(pfc.enabled, 0xa5);
	ck_assert_uint_eq(pfc.quanta0, 0x0011);
	ck_assert_uint_eq(pfc.quanta1, 0x0122);
	ck_assert_uint_eq(pfc.quanta2, 0x0233);
	ck_assert_uint_eq(pfc.quanta3, 0x0344);
	ck_assert_uint_eq(pfc.quanta4, 0x0455);
	ck_assert_uint_eq(pfc.quanta5, 0x0566);
	ck_assert_uint_eq(pfc.quanta6, 0x0677);
	ck_assert_uint_eq(pfc.quanta7, 0xffff);
	rda_expect_whole(&packet, &b, ETHERNET, "eth pfc");
}
END_TEST

START_TEST(other_mac_control_frames_are_not_decoded)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	rda_put_eth(&b, 0x8808);
	rda_put_hex(&b, "0002 0000");
	rda_dissect_build(&packet, &b, ETHERNET);
	rda_expect_layers(&packet, "eth");
	rda_expect_faults(&packet, 0);
}
END_TEST

/* Too short on the wire: malformed, and not cut. */
START_TEST(short_frames)
{
	static const char *const frames[] = {
		"020000000002 020000000001 08",
		"020000000002 020000000001 8100 00",
		"020000000002 020000000001 8808 0001",
		"020000000002 020000000001 8808 0101 0001 0000 0000",
		"",
	};

	for (unsigned i = 0; i < RDA_COUNT(frames); i++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		rda_put_hex(&b, frames[i]);
		rda_dissect_build(&packet, &b, ETHERNET);
		rda_expect_faults(&packet, RDA_FAULT_BIT(HEADER_SHORT));
	}
}
END_TEST

static void add_ethernet(Suite *suite)
{
	TCase *tcase = tcase_create("ethernet");

	tcase_add_test(tcase, ethernet_fields);
	tcase_add_test(tcase, vlan_tags);
	tcase_add_test(tcase, tags_of_every_type_nest);
	tcase_add_test(tcase, frames_with_a_length_are_not_decoded);
	tcase_add_test(tcase, padding_is_not_of_the_packet);
	tcase_add_test(tcase, pause_frames);
	tcase_add_test(tcase, priority_flow_control_frames);
	tcase_add_test(tcase, other_mac_control_frames_are_not_decoded);
	tcase_add_test(tcase, short_frames);
	suite_add_tcase(suite, tcase);
}

/*
 * What each EtherType announces, and that it does so in every header that has one.
 */

static const struct {
	uint16_t type;
	enum rda_next next;
} types[] = {
	{0x0800, RDA_NEXT_IP4},	     {0x86dd, RDA_NEXT_IP6},  {0x8915, RDA_NEXT_GRH},
	{0x8100, RDA_NEXT_VLAN},     {0x88a8, RDA_NEXT_VLAN}, {0x9100, RDA_NEXT_VLAN},
	{0x8847, RDA_NEXT_MPLS},     {0x8848, RDA_NEXT_MPLS}, {0x8808, RDA_NEXT_MAC_CONTROL},
	{0x6558, RDA_NEXT_ETHERNET}, {0x0806, RDA_NEXT_ARP},
};

START_TEST(every_type)
{
	for (unsigned type = 0; type <= UINT16_MAX; type++) {
		enum rda_next want = RDA_NEXT_STOP;

		for (unsigned i = 0; i < RDA_COUNT(types); i++)
			if (types[i].type == type)
				want = types[i].next;
		RDA_CHECK(rda_next_of_ethertype((uint16_t)type) == want, "type 0x%04x", type);
	}
}
END_TEST

START_TEST(the_same_type_in_every_header_that_has_one)
{
	/* up to and without the type; what the header is */
	static const struct {
		uint16_t link;
		const char *before, *layers;
	} headers[] = {
		{1, "020000000002 020000000001", "eth grh bth"},
		{1, "020000000002 020000000001 8100 0001", "eth vlan grh bth"},
		{113, "0000 0001 0006 020000000001 0000", "sll grh bth"},
	};

	for (unsigned i = 0; i < RDA_COUNT(headers); i++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		rda_put_hex(&b, headers[i].before);
		rda_put16(&b, 0x8915);
		rda_put_send(&b, RDA_ROUTE_ROCEV1);
		rda_expect_whole(&packet, &b, headers[i].link, headers[i].layers);
	}
}
END_TEST

static void add_ethertype(Suite *suite)
{
	TCase *tcase = tcase_create("ethertype");

	tcase_add_test(tcase, every_type);
	tcase_add_test(tcase, the_same_type_in_every_header_that_has_one);
	suite_add_tcase(suite, tcase);
}

Suite *rda_suite_ethernet(void)
{
	Suite *suite = suite_create("ethernet");

	add_ethernet(suite);
	add_ethertype(suite);
	return suite;
}
