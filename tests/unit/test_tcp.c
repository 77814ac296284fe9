/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP: the payload behind the options, and headers that lie about their length.
 */
#include "dissectors/link.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

enum { TCP = 6 };

/* A segment with `words` of header and `payload` bytes behind 20. */
static void dissect_segment(struct rda_packet *packet, uint8_t words, uint32_t payload)
{
	struct rda_build b = {0};
	uint32_t ip, tcp;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, TCP, 1, 2);
	tcp = b.length;
	rda_put_hex(&b, "4855 0400 01020304 0a0b0c0d 5018 ffff 0000 0000");
	b.bytes[tcp + 12] = (uint8_t)(words << 4);
	rda_put_pattern(&b, payload);
	rda_close_ip4(&b, ip);
	rda_dissect_build(packet, &b, RDA_LINK_ETHERNET);
}

START_TEST(the_payload_is_behind_the_options)
{
	struct rda_packet packet;

	dissect_segment(&packet, 5, 40);
	rda_expect_layers(&packet, "eth ip4 tcp");
	ck_assert_int_eq(packet.carrier, RDA_CARRIER_NONE);
	ck_assert(rda_has(&packet, TCP));
	ck_assert_uint_eq(packet.tcp.source_port, 0x4855);
	ck_assert_uint_eq(packet.tcp.sequence, 0x01020304);
	ck_assert_uint_eq(packet.payload_offset, 14 + 20 + 20);
	ck_assert_uint_eq(packet.payload_length, 40);
	dissect_segment(&packet, 8, 40);
	ck_assert_uint_eq(packet.payload_offset, 14 + 20 + 32);
	ck_assert_uint_eq(packet.payload_length, 28);
}
END_TEST

START_TEST(a_header_that_is_too_short_or_too_long_is_malformed)
{
	struct rda_packet packet;

	dissect_segment(&packet, 4, 40);
	ck_assert_int_eq(packet.status, RDA_STATUS_MALFORMED);
	ck_assert(!rda_has(&packet, TCP));
	dissect_segment(&packet, 15, 39);
	ck_assert_int_eq(packet.status, RDA_STATUS_MALFORMED);
	dissect_segment(&packet, 15, 40);
	ck_assert_int_eq(packet.status, RDA_STATUS_OK);
	ck_assert_uint_eq(packet.payload_length, 0);
}
END_TEST

Suite *rda_suite_tcp(void)
{
	Suite *suite = suite_create("tcp");
	TCase *tcase = tcase_create("tcp");

	tcase_add_test(tcase, the_payload_is_behind_the_options);
	tcase_add_test(tcase, a_header_that_is_too_short_or_too_long_is_malformed);
	suite_add_tcase(suite, tcase);
	return suite;
}
