/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From every link type to the packet in it.
 */
#include "dissectors/link.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

START_TEST(link_types_have_their_registered_numbers)
{
	ck_assert_str_eq(rda_link_name(0), "BSD loopback");
	ck_assert_str_eq(rda_link_name(1), "Ethernet");
	ck_assert_str_eq(rda_link_name(101), "Raw IP");
	ck_assert_str_eq(rda_link_name(113), "Linux cooked v1");
	ck_assert_str_eq(rda_link_name(197), "ERF");
	ck_assert_str_eq(rda_link_name(247), "InfiniBand");
	ck_assert_str_eq(rda_link_name(276), "Linux cooked v2");
	ck_assert_ptr_null(rda_link_name(105)); /* 802.11 */
	ck_assert_ptr_null(rda_link_name(276 + 65536));
}
END_TEST

START_TEST(an_unknown_link_type_is_not_decoded)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	rda_put_eth(&b, 0x0800);
	rda_put_send(&b, RDA_ROUTE_IP4);
	rda_dissect_build(&packet, &b, 105);
	ck_assert_uint_eq(packet.layer_count, 0);
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_NONE);
	rda_expect_faults(&packet, 0);
}
END_TEST

START_TEST(raw_ip_tells_its_version_itself)
{
	static const uint16_t links[] = {12, 14, 101};

	for (unsigned i = 0; i < RDA_COUNT(links); i++) {
		struct rda_build v4 = {0}, v6 = {0};
		struct rda_packet packet;

		rda_put_send(&v4, RDA_ROUTE_IP4);
		rda_expect_whole(&packet, &v4, links[i], "ip4 udp bth");
		rda_put_send(&v6, RDA_ROUTE_IP6);
		rda_expect_whole(&packet, &v6, links[i], "ip6 udp bth");
	}
}
END_TEST

START_TEST(raw_ipv4_and_ipv6_are_what_they_say)
{
	struct rda_build v4 = {0}, v6 = {0};
	struct rda_packet packet;

	rda_put_send(&v4, RDA_ROUTE_IP4);
	rda_put_send(&v6, RDA_ROUTE_IP6);
	rda_expect_whole(&packet, &v4, 228, "ip4 udp bth");
	rda_expect_whole(&packet, &v6, 229, "ip6 udp bth");
	rda_dissect_build(&packet, &v4, 229);
	rda_expect_faults(&packet, RDA_FAULT_BIT(IP_HEADER));
	rda_dissect_build(&packet, &v6, 228);
	rda_expect_faults(&packet, RDA_FAULT_BIT(IP_HEADER));
}
END_TEST

START_TEST(linux_cooked_v1)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_sll sll;

	rda_put_hex(&b, "0004 0001 0006 020000000001 0000 0800");
	rda_put_send(&b, RDA_ROUTE_IP4);
	rda_expect_whole(&packet, &b, 113, "sll ip4 udp bth");
	ck_assert(rda_read_sll(&(struct rda_cursor){b.bytes, 0, 16, 16}, &sll));
	ck_assert_uint_eq(sll.packet_type, 4);
	ck_assert_uint_eq(sll.arphrd, 1);
	ck_assert_uint_eq(sll.address_length, 6);
	ck_assert_mem_eq(sll.source, "\x02\0\0\0\0\x01\0\0", 8);
	ck_assert_uint_eq(sll.protocol, 0x0800);
}
END_TEST

START_TEST(linux_cooked_v2)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_sll2 sll2;

	rda_put_hex(&b, "86dd 0000 00000007 0001 04 06 020000000001 0000");
	rda_put_send(&b, RDA_ROUTE_IP6);
	rda_expect_whole(&packet, &b, 276, "sll2 ip6 udp bth");
	ck_assert(rda_read_sll2(&(struct rda_cursor){b.bytes, 0, 20, 20}, &sll2));
	ck_assert_uint_eq(sll2.protocol, 0x86dd);
	ck_assert_uint_eq(sll2.ifindex, 7);
	ck_assert_uint_eq(rda_link_interface(&(struct rda_frame){b.bytes, 20, 20, 276}), 7);
	ck_assert_uint_eq(rda_link_interface(&(struct rda_frame){b.bytes, 19, 20, 276}), 0);
	ck_assert_uint_eq(rda_link_interface(&(struct rda_frame){b.bytes, 20, 20, 113}), 0);
	ck_assert_uint_eq(sll2.arphrd, 1);
	ck_assert_uint_eq(sll2.packet_type, 4);
	ck_assert_uint_eq(sll2.address_length, 6);
	ck_assert_mem_eq(sll2.source, "\x02\0\0\0\0\x01\0\0", 8);
}
END_TEST

/* The family is in the byte order of whoever captured, its number for IPv6 that of the system. */
START_TEST(loopback_families_in_both_byte_orders)
{
	static const uint8_t ip6_families[] = {10, 23, 24, 28, 30};

	for (unsigned little = 0; little < 2; little++) {
		for (unsigned i = 0; i <= RDA_COUNT(ip6_families); i++) {
			bool ip4 = i == RDA_COUNT(ip6_families);
			uint8_t family = ip4 ? 2 : ip6_families[i];
			struct rda_packet packet;
			struct rda_build b = {0};

			rda_put32(&b, little ? (uint32_t)family << 24 : family);
			rda_put_send(&b, ip4 ? RDA_ROUTE_IP4 : RDA_ROUTE_IP6);
			rda_expect_whole(&packet, &b, 0,
					 ip4 ? "loopback ip4 udp bth" : "loopback ip6 udp bth");
			rda_expect_whole(&packet, &b, 108,
					 ip4 ? "loopback ip4 udp bth" : "loopback ip6 udp bth");
		}
	}
}
END_TEST

START_TEST(other_loopback_families_are_not_decoded)
{
	static const uint32_t families[] = {0, 7, 0x02000102, 0x00020000, 0x0000020a, 0x02000002};

	for (unsigned i = 0; i < RDA_COUNT(families); i++) {
		struct rda_packet packet;
		struct rda_build b = {0};

		rda_put32(&b, families[i]);
		rda_put_send(&b, RDA_ROUTE_IP4);
		rda_dissect_build(&packet, &b, 0);
		rda_expect_layers(&packet, "loopback");
		ck_assert_int_eq(packet.status, RDA_STATUS_OK);
	}
}
END_TEST

/* timestamp 8, type and extension bit, flags 04, rlen 0060, lctr 0000, wlen 0050 */
static void put_erf(struct rda_build *b, uint8_t type)
{
	rda_put_hex(b, "0102030405060708");
	rda_put8(b, type);
	rda_put_hex(b, "04 0060 0000 0050");
}

START_TEST(erf_records_of_every_type)
{
	static const struct {
		uint8_t type;
		enum rda_route route;
		const char *layers;
	} cases[] = {
		{2, RDA_ROUTE_IP4, "erf eth ip4 udp bth"},
		{11, RDA_ROUTE_IP4, "erf eth ip4 udp bth"},
		{16, RDA_ROUTE_IP4, "erf eth ip4 udp bth"},
		{20, RDA_ROUTE_IP4, "erf eth ip4 udp bth"},
		{21, RDA_ROUTE_LOCAL, "erf lrh bth"},
		{21, RDA_ROUTE_GLOBAL, "erf lrh grh bth"},
		{22, RDA_ROUTE_IP4, "erf ip4 udp bth"},
		{23, RDA_ROUTE_IP6, "erf ip6 udp bth"},
		{25, RDA_ROUTE_LOCAL, "erf"}, /* InfiniBand link packets: flow control */
		{1, RDA_ROUTE_IP4, "erf"},    /* HDLC */
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_packet packet;
		struct rda_build b = {0};

		put_erf(&b, cases[i].type);
		if (strstr(cases[i].layers, "eth")) {
			rda_put16(&b, 0); /* the record's own padding before Ethernet */
			rda_put_eth(&b, 0x0800);
		}
		rda_put_send(&b, cases[i].route);
		rda_expect_whole(&packet, &b, 197, cases[i].layers);
		ck_assert_uint_eq(packet.layers[0].length, 16);
	}
}
END_TEST

START_TEST(erf_extension_headers_are_skipped)
{
	for (unsigned count = 1; count <= 3; count++) {
		struct rda_packet packet;
		struct rda_build b = {0};

		put_erf(&b, 0x80 | 21);
		for (unsigned i = 1; i <= count; i++) {
			rda_put8(&b, i < count ? 0x85 : 0x05); /* the first bit: another follows */
			rda_put_hex(&b, "ffffffffffffff");
		}
		rda_put_send(&b, RDA_ROUTE_LOCAL);
		rda_expect_whole(&packet, &b, 197, "erf lrh bth");
		ck_assert_uint_eq(packet.layers[0].length, 16 + 8 * count);
	}
}
END_TEST

START_TEST(erf_fields)
{
	struct rda_build b = {0};
	struct rda_erf erf;

	put_erf(&b, 0x80 | 21);
	ck_assert(rda_read_erf(&(struct rda_cursor){b.bytes, 0, 16, 16}, &erf));
	ck_assert(erf.extension);
	ck_assert_uint_eq(erf.type, 21);
	ck_assert_uint_eq(erf.flags, 4);
	ck_assert_uint_eq(erf.rlen, 0x60);
	ck_assert_uint_eq(erf.lctr, 0);
	ck_assert_uint_eq(erf.wlen, 0x50);
}
END_TEST

Suite *rda_suite_link(void)
{
	Suite *suite = suite_create("link");
	TCase *tcase = tcase_create("link");

	tcase_add_test(tcase, link_types_have_their_registered_numbers);
	tcase_add_test(tcase, an_unknown_link_type_is_not_decoded);
	tcase_add_test(tcase, raw_ip_tells_its_version_itself);
	tcase_add_test(tcase, raw_ipv4_and_ipv6_are_what_they_say);
	tcase_add_test(tcase, linux_cooked_v1);
	tcase_add_test(tcase, linux_cooked_v2);
	tcase_add_test(tcase, loopback_families_in_both_byte_orders);
	tcase_add_test(tcase, other_loopback_families_are_not_decoded);
	tcase_add_test(tcase, erf_records_of_every_type);
	tcase_add_test(tcase, erf_extension_headers_are_skipped);
	tcase_add_test(tcase, erf_fields);
	suite_add_tcase(suite, tcase);
	return suite;
}
