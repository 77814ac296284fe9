/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of a flow: what is known without the other direction, and what READ responses add.
 */
#include "analyzer/facts/flow_facts.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, A_QP = 0x11, B_QP = 0x22, PORT = 0xc000 };

static const struct rda_flow_facts *facts_of(const struct rda_feed *feed, uint32_t dest_qp)
{
	const struct rda_result *result = rda_engine_finished(feed->engine);

	for (unsigned i = 0; i < rda_result_connection_count(result); i++)
		for (unsigned side = 0; side < 2; side++) {
			const struct rda_flow_facts *facts =
				rda_result_flow(result, rda_result_connection(result, i), side);

			if (facts && facts->key.dest_qp == dest_qp)
				return facts;
		}
	ck_abort_msg("nothing was sent to QP 0x%x", dest_qp);
}

START_TEST(one_direction)
{
	const struct rda_flow_facts *facts;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, A, B, B_QP, PORT, 5);
	rda_feed_send(&feed, A, B, B_QP, PORT, 6);
	rda_engine_finish(feed.engine);
	facts = facts_of(&feed, B_QP);
	ck_assert_uint_eq(facts->packets, 2);
	ck_assert(facts->has_account && !facts->has_peer);
	ck_assert_uint_eq(facts->requests[RDA_REQUEST_NEW], 2);
	ck_assert_int_eq(facts->messages_not_timed, -1);
	ck_assert_int_eq(facts->conversation, -1);
	ck_assert_ptr_null(facts->latencies);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(acknowledged)
{
	const struct rda_flow_facts *facts;
	struct rda_latency all;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, A, B, A_QP, B_QP, 1);
	rda_feed_send(&feed, A, B, B_QP, PORT, 0);
	rda_feed_acknowledge(&feed, B, A, A_QP, PORT, 0);
	rda_engine_finish(feed.engine);
	facts = facts_of(&feed, B_QP);
	ck_assert(facts->has_peer);
	ck_assert_int_eq(facts->messages_not_timed, 0);
	ck_assert_int_eq(facts->conversation, 0);
	ck_assert_uint_eq(facts->conversation_side, RDA_CM_ACTIVE);
	all = rda_flow_message_latency(facts);
	ck_assert_uint_eq(all.count, 1);
	ck_assert_int_eq(all.max, RDA_FEED_STEP_NS);
	rda_latency_cleanup(&all);
	facts = facts_of(&feed, A_QP);
	ck_assert(!facts->has_account && facts->has_peer);
	ck_assert_uint_eq(facts->conversation_side, RDA_CM_PASSIVE);
	rda_feed_end(&feed);
}
END_TEST

/* Three READ responses, of which the tap misses the second: asked for again, it is a loss. */
START_TEST(lost_responses_are_lost_packets)
{
	const uint8_t opcodes[] = {0x0d, 0x0f, 0x0e}; /* First, Last, Middle */
	struct rda_extended reth = rda_reth(0x1000, 5, 3 * 1024), again = rda_reth(0x1400, 5, 2048);
	struct rda_extended aeth = rda_aeth(0, 1);
	struct rda_recipe recipe = rda_with(rda_packet_of(A, B, B_QP, 0x0c, 0), &reth);
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, A, B, A_QP, B_QP, 1);
	rda_feed(&feed, &recipe);
	for (uint32_t i = 0; i < 3; i += 2) {
		recipe = rda_with(rda_packet_of(B, A, A_QP, opcodes[i / 2], i), &aeth);
		recipe.payload_length = 1024;
		rda_feed(&feed, &recipe);
	}
	recipe = rda_with(rda_packet_of(A, B, B_QP, 0x0c, 1), &again);
	rda_feed(&feed, &recipe);
	for (uint32_t i = 1; i < 3; i++) {
		recipe = rda_with(rda_packet_of(B, A, A_QP, i == 1 ? 0x0d : 0x0f, i), &aeth);
		recipe.payload_length = 1024;
		rda_feed(&feed, &recipe);
	}
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_flow_troubles(facts_of(&feed, A_QP))->lost_before, 1);
	ck_assert_uint_eq(rda_flow_troubles(facts_of(&feed, B_QP))->lost_before, 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_flow_facts(void)
{
	Suite *suite = suite_create("flow_facts");
	TCase *tcase = tcase_create("flow_facts");

	tcase_add_test(tcase, one_direction);
	tcase_add_test(tcase, acknowledged);
	tcase_add_test(tcase, lost_responses_are_lost_packets);
	suite_add_tcase(suite, tcase);
	return suite;
}
