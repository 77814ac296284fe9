/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UDP: which ports carry what, and a length that is not believed.
 */
#include "dissectors/link.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

/* A RoCEv2 packet to another port than its own. */
static void build_to_port(struct rda_built *built, uint16_t port)
{
	rda_build_packet(built, &(struct rda_recipe){.opcode = 0x04, .payload_length = 8});
	rda_set16(&built->b, built->udp + 2, port);
}

static void dissect(struct rda_packet *packet, const struct rda_built *built,
		    const struct rda_dissect_config *config)
{
	struct rda_frame frame = rda_exact_frame(built->b.bytes, built->b.length, built->b.length,
						 RDA_LINK_ETHERNET);

	rda_dissect(packet, &frame, config);
	rda_frame_free(&frame);
}

START_TEST(udp_fields)
{
	struct rda_build b = {0};
	struct rda_udp udp;

	rda_put_hex(&b, "c001 12b7 0028 abcd");
	ck_assert(rda_read_udp(&(struct rda_cursor){b.bytes, 0, 8, 8}, &udp));
	ck_assert_uint_eq(udp.source_port, 0xc001);
	ck_assert_uint_eq(udp.destination_port, 4791);
	ck_assert_uint_eq(udp.length, 0x28);
	ck_assert_uint_eq(udp.checksum, 0xabcd);
}
END_TEST

START_TEST(rocev2_is_on_4791_and_on_the_ports_that_are_added)
{
	const struct rda_dissect_config config = {.ports = {1021, 4792}, .port_count = 2};
	const struct rda_dissect_config none = {.ports = {1021}, .port_count = 0};
	struct rda_packet packet;
	struct rda_built built;

	build_to_port(&built, 4791);
	dissect(&packet, &built, NULL);
	rda_expect_layers(&packet, "eth ip4 udp bth");
	dissect(&packet, &built, &config);
	rda_expect_layers(&packet, "eth ip4 udp bth");
	build_to_port(&built, 4792);
	dissect(&packet, &built, &config);
	rda_expect_layers(&packet, "eth ip4 udp bth");
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_ROCEV2);
	dissect(&packet, &built, NULL);
	rda_expect_layers(&packet, "eth ip4 udp");
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_NONE);
	build_to_port(&built, 1021);
	dissect(&packet, &built, &none);
	rda_expect_layers(&packet, "eth ip4 udp");
	build_to_port(&built, 0); /* of the unused entries */
	dissect(&packet, &built, &config);
	rda_expect_layers(&packet, "eth ip4 udp");
}
END_TEST

START_TEST(the_source_port_announces_nothing)
{
	struct rda_packet packet;
	struct rda_built built;

	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04, .source_port = 4791});
	rda_set16(&built.b, built.udp + 2, 0xc000);
	dissect(&packet, &built, NULL);
	rda_expect_layers(&packet, "eth ip4 udp");
	build_to_port(&built, 4791);
	rda_set16(&built.b, built.udp, 0xd3f4);
	dissect(&packet, &built, NULL);
	ck_assert_uint_eq(packet.source_port, 0xd3f4);
}
END_TEST

/* The end is IP's; a UDP length that differs is odd, and not followed. */
START_TEST(another_udp_length_is_odd)
{
	static const uint16_t lengths[] = {0, 7, 31, 33, 0xffff};

	for (unsigned i = 0; i < RDA_COUNT(lengths); i++) {
		struct rda_packet packet;
		struct rda_built built;

		build_to_port(&built, 4791);
		rda_set16(&built.b, built.udp + 4, lengths[i]);
		dissect(&packet, &built, NULL);
		rda_expect_faults(&packet, RDA_FAULT_BIT(UDP_LENGTH));
		ck_assert_int_eq(packet.status, RDA_STATUS_OK);
		ck_assert_uint_eq(packet.payload_length, 8);
		ck_assert_uint_eq(packet.end_offset, built.end);
	}
	/* in the first fragment of a datagram it is the whole datagram's */
	struct rda_packet packet;
	struct rda_built built;

	build_to_port(&built, 4791);
	rda_set16(&built.b, built.udp + 4, 4000);
	rda_set16(&built.b, built.l3 + 6, 0x2000);
	dissect(&packet, &built, NULL);
	rda_expect_faults(&packet, 0);
}
END_TEST

START_TEST(tunnels_are_on_their_ports)
{
	static const struct {
		uint16_t port;
		const char *header, *layers;
	} tunnels[] = {
		{4789, "0800 0000 000001 00", "eth ip4 udp vxlan eth ip4 udp bth"},
		{8472, "0800 0000 000001 00", "eth ip4 udp vxlan eth ip4 udp bth"},
		{6081, "00 00 6558 000001 00", "eth ip4 udp geneve eth ip4 udp bth"},
		{6635, "0800 0000 000001 00", "eth ip4 udp"},
	};

	for (unsigned i = 0; i < RDA_COUNT(tunnels); i++) {
		struct rda_packet packet;
		struct rda_build b = {0};
		uint32_t ip, udp;

		rda_put_eth(&b, 0x0800);
		ip = rda_put_ip4(&b, 17, 8, 9);
		udp = rda_put_udp(&b, 50000, tunnels[i].port);
		rda_put_hex(&b, tunnels[i].header);
		rda_put_eth(&b, 0x0800);
		rda_put_send(&b, RDA_ROUTE_IP4);
		rda_close_udp(&b, udp);
		rda_close_ip4(&b, ip);
		rda_expect_whole(&packet, &b, RDA_LINK_ETHERNET, tunnels[i].layers);
	}
}
END_TEST

START_TEST(short_udp)
{
	struct rda_packet packet;
	struct rda_build b = {0};
	uint32_t ip;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, 17, 1, 2);
	rda_put_hex(&b, "c000 12b7 0010 00");
	rda_close_ip4(&b, ip);
	rda_put_zeros(&b, 20); /* Ethernet padding is none of it */
	rda_dissect_build(&packet, &b, RDA_LINK_ETHERNET);
	rda_expect_layers(&packet, "eth ip4");
	rda_expect_faults(&packet, RDA_FAULT_BIT(HEADER_SHORT));
}
END_TEST

Suite *rda_suite_udp(void)
{
	Suite *suite = suite_create("udp");
	TCase *tcase = tcase_create("udp");

	tcase_add_test(tcase, udp_fields);
	tcase_add_test(tcase, rocev2_is_on_4791_and_on_the_ports_that_are_added);
	tcase_add_test(tcase, the_source_port_announces_nothing);
	tcase_add_test(tcase, another_udp_length_is_odd);
	tcase_add_test(tcase, tunnels_are_on_their_ports);
	tcase_add_test(tcase, short_udp);
	suite_add_tcase(suite, tcase);
	return suite;
}
