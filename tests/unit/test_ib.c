/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LRH, GRH and raw headers: fields, addresses, and the lengths that end a packet.
 */
#include "dissectors/link.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

enum { INFINIBAND = RDA_LINK_INFINIBAND, ETHERNET = RDA_LINK_ETHERNET };

static void build(struct rda_built *built, enum rda_route route)
{
	rda_build_packet(
		built,
		&(struct rda_recipe){
			.route = route, .from = 1, .to = 2, .opcode = 0x04, .payload_length = 8});
}

START_TEST(lrh_fields)
{
	struct rda_build b = {0};
	struct rda_lrh lrh;

	rda_put_hex(&b, "5a 9f 1234 fdab 5678");
	ck_assert(rda_read_lrh(&(struct rda_cursor){b.bytes, 0, 8, 8}, &lrh));
	ck_assert_uint_eq(lrh.vl, 5);
	ck_assert_uint_eq(lrh.lver, 10);
	ck_assert_uint_eq(lrh.sl, 9);
	ck_assert_uint_eq(lrh.lnh, 3);
	ck_assert_uint_eq(lrh.dlid, 0x1234);
	ck_assert_uint_eq(lrh.pktlen, 0x5ab);
	ck_assert_uint_eq(lrh.slid, 0x5678);
}
END_TEST

START_TEST(grh_fields)
{
	struct rda_build b = {0};
	struct rda_grh grh;

	rda_put_hex(&b, "6b 9a bcde 1234 1b 3d");
	rda_put_pattern(&b, 32);
	ck_assert(rda_read_grh(&(struct rda_cursor){b.bytes, 0, 40, 40}, &grh));
	ck_assert_uint_eq(grh.ipver, 6);
	ck_assert_uint_eq(grh.tclass, 0xb9);
	ck_assert_uint_eq(grh.flow_label, 0xabcde);
	ck_assert_uint_eq(grh.paylen, 0x1234);
	ck_assert_uint_eq(grh.nxthdr, 0x1b);
	ck_assert_uint_eq(grh.hoplmt, 0x3d);
	ck_assert_mem_eq(grh.sgid, b.bytes + 8, 16);
	ck_assert_mem_eq(grh.dgid, b.bytes + 24, 16);
}
END_TEST

START_TEST(local_packets_have_lids)
{
	struct rda_built built;
	struct rda_packet packet;
	static const uint8_t from[16] = {[14] = 0xab, [15] = 0xcd},
			     to[16] = {[14] = 0x12, [15] = 0x34};

	build(&built, RDA_ROUTE_LOCAL);
	rda_set16(&built.b, 2, 0x1234);
	rda_set16(&built.b, 6, 0xabcd);
	rda_expect_whole(&packet, &built.b, INFINIBAND, "lrh bth");
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_INFINIBAND);
	ck_assert_int_eq(packet.source.kind, RDA_ADDRESS_LID);
	ck_assert_int_eq(packet.destination.kind, RDA_ADDRESS_LID);
	ck_assert_mem_eq(packet.source.bytes, from, 16);
	ck_assert_mem_eq(packet.destination.bytes, to, 16);
	ck_assert_uint_eq(packet.l3_offset, 0);
}
END_TEST

START_TEST(global_packets_have_gids)
{
	struct rda_built built;
	struct rda_packet packet;

	build(&built, RDA_ROUTE_GLOBAL);
	built.b.bytes[8] = 0x66; /* traffic class 0x6b: DSCP 26, CE */
	built.b.bytes[9] |= 0xb0;
	rda_expect_whole(&packet, &built.b, INFINIBAND, "lrh grh bth");
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_INFINIBAND);
	ck_assert_int_eq(packet.source.kind, RDA_ADDRESS_IP6);
	ck_assert_mem_eq(packet.source.bytes, built.b.bytes + 16, 16);
	ck_assert_mem_eq(packet.destination.bytes, built.b.bytes + 32, 16);
	ck_assert_uint_eq(packet.dscp, 26);
	ck_assert_uint_eq(packet.ecn, 3);
	ck_assert_uint_eq(packet.l3_offset, 0); /* the LRH: there the ICRC begins */
}
END_TEST

START_TEST(rocev1_is_a_grh_behind_ethernet)
{
	struct rda_built built;
	struct rda_packet packet;

	build(&built, RDA_ROUTE_ROCEV1);
	memset(built.b.bytes + 14 + 8, 0, 16); /* an IPv4 address in a GID */
	memcpy(built.b.bytes + 14 + 18, "\xff\xff\xc0\0\x02\x07", 6);
	rda_expect_whole(&packet, &built.b, ETHERNET, "eth grh bth");
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_ROCEV1);
	ck_assert_uint_eq(packet.l3_offset, 14);
	ck_assert_int_eq(packet.source.kind, RDA_ADDRESS_IP4);
	ck_assert_int_eq(packet.destination.kind, RDA_ADDRESS_IP6);
	ck_assert(!packet.has_vcrc);
}
END_TEST

/* The packet ends where PktLen says; two bytes behind are the VCRC, if the capture has them. */
START_TEST(pktlen_ends_the_packet)
{
	struct rda_built built;
	struct rda_packet packet;

	build(&built, RDA_ROUTE_LOCAL);
	rda_dissect_build(&packet, &built.b, INFINIBAND);
	ck_assert(packet.has_vcrc);
	ck_assert_uint_eq(packet.end_offset, built.b.length - 2);
	for (uint32_t short_by = 1; short_by <= 2; short_by++) {
		built.b.length = built.end + 2 - short_by;
		rda_dissect_build(&packet, &built.b, INFINIBAND);
		ck_assert(!packet.has_vcrc);
		ck_assert_uint_eq(packet.end_offset, built.end);
		rda_expect_faults(&packet, 0);
	}
	built.b.length = built.end + 6; /* whatever is behind, it is not the packet's */
	rda_dissect_build(&packet, &built.b, INFINIBAND);
	ck_assert(packet.has_vcrc);
	ck_assert_uint_eq(packet.payload_length, 8);
}
END_TEST

START_TEST(pktlen_of_more_or_less_than_there_is)
{
	struct rda_built built;
	struct rda_packet packet;

	build(&built, RDA_ROUTE_LOCAL);
	rda_set16(&built.b, 4, (uint16_t)(built.end / 4 + 1));
	rda_dissect_build(&packet, &built.b, INFINIBAND);
	rda_expect_faults(&packet, RDA_FAULT_BIT(LENGTH_EXCEEDS));
	rda_expect_layers(&packet, "lrh bth");
	ck_assert(!packet.payload_known); /* a mirror may have cut it: its end was not seen */
	for (uint16_t words = 0; words < 2; words++) { /* less than the LRH itself */
		rda_set16(&built.b, 4, words);
		rda_dissect_build(&packet, &built.b, INFINIBAND);
		ck_assert(packet.faults & RDA_FAULT_BIT(LENGTH_EXCEEDS));
		ck_assert_int_eq(packet.status, RDA_STATUS_MALFORMED);
	}
	rda_set16(&built.b, 4, 2); /* the LRH, and nothing */
	rda_dissect_build(&packet, &built.b, INFINIBAND);
	rda_expect_faults(&packet, RDA_FAULT_BIT(HEADER_SHORT));
}
END_TEST

START_TEST(paylen_that_differs_from_pktlen)
{
	struct rda_built built;
	struct rda_packet packet;
	uint16_t paylen;

	build(&built, RDA_ROUTE_GLOBAL);
	paylen = (uint16_t)(built.end - 48);
	rda_set16(&built.b, 8 + 4, paylen - 4); /* the shorter of the two ends the packet */
	rda_dissect_build(&packet, &built.b, INFINIBAND);
	rda_expect_faults(&packet, RDA_FAULT_BIT(LRH_LENGTH));
	ck_assert_uint_eq(packet.end_offset, built.end - 4);
	rda_set16(&built.b, 8 + 4, paylen + 4);
	rda_dissect_build(&packet, &built.b, INFINIBAND);
	rda_expect_faults(&packet, RDA_FAULT_BIT(LRH_LENGTH) | RDA_FAULT_BIT(LENGTH_EXCEEDS));
	ck_assert_uint_eq(packet.end_offset, built.end);
}
END_TEST

START_TEST(rocev1_paylen_of_more_than_the_frame)
{
	struct rda_built built;
	struct rda_packet packet;

	build(&built, RDA_ROUTE_ROCEV1);
	rda_set16(&built.b, 14 + 4, (uint16_t)(built.end - 54 + 1));
	rda_dissect_build(&packet, &built.b, ETHERNET);
	rda_expect_faults(&packet, RDA_FAULT_BIT(LENGTH_EXCEEDS));
	rda_expect_layers(&packet, "eth grh bth");
}
END_TEST

START_TEST(a_grh_that_is_none)
{
	struct rda_built built;
	struct rda_packet packet;

	build(&built, RDA_ROUTE_ROCEV1);
	built.b.bytes[14] = 0x40; /* not version 6: odd, and read all the same */
	rda_dissect_build(&packet, &built.b, ETHERNET);
	rda_expect_faults(&packet, RDA_FAULT_BIT(GRH_HEADER));
	rda_expect_layers(&packet, "eth grh bth");
	built.b.bytes[14] = 0x60;
	built.b.bytes[14 + 6] = 17; /* no BTH next */
	rda_dissect_build(&packet, &built.b, ETHERNET);
	rda_expect_faults(&packet, RDA_FAULT_BIT(GRH_HEADER));
	rda_expect_layers(&packet, "eth grh");
	ck_assert(!rda_has(&packet, BTH));
}
END_TEST

/* LNH 0: an EtherType; LNH 1: IPv6. */
START_TEST(raw_packets)
{
	struct rda_build raw = {0}, ip6 = {0};
	struct rda_packet packet;
	struct rda_rwh rwh;

	rda_put_lrh(&raw, 0, 1, 2);
	rda_put_hex(&raw, "0000 0806");
	rda_put_pattern(&raw, 28);
	rda_close_lrh(&raw, 0);
	rda_put_hex(&raw, "ffff");
	rda_dissect_build(&packet, &raw, INFINIBAND);
	rda_expect_layers(&packet, "lrh rwh");
	rda_expect_faults(&packet, 0);
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_INFINIBAND);
	ck_assert(!rda_has(&packet, BTH));
	ck_assert(rda_read_rwh(&(struct rda_cursor){raw.bytes, 8, 12, 12}, &rwh));
	ck_assert_uint_eq(rwh.type, 0x0806);

	rda_put_lrh(&ip6, 1, 1, 2);
	rda_put_send(&ip6, RDA_ROUTE_IP6); /* RoCEv2 over raw IPv6 makes no sense, but decodes */
	rda_close_lrh(&ip6, 0);
	rda_put_hex(&ip6, "ffff");
	rda_dissect_build(&packet, &ip6, INFINIBAND);
	rda_expect_layers(&packet, "lrh ip6 udp bth");
	rda_expect_faults(&packet, 0);
}
END_TEST

Suite *rda_suite_ib(void)
{
	Suite *suite = suite_create("ib");
	TCase *tcase = tcase_create("ib");

	tcase_add_test(tcase, lrh_fields);
	tcase_add_test(tcase, grh_fields);
	tcase_add_test(tcase, local_packets_have_lids);
	tcase_add_test(tcase, global_packets_have_gids);
	tcase_add_test(tcase, rocev1_is_a_grh_behind_ethernet);
	tcase_add_test(tcase, pktlen_ends_the_packet);
	tcase_add_test(tcase, pktlen_of_more_or_less_than_there_is);
	tcase_add_test(tcase, paylen_that_differs_from_pktlen);
	tcase_add_test(tcase, rocev1_paylen_of_more_than_the_frame);
	tcase_add_test(tcase, a_grh_that_is_none);
	tcase_add_test(tcase, raw_packets);
	suite_add_tcase(suite, tcase);
	return suite;
}
