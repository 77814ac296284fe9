/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A case has the side that sent what is at hand, and the other; and what both are called.
 */
#include "analyzer/checks/iwarp/state.h"

#include "dissectors/rdmap.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

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

START_TEST(a_flow_is_called_by_its_sender)
{
	struct rda_flow flow = {.key = {.source = {.kind = RDA_ADDRESS_IP4}}};
	char *name;

	memcpy(flow.key.source.bytes + 12, (const uint8_t[]){10, 0, 0, 7}, 4);
	name = rda_iwarp_name(&flow);
	ck_assert_str_eq(name, "10.0.0.7");
	g_free(name);
}
END_TEST

START_TEST(operations_have_an_article)
{
	static const struct {
		const char *operation, *article;
	} cases[] = {
		{"WRITE", "a"},		  {"READ Request", "a"},    {"Terminate", "a"},
		{"Atomic Request", "an"}, {"Immediate Data", "an"},
	};
	unsigned found = 0;

	for (uint8_t opcode = 0; opcode < 16; opcode++)
		for (unsigned i = 0; i < RDA_COUNT(cases); i++)
			if (!strcmp(rda_rdmap_operation(opcode)->name, cases[i].operation)) {
				ck_assert_str_eq(rda_iwarp_article(opcode), cases[i].article);
				found++;
			}
	ck_assert_uint_eq(found, RDA_COUNT(cases));
}
END_TEST

Suite *rda_suite_check_iwarp_state(void)
{
	Suite *suite = suite_create("check_iwarp_case");
	TCase *tcase = tcase_create("check_iwarp_case");

	tcase_add_test(tcase, a_case_is_of_the_side_that_sent);
	tcase_add_test(tcase, a_flow_is_watched_once);
	tcase_add_test(tcase, a_flow_is_called_by_its_sender);
	tcase_add_test(tcase, operations_have_an_article);
	suite_add_tcase(suite, tcase);
	return suite;
}
