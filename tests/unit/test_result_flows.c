/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a spent engine tells of its flows is what one tells that goes on.
 */
#include "analyzer/engine/engine.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, C = 3, A_QP = 0x11, B_QP = 0x22, PORT = 0xc000 };

/* A connection, its QPs once more for the next one, and one of which no answer was seen. */
static void feed(struct rda_feed *feed)
{
	rda_feed_begin(feed);
	for (uint32_t life = 1; life <= 2; life++) {
		rda_feed_exchange(feed, A, B, A_QP, B_QP, life);
		for (uint32_t psn = 0; psn < 3; psn++) {
			rda_feed_send(feed, A, B, B_QP, PORT, 100 * life + psn);
			rda_feed_acknowledge(feed, B, A, A_QP, PORT, 100 * life + psn);
		}
	}
	rda_feed_send(feed, C, B, B_QP + 1, PORT, 7);
	rda_engine_end(feed->engine);
}

START_TEST(of_a_spent_engine)
{
	struct rda_result *result, *last;
	struct rda_feed one;

	feed(&one);
	result = rda_engine_result(one.engine);
	last = rda_engine_spend(one.engine);
	ck_assert_uint_ge(rda_result_flow_count(result), 3);
	ck_assert_uint_eq(rda_result_flow_count(last), rda_result_flow_count(result));
	for (uint32_t i = 0; i < rda_result_flow_count(last); i++) {
		const struct rda_flow_facts *a = rda_result_flow_at(result, i);
		const struct rda_flow_facts *b = rda_result_flow_at(last, i);

		ck_assert_uint_eq(a->connection, b->connection);
		ck_assert_uint_eq(a->packets, b->packets);
		ck_assert_uint_eq(a->acks, b->acks);
		ck_assert_uint_eq(a->first_place, b->first_place);
		ck_assert_int_eq(a->conversation, b->conversation);
		ck_assert(a->has_peer == b->has_peer);
		ck_assert_mem_eq(a->requests, b->requests, sizeof(a->requests));
		ck_assert(!a->latencies == !b->latencies);
		ck_assert(!a->time == !b->time);
	}
	rda_result_free(result);
	rda_result_free(last);
}
END_TEST

Suite *rda_suite_result_flows(void)
{
	Suite *suite = suite_create("result_flows");
	TCase *tcase = tcase_create("result_flows");

	tcase_add_test(tcase, of_a_spent_engine);
	suite_add_tcase(suite, tcase);
	return suite;
}
