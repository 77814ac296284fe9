/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections that go before the end: those that were idle, with all that points to them; what was
 * found of them stays, and is not proven.
 */
#include "analyzer/engine/retire.h"

#include "analyzer/engine/state.h"
#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

/* The slowest messages are listed with their connections, which stay: here there are none. */
static uint64_t retire(struct rda_feed *feed, uint64_t bytes)
{
	feed->engine->slowest.count = 0;
	return rda_retire(feed->engine, bytes);
}

/* A SEND and its ACK, between two hosts of their own. */
static void talk(struct rda_feed *feed, uint8_t pair, uint32_t psn)
{
	uint8_t one = (uint8_t)(2 * pair + 1), two = (uint8_t)(2 * pair + 2);

	rda_feed_send(feed, one, two, 0x100u + pair, 0xc000, psn);
	rda_feed_acknowledge(feed, two, one, 0x200u + pair, 0xc000, psn);
}

static void begin(struct rda_feed *feed, uint8_t pairs)
{
	rda_feed_begin(feed);
	for (uint8_t pair = 0; pair < pairs; pair++)
		talk(feed, pair, 5);
}

/* Connections of the slowest messages stay, whatever is asked for: the report lists them. */
START_TEST(the_slowest_stay)
{
	struct rda_result *result;
	struct rda_feed feed;

	begin(&feed, 20);
	ck_assert_uint_eq(feed.engine->slowest.count, RDA_SLOWEST_KEPT);
	rda_retire(feed.engine, 1);
	result = rda_engine_result(feed.engine);
	ck_assert_uint_eq(rda_result_retired(result)->connections, 20 - RDA_SLOWEST_KEPT);
	ck_assert_uint_eq(rda_result_connection_count(result), RDA_SLOWEST_KEPT);
	ck_assert_uint_eq(rda_result_slow_message_count(result), RDA_SLOWEST_KEPT);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(the_idle_ones_go)
{
	const struct rda_retired *retired;
	struct rda_result *result;
	struct rda_feed feed;
	uint64_t used;

	begin(&feed, 20);
	for (uint8_t pair = 3; pair < 5; pair++)
		talk(&feed, pair, 6);
	used = rda_budget_used(feed.engine);
	ck_assert_uint_lt(retire(&feed, used / 5), used / 3);
	for (uint8_t pair = 3; pair < 5; pair++)
		talk(&feed, pair, 7);
	result = rda_engine_result(feed.engine);
	retired = rda_result_retired(result);
	ck_assert_uint_ge(retired->connections, 14);
	ck_assert_uint_eq(retired->connections + rda_result_connection_count(result), 20);
	ck_assert_uint_eq(retired->hosts, 2 * retired->connections);
	ck_assert_uint_eq(retired->packets, 2 * retired->connections);
	/* the first that is left is number 3: with all three of its messages */
	ck_assert_uint_eq(rda_result_connection(result, 0)->endpoints[1].qpn, 0x103);
	ck_assert_uint_eq(rda_result_flow(result, rda_result_connection(result, 0), 0)->packets, 3);
	ck_assert_uint_eq(rda_result_flow(result, rda_result_connection(result, 0), 1)->acks, 3);
	ck_assert_uint_eq(rda_result_host_count(result), 2 * rda_result_connection_count(result));
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

/* Packets that come all the same begin another connection. */
START_TEST(one_that_comes_back_is_another)
{
	struct rda_result *result;
	struct rda_feed feed;

	begin(&feed, 10);
	retire(&feed, 0);
	ck_assert_uint_eq(feed.engine->flows.table.count, 0);
	ck_assert_uint_eq(feed.engine->hosts.count, 0);
	talk(&feed, 4, 6);
	talk(&feed, 4, 7);
	retire(&feed, 0);
	talk(&feed, 4, 8);
	result = rda_engine_result(feed.engine);
	ck_assert_uint_eq(rda_result_retired(result)->connections, 11);
	ck_assert_uint_eq(rda_result_connection_count(result), 1);
	ck_assert_uint_eq(rda_result_capture(result, 0)->packets, 26);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

static void refuse(struct rda_feed *feed, uint8_t pair)
{
	uint8_t one = (uint8_t)(2 * pair + 1), two = (uint8_t)(2 * pair + 2);
	const struct rda_extended aeth = rda_aeth(0x63, 0); /* remote operational error */
	struct rda_recipe nak = rda_packet_of(two, one, 0x200u + pair, 0x11, 9);

	rda_feed_send(feed, one, two, 0x100u + pair, 0xc000, 9);
	nak = rda_with(nak, &aeth);
	nak.source_port = 0xc000;
	rda_feed(feed, &nak);
}

static const struct rda_finding *find(const struct rda_result *result, const char *code)
{
	for (unsigned i = 0; i < rda_result_finding_count(result); i++)
		if (strcmp(rda_finding_check(rda_result_finding(result, i))->code, code) == 0)
			return rda_result_finding(result, i);
	return NULL;
}

/* A11 of two connections: told of the capture, with both, and not proven. */
START_TEST(what_was_found_stays)
{
	const struct rda_finding *refused;
	struct rda_result *result;
	struct rda_feed feed;

	begin(&feed, 4);
	refuse(&feed, 1);
	refuse(&feed, 2);
	result = rda_engine_result(feed.engine);
	refused = find(result, "A11");
	ck_assert_ptr_nonnull(refused);
	ck_assert_int_eq(rda_finding_proof(refused), RDA_PROOF_PROVEN);
	ck_assert_uint_eq(rda_finding_count(refused), 1);
	rda_result_free(result);
	retire(&feed, 0);
	result = rda_engine_result(feed.engine);
	refused = find(result, "A11");
	ck_assert_ptr_nonnull(refused);
	ck_assert_int_eq(rda_finding_proof(refused), RDA_PROOF_SUSPECTED);
	ck_assert_uint_eq(rda_finding_count(refused), 2);
	ck_assert_int_eq(rda_finding_connection(refused), -1);
	for (unsigned i = 0; i < rda_result_finding_count(result); i++)
		ck_assert_int_eq(rda_finding_proof(rda_result_finding(result, i)),
				 RDA_PROOF_SUSPECTED);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

/* What was set up stays known as such: it is not told as a connection that nobody used. */
START_TEST(conversations_stay)
{
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 7);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 0);
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 0);
	retire(&feed, 0);
	result = rda_engine_result(feed.engine);
	ck_assert_uint_eq(rda_result_conversation_count(result), 1);
	ck_assert(rda_result_conversation(result, 0)->is_connected);
	ck_assert(rda_result_conversation(result, 0)->has_active);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

/* Indices are given again, numbers are not. */
START_TEST(flows_keep_their_numbers)
{
	const struct rda_flow *flow;
	struct rda_feed feed;

	begin(&feed, 20);
	for (uint8_t pair = 3; pair < 5; pair++)
		talk(&feed, pair, 6);
	retire(&feed, rda_budget_used(feed.engine) / 5);
	flow = feed.engine->flows.table.items[0];
	ck_assert_uint_eq(flow->index, 0);
	ck_assert_uint_eq(flow->number, 6);
	ck_assert(rda_engine_knows_flow(feed.engine, 6));
	ck_assert(!rda_engine_knows_flow(feed.engine, 5));
	ck_assert_uint_ge(rda_engine_retired(feed.engine), 14);
	talk(&feed, 50, 5);
	flow = feed.engine->flows.table.items[feed.engine->flows.table.count - 1];
	ck_assert_uint_eq(flow->number, 41);
	rda_feed_end(&feed);
}
END_TEST

/* Where nothing can go nothing is forgotten. */
START_TEST(nothing_for_nothing)
{
	struct rda_extended reth = rda_reth(0x1000, 7, 8);
	struct rda_recipe recipe = rda_with(rda_packet_of(1, 2, 0x12, 0x0a, 10), &reth);
	struct rda_feed feed;
	uint64_t used;

	recipe.payload_length = 8;
	rda_feed_begin(&feed);
	rda_feed(&feed, &recipe);
	used = rda_budget_used(feed.engine);
	ck_assert_uint_eq(rda_retire(feed.engine, 2 * used), used);
	ck_assert_uint_eq(rda_key_ledger_count(feed.engine->key_ledger), 1);
	ck_assert(!feed.engine->judge.retired);
	ck_assert_uint_lt(rda_retire(feed.engine, 0), used);
	ck_assert_uint_eq(rda_key_ledger_count(feed.engine->key_ledger), 0);
	ck_assert_uint_eq(feed.engine->retired.keys, 1);
	rda_feed_end(&feed);
}
END_TEST

/* The indices in kept events of keys are those of before: nothing is kept of them any more. */
START_TEST(kept_events_of_keys_go)
{
	const struct rda_config config = {.keep_key_events = true};
	struct rda_extended reth = rda_reth(0x1000, 7, 8);
	struct rda_result *one, *two, *both;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_engine_free(feed.engine);
	feed.engine = rda_engine_new(&config);
	two = rda_engine_result(feed.engine);
	for (uint8_t host = 1; host < 30; host++) {
		struct rda_recipe recipe =
			rda_with(rda_packet_of(host, host + 1, 0x12, 0x0a, 10), &reth);

		recipe.payload_length = 8;
		rda_feed(&feed, &recipe);
	}
	retire(&feed, 0);
	talk(&feed, 1, 5);
	one = rda_engine_result(feed.engine);
	both = rda_result_merge(one, two);
	ck_assert_uint_eq(rda_result_key_count(both), 0);
	ck_assert_uint_eq(rda_result_connection_count(both), 1);
	rda_result_free(one);
	rda_result_free(two);
	rda_result_free(both);
	rda_feed_end(&feed);
}
END_TEST

/* A key was told before the connections went: nobody can say that it was not. */
START_TEST(what_hosts_were_told_is_forgotten)
{
	static const uint8_t nothing[40] = {1};

	for (unsigned goes = 0; goes < 2; goes++) {
		struct rda_keys_feed keys;

		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, 3, 64);
		if (goes)
			retire(&keys.feed, 0);
		rda_keys_connect(&keys, 1, 1);
		rda_keys_tell(&keys, nothing, sizeof(nothing));
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, 0x1234, 64);
		rda_keys_ack(&keys);
		rda_keys_invalidate(&keys, 0x2345);
		rda_keys_ack(&keys);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K03) > 0, !goes);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K06) > 0, !goes);
		rda_keys_end(&keys);
	}
}
END_TEST

/* The QPs that were agreed on had packets, before their connection went. */
START_TEST(a_qp_that_was_used)
{
	for (unsigned used = 0; used < 2; used++) {
		struct rda_feed feed;

		rda_feed_begin(&feed);
		rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 7);
		if (used) {
			rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 0);
			rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 0);
			retire(&feed, 0);
		}
		for (uint32_t psn = 0; psn < 4; psn++)
			rda_feed_send(&feed, 1, 2, 0x77, 0xc000, psn);
		rda_engine_finish(feed.engine);
		ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_M07), !used);
		rda_feed_end(&feed);
	}
}
END_TEST

/* What a check requires was not captured of the connection: its cases are counted all the same. */
START_TEST(withheld_cases_are_counted)
{
	struct rda_finding *finding;
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 5);
	finding = rda_finding_add(&feed.engine->judge.findings, RDA_CHECK_S05,
				  (struct rda_subject){RDA_SUBJECT_FLOW, 0}, 1);
	finding->count = 3; /* requires both directions */
	retire(&feed, 0);
	for (unsigned again = 0; again < 2; again++) {
		result = rda_engine_result(feed.engine);
		ck_assert_uint_eq(rda_result_withheld(result, RDA_CHECK_S05), 3);
		ck_assert_ptr_null(find(result, "S05"));
		rda_result_free(result);
	}
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_retire(void)
{
	Suite *suite = suite_create("retire");
	TCase *tcase = tcase_create("retire");

	tcase_add_test(tcase, the_slowest_stay);
	tcase_add_test(tcase, the_idle_ones_go);
	tcase_add_test(tcase, one_that_comes_back_is_another);
	tcase_add_test(tcase, what_was_found_stays);
	tcase_add_test(tcase, conversations_stay);
	tcase_add_test(tcase, flows_keep_their_numbers);
	tcase_add_test(tcase, nothing_for_nothing);
	tcase_add_test(tcase, kept_events_of_keys_go);
	tcase_add_test(tcase, what_hosts_were_told_is_forgotten);
	tcase_add_test(tcase, a_qp_that_was_used);
	tcase_add_test(tcase, withheld_cases_are_counted);
	suite_add_tcase(suite, tcase);
	return suite;
}
