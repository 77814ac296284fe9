/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP's checksum. The segments, with 5 bytes of payload, were made by another program, and tshark
 * calls their checksums right.
 */
#include "dissectors/tcp_checksum.h"

#include "tests/unit/build.h"
#include "tests/unit/suite.h"

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

Suite *rda_suite_tcp_checksum(void)
{
	Suite *suite = suite_create("tcp_checksum");
	TCase *tcase = tcase_create("tcp_checksum");

	tcase_add_loop_test(tcase, what_a_checksum_says, 0, 2);
	tcase_add_test(tcase, a_sum_that_was_left_to_the_nic);
	suite_add_tcase(suite, tcase);
	return suite;
}
