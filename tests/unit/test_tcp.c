/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP: the payload behind the options, headers that lie about their length, and what options tell.
 */
#include "dissectors/link.h"

#include "dissectors/tcp.h"
#include "tests/unit/build.h"
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

static void add_tcp(Suite *suite)
{
	TCase *tcase = tcase_create("tcp");

	tcase_add_test(tcase, the_payload_is_behind_the_options);
	tcase_add_test(tcase, a_header_that_is_too_short_or_too_long_is_malformed);
	suite_add_tcase(suite, tcase);
}

/*
 * TCP's checksum. The segments, with 5 bytes of payload, were made by another program, and tshark
 * calls their checksums right.
 */

static const char ip4[] = "020000000002 020000000001 0800 4500002d 10054000 4006a6c2 c0000201 "
			  "c0000202 9c519c52 000003fd 000003fd 501001f4 e0330000 0102030405";
static const char ip6[] = "020000000002 020000000001 86dd 60000000 00190640 "
			  "20010db8000000000000000000000001 20010db8000000000000000000000002 "
			  "9c519c52 000003fd 000003fd 501001f4 08c30000 0102030405";

enum { FROM_END = 9 }; /* bytes from the checksum to the end of these segments */

static enum rda_tcp_check check(const struct rda_build *b, uint32_t captured)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, captured, b->length, 1);
	enum rda_tcp_check result;
	struct rda_packet packet;

	rda_dissect(&packet, &frame, NULL);
	result = rda_tcp_check(&frame, &packet);
	rda_frame_free(&frame);
	return result;
}

START_TEST(what_a_checksum_says)
{
	struct rda_build b = {0};

	rda_put_hex(&b, _i ? ip6 : ip4);
	ck_assert_int_eq(check(&b, b.length), RDA_TCP_CHECK_MATCH);
	ck_assert_int_eq(check(&b, b.length - 1), RDA_TCP_CHECK_NONE);
	rda_put8(&b, 0x55); /* padding of the link is none of it */
	ck_assert_int_eq(check(&b, b.length), RDA_TCP_CHECK_MATCH);
	b.length--;
	for (uint32_t i = b.length - 5; i < b.length; i++) {
		b.bytes[i] ^= 0x10;
		ck_assert_int_eq(check(&b, b.length), RDA_TCP_CHECK_MISMATCH);
		b.bytes[i] ^= 0x10;
	}
	b.bytes[33] ^= 1; /* an address */
	ck_assert_int_eq(check(&b, b.length), RDA_TCP_CHECK_MISMATCH);
}
END_TEST

/* What Linux leaves to a NIC, or gives to what GRO put together: the sum of the pseudo header. */
START_TEST(a_sum_that_was_left_to_the_nic)
{
	struct rda_build b = {0};

	rda_put_hex(&b, ip4);
	rda_set16(&b, b.length - FROM_END, 0x8423);
	ck_assert_int_eq(check(&b, b.length), RDA_TCP_CHECK_NONE);
	rda_set16(&b, b.length - FROM_END, 0x8424);
	ck_assert_int_eq(check(&b, b.length), RDA_TCP_CHECK_MISMATCH);
}
END_TEST

static void add_tcp_checksum(Suite *suite)
{
	TCase *tcase = tcase_create("tcp_checksum");

	tcase_add_loop_test(tcase, what_a_checksum_says, 0, 2);
	tcase_add_test(tcase, a_sum_that_was_left_to_the_nic);
	suite_add_tcase(suite, tcase);
}

/*
 * D-SACK, of a segment that acknowledges 1000.
 */

static const struct {
	const char *options;
	bool twice;
	uint32_t begin, end;
} options[] = {
	{"0101 050a 000001f4 00000258", true, 500, 600},		     /* below it */
	{"0101 050a 0000012c 000003e8", true, 300, 1000},		     /* up to it */
	{"0101 050a 000007d0 00000bb8", false, 0, 0},			     /* a SACK */
	{"0101 050a 00000384 000004b0", false, 0, 0},			     /* across */
	{"0101 0512 000007d0 00000bb8 000003f2 00000fa0", true, 2000, 3000}, /* in the next */
	{"0101 0512 000007d0 00000bb8 000009c4 00000fa0", false, 0, 0},	     /* beside it */
	{"0101 080a 00000001 00000002 0101 050a 000001f4 00000258", true, 500, 600},
	{"00 01 01 01 050a 000001f4 00000258 0000", false, 0, 0}, /* behind the end */
	{"0101 0506 000001f4 0101 0101", false, 0, 0},		  /* half a block */
	{"0101 05ff 000001f4 00000258", false, 0, 0},		  /* behind the header */
	{"0101 0501 000001f4 00000258", false, 0, 0},		  /* shorter than itself */
	{"0101 050a 00000258 000001f4", false, 0, 0},		  /* backwards */
};

/* A segment with options, captured but for so many bytes at its end. */
static bool got_twice(const char *digits, uint32_t cut, bool ack, struct rda_tcp_block *block)
{
	struct rda_build b = {0};
	uint32_t ip, tcp;
	struct rda_frame frame;
	struct rda_packet packet;
	bool twice;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, TCP, 1, 2);
	tcp = b.length;
	rda_put_hex(&b, "4855 0400 00000064 000003e8 5010 ffff 0000 0000");
	rda_put_hex(&b, digits);
	b.bytes[tcp + 12] = (uint8_t)((b.length - tcp) / 4 << 4);
	b.bytes[tcp + 13] = ack ? 0x10 : 0;
	rda_close_ip4(&b, ip);
	frame = rda_exact_frame(b.bytes, b.length - cut, b.length, 1);
	rda_dissect(&packet, &frame, NULL);
	twice = rda_has(&packet, TCP) && rda_tcp_got_twice(&frame, &packet, block);
	rda_frame_free(&frame);
	return twice;
}

START_TEST(what_came_twice)
{
	struct rda_tcp_block block = {0};

	ck_assert_int_eq(got_twice(options[_i].options, 0, true, &block), options[_i].twice);
	if (!options[_i].twice)
		return;
	ck_assert_uint_eq(block.begin, options[_i].begin);
	ck_assert_uint_eq(block.end, options[_i].end);
	ck_assert(!got_twice(options[_i].options, 0, false, &block));
	ck_assert(!got_twice(options[_i].options, 1, true, &block));
}
END_TEST

static void add_tcp_options(Suite *suite)
{
	TCase *tcase = tcase_create("tcp_options");

	tcase_add_loop_test(tcase, what_came_twice, 0, RDA_COUNT(options));
	suite_add_tcase(suite, tcase);
}

Suite *rda_suite_tcp(void)
{
	Suite *suite = suite_create("tcp");

	add_tcp(suite);
	add_tcp_checksum(suite);
	add_tcp_options(suite);
	return suite;
}
