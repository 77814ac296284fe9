/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose answer a response is: each thing that it says, with a response that fits and one that just
 * does not. Requests, all outstanding, to QP 0x22, from PSN 100 on:
 *
 *     100 SEND Only | 101, 102 SEND First, Last | 103-105 READ of 2500 bytes, MTU 1024 | 106 READ
 */
#include "analyzer/track/roce/fit.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, C = 3, SEND_FIRST = 0x00, SEND_LAST = 0x02, SEND_ONLY = 0x04, READ = 0x0c };
enum { FIRST = 0x0d, MIDDLE = 0x0e, LAST = 0x0f, ONLY = 0x10, ACK = 0x11, ATOMIC = 0x12 };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static void ask(uint8_t opcode, uint32_t psn, uint32_t bytes)
{
	struct rda_extended reth = rda_reth(0, 1, bytes);
	struct rda_recipe recipe = rda_packet_of(A, B, 0x22, opcode, psn);

	recipe.payload_length = opcode == READ ? 0 : bytes;
	if (opcode == READ)
		recipe = rda_with(recipe, &reth);
	rda_feed(&feed, &recipe);
}

/* How a response fits, which comes from elsewhere, so that it joins nothing. */
static enum rda_fit fit_of(uint8_t opcode, uint32_t psn, uint32_t payload, uint8_t syndrome,
			   uint32_t msn)
{
	struct rda_extended aeth = rda_aeth(syndrome, msn);
	struct rda_recipe recipe = rda_packet_of(C, A, 0x11, opcode, psn);
	const struct rda_connection *asked;
	const struct rda_packet *packet;

	recipe.payload_length = payload;
	if (opcode != MIDDLE)
		recipe = rda_with(recipe, &aeth);
	packet = rda_feed(&feed, &recipe);
	rda_engine_finish(feed.engine);
	asked = rda_engine_connection(feed.engine, 0);
	ck_assert_uint_eq(asked->flows[0]->key.dest_qp, 0x22);
	return rda_fit_of(asked->flows[0]->account, packet);
}

static const struct {
	uint8_t opcode, syndrome;
	uint32_t psn, payload, msn;
	enum rda_fit fit;
} cases[] = {
	{ACK, 0x1f, 99, 0, 0, RDA_FIT_NOT},
	{ACK, 0x1f, 100, 0, 1, RDA_FIT_WELL},
	{ACK, 0x1f, 100, 0, 2, RDA_FIT_MAY},
	{ACK, 0x1f, 101, 0, 1, RDA_FIT_WELL},
	{ACK, 0x1f, 102, 0, 2, RDA_FIT_WELL},
	{ACK, 0x1f, 105, 0, 3, RDA_FIT_WELL},
	{ACK, 0x1f, 107, 0, 5, RDA_FIT_NOT},
	/* a NAK, also of what precedes the first; not of what is far away */
	{ACK, 0x60, 101, 0, 1, RDA_FIT_MAY},
	{ACK, 0x60, 68, 0, 0, RDA_FIT_MAY},
	{ACK, 0x60, 67, 0, 0, RDA_FIT_NOT},
	/* READ responses */
	{FIRST, 0x1f, 103, 1024, 3, RDA_FIT_MAY},
	{FIRST, 0x1f, 103, 2500, 3, RDA_FIT_NOT},
	{FIRST, 0x1f, 100, 1024, 1, RDA_FIT_NOT},
	{MIDDLE, 0, 104, 1024, 0, RDA_FIT_MAY},
	{MIDDLE, 0, 104, 2048, 0, RDA_FIT_NOT},
	{MIDDLE, 0, 103, 1024, 0, RDA_FIT_NOT},
	{LAST, 0x1f, 105, 452, 3, RDA_FIT_MAY},
	{LAST, 0x1f, 105, 453, 3, RDA_FIT_NOT},
	{ONLY, 0x1f, 106, 80, 4, RDA_FIT_MAY},
	{ONLY, 0x1f, 106, 84, 4, RDA_FIT_NOT},
	{ONLY, 0x1f, 105, 452, 3, RDA_FIT_MAY}, /* all that was left of it */
	{ATOMIC, 0x1f, 106, 0, 4, RDA_FIT_NOT},
};

START_TEST(each_response)
{
	ask(SEND_ONLY, 100, 8);
	ask(SEND_FIRST, 101, 1024);
	ask(SEND_LAST, 102, 8);
	ask(READ, 103, 2500);
	ask(READ, 106, 80);
	RDA_CHECK(fit_of(cases[_i].opcode, cases[_i].psn, cases[_i].payload, cases[_i].syndrome,
			 cases[_i].msn) == cases[_i].fit,
		  "case %d: opcode %u, PSN %u", _i, cases[_i].opcode, cases[_i].psn);
}
END_TEST

/* The first request was lost, and is sent again behind the others. */
START_TEST(first_from_below)
{
	ask(SEND_ONLY, 100, 8);
	ck_assert_int_eq(fit_of(ACK, 99, 0, 0x1f, 1), RDA_FIT_NOT);
	ask(SEND_ONLY, 99, 8);
	ck_assert_int_eq(fit_of(ACK, 99, 0, 0x1f, 1), RDA_FIT_OPEN);
	ck_assert_int_eq(fit_of(ACK, 98, 0, 0x1f, 1), RDA_FIT_NOT);
	ck_assert_int_eq(fit_of(ACK, 100, 0, 0x1f, 2), RDA_FIT_OPEN);
	ck_assert_int_eq(fit_of(ACK, 99, 0, 0x60, 0), RDA_FIT_MAY);
}
END_TEST

Suite *rda_suite_fit(void)
{
	Suite *suite = suite_create("fit");
	TCase *tcase = tcase_create("responses");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, each_response, 0, RDA_COUNT(cases));
	tcase_add_test(tcase, first_from_below);
	suite_add_tcase(suite, tcase);
	return suite;
}
