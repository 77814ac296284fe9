/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result is a value: it outlives its engine, and does not see what comes later.
 */
#include "analyzer/engine/result.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, A_QP = 0x11, B_QP = 0x22, PORT = 0xc000 };

START_TEST(outlives_its_engine)
{
	struct rda_result *before, *after;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, A, B, A_QP, B_QP, 1);
	rda_feed_send(&feed, A, B, B_QP, PORT, 0);
	before = rda_engine_result(feed.engine);
	rda_feed_acknowledge(&feed, B, A, A_QP, PORT, 0);
	after = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	ck_assert_uint_eq(rda_result_capture_count(after), 1);
	ck_assert_uint_eq(rda_result_capture(after, 0)->packets, 4);
	ck_assert_uint_eq(rda_result_capture(before, 0)->packets, 3);
	ck_assert_uint_eq(rda_result_host_count(after), 2);
	ck_assert_uint_eq(rda_result_host(after, 0)->address.bytes[15], A);
	ck_assert_uint_eq(rda_result_connection_count(after), 2);
	ck_assert_int_eq(rda_result_connection(before, 1)->flows[1], -1);
	ck_assert_int_eq(rda_result_connection(after, 1)->flows[1], 3);
	ck_assert_uint_eq(rda_result_flow(after, rda_result_connection(after, 1), 1)->acks, 1);
	ck_assert_uint_eq(rda_result_conversation_count(after), 1);
	ck_assert(rda_result_conversation(after, 0)->is_connected);
	ck_assert_uint_eq(rda_result_conversation(after, 0)->said.req.count, 1);
	rda_result_free(before);
	rda_result_free(after);
}
END_TEST

START_TEST(of_nothing)
{
	struct rda_engine *engine = rda_engine_new(NULL);
	struct rda_result *result = rda_engine_result(engine);

	rda_engine_free(engine);
	ck_assert_uint_eq(rda_result_capture_count(result), 0);
	ck_assert_uint_eq(rda_result_connection_count(result), 0);
	ck_assert_uint_eq(rda_result_finding_count(result), 0);
	rda_result_free(result);
	rda_result_free(NULL);
}
END_TEST

Suite *rda_suite_result(void)
{
	Suite *suite = suite_create("result");
	TCase *tcase = tcase_create("result");

	tcase_add_test(tcase, outlives_its_engine);
	tcase_add_test(tcase, of_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
