/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many PSNs a READ takes, from packets through the engine: by the MTU, by the last response, by
 * the next request; and where its length was cut off.
 */
#include "analyzer/track/roce/read_span.h"

#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/source_port.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, QP_A = 0x11, QP_B = 0x22, POSITIVE = 0x1f };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static void give(struct rda_recipe recipe, uint32_t cut)
{
	struct rda_built built;

	recipe.source_port = rda_source_port_of_qps(QP_A, QP_B);
	feed.meta.time_ns += 2 * RDA_MIRROR_NS; /* no two packets are a mirror's copies */
	rda_build_packet(&built, &recipe);
	rda_feed_frame(&feed, &built.b, built.b.length - cut, built.link);
}

static void ask(uint32_t psn)
{
	give(rda_packet_of(A, B, QP_B, RC_SEND_ONLY, psn), 0);
}

static void answer(uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(POSITIVE, 0);

	give(rda_with(rda_packet_of(B, A, QP_A, RC_ACKNOWLEDGE, psn), &aeth), 0);
}

/* `cut`: so many bytes of it were not captured. */
static void read_request(uint32_t psn, uint32_t length, uint32_t cut)
{
	struct rda_extended reth = rda_reth(0x1000, 0x55, length);

	give(rda_with(rda_packet_of(A, B, QP_B, RC_READ_REQUEST, psn), &reth), cut);
}

/* Three packets: 1024, 1024 and 952 bytes. */
static void read_response(uint32_t psn)
{
	static const uint8_t opcodes[] = {RC_READ_RESPONSE_FIRST, RC_READ_RESPONSE_MIDDLE,
					  RC_READ_RESPONSE_LAST};
	struct rda_extended aeth = rda_aeth(POSITIVE, 1);

	for (uint32_t i = 0; i < 3; i++) {
		struct rda_recipe recipe = rda_packet_of(B, A, QP_A, opcodes[i], psn + i);

		recipe.payload_length = i < 2 ? 1024 : 952;
		give(i == 1 ? recipe : rda_with(recipe, &aeth), 0);
	}
}

/* All that was asked for was seen, and answered. */
static void all_is_well(unsigned requests)
{
	const struct rda_account *a;

	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_connection_count(feed.engine), 1);
	a = rda_engine_connection(feed.engine, 0)->flows[0]->account;
	ck_assert_uint_eq(a->requester.news, requests);
	ck_assert_uint_eq(a->requester.rare->counts.lost_by_capture, 0);
	ck_assert_uint_eq(a->requester.rare->counts.lost_before, 0);
	ck_assert_uint_eq(a->responder.waiting.count, 0);
	ck_assert_int_eq(a->requester.progress.acked, a->requester.progress.next);
}

START_TEST(packets_are_counted)
{
	ck_assert_int_eq(rda_read_span_packets(0, 1024), 1);
	ck_assert_int_eq(rda_read_span_packets(1024, 1024), 1);
	ck_assert_int_eq(rda_read_span_packets(1025, 1024), 2);
	ck_assert_int_eq(rda_read_span_packets(UINT32_MAX, 256), 0x7fffff);
}
END_TEST

/* of 3000 bytes at 1024: the MTU is not known before the first response comes */
START_TEST(the_first_response_tells)
{
	read_request(100, 3000, 0);
	read_response(100);
	ask(103);
	answer(103);
	all_is_well(2);
}
END_TEST

START_TEST(of_one_whose_length_was_cut_off_the_last_response_tells)
{
	read_request(100, 3000, 10);
	read_response(100);
	ask(103);
	answer(103);
	all_is_well(2);
}
END_TEST

START_TEST(of_one_whose_length_was_cut_off_the_next_request_tells)
{
	read_request(100, 3000, 10);
	read_request(103, 3000, 10);
	ask(106);
	read_response(100);
	read_response(103);
	answer(106);
	all_is_well(3);
}
END_TEST

Suite *rda_suite_read_span(void)
{
	Suite *suite = suite_create("read_span");
	TCase *tcase = tcase_create("read_span");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, packets_are_counted);
	tcase_add_test(tcase, the_first_response_tells);
	tcase_add_test(tcase, of_one_whose_length_was_cut_off_the_last_response_tells);
	tcase_add_test(tcase, of_one_whose_length_was_cut_off_the_next_request_tells);
	suite_add_tcase(suite, tcase);
	return suite;
}
