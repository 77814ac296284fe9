/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is acknowledged and was not sent, and what was sent and is not acknowledged.
 */
#include "analyzer/checks/judge.h"

#include "tests/unit/dialog.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <glib.h>

START_TEST(nothing_is_found_in_nothing)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_finding_count(feed.engine), 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(dialogs)
{
	static const struct rda_dialog cases[] = {
		/* A01: what was acknowledged is sent only now */
		{"send 10 ack 10 11/1 wait 5 send 11 ack 11", "A01e?1"},
		{"send 10 ack 10 11/1 us 5 send 11 ack 11", ""},
		{"send 10 ack 10 11/1 us 900 send 11 ack 11",
		 ""}, /* times may be off so far: 1 ms */
		{"send 10 ack 10 11/1 us 1100 send 11 ack 11", "A01e?1"},
		{"send 10 ack 10 12/3 wait 5 send 13 ack 13", ""}, /* missed: Q01 */
		{"send 10 ack 10 12/3", ""},
		{"send 10 ack 10 900000/1", "A01e?1"},
		{"send 10 ack 10 900000/1 wait 5 send 11 ack 11/2", "A01e!1"},
		{"send 10 ack 10 900000/1 wait 5 send 900001", ""}, /* missed */
		/* A02 */
		{"send 10 ack 10 send 11 wait 1001 other", "A02w?1"},
		{"send 10 ack 10 send 11 wait 999 other", ""},
		{"send 10 wait 1001 other", ""}, /* nothing of the other side: Q03 */
		{"send 10 ack 10 read 11 wait 1001 other", "A02w?1"},
		/* A06 */
		{"read 10 send 11 ack 11 send 12 ack 12 wait 1001 other", "A06w?1"},
		{"read 10 send 11 ack 11 wait 5 read 10 response 10 wait 1001 other", ""},
		{"read 10 send 11 ack 11 response 10 wait 1001 other", ""},
		{"read 10 send 11 ack 11 wait 5 read 10 wait 1001 other", "A02w?1"},
		/* A13 */
		{"send 10 syndrome 40 10", "A13e!1"},
		{"send 10 syndrome 5f 10", "A13e!1"},
		{"send 10 syndrome 65 10", "A13e!1"},
		{"send 10 syndrome 7f 10", "A13e!1"},
		{"send 10 syndrome 9f 10", "A13e!1"},
		{"send 10 syndrome 0 10", ""},
		/* A24 */
		{"flush 10 ack 10", "A24w?1"},
		{"flush 10 response 10", ""},
		/* A25 */
		{"send 1-49 ack 1-49 1-49", ""},
		{"send 1-49 ack 1-49 1-49 1-49", "A25n?1"},
		{"send 1-9 ack 1-9 1-9 1-9", ""},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

static uint32_t random_below(uint64_t *state, uint32_t limit)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*state >> 33) % limit;
}

/* One word of what two hosts might say, whether it makes sense or not. */
static void append_random(GString *script, uint64_t *state, unsigned base)
{
	static const char *const verbs[] = {
		"send",	    "write",	 "read",      "flush",	     "first",	 "middle",
		"last",	    "inv",	 "ack",	      "nak",	     "response", "rnr",
		"fatal 61", "fatal 62",	 "fatal 65",  "put",	     "faa",	 "cas",
		"result",   "credits 1", "credits 4", "syndrome 9f", "wait",	 "us",
	};
	const char *verb = verbs[random_below(state, RDA_COUNT(verbs))];
	unsigned psn = base + random_below(state, 12), more = random_below(state, 5);

	g_string_append_printf(script, " %s %u", verb, psn);
	if (strcmp(verb, "wait") == 0 || strcmp(verb, "us") == 0)
		g_string_append_printf(script, "%u", random_below(state, 10));
	else if (strcmp(verb, "faa") == 0 || strcmp(verb, "cas") == 0 ||
		 strcmp(verb, "result") == 0)
		g_string_append_printf(script, "=%u:%u", more, random_below(state, 4));
	else if (more == 0)
		g_string_append_printf(script, "-%u", psn + random_below(state, 5));
	else if (more == 1)
		g_string_append_printf(script, "/%u", random_below(state, 20));
	if (random_below(state, 60) == 0)
		g_string_append_printf(script, " ack %u", random_below(state, 9000000));
}

/* Nothing breaks (the sanitizers would tell), and every finding has words. */
START_TEST(whatever_is_said)
{
	uint64_t state = 1;

	for (unsigned i = 0; i < 200; i++) {
		GString *script = g_string_new(i % 3 ? "wait 1" : "cm 2 1 2");
		unsigned base = 4, words = 5 + random_below(&state, 60);
		struct rda_feed feed;

		for (; words; words--) {
			append_random(script, &state, base);
			base += random_below(&state, 3) == 0;
		}
		g_string_append(script, " wait 2000 other");
		rda_dialog_tell(&feed, script->str, i % 2 ? 0xfffff0 : 0);
		for (unsigned k = 0; k < rda_engine_finding_count(feed.engine); k++)
			rda_said_by(rda_engine_finding(feed.engine, k));
		rda_feed_end(&feed);
		g_string_free(script, TRUE);
	}
}
END_TEST

Suite *rda_suite_check_answer(void)
{
	Suite *suite = suite_create("check_answer");
	TCase *tcase = tcase_create("check_answer");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	tcase_add_test(tcase, dialogs);
	tcase_add_test(tcase, whatever_is_said);
	suite_add_tcase(suite, tcase);
	return suite;
}
