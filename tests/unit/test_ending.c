/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ending changes nothing in its engine.
 */
#include "analyzer/engine/ending.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, C = 3, A_QP = 0x11, B_QP = 0x22, PORT = 0xc000, RESENT_PSN = 5 };

START_TEST(twice_the_same)
{
	struct rda_ending first, second;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange_at(&feed, A, B, A_QP, B_QP, 1, RESENT_PSN, 0);
	rda_feed_send(&feed, A, B, B_QP, PORT, RESENT_PSN);
	feed.meta.time_ns += INT64_C(3000000000);
	rda_feed_send(&feed, A, B, B_QP, PORT, RESENT_PSN);
	rda_feed_acknowledge(&feed, B, A, A_QP, PORT, RESENT_PSN);
	rda_ending_make(&first, feed.engine);
	rda_ending_make(&second, feed.engine);
	ck_assert_uint_eq(first.hosts[0].local_ack_timeout_err, 1);
	ck_assert_uint_eq(second.hosts[0].local_ack_timeout_err, 1);
	ck_assert_uint_gt(first.judge.findings.table.count, 0);
	ck_assert_uint_eq(first.judge.findings.table.count, second.judge.findings.table.count);
	for (uint32_t i = 0; i < first.judge.findings.table.count; i++)
		ck_assert_str_eq(rda_said_by(first.judge.findings.table.items[i]),
				 rda_said_by(second.judge.findings.table.items[i]));
	ck_assert_ptr_null(feed.engine->judge.findings.ranked);
	rda_ending_cleanup(&first);
	rda_ending_cleanup(&second);
	rda_feed_end(&feed);
}
END_TEST

static void add_ending(Suite *suite)
{
	TCase *tcase = tcase_create("ending");

	tcase_add_test(tcase, twice_the_same);
	suite_add_tcase(suite, tcase);
}

/*
 * Which hosts get counters from accounts, and from whose.
 */

static const struct rda_host *host_of(const struct rda_feed *feed, uint8_t number)
{
	for (unsigned i = 0; i < rda_engine_host_count(feed->engine); i++)
		if (rda_engine_host(feed->engine, i)->address.bytes[15] == number)
			return rda_engine_host(feed->engine, i);
	ck_abort_msg("host %u is not there", number);
}

START_TEST(requester_and_responder)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange_at(&feed, A, B, 0x11, 0x22, 1, RESENT_PSN, 0);
	rda_feed_send(&feed, A, B, 0x22, 0xc000, RESENT_PSN);
	feed.meta.time_ns += INT64_C(3000000000);
	rda_feed_send(&feed, A, B, 0x22, 0xc000, RESENT_PSN);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc000, RESENT_PSN);
	rda_feed_send(&feed, A, C, 0x33, 0xc001, RESENT_PSN); /* C says nothing */
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(host_of(&feed, A)->local_ack_timeout_err, 1);
	ck_assert_uint_eq(host_of(&feed, A)->retry_exceeded, 0);
	ck_assert_uint_eq(host_of(&feed, B)->duplicate_request, 0);
	ck_assert_uint_eq(host_of(&feed, B)->retry_exceeded, RDA_UNKNOWN);
	ck_assert_uint_eq(host_of(&feed, C)->duplicate_request, RDA_UNKNOWN);
	rda_feed_end(&feed);
}
END_TEST

enum { MANY = 25 };

/* Packets of host 1 to host 2, of which `good` have a good ICRC and `bad` have not. */
static const struct rda_capture *feed_packets(struct rda_feed *feed, unsigned good, unsigned bad)
{
	rda_feed_begin(feed);
	for (unsigned i = 0; i < good + bad; i++) {
		struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, RC_SEND_ONLY, 5 + i);

		recipe.damaged = i < bad;
		rda_feed(feed, &recipe);
	}
	rda_engine_finish(feed->engine);
	return rda_engine_capture(feed->engine, 0);
}

START_TEST(of_a_sender_with_good_ones_they_are_damage)
{
	struct rda_feed feed;
	const struct rda_capture *capture = feed_packets(&feed, MANY, 2);

	ck_assert_uint_eq(capture->icrc[RDA_ICRC_BAD], 2);
	ck_assert_uint_eq(capture->icrc[RDA_ICRC_ABSENT], 0);
	ck_assert_uint_eq(rda_engine_host(feed.engine, 1)->icrc_errors_received, 2);
	ck_assert_uint_eq(rda_engine_host(feed.engine, 0)->icrc_errors_received, 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(of_a_sender_without_they_are_absent)
{
	struct rda_feed feed;
	const struct rda_capture *capture = feed_packets(&feed, 0, MANY);

	ck_assert_uint_eq(capture->icrc[RDA_ICRC_BAD], 0);
	ck_assert_uint_eq(capture->icrc[RDA_ICRC_ABSENT], MANY);
	ck_assert_uint_eq(rda_engine_host(feed.engine, 1)->icrc_errors_received, 0);
	rda_feed_end(&feed);
}
END_TEST

static void add_settle(Suite *suite)
{
	TCase *tcase = tcase_create("settle");

	tcase_add_test(tcase, requester_and_responder);
	tcase_add_test(tcase, of_a_sender_with_good_ones_they_are_damage);
	tcase_add_test(tcase, of_a_sender_without_they_are_absent);
	suite_add_tcase(suite, tcase);
}

Suite *rda_suite_ending(void)
{
	Suite *suite = suite_create("ending");

	add_ending(suite);
	add_settle(suite);
	return suite;
}
