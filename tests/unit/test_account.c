/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From packets through the engine to the account of a connection: what was resent and lost.
 */
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"

#include "analyzer/track/roce/source_port.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum {
	A = 1,
	B = 2,
	QP_A = 0x11,
	QP_B = 0x22,
	POSITIVE = 0x1f,
	NAK = 0x60,
};

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static void give(struct rda_recipe recipe)
{
	recipe.source_port = rda_source_port_of_qps(QP_A, QP_B);
	feed.meta.time_ns += 2 * RDA_MIRROR_NS; /* no two packets are a mirror's copies */
	rda_feed(&feed, &recipe);
}

static void ask(uint32_t psn)
{
	give(rda_packet_of(A, B, QP_B, RC_SEND_ONLY, psn));
}

static void answer(uint8_t syndrome, uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(syndrome, 0);

	give(rda_with(rda_packet_of(B, A, QP_A, RC_ACKNOWLEDGE, psn), &aeth));
}

/* What A asked, once no more comes. */
static const struct rda_account *account(void)
{
	const struct rda_connection *connection;

	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_connection_count(feed.engine), 1);
	connection = rda_engine_connection(feed.engine, 0);
	ck_assert_ptr_nonnull(connection->flows[0]->account);
	ck_assert(rda_account_is_whole(connection->flows[0]));
	return connection->flows[0]->account;
}

START_TEST(a_lost_packet_is_counted_once)
{
	const struct rda_account *a;

	ask(5);
	ask(6);
	ask(8);
	ask(9);
	answer(NAK, 7);
	for (uint32_t psn = 7; psn < 12; psn++)
		ask(psn);
	answer(POSITIVE, 11);
	a = account();
	ck_assert_uint_eq(a->requester.rare->counts.lost_before, 1);
	ck_assert_uint_eq(a->requester.rare->counts.lost_after, 0);
	ck_assert_uint_eq(a->requester.news, 6);
	ck_assert_uint_eq(a->requester.rare->counts.packets[RDA_REQUEST_RESENT], 3);
	ck_assert_uint_eq(a->requester.rare->counts.resends[RDA_TRIGGER_NAK], 1);
	ck_assert_uint_eq(a->responder.rare->unexpected.out_of_sequence, 2);
}
END_TEST

START_TEST(a_clean_connection_has_nothing_to_account_for)
{
	const struct rda_account *a;

	for (uint32_t psn = 0xfffffe; psn < 0x1000004; psn++) {
		ask(psn & 0xffffff);
		answer(POSITIVE, psn & 0xffffff);
	}
	a = account();
	ck_assert_uint_eq(a->requester.news, 6);
	ck_assert_uint_eq(a->requester.rare->counts.packets[RDA_REQUEST_RESENT], 0);
	ck_assert_uint_eq(
		a->requester.rare->counts.lost_before + a->requester.rare->counts.lost_after, 0);
	ck_assert_uint_eq(a->requester.rare->counts.lost_by_capture, 0);
	ck_assert_int_eq(a->requester.progress.acked, a->requester.progress.next);
}
END_TEST

START_TEST(what_was_acknowledged_and_not_seen_the_capture_missed)
{
	const struct rda_account *a;

	ask(5);
	answer(POSITIVE, 5);
	ask(8);
	answer(POSITIVE, 8);
	a = account();
	ck_assert_uint_eq(a->requester.rare->counts.lost_by_capture, 2);
	ck_assert_uint_eq(a->requester.rare->counts.lost_before, 0);
}
END_TEST

START_TEST(hosts_are_told_of_what_their_accounts_say)
{
	const struct rda_host *a, *b;

	ask(5);
	ask(6);
	answer(POSITIVE, 6);
	feed.meta.time_ns += INT64_C(1000000000);
	ask(6);
	answer(POSITIVE, 6);
	rda_engine_finish(feed.engine);
	a = rda_engine_host(feed.engine, 0);
	b = rda_engine_host(feed.engine, 1);
	ck_assert_uint_eq(a->local_ack_timeout_err, 1);
	ck_assert_uint_eq(b->local_ack_timeout_err, 0);
	ck_assert_uint_eq(b->duplicate_request, 1);
	ck_assert_uint_eq(a->retry_exceeded, 0);
	ck_assert_uint_eq(b->retry_exceeded, RDA_UNKNOWN); /* it asked nothing */
}
END_TEST

START_TEST(without_the_other_direction_hosts_are_told_nothing)
{
	ask(5);
	ask(6);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_host(feed.engine, 0)->local_ack_timeout_err, RDA_UNKNOWN);
	ck_assert(!rda_account_is_whole(rda_engine_connection(feed.engine, 0)->flows[0]));
}
END_TEST

/* One more outstanding than the window has room for: told once for each, and counted. */
START_TEST(what_the_window_forgets_is_an_event_and_a_count)
{
	struct rda_config config = {.window_cap = 4};
	struct rda_feed small = {.engine = rda_engine_new(&config)};
	const struct rda_flow *flow;

	for (uint32_t psn = 10; psn < 17; psn++)
		rda_feed_send(&small, 1, 2, 0x11, 0xc000, psn);
	rda_engine_finish(small.engine);
	flow = rda_engine_connection(small.engine, 0)->flows[0];
	ck_assert_uint_eq(flow->account->requester.window.dropped, 3);
	rda_engine_drop(small.engine);
}
END_TEST

Suite *rda_suite_account(void)
{
	Suite *suite = suite_create("account");
	TCase *tcase = tcase_create("account");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_lost_packet_is_counted_once);
	tcase_add_test(tcase, a_clean_connection_has_nothing_to_account_for);
	tcase_add_test(tcase, what_was_acknowledged_and_not_seen_the_capture_missed);
	tcase_add_test(tcase, hosts_are_told_of_what_their_accounts_say);
	tcase_add_test(tcase, without_the_other_direction_hosts_are_told_nothing);
	tcase_add_test(tcase, what_the_window_forgets_is_an_event_and_a_count);
	suite_add_tcase(suite, tcase);
	return suite;
}
