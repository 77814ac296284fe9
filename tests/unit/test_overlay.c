/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tunnels and mirrors: each with what it may carry and each of its options. How deep they may nest
 * is tested in test_dissect.c.
 */
#include "dissectors/link.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

enum { IPV4 = RDA_LINK_IPV4, ETHERNET = RDA_LINK_ETHERNET };

/* An outer IPv4 header, whose end is set by close_outer. */
static void open_outer(struct rda_build *b, uint8_t protocol)
{
	rda_put_ip4(b, protocol, 8, 9);
}

static void close_outer(struct rda_build *b)
{
	rda_close_ip4(b, 0);
}

static void put_mirrored(struct rda_build *b)
{
	rda_put_eth(b, 0x0800);
	rda_put_send(b, RDA_ROUTE_IP4);
}

/* ---- MPLS ----------------------------------------------------------------------------------- */

START_TEST(mpls_fields)
{
	struct rda_build b = {0};
	struct rda_mpls mpls;

	rda_put_hex(&b, "12 34 5a 3f");
	ck_assert(rda_read_mpls(&(struct rda_cursor){b.bytes, 0, 4, 4}, &mpls));
	ck_assert_uint_eq(mpls.label, 0x12345);
	ck_assert_uint_eq(mpls.traffic_class, 5);
	ck_assert(!mpls.bottom);
	ck_assert_uint_eq(mpls.ttl, 0x3f);
}
END_TEST

START_TEST(mpls_stacks_of_ip)
{
	struct rda_build v4 = {0}, v6 = {0};
	struct rda_packet packet;

	rda_put_eth(&v4, 0x8847);
	rda_put_hex(&v4, "00010040 00011140");
	rda_put_send(&v4, RDA_ROUTE_IP4);
	rda_expect_whole(&packet, &v4, ETHERNET, "eth mpls mpls ip4 udp bth");
	rda_put_eth(&v6, 0x8848);
	rda_put_hex(&v6, "00011140");
	rda_put_send(&v6, RDA_ROUTE_IP6);
	rda_expect_whole(&packet, &v6, ETHERNET, "eth mpls ip6 udp bth");
}
END_TEST

/* A control word (its first four bits are 0) and an Ethernet frame. */
START_TEST(mpls_pseudowires)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	rda_put_eth(&b, 0x8847);
	rda_put_hex(&b, "00011140 00000007");
	put_mirrored(&b);
	rda_expect_whole(&packet, &b, ETHERNET, "eth mpls eth ip4 udp bth");
	ck_assert_uint_eq(packet.layers[2].offset, 14 + 4 + 4);
}
END_TEST

START_TEST(mpls_of_something_else)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	rda_put_eth(&b, 0x8847);
	rda_put_hex(&b, "00011140 10000000");
	rda_dissect_build(&packet, &b, ETHERNET);
	rda_expect_layers(&packet, "eth mpls");
	rda_expect_faults(&packet, 0);
	b.length = 18; /* nothing behind the label */
	rda_dissect_build(&packet, &b, ETHERNET);
	rda_expect_faults(&packet, RDA_FAULT_BIT(HEADER_SHORT));
}
END_TEST

START_TEST(mpls_in_ip)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	open_outer(&b, 137);
	rda_put_hex(&b, "00011140");
	rda_put_send(&b, RDA_ROUTE_IP4);
	close_outer(&b);
	rda_expect_whole(&packet, &b, IPV4, "ip4 mpls ip4 udp bth");
}
END_TEST

/* ---- GRE ------------------------------------------------------------------------------------ */

START_TEST(gre_of_everything)
{
	static const struct {
		uint16_t protocol;
		enum rda_route route;
		const char *between, *layers;
	} cases[] = {
		{0x0800, RDA_ROUTE_IP4, "", "ip4 gre ip4 udp bth"},
		{0x86dd, RDA_ROUTE_IP6, "", "ip4 gre ip6 udp bth"},
		{0x6558, RDA_ROUTE_ROCEV1, "020000000002 020000000001 8915", "ip4 gre eth grh bth"},
		{0x8847, RDA_ROUTE_IP4, "00011140", "ip4 gre mpls ip4 udp bth"},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		open_outer(&b, 47);
		rda_put16(&b, 0);
		rda_put16(&b, cases[i].protocol);
		rda_put_hex(&b, cases[i].between);
		rda_put_send(&b, cases[i].route);
		close_outer(&b);
		rda_expect_whole(&packet, &b, IPV4, cases[i].layers);
	}
}
END_TEST

/* Checksum, key and sequence number take four bytes each. */
START_TEST(gre_options)
{
	for (unsigned flags = 0; flags < 8; flags++) {
		struct rda_build b = {0};
		struct rda_packet packet;
		struct rda_gre gre;
		unsigned options = (flags & 1) + (flags >> 1 & 1) + (flags >> 2);

		open_outer(&b, 47);
		rda_put8(&b, (uint8_t)((flags & 4 ? 0x80 : 0) | (flags & 2 ? 0x20 : 0) |
				       (flags & 1 ? 0x10 : 0)));
		rda_put_hex(&b, "00 0800");
		for (unsigned i = 0; i < options; i++)
			rda_put_hex(&b, "ffffffff");
		rda_put_send(&b, RDA_ROUTE_IP4);
		close_outer(&b);
		rda_expect_whole(&packet, &b, IPV4, "ip4 gre ip4 udp bth");
		ck_assert_uint_eq(packet.layers[1].length, 4 + 4 * options);
		ck_assert(rda_read_gre(&(struct rda_cursor){b.bytes, 20, 24, 24}, &gre));
		ck_assert_int_eq(gre.has_checksum, flags >> 2);
		ck_assert_int_eq(gre.has_key, flags >> 1 & 1);
		ck_assert_int_eq(gre.has_sequence, flags & 1);
		ck_assert_uint_eq(gre.protocol, 0x0800);
	}
}
END_TEST

START_TEST(gre_of_other_versions_is_not_decoded)
{
	static const char *const headers[] = {"2001 0800", "0007 0800", "4000 0800"};

	for (unsigned i = 0; i < RDA_COUNT(headers); i++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		open_outer(&b, 47);
		rda_put_hex(&b, headers[i]);
		rda_put_send(&b, RDA_ROUTE_IP4);
		close_outer(&b);
		rda_dissect_build(&packet, &b, IPV4);
		rda_expect_layers(&packet, "ip4");
		rda_expect_faults(&packet, 0);
	}
}
END_TEST

/* ---- ERSPAN --------------------------------------------------------------------------------- */

START_TEST(erspan_1_has_no_header_of_its_own)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	open_outer(&b, 47);
	rda_put_hex(&b, "0000 88be");
	put_mirrored(&b);
	close_outer(&b);
	rda_expect_whole(&packet, &b, IPV4, "ip4 gre eth ip4 udp bth");
}
END_TEST

START_TEST(erspan_2_is_told_by_the_sequence_number)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_erspan2 erspan;

	open_outer(&b, 47);
	rda_put_hex(&b, "1000 88be 00000007");
	rda_put_hex(&b, "1abc d155 000a bcde");
	put_mirrored(&b);
	close_outer(&b);
	rda_expect_whole(&packet, &b, IPV4, "ip4 gre erspan2 eth ip4 udp bth");
	ck_assert(rda_read_erspan2(&(struct rda_cursor){b.bytes, 28, 36, 36}, &erspan));
	ck_assert_uint_eq(erspan.version, 1);
	ck_assert_uint_eq(erspan.vlan, 0xabc);
	ck_assert_uint_eq(erspan.cos, 6);
	ck_assert_uint_eq(erspan.encap, 2);
	ck_assert(!erspan.truncated);
	ck_assert_uint_eq(erspan.session, 0x155);
	ck_assert_uint_eq(erspan.index, 0xabcde);
	b.bytes[28] = 0x2a; /* not version 1 */
	rda_dissect_build(&packet, &b, IPV4);
	rda_expect_layers(&packet, "ip4 gre erspan2");
}
END_TEST

START_TEST(erspan_3_with_and_without_subheader)
{
	for (unsigned subheader = 0; subheader < 2; subheader++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		open_outer(&b, 47);
		rda_put_hex(&b, "1000 22eb 00000007");
		rda_put_hex(&b, "2abc d155 12345678 9abc 80"); /* an Ethernet frame */
		rda_put8(&b, (uint8_t)subheader);
		if (subheader)
			rda_put_hex(&b, "ffffffffffffffff");
		put_mirrored(&b);
		close_outer(&b);
		rda_expect_whole(&packet, &b, IPV4, "ip4 gre erspan3 eth ip4 udp bth");
		ck_assert_uint_eq(packet.layers[2].length, 12 + 8 * subheader);
	}
}
END_TEST

START_TEST(erspan_3_of_ip_and_of_other_versions)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	open_outer(&b, 47);
	rda_put_hex(&b, "1000 22eb 00000007");
	rda_put_hex(&b, "2abc d155 12345678 9abc 08 00"); /* frame type 2: IP */
	rda_put_send(&b, RDA_ROUTE_IP6);
	close_outer(&b);
	rda_expect_whole(&packet, &b, IPV4, "ip4 gre erspan3 ip6 udp bth");
	b.bytes[28] = 0x1a;
	rda_dissect_build(&packet, &b, IPV4);
	rda_expect_layers(&packet, "ip4 gre erspan3");
}
END_TEST

START_TEST(erspan_3_fields)
{
	struct rda_build b = {0};
	struct rda_erspan3 erspan;

	rda_put_hex(&b, "2abc d155 12345678 9abc 85 4d");
	ck_assert(rda_read_erspan3(&(struct rda_cursor){b.bytes, 0, 12, 12}, &erspan));
	ck_assert_uint_eq(erspan.version, 2);
	ck_assert_uint_eq(erspan.vlan, 0xabc);
	ck_assert_uint_eq(erspan.cos, 6);
	ck_assert_uint_eq(erspan.bso, 2);
	ck_assert(!erspan.truncated);
	ck_assert_uint_eq(erspan.session, 0x155);
	ck_assert_uint_eq(erspan.timestamp, 0x12345678);
	ck_assert_uint_eq(erspan.sgt, 0x9abc);
	ck_assert(erspan.pdu);
	ck_assert_uint_eq(erspan.frame_type, 1);
	ck_assert_uint_eq(erspan.hw_id, 0x14);
	ck_assert(erspan.egress);
	ck_assert_uint_eq(erspan.granularity, 2);
	ck_assert(erspan.subheader);
}
END_TEST

/* ---- VXLAN and GENEVE ------------------------------------------------------------------------ */

/* Host 8 to 9, UDP to `port`, `header` and what comes behind: closed by the caller. */
static void put_udp_tunnel(struct rda_build *b, uint16_t port, const char *header)
{
	open_outer(b, 17);
	rda_put_udp(b, 50000, port);
	rda_put_hex(b, header);
}

static void close_udp_tunnel(struct rda_build *b)
{
	rda_close_udp(b, 20);
	close_outer(b);
}

START_TEST(vxlan)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_vxlan header;

	put_udp_tunnel(&b, 4789, "8812 3456 abcdef 00");
	put_mirrored(&b);
	close_udp_tunnel(&b);
	rda_expect_whole(&packet, &b, IPV4, "ip4 udp vxlan eth ip4 udp bth");
	ck_assert(rda_read_vxlan(&(struct rda_cursor){b.bytes, 28, 36, 36}, &header));
	ck_assert_uint_eq(header.flags, 0x8812);
	ck_assert_uint_eq(header.group, 0x3456);
	ck_assert_uint_eq(header.vni, 0xabcdef);
	b.bytes[28] = 0x80; /* no VNI: not VXLAN */
	rda_dissect_build(&packet, &b, IPV4);
	rda_expect_layers(&packet, "ip4 udp");
	rda_expect_faults(&packet, 0);
}
END_TEST

START_TEST(geneve_with_options)
{
	for (uint32_t words = 0; words <= 63; words += 9) {
		struct rda_build b = {0};
		struct rda_packet packet;
		struct rda_geneve geneve;

		put_udp_tunnel(&b, 6081, "00 c0 6558 abcdef 00");
		b.bytes[28] = (uint8_t)words;
		rda_put_pattern(&b, words * 4);
		put_mirrored(&b);
		close_udp_tunnel(&b);
		rda_expect_whole(&packet, &b, IPV4, "ip4 udp geneve eth ip4 udp bth");
		ck_assert_uint_eq(packet.layers[2].length, 8 + words * 4);
		ck_assert(rda_read_geneve(&(struct rda_cursor){b.bytes, 28, 36, 36}, &geneve));
		ck_assert_uint_eq(geneve.version, 0);
		ck_assert_uint_eq(geneve.options, words);
		ck_assert(geneve.oam && geneve.critical);
		ck_assert_uint_eq(geneve.protocol, 0x6558);
		ck_assert_uint_eq(geneve.vni, 0xabcdef);
	}
}
END_TEST

START_TEST(geneve_of_ip_and_of_other_versions)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	put_udp_tunnel(&b, 6081, "00 00 86dd 000001 00");
	rda_put_send(&b, RDA_ROUTE_IP6);
	close_udp_tunnel(&b);
	rda_expect_whole(&packet, &b, IPV4, "ip4 udp geneve ip6 udp bth");
	b.bytes[28] = 0x40;
	rda_dissect_build(&packet, &b, IPV4);
	rda_expect_layers(&packet, "ip4 udp");
	b.bytes[28] = 63; /* options behind the packet's end */
	rda_dissect_build(&packet, &b, IPV4);
	rda_expect_faults(&packet, RDA_FAULT_BIT(HEADER_SHORT));
}
END_TEST

Suite *rda_suite_overlay(void)
{
	Suite *suite = suite_create("overlay");
	TCase *tcase = tcase_create("MPLS and GRE");

	tcase_add_test(tcase, mpls_fields);
	tcase_add_test(tcase, mpls_stacks_of_ip);
	tcase_add_test(tcase, mpls_pseudowires);
	tcase_add_test(tcase, mpls_of_something_else);
	tcase_add_test(tcase, mpls_in_ip);
	tcase_add_test(tcase, gre_of_everything);
	tcase_add_test(tcase, gre_options);
	tcase_add_test(tcase, gre_of_other_versions_is_not_decoded);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("ERSPAN, VXLAN, GENEVE");
	tcase_add_test(tcase, erspan_1_has_no_header_of_its_own);
	tcase_add_test(tcase, erspan_2_is_told_by_the_sequence_number);
	tcase_add_test(tcase, erspan_3_with_and_without_subheader);
	tcase_add_test(tcase, erspan_3_of_ip_and_of_other_versions);
	tcase_add_test(tcase, erspan_3_fields);
	tcase_add_test(tcase, vxlan);
	tcase_add_test(tcase, geneve_with_options);
	tcase_add_test(tcase, geneve_of_ip_and_of_other_versions);
	suite_add_tcase(suite, tcase);
	return suite;
}
