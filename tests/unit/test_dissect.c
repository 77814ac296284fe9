/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk itself: how deep it goes, what it keeps, and what it says of a fault.
 */
#include "dissectors/link.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

enum { ETHERNET = RDA_LINK_ETHERNET, IPV4 = RDA_LINK_IPV4 };

/* `count` VXLANs, one in the other, around a SEND. */
static void build_vxlans(struct rda_build *b, unsigned count)
{
	uint32_t ip[16], udp[16];

	ck_assert_uint_le(count, RDA_COUNT(ip));
	for (unsigned i = 0; i < count; i++) {
		rda_put_eth(b, 0x0800);
		ip[i] = rda_put_ip4(b, 17, 8, 9);
		udp[i] = rda_put_udp(b, 50000, 4789);
		rda_put_hex(b, "08000000 00000100");
	}
	rda_put_eth(b, 0x0800);
	rda_put_send(b, RDA_ROUTE_IP4);
	for (unsigned i = 0; i < count; i++) {
		rda_close_udp(b, udp[i]);
		rda_close_ip4(b, ip[i]);
	}
}

START_TEST(eight_encapsulations_are_read_and_a_ninth_is_too_deep)
{
	for (unsigned count = 0; count <= 12; count++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		build_vxlans(&b, count);
		rda_dissect_build(&packet, &b, ETHERNET);
		if (count <= RDA_MAX_ENCAPSULATIONS) {
			rda_expect_faults(&packet, 0);
			ck_assert_msg(rda_has(&packet, BTH), "%u VXLANs", count);
			ck_assert_uint_eq(packet.layer_count, 4 * count + 4);
		} else {
			rda_expect_faults(&packet, RDA_FAULT_BIT(TOO_DEEP));
			ck_assert_int_eq(packet.carrier, RDA_CARRIER_NONE);
		}
	}
}
END_TEST

/* IP in IP, GRE and MPLS count as VXLAN does. */
START_TEST(every_kind_of_encapsulation_counts)
{
	static const struct {
		uint8_t protocol;
		const char *between;
	} kinds[] = {{4, ""}, {47, "0000 0800"}, {137, "00011140"}};

	for (unsigned k = 0; k < RDA_COUNT(kinds); k++) {
		for (unsigned count = 8; count <= 9; count++) {
			struct rda_build b = {0};
			struct rda_packet packet;
			uint32_t ip[9];

			for (unsigned i = 0; i < count; i++) {
				ip[i] = rda_put_ip4(&b, kinds[k].protocol, 8, 9);
				rda_put_hex(&b, kinds[k].between);
			}
			rda_put_send(&b, RDA_ROUTE_IP4);
			for (unsigned i = 0; i < count; i++)
				rda_close_ip4(&b, ip[i]);
			rda_dissect_build(&packet, &b, IPV4);
			rda_expect_faults(&packet, count == 9 ? RDA_FAULT_BIT(TOO_DEEP) : 0);
		}
	}
}
END_TEST

/* Headers that are no encapsulation end it too: there is room for so many layers. */
START_TEST(tags_without_end_are_too_deep)
{
	for (unsigned count = 1; count <= 60; count++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		rda_put_eth(&b, 0x8100);
		for (unsigned i = 1; i < count; i++)
			rda_put_hex(&b, "0001 8100");
		rda_put_hex(&b, "0001 0800");
		rda_put_send(&b, RDA_ROUTE_IP4);
		rda_dissect_build(&packet, &b, ETHERNET);
		ck_assert_uint_le(packet.layer_count, RDA_MAX_LAYERS);
		if (count <= 10)
			rda_expect_faults(&packet, 0);
		if (count >= 40)
			rda_expect_faults(&packet, RDA_FAULT_BIT(TOO_DEEP));
		ck_assert_int_eq(rda_has(&packet, BTH), packet.faults == 0);
	}
}
END_TEST

/* The deepest packet that is read still has room for the most headers that one may have. */
START_TEST(no_header_is_lost_to_the_limit)
{
	static const uint8_t deth[8] = {0}, mad[256] = {1, 7, 2, 3, [17] = 0x10, [24 + 12] = 1};
	const struct rda_recipe req = {.opcode = 0x64,
				       .dest_qp = 1,
				       .extended = deth,
				       .extended_length = 8,
				       .payload = mad,
				       .payload_length = 256};

	for (unsigned tags = 0; tags <= 60; tags++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		rda_put_eth(&b, tags ? 0x8100 : 0x0800);
		for (unsigned i = 1; i <= tags; i++) {
			rda_put_hex(&b, "0001");
			rda_put16(&b, i < tags ? 0x8100 : 0x0800);
		}
		rda_put_packet(&b, &req);
		rda_dissect_build(&packet, &b, ETHERNET);
		if (packet.faults == 0)
			ck_assert_ptr_nonnull(rda_find_layer(&packet, RDA_IP_CM));
	}
}
END_TEST

START_TEST(find_layer_finds_the_innermost)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	build_vxlans(&b, 2);
	rda_dissect_build(&packet, &b, ETHERNET);
	ck_assert_uint_eq(rda_find_layer(&packet, RDA_VXLAN)->offset, 50 + 42);
	ck_assert_uint_eq(rda_find_layer(&packet, RDA_IP4)->offset, 100 + 14);
	ck_assert_ptr_null(rda_find_layer(&packet, RDA_IP6));
	ck_assert_ptr_null(rda_find_layer(&packet, RDA_ERF)); /* the first id */
}
END_TEST

/* Where the innermost is cut an outer one of its kind must not take its place. */
START_TEST(readers_of_a_packet_read_the_innermost)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_frame frame = {.bytes = b.bytes, .link = ETHERNET};
	struct rda_ip6 ip6;
	struct rda_eth eth;

	build_vxlans(&b, 2);
	b.bytes[100 + 6] = 0xa6; /* the source begins */
	frame.captured = frame.wire = b.length;
	rda_dissect(&packet, &frame, NULL);
	ck_assert(rda_read_eth_of(&frame, &packet, &eth));
	ck_assert_uint_eq(eth.source[0], 0xa6);
	ck_assert(!rda_read_ip6_of(&frame, &packet, &ip6)); /* it has none */
	frame.captured = 100 + 13;
	ck_assert(!rda_read_eth_of(&frame, &packet, &eth));
}
END_TEST

START_TEST(a_wire_length_below_the_captured_one_is_not_believed)
{
	struct rda_built built;
	struct rda_packet packet;
	struct rda_frame frame;

	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04, .payload_length = 8});
	frame = rda_exact_frame(built.b.bytes, built.b.length, 0, ETHERNET);
	rda_dissect(&packet, &frame, NULL);
	rda_frame_free(&frame);
	rda_expect_faults(&packet, 0);
	ck_assert_int_eq(packet.status, RDA_STATUS_OK);
}
END_TEST

/* Nothing behind it, not a byte: a header that was sent whole and cut is still only cut. */
START_TEST(a_header_that_ends_with_its_frame)
{
	struct rda_build b = {0};
	struct rda_packet packet;

	rda_put_eth(&b, 0x8808);
	rda_put_hex(&b, "0101 0001 1111 2222 3333 4444 5555 6666 7777 8888");
	rda_expect_whole(&packet, &b, ETHERNET, "eth pfc");
}
END_TEST

START_TEST(an_empty_frame)
{
	struct rda_packet packet;
	struct rda_frame frame = rda_exact_frame(NULL, 0, 0, ETHERNET);

	rda_dissect(&packet, &frame, NULL);
	rda_expect_faults(&packet, RDA_FAULT_BIT(HEADER_SHORT));
	rda_frame_free(&frame);
	frame = rda_exact_frame(NULL, 0, 60, ETHERNET); /* captured with a snaplen of 0 */
	rda_dissect(&packet, &frame, NULL);
	rda_expect_faults(&packet, 0);
	ck_assert_int_eq(packet.status, RDA_STATUS_CUT);
	rda_frame_free(&frame);
}
END_TEST

START_TEST(zeros_as_far_as_captured)
{
	static const uint8_t bytes[] = {1, 0, 0, 2};
	static const struct {
		uint32_t offset, length;
		bool zero;
	} cases[] = {
		{1, 2, true},  {0, 2, false}, {1, 3, false}, {0, 0, true},
		{3, 9, false}, {4, 9, true},  {9, 9, true},
	};
	struct rda_frame frame = rda_exact_frame(bytes, sizeof(bytes), 20, ETHERNET);

	for (unsigned i = 0; i < RDA_COUNT(cases); i++)
		ck_assert_msg(rda_packet_is_zero(&frame, cases[i].offset, cases[i].length) ==
				      cases[i].zero,
			      "case %u", i);
	rda_frame_free(&frame);
}
END_TEST

START_TEST(every_fault_has_words)
{
	ck_assert_int_le(RDA_FAULT_COUNT, 16); /* the mask has 16 bits */
	for (unsigned i = 0; i < RDA_FAULT_COUNT; i++) {
		ck_assert_ptr_nonnull(rda_fault_words((enum rda_fault)i));
		for (unsigned j = 0; j < i; j++)
			ck_assert_str_ne(rda_fault_words((enum rda_fault)i),
					 rda_fault_words((enum rda_fault)j));
	}
	ck_assert_str_eq(rda_fault_words(RDA_FAULT_PAD_EXCEEDS),
			 "the pad count exceeds the bytes behind the headers");
}
END_TEST

Suite *rda_suite_dissect(void)
{
	Suite *suite = suite_create("dissect");
	TCase *tcase = tcase_create("depth");

	tcase_add_test(tcase, eight_encapsulations_are_read_and_a_ninth_is_too_deep);
	tcase_add_test(tcase, every_kind_of_encapsulation_counts);
	tcase_add_test(tcase, tags_without_end_are_too_deep);
	tcase_add_test(tcase, no_header_is_lost_to_the_limit);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("walk");
	tcase_add_test(tcase, find_layer_finds_the_innermost);
	tcase_add_test(tcase, readers_of_a_packet_read_the_innermost);
	tcase_add_test(tcase, a_wire_length_below_the_captured_one_is_not_believed);
	tcase_add_test(tcase, a_header_that_ends_with_its_frame);
	tcase_add_test(tcase, an_empty_frame);
	tcase_add_test(tcase, zeros_as_far_as_captured);
	tcase_add_test(tcase, every_fault_has_words);
	suite_add_tcase(suite, tcase);
	return suite;
}
