/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QP that is set up anew unseen, as its requests show it: what was sent, the pause, what is sent
 * then, and how many connections that makes.
 */
#include "analyzer/track/roce/account.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, QP_A = 0x11, QP_B = 0x22, PORT = 0xc000, FIRST = 1000, BYTES = 100 };
enum { SEND_MIDDLE = 0x01, SEND = 0x04, READ = 0x0c, FAR = 4000000 };

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
	struct rda_extended reth = rda_reth(0x1000, 1, bytes);
	struct rda_recipe recipe = rda_packet_of(A, B, QP_B, opcode, psn);

	recipe.source_port = PORT;
	recipe.payload_length = opcode == READ ? 0 : bytes;
	if (opcode == READ)
		recipe = rda_with(recipe, &reth);
	rda_feed(&feed, &recipe);
}

static const struct {
	unsigned sent; /* SENDs of BYTES, from FIRST on */
	bool unanswered;
	int64_t apart_ns, pause_ns;
	uint8_t opcode;
	uint32_t psn, bytes;
	unsigned connections;
} cases[] = {
	/* something else, where the connection began */
	{2, false, 0, RDA_SILENCE_NS, SEND, FIRST, BYTES, 1},
	{2, false, 0, RDA_SILENCE_NS, SEND, FIRST, BYTES + 4, 2},
	{2, false, 0, RDA_SILENCE_NS, READ, FIRST, BYTES, 2},
	{2, false, 0, RDA_SILENCE_NS, SEND_MIDDLE, FIRST + 1, 1024, 2},
	{2, false, 0, RDA_SILENCE_NS - 1, SEND, FIRST, BYTES + 4, 1},
	{2, true, 0, RDA_SILENCE_NS, SEND, FIRST, BYTES + 4, 2},
	/* further on, a sender is broken, if not all was taken */
	{60, true, 0, RDA_SILENCE_NS, SEND, FIRST + RDA_FIRST_PSNS, BYTES + 4, 2},
	{60, true, 0, RDA_SILENCE_NS, SEND, FIRST + RDA_FIRST_PSNS + 1, BYTES + 4, 1},
	{60, false, 0, RDA_SILENCE_NS, SEND, FIRST + RDA_FIRST_PSNS + 1, BYTES + 4, 2},
	/* only the first is remembered */
	{400, false, 0, RDA_SILENCE_NS, SEND, FIRST, BYTES, 1},
	{400, false, 0, RDA_SILENCE_NS, SEND, FIRST, BYTES + 4, 2},
	{400, false, 0, RDA_SILENCE_NS, SEND, FIRST + 1, BYTES + 4, 1},
	/* elsewhere: faster than anything is sent, or than this requester does */
	{2, false, 0, 10 * RDA_SILENCE_NS, SEND, FAR, BYTES, 2},
	{2, false, 1000000, 100 * RDA_SILENCE_NS, SEND, FAR, BYTES, 2},
	{60000, false, 0, 100 * RDA_SILENCE_NS, SEND, FAR, BYTES, 1},
	{2, false, 0, 10 * RDA_SILENCE_NS, SEND_MIDDLE, FAR, 1024, 2}, /* its first was lost */
	{2, true, 0, 10 * RDA_SILENCE_NS, SEND_MIDDLE, FAR, 1024, 1},
	{2, true, 0, 10 * RDA_SILENCE_NS, SEND, FAR, BYTES, 2},
	{2, true, 0, RDA_SILENCE_NS - 1, SEND, FAR, BYTES, 1},
};

START_TEST(shown)
{
	for (unsigned i = 0; i < cases[_i].sent; i++) {
		ask(SEND, FIRST + i, BYTES);
		feed.meta.time_ns += cases[_i].apart_ns;
		if (!cases[_i].unanswered)
			rda_feed_acknowledge(&feed, B, A, QP_A, PORT, FIRST + i);
	}
	feed.meta.time_ns +=
		cases[_i].pause_ns - (cases[_i].unanswered ? 1 : 2) * (int64_t)RDA_FEED_STEP_NS;
	ask(cases[_i].opcode, cases[_i].psn, cases[_i].bytes);
	ck_assert_uint_eq(rda_feed_connections(&feed), cases[_i].connections);
}
END_TEST

/* The next connection asks for the same at first. */
START_TEST(shown_later)
{
	const struct rda_connection *first;

	for (uint32_t psn = FIRST; psn < FIRST + 3; psn++)
		ask(SEND, psn, BYTES);
	rda_feed_acknowledge(&feed, B, A, QP_A, PORT, FIRST + 2);
	feed.meta.time_ns += RDA_SILENCE_NS;
	ask(SEND, FIRST, BYTES);
	ask(SEND, FIRST + 1, BYTES);
	ask(SEND, FIRST + 2, BYTES + 4);
	ck_assert_uint_eq(rda_feed_connections(&feed), 2);
	first = rda_engine_connection(feed.engine, 0);
	ck_assert_uint_eq(rda_account_counts(first->flows[0])->doubts.anew, 1);
}
END_TEST

Suite *rda_suite_reset(void)
{
	Suite *suite = suite_create("reset");
	TCase *tcase = tcase_create("reset");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, shown, 0, RDA_COUNT(cases));
	tcase_add_test(tcase, shown_later);
	suite_add_tcase(suite, tcase);
	return suite;
}
