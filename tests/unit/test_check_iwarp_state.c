/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A case has the side that sent what is at hand, and the other.
 */
#include "analyzer/checks/iwarp/state.h"

#include "tests/unit/suite.h"

#include <glib.h>

START_TEST(a_case_is_of_the_side_that_sent)
{
	struct rda_flow flows[2] = {{.index = 4}, {.index = 5}};
	struct rda_judge judge = {.whole = {0}};
	struct rda_iwarp_connection *connection = g_new0(struct rda_iwarp_connection, 1);

	connection->sides[0].flow = &flows[0];
	connection->sides[1].flow = &flows[1];
	for (uint8_t side = 0; side < 2; side++) {
		struct rda_iwarp_at at = {.connection = connection, .side = side};
		struct rda_iwarp_case c = rda_iwarp_case_of(&judge, &at);

		ck_assert_ptr_eq(c.judge, &judge);
		ck_assert_ptr_eq(c.at, &at);
		ck_assert_ptr_eq(c.side, &connection->sides[side]);
		ck_assert_ptr_eq(c.other, &connection->sides[1 - side]);
		ck_assert_ptr_eq(c.flow, &flows[side]);
		ck_assert_ptr_eq(c.peer, &flows[1 - side]);
		ck_assert_ptr_eq(c.watch, flows[side].watch.iwarp);
		ck_assert_ptr_null(c.fpdu);
		ck_assert_ptr_null(c.step);
	}
	rda_iwarp_watch_free(&flows[0]);
	rda_iwarp_watch_free(&flows[1]);
	g_free(connection);
}
END_TEST

/* What is watched is kept from case to case, until it is freed. */
START_TEST(a_flow_is_watched_once)
{
	struct rda_flow flow = {.index = 4};
	struct rda_judge judge = {.whole = {0}};
	struct rda_iwarp_connection *connection = g_new0(struct rda_iwarp_connection, 1);
	struct rda_iwarp_at at = {.connection = connection, .side = 1};
	struct rda_iwarp_case c;

	connection->sides[1].flow = &flow;
	rda_iwarp_case_of(&judge, &at).watch->fpdus = 3;
	c = rda_iwarp_case_of(&judge, &at);
	ck_assert_uint_eq(c.watch->fpdus, 3);
	ck_assert_ptr_null(c.peer);
	rda_iwarp_watch_free(&flow);
	ck_assert_ptr_null(flow.watch.iwarp);
	rda_iwarp_watch_free(&flow);
	g_free(connection);
}
END_TEST

Suite *rda_suite_check_iwarp_state(void)
{
	Suite *suite = suite_create("check_iwarp_case");
	TCase *tcase = tcase_create("check_iwarp_case");

	tcase_add_test(tcase, a_case_is_of_the_side_that_sent);
	tcase_add_test(tcase, a_flow_is_watched_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
