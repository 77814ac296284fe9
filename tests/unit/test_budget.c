/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an engine may take: limits that follow from it, and that it is looked at in time.
 */
#include "analyzer/engine/budget.h"

#include "analyzer/engine/state.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

START_TEST(limits_follow_from_memory)
{
	struct rda_config none = {0}, small = {.memory = 256 << 20}, own = {.memory = 256 << 20};
	struct rda_engine *engine;

	rda_budget_limits(&none);
	ck_assert_uint_eq(none.keys_cap | none.iwarp_cap | none.held_cap | none.key_events_cap, 0);
	rda_budget_limits(&small);
	ck_assert_uint_eq(small.iwarp_cap, (256 << 20) / 4 / 4096);
	ck_assert_uint_eq(small.held_cap, 32 << 20);
	ck_assert_uint_lt(small.keys_cap, 256 << 20 >> 4);
	own.keys_cap = 5;
	rda_budget_limits(&own);
	ck_assert_uint_eq(own.keys_cap, 5);
	own = (struct rda_config){.memory = UINT64_C(64) << 30};
	rda_budget_limits(&own);
	ck_assert_uint_eq(own.keys_cap, RDA_KEYS_MAX);
	engine = rda_engine_new(&small);
	ck_assert_uint_lt(engine->judge.findings.most, RDA_FINDINGS_KEPT);
	rda_engine_free(engine);
}
END_TEST

/* However many connections there are, the engine stays below its bound, and near it. */
START_TEST(it_holds)
{
	enum { MEMORY = 2 << 20 };

	uint64_t most = 0, used;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_engine_free(feed.engine);
	feed.engine = rda_engine_new(&(struct rda_config){.memory = MEMORY});
	for (uint32_t qp = 0; qp < 5000; qp++) {
		rda_feed_send(&feed, (uint8_t)(qp % 200), 201, 0x100 + qp, 0xc000, qp);
		used = rda_budget_used(feed.engine);
		most = used > most ? used : most;
	}
	ck_assert_uint_le(most, MEMORY);
	ck_assert_uint_ge(most, MEMORY / 2);
	ck_assert_uint_gt(feed.engine->retired.connections, 3000);
	ck_assert_uint_eq(feed.engine->retired.connections + feed.engine->flows.table.count, 5000);
	rda_feed_end(&feed);
}
END_TEST

/* Each kind of message has latencies of its own, and the result a copy of them. */
START_TEST(of_each_kind_of_messages)
{
	const uint64_t samples = 4 * sizeof(uint32_t);
	struct rda_messages *messages;
	const struct rda_flow *flow;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 0);
	rda_feed_acknowledge(&feed, 2, 1, 0x12, 0xc001, 0);
	flow = feed.engine->flows.table.items[0];
	messages = (struct rda_messages *)(void *)rda_account_messages(flow);
	for (unsigned kind = 0; kind < RDA_MESSAGE_COUNT; kind++) {
		uint64_t before = rda_budget_of_flow(flow);

		if (messages->latency[kind])
			continue;
		rda_messages_add(messages, (enum rda_message)kind, 1000);
		ck_assert_uint_ge(rda_budget_of_flow(flow) - before,
				  2 * (sizeof(struct rda_latency) + samples));
	}
	rda_feed_end(&feed);
}
END_TEST

/* Gaps inside a message of which each is longer than the one before. */
START_TEST(of_gaps_that_differ)
{
	const uint8_t first = 0x00, middle = 0x01;
	struct rda_recipe packet;
	uint64_t before = 0;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	for (uint32_t psn = 0; psn < 2000; psn++) {
		packet = rda_packet_of(1, 2, 0x11, psn ? middle : first, psn);
		packet.payload_length = 64;
		feed.meta.time_ns += INT64_C(1) << psn / 67;
		rda_feed(&feed, &packet);
		if (psn ==
		    1030) /* the window of what is outstanding has doubled for the last time */
			before = rda_budget_of_flow(feed.engine->flows.table.items[0]);
	}
	ck_assert_uint_ge(rda_budget_of_flow(feed.engine->flows.table.items[0]), before + 1024);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_budget(void)
{
	Suite *suite = suite_create("budget");
	TCase *tcase = tcase_create("budget");

	tcase_add_test(tcase, limits_follow_from_memory);
	tcase_add_test(tcase, it_holds);
	tcase_add_test(tcase, of_each_kind_of_messages);
	tcase_add_test(tcase, of_gaps_that_differ);
	suite_add_tcase(suite, tcase);
	return suite;
}
