/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IPv4 and IPv6: fields, options, extension headers, fragments, and the lengths that end a packet.
 */
#include "dissectors/link.h"
#include "dissectors/walk.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

enum { IPV4 = RDA_LINK_IPV4, IPV6 = RDA_LINK_IPV6 };

static const struct rda_recipe send4 = {
	.route = RDA_ROUTE_IP4, .from = 1, .to = 2, .opcode = 0x04, .payload_length = 8};
static const struct rda_recipe send6 = {
	.route = RDA_ROUTE_IP6, .from = 1, .to = 2, .opcode = 0x04, .payload_length = 8};

/* UDP, BTH, 8 bytes, ICRC */
static void put_udp_send(struct rda_build *b)
{
	uint32_t udp = rda_put_udp(b, 0xc000, 4791);

	rda_put_bth(b, 0x04, 0x11, 7);
	rda_put_pattern(b, 8 + 4);
	rda_close_udp(b, udp);
}

/* ---- IPv4 ----------------------------------------------------------------------------------- */

START_TEST(ip4_fields)
{
	struct rda_build b = {0};
	struct rda_ip4 ip;

	rda_put_hex(&b, "46 b9 1234 5678 bfff 3d 11 9abc 0a0b0c0d 01020304");
	ck_assert(rda_read_ip4(&(struct rda_cursor){b.bytes, 0, 20, 20}, &ip));
	ck_assert_uint_eq(ip.version, 4);
	ck_assert_uint_eq(ip.ihl, 6);
	ck_assert_uint_eq(ip.dscp, 46);
	ck_assert_uint_eq(ip.ecn, 1);
	ck_assert_uint_eq(ip.length, 0x1234);
	ck_assert_uint_eq(ip.id, 0x5678);
	ck_assert(!ip.df);
	ck_assert(ip.mf);
	ck_assert_uint_eq(ip.fragment, 0x1fff);
	ck_assert_uint_eq(ip.ttl, 0x3d);
	ck_assert_uint_eq(ip.protocol, 17);
	ck_assert_uint_eq(ip.checksum, 0x9abc);
	ck_assert_mem_eq(ip.source, "\x0a\x0b\x0c\x0d", 4);
	ck_assert_mem_eq(ip.destination, "\x01\x02\x03\x04", 4);
	b.bytes[6] = 0x40;
	ck_assert(rda_read_ip4(&(struct rda_cursor){b.bytes, 0, 20, 20}, &ip));
	ck_assert(ip.df && !ip.mf);
}
END_TEST

START_TEST(ip4_addresses_and_marks_of_the_packet)
{
	static const uint8_t from[16] = {[10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2, [15] = 1};
	static const uint8_t to[16] = {[10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2, [15] = 2};
	struct rda_built built;
	struct rda_packet packet;

	rda_build_packet(&built, &send4);
	built.b.bytes[built.l3 + 1] = 0x6b; /* DSCP 26, CE */
	rda_dissect_build(&packet, &built.b, built.link);
	ck_assert_int_eq(packet.source.kind, RDA_ADDRESS_IP4);
	ck_assert_int_eq(packet.destination.kind, RDA_ADDRESS_IP4);
	ck_assert_mem_eq(packet.source.bytes, from, 16);
	ck_assert_mem_eq(packet.destination.bytes, to, 16);
	ck_assert_uint_eq(packet.dscp, 26);
	ck_assert_uint_eq(packet.ecn, 3);
	ck_assert_uint_eq(packet.l3_offset, 14);
}
END_TEST

START_TEST(ip4_options_are_skipped)
{
	for (uint32_t words = 6; words <= 15; words++) {
		struct rda_build b = {0};
		struct rda_packet packet;
		uint32_t ip = rda_put_ip4(&b, 17, 1, 2);

		b.bytes[ip] = (uint8_t)(0x40 | words);
		rda_put_pattern(&b, (words - 5) * 4);
		put_udp_send(&b);
		rda_close_ip4(&b, ip);
		rda_expect_whole(&packet, &b, IPV4, "ip4 udp bth");
		ck_assert_uint_eq(packet.layers[0].length, words * 4);
		ck_assert_uint_eq(packet.layers[1].offset, words * 4);
		ck_assert_uint_eq(packet.payload_length, 8);
	}
}
END_TEST

START_TEST(impossible_ip4_headers)
{
	struct rda_packet packet;
	struct rda_built built;

	for (unsigned first = 0; first < 256; first++) {
		rda_build_packet(&built, &send4);
		built.b.bytes[built.l3] = (uint8_t)first;
		rda_dissect_build(&packet, &built.b, built.link);
		if (first >> 4 != 4 || (first & 15) < 5) {
			rda_expect_faults(&packet, RDA_FAULT_BIT(IP_HEADER));
			rda_expect_layers(&packet, "eth");
		}
	}
	for (uint16_t total = 1; total < 20; total++) {
		rda_build_packet(&built, &send4);
		rda_set16(&built.b, built.l3 + 2, total);
		rda_dissect_build(&packet, &built.b, built.link);
		rda_expect_faults(&packet, RDA_FAULT_BIT(IP_HEADER));
	}
	rda_build_packet(&built, &send4); /* options behind the packet's own end */
	built.b.bytes[built.l3] = 0x46;
	rda_set16(&built.b, built.l3 + 2, 23);
	rda_dissect_build(&packet, &built.b, built.link);
	rda_expect_faults(&packet, RDA_FAULT_BIT(IP_HEADER));
}
END_TEST

/* What a host that lets its NIC segment captures: the frame's end is the packet's. */
START_TEST(ip4_total_length_0)
{
	struct rda_packet packet;
	struct rda_built built;

	rda_build_packet(&built, &send4);
	rda_set16(&built.b, built.l3 + 2, 0);
	rda_dissect_build(&packet, &built.b, built.link);
	rda_expect_faults(&packet, 0);
	ck_assert_uint_eq(packet.end_offset, built.end);
	ck_assert_uint_eq(packet.payload_length, 8);
	built.b.bytes[built.l3] = 0x4f; /* options that fill more than the frame has */
	built.b.length = built.l3 + 40;
	rda_dissect_build(&packet, &built.b, built.link);
	rda_expect_faults(&packet, RDA_FAULT_BIT(IP_HEADER));
}
END_TEST

START_TEST(ip4_total_length_of_more_than_the_frame)
{
	struct rda_packet packet;
	struct rda_built built;

	rda_build_packet(&built, &send4);
	rda_set16(&built.b, built.l3 + 2, (uint16_t)(built.end - built.l3 + 1));
	rda_dissect_build(&packet, &built.b, built.link);
	rda_expect_faults(&packet, RDA_FAULT_BIT(LENGTH_EXCEEDS));
	rda_expect_layers(&packet, "eth ip4 udp bth"); /* what is there is read all the same */
	rda_set16(&built.b, built.l3 + 2, 0xffff);
	rda_dissect_build(&packet, &built.b, built.link);
	rda_expect_faults(&packet, RDA_FAULT_BIT(LENGTH_EXCEEDS));
}
END_TEST

START_TEST(ip4_fragments)
{
	/* more fragments, offset; decoded to */
	static const struct {
		uint16_t word;
		const char *layers;
		bool fragment;
	} cases[] = {
		{0x0000, "eth ip4 udp bth", false}, {0x4000, "eth ip4 udp bth", false},
		{0x8000, "eth ip4 udp bth", false}, {0x2000, "eth ip4 udp bth", true},
		{0x2001, "eth ip4", true},	    {0x0001, "eth ip4", true},
		{0x1fff, "eth ip4", true},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_packet packet;
		struct rda_built built;

		rda_build_packet(&built, &send4);
		rda_set16(&built.b, built.l3 + 6, cases[i].word);
		rda_dissect_build(&packet, &built.b, built.link);
		rda_expect_layers(&packet, cases[i].layers);
		ck_assert_int_eq(packet.fragment, cases[i].fragment);
		rda_expect_faults(&packet, 0);
	}
}
END_TEST

/* Of a tunnel's fragment what is inside ends in the next one: it is no fragment itself, as it says.
 */
START_TEST(a_fragment_of_a_tunnel)
{
	for (unsigned inner = 0; inner <= 1; inner++) {
		struct rda_packet packet;
		struct rda_built built;
		struct rda_build b = {0};

		rda_build_packet(&built, &send4);
		rda_set16(&built.b, built.l3 + 6, inner ? 0x2000 : 0);
		rda_put_hex(&b, "020000000002 020000000001 0800 45000000 0001 2000 40 04 0000 "
				"0a000001 0a000002");
		rda_set16(&b, 16, (uint16_t)(20 + built.b.length - built.l3 - 8));
		rda_put(&b, built.b.bytes + built.l3, built.b.length - built.l3 - 8);
		rda_close_ip4(&b, 14);
		rda_dissect_build(&packet, &b, RDA_LINK_ETHERNET);
		rda_expect_layers(&packet, "eth ip4 ip4 udp bth");
		ck_assert(packet.fragment && packet.tunnel_fragment == !inner);
		rda_expect_faults(&packet, 0);
	}
}
END_TEST

/* A fragment may end anywhere: the header that it breaks off in is not short. */
START_TEST(a_fragment_that_ends_inside_a_header)
{
	for (uint32_t bytes = 0; bytes <= 8 + 12 + 4; bytes++) {
		struct rda_packet packet;
		struct rda_built built;

		rda_build_packet(&built, &send4);
		rda_build_set_end(&built, built.udp + bytes);
		rda_set16(&built.b, built.l3 + 6, 0x2000);
		rda_dissect_build(&packet, &built.b, built.link);
		rda_expect_faults(&packet, 0);
		ck_assert_int_eq(packet.status, RDA_STATUS_OK);
		ck_assert(packet.fragment && !packet.payload_known);
		rda_expect_layers(&packet, bytes < 8	    ? "eth ip4"
					   : bytes < 8 + 12 ? "eth ip4 udp"
							    : "eth ip4 udp bth");
	}
}
END_TEST

/* ---- IPv6 ----------------------------------------------------------------------------------- */

START_TEST(ip6_fields)
{
	struct rda_build b = {0};
	struct rda_ip6 ip;

	rda_put_hex(&b, "6b 9a bcde 1234 11 3d");
	rda_put_hex(&b, "20010db8 00000000 00000000 00000001 fe800000 00000000 00000000 000000ff");
	ck_assert(rda_read_ip6(&(struct rda_cursor){b.bytes, 0, 40, 40}, &ip));
	ck_assert_uint_eq(ip.version, 6);
	ck_assert_uint_eq(ip.dscp, 46);
	ck_assert_uint_eq(ip.ecn, 1);
	ck_assert_uint_eq(ip.flow_label, 0xabcde);
	ck_assert_uint_eq(ip.length, 0x1234);
	ck_assert_uint_eq(ip.next_header, 17);
	ck_assert_uint_eq(ip.hop_limit, 0x3d);
	ck_assert_mem_eq(ip.source, b.bytes + 8, 16);
	ck_assert_mem_eq(ip.destination, b.bytes + 24, 16);
}
END_TEST

START_TEST(ip6_addresses_and_marks_of_the_packet)
{
	struct rda_built built;
	struct rda_packet packet;

	rda_build_packet(&built, &send6);
	built.b.bytes[built.l3] = 0x66; /* DSCP 26, CE */
	built.b.bytes[built.l3 + 1] = 0xb0;
	memset(built.b.bytes + built.l3 + 8, 0, 16); /* ::ffff:192.0.2.7 is an IPv6 address here */
	memcpy(built.b.bytes + built.l3 + 18, "\xff\xff\xc0\0\x02\x07", 6);
	rda_dissect_build(&packet, &built.b, built.link);
	ck_assert_int_eq(packet.source.kind, RDA_ADDRESS_IP6);
	ck_assert_int_eq(packet.destination.kind, RDA_ADDRESS_IP6);
	ck_assert_mem_eq(packet.source.bytes, built.b.bytes + built.l3 + 8, 16);
	ck_assert_mem_eq(packet.destination.bytes, built.b.bytes + built.l3 + 24, 16);
	ck_assert_uint_eq(packet.dscp, 26);
	ck_assert_uint_eq(packet.ecn, 3);
}
END_TEST

START_TEST(gids_that_map_ip4_are_ip4)
{
	static const uint8_t mapped[16] = {[10] = 0xff, [11] = 0xff, [12] = 192, [15] = 9};
	uint8_t gid[16];
	struct rda_address address = rda_address_of_gid(mapped);

	ck_assert_int_eq(address.kind, RDA_ADDRESS_IP4);
	ck_assert_mem_eq(address.bytes, mapped, 16);
	for (unsigned i = 0; i < 12; i++) {
		memcpy(gid, mapped, 16);
		gid[i] ^= 1;
		ck_assert_int_eq(rda_address_of_gid(gid).kind, RDA_ADDRESS_IP6);
	}
}
END_TEST

START_TEST(ip6_extension_headers)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_ip6_ext ext;
	uint32_t ip = rda_put_ip6(&b, 0, 1, 2);

	rda_put_hex(&b, "3c 00 ffffffffffff"); /* hop by hop, 8 bytes */
	rda_put_hex(&b,
		    "2b 02 ffffffffffff ffffffffffffffff ffffffffffffffff"); /* destination, 24 */
	rda_put_hex(&b, "2c 00 ffffffffffff");				     /* routing, 8 */
	rda_put_hex(&b, "11 00 0000 12345678"); /* an atomic fragment: whole */
	put_udp_send(&b);
	rda_close_ip6(&b, ip);
	rda_expect_whole(&packet, &b, IPV6, "ip6 ip6_ext ip6_ext ip6_ext ip6_frag udp bth");
	ck_assert_uint_eq(packet.layers[1].length, 8);
	ck_assert_uint_eq(packet.layers[2].length, 24);
	ck_assert_uint_eq(packet.layers[3].length, 8);
	ck_assert(!packet.fragment);
	ck_assert_uint_eq(packet.payload_length, 8);
	ck_assert(rda_read_ip6_ext(&(struct rda_cursor){b.bytes, 48, 50, 50}, &ext));
	ck_assert_uint_eq(ext.next_header, 0x2b);
	ck_assert_uint_eq(ext.length, 2);
}
END_TEST

START_TEST(ip6_fragments)
{
	static const struct {
		uint16_t word; /* offset 13, reserved 2, more 1 */
		const char *layers;
	} cases[] = {
		{0x0001, "ip6 ip6_frag udp bth"},
		{0x0008, "ip6 ip6_frag"},
		{0xfff9, "ip6 ip6_frag"},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_packet packet;
		struct rda_ip6_frag frag;
		struct rda_build b = {0};
		uint32_t ip = rda_put_ip6(&b, 44, 1, 2);

		rda_put_hex(&b, "11 00");
		rda_put16(&b, cases[i].word);
		rda_put32(&b, 0x12345678);
		put_udp_send(&b);
		rda_close_ip6(&b, ip);
		rda_dissect_build(&packet, &b, IPV6);
		rda_expect_layers(&packet, cases[i].layers);
		rda_expect_faults(&packet, 0);
		ck_assert(packet.fragment);
		ck_assert(rda_read_ip6_frag(&(struct rda_cursor){b.bytes, 40, 48, 48}, &frag));
		ck_assert_uint_eq(frag.next_header, 17);
		ck_assert_uint_eq(frag.fragment, cases[i].word >> 3);
		ck_assert_int_eq(frag.mf, cases[i].word & 1);
		ck_assert_uint_eq(frag.id, 0x12345678);
	}
}
END_TEST

START_TEST(ip6_lengths)
{
	struct rda_packet packet;
	struct rda_built built;

	rda_build_packet(&built, &send6);
	rda_set16(&built.b, built.l3 + 4, 0); /* as IPv4's 0: the frame's end */
	rda_dissect_build(&packet, &built.b, built.link);
	rda_expect_faults(&packet, 0);
	ck_assert_uint_eq(packet.end_offset, built.end);
	rda_set16(&built.b, built.l3 + 4, (uint16_t)(built.end - built.l3 - 40 + 1));
	rda_dissect_build(&packet, &built.b, built.link);
	rda_expect_faults(&packet, RDA_FAULT_BIT(LENGTH_EXCEEDS));
	rda_expect_layers(&packet, "eth ip6 udp bth");
}
END_TEST

START_TEST(impossible_ip6_headers)
{
	for (unsigned version = 0; version < 16; version++) {
		struct rda_packet packet;
		struct rda_built built;

		rda_build_packet(&built, &send6);
		built.b.bytes[built.l3] = (uint8_t)(version << 4);
		rda_dissect_build(&packet, &built.b, built.link);
		rda_expect_faults(&packet, version == 6 ? 0 : RDA_FAULT_BIT(IP_HEADER));
	}
}
END_TEST

START_TEST(an_extension_header_longer_than_the_packet)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	uint32_t ip = rda_put_ip6(&b, 60, 1, 2);

	rda_put_hex(&b, "11 ff");
	put_udp_send(&b);
	rda_close_ip6(&b, ip);
	rda_dissect_build(&packet, &b, IPV6);
	rda_expect_faults(&packet, RDA_FAULT_BIT(HEADER_SHORT));
	rda_expect_layers(&packet, "ip6");
}
END_TEST

/* ---- one in the other ----------------------------------------------------------------------- */

START_TEST(ip_in_ip)
{
	static const struct {
		uint8_t protocol;
		enum rda_route inner;
		const char *layers4, *layers6;
	} cases[] = {
		{4, RDA_ROUTE_IP4, "ip4 ip4 udp bth", "ip6 ip4 udp bth"},
		{41, RDA_ROUTE_IP6, "ip4 ip6 udp bth", "ip6 ip6 udp bth"},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build v4 = {0}, v6 = {0};
		struct rda_packet packet;
		uint32_t ip = rda_put_ip4(&v4, cases[i].protocol, 8, 9);

		rda_put_send(&v4, cases[i].inner);
		rda_close_ip4(&v4, ip);
		rda_expect_whole(&packet, &v4, IPV4, cases[i].layers4);
		ck_assert_uint_eq(packet.l3_offset, 20); /* the inner one is the packet's */
		ck_assert_uint_eq(packet.source.bytes[15], 1);
		ip = rda_put_ip6(&v6, cases[i].protocol, 8, 9);
		rda_put_send(&v6, cases[i].inner);
		rda_close_ip6(&v6, ip);
		rda_expect_whole(&packet, &v6, IPV6, cases[i].layers6);
	}
}
END_TEST

/* Protocols without RDMA end the walk; IPv6's extension headers mean nothing behind IPv4. */
START_TEST(other_protocols_are_not_decoded)
{
	static const uint8_t protocols[] = {0, 27, 43, 44, 50, 60, 132};

	for (unsigned i = 0; i < RDA_COUNT(protocols); i++) {
		struct rda_build b = {0};
		struct rda_packet packet;
		uint32_t ip = rda_put_ip4(&b, protocols[i], 1, 2);

		put_udp_send(&b);
		rda_close_ip4(&b, ip);
		rda_dissect_build(&packet, &b, IPV4);
		rda_expect_layers(&packet, "ip4");
		rda_expect_faults(&packet, 0);
		ck_assert_int_eq(packet.carrier, RDA_CARRIER_NONE);
	}
}
END_TEST

Suite *rda_suite_ip(void)
{
	Suite *suite = suite_create("ip");
	TCase *tcase = tcase_create("IPv4");

	tcase_add_test(tcase, ip4_fields);
	tcase_add_test(tcase, ip4_addresses_and_marks_of_the_packet);
	tcase_add_test(tcase, ip4_options_are_skipped);
	tcase_add_test(tcase, impossible_ip4_headers);
	tcase_add_test(tcase, ip4_total_length_0);
	tcase_add_test(tcase, ip4_total_length_of_more_than_the_frame);
	tcase_add_test(tcase, ip4_fragments);
	tcase_add_test(tcase, a_fragment_of_a_tunnel);
	tcase_add_test(tcase, a_fragment_that_ends_inside_a_header);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("IPv6");
	tcase_add_test(tcase, ip6_fields);
	tcase_add_test(tcase, ip6_addresses_and_marks_of_the_packet);
	tcase_add_test(tcase, gids_that_map_ip4_are_ip4);
	tcase_add_test(tcase, ip6_extension_headers);
	tcase_add_test(tcase, ip6_fragments);
	tcase_add_test(tcase, ip6_lengths);
	tcase_add_test(tcase, impossible_ip6_headers);
	tcase_add_test(tcase, an_extension_header_longer_than_the_packet);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("IP in IP");
	tcase_add_test(tcase, ip_in_ip);
	tcase_add_test(tcase, other_protocols_are_not_decoded);
	suite_add_tcase(suite, tcase);
	return suite;
}
