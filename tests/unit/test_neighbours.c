/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ICMP errors and what they quote, questions for link addresses: bytes by hand, cut at every
 * length.
 */
#include "dissectors/neighbours.h"

#include "tests/unit/build.h"
#include "tests/unit/suite.h"

enum { ICMP = 1, ICMP6 = 58, UDP = 17 };

/* An error of host 9 to host 1 that quotes a packet of host 1 to host 2, as far as its UDP header.
 */
static struct rda_build error(uint8_t type, uint8_t code, uint32_t mtu, bool ip6, bool bth)
{
	struct rda_build b = {0};
	uint32_t outer, quoted;

	rda_put_eth(&b, ip6 ? 0x86dd : 0x0800);
	outer = ip6 ? rda_put_ip6(&b, ICMP6, 9, 1) : rda_put_ip4(&b, ICMP, 9, 1);
	rda_put8(&b, type);
	rda_put8(&b, code);
	rda_put16(&b, 0);
	rda_put32(&b, mtu);
	quoted = ip6 ? rda_put_ip6(&b, UDP, 1, 2) : rda_put_ip4(&b, UDP, 1, 2);
	rda_put_udp(&b, 49300, 4791);
	if (bth)
		rda_put_bth(&b, 0x0a, 0x222, 77);
	if (ip6) {
		rda_close_ip6(&b, outer);
		rda_set16(&b, quoted + 4, 4136);
	} else {
		rda_close_ip4(&b, outer);
		rda_set16(&b, quoted + 2, 4156);
	}
	return b;
}

static bool read(const struct rda_build *b, uint32_t captured, struct rda_quote *quote)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, captured, b->length, 1);
	struct rda_packet packet;
	bool result;

	rda_dissect(&packet, &frame, NULL);
	ck_assert_uint_eq(packet.carrier, RDA_CARRIER_NONE);
	result = rda_read_quote(&frame, &packet, quote);
	rda_frame_free(&frame);
	return result;
}

START_TEST(why_a_packet_was_not_handed_on)
{
	static const struct {
		uint8_t type, code;
		bool ip6, is_error;
		uint8_t why;
	} cases[] = {
		{3, 0, false, true, RDA_UNDELIVERABLE_NETWORK},
		{3, 1, false, true, RDA_UNDELIVERABLE_HOST},
		{3, 3, false, true, RDA_UNDELIVERABLE_PORT},
		{3, 4, false, true, RDA_UNDELIVERABLE_TOO_BIG},
		{3, 13, false, true, RDA_UNDELIVERABLE_PROHIBITED},
		{3, 16, false, false, 0},
		{11, 0, false, true, RDA_UNDELIVERABLE_EXPIRED},
		{11, 1, false, false, 0}, /* a fragment that was waited for */
		{8, 0, false, false, 0},  /* an echo request */
		{1, 0, true, true, RDA_UNDELIVERABLE_NETWORK},
		{1, 1, true, true, RDA_UNDELIVERABLE_PROHIBITED},
		{1, 4, true, true, RDA_UNDELIVERABLE_PORT},
		{1, 7, true, false, 0},
		{2, 0, true, true, RDA_UNDELIVERABLE_TOO_BIG},
		{3, 0, true, true, RDA_UNDELIVERABLE_EXPIRED},
		{128, 0, true, false, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = error(cases[i].type, cases[i].code, 1500, cases[i].ip6, false);
		struct rda_quote quote;

		ck_assert_msg(read(&b, b.length, &quote) == cases[i].is_error, "case %u", i);
		if (!cases[i].is_error)
			continue;
		ck_assert_msg(quote.why == cases[i].why, "case %u: why is %u, expected %u", i,
			      quote.why, cases[i].why);
		ck_assert_uint_eq(quote.mtu, cases[i].why == RDA_UNDELIVERABLE_TOO_BIG ? 1500 : 0);
		ck_assert_uint_eq(quote.source_port, 49300);
		ck_assert_uint_eq(quote.destination_port, 4791);
		ck_assert_uint_eq(quote.length, cases[i].ip6 ? 4176 : 4156);
		ck_assert_uint_eq(quote.source.bytes[15], 1);
		ck_assert_uint_eq(quote.destination.bytes[15], 2);
		ck_assert(!quote.has_bth);
	}
}
END_TEST

START_TEST(the_queue_pair_is_known_where_enough_is_quoted)
{
	struct rda_build b = error(3, 3, 0, false, true);
	struct rda_quote quote;

	ck_assert(read(&b, b.length, &quote));
	ck_assert(quote.has_bth);
	ck_assert_uint_eq(quote.dest_qp, 0x222);
}
END_TEST

START_TEST(cut_at_every_length)
{
	struct rda_build b = error(3, 3, 0, false, false);
	struct rda_quote quote;

	for (uint32_t captured = 0; captured < b.length; captured++)
		ck_assert(!read(&b, captured, &quote));
}
END_TEST

static bool neighbour(const char *hex, struct rda_neighbour *told)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_frame frame;
	bool result;

	rda_put_hex(&b, hex);
	frame = rda_exact_frame(b.bytes, b.length, b.length, 1);
	rda_dissect(&packet, &frame, NULL);
	result = rda_read_neighbour(&frame, &packet, told);
	rda_frame_free(&frame);
	return result;
}

/* Host 1 asks for host 2, and host 2 tells host 1. */
START_TEST(who_asks_for_whom)
{
	static const char *const asks[] = {
		"ffffffffffff 020000000001 0806 0001 0800 06 04 0001 020000000001 c0000201 "
		"000000000000 c0000202",
		"3333ff000002 020000000001 86dd 60000000 0018 3a ff "
		"20010db8000000000000000000000001 ff0200000000000000000001ff000002 "
		"87 00 0000 00000000 20010db8000000000000000000000002",
	};
	static const char *const tells[] = {
		"020000000001 020000000002 0806 0001 0800 06 04 0002 020000000002 c0000202 "
		"020000000001 c0000201",
		"020000000001 020000000002 86dd 60000000 0018 3a ff "
		"20010db8000000000000000000000002 20010db8000000000000000000000001 "
		"88 00 0000 60000000 20010db8000000000000000000000002",
	};
	struct rda_neighbour told;

	ck_assert(neighbour(asks[_i], &told));
	ck_assert(!told.tells);
	ck_assert_uint_eq(told.asker.bytes[15], 1);
	ck_assert_uint_eq(told.target.bytes[15], 2);
	ck_assert(neighbour(tells[_i], &told));
	ck_assert(told.tells);
	ck_assert_uint_eq(told.asker.bytes[15], 1);
	ck_assert_uint_eq(told.target.bytes[15], 2);
}
END_TEST

START_TEST(other_operations_are_neither)
{
	struct rda_neighbour told;

	ck_assert(!neighbour("ffffffffffff 020000000001 0806 0001 0800 06 04 0003 020000000001 "
			     "c0000201 000000000000 c0000202",
			     &told));
	ck_assert(!neighbour("ffffffffffff 020000000001 0806 0001 86dd 06 10 0001 020000000001 "
			     "c0000201 000000000000 c0000202",
			     &told));
}
END_TEST

Suite *rda_suite_neighbours(void)
{
	Suite *suite = suite_create("neighbours");
	TCase *tcase = tcase_create("neighbours");

	tcase_add_test(tcase, why_a_packet_was_not_handed_on);
	tcase_add_test(tcase, the_queue_pair_is_known_where_enough_is_quoted);
	tcase_add_test(tcase, cut_at_every_length);
	tcase_add_loop_test(tcase, who_asks_for_whom, 0, 2);
	tcase_add_test(tcase, other_operations_are_neither);
	suite_add_tcase(suite, tcase);
	return suite;
}
