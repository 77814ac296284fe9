/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that came whole, as their acknowledgments tell.
 */
#include "analyzer/taps/delivered.h"

#include "tests/unit/suite.h"

#include <glib.h>

enum { REQUESTS, ANSWERS, FLOWS };

static const uint32_t back[FLOWS] = {ANSWERS, REQUESTS};

/* A line: "30 31 a31 n32 30d": requests by PSN, an ACK, a NAK, one whose checksum does not fit.
 * What is told of each, as a line of 'y' and '-'. */
static void check(const char *line, const char *wanted)
{
	struct rda_passages passages;
	char **words = g_strsplit(line, " ", 0);
	bool *delivered;

	rda_passages_init(&passages);
	for (unsigned i = 0; words[i]; i++) {
		bool answers = words[i][0] == 'a' || words[i][0] == 'n';
		char *end;
		struct rda_passage packet = {
			.sequence = (uint32_t)g_ascii_strtoull(words[i] + answers, &end, 0),
			.flow = answers ? ANSWERS : REQUESTS,
			.answered = !answers,
			.answers = answers,
			.refuses = words[i][0] == 'n'};

		packet.damaged = *end == 'd';
		rda_passages_add(&passages, &packet);
	}
	delivered = rda_delivered_find(&passages, back, FLOWS);
	for (unsigned i = 0; words[i]; i++)
		ck_assert_msg(delivered[i] == (wanted[i] == 'y'), "%s: %s", line, words[i]);
	g_free(delivered);
	g_strfreev(words);
	rda_passages_cleanup(&passages);
}

START_TEST(sent_once_and_acknowledged)
{
	check("30 31 32 a31", "yy--");
	check("30 a30 31 a31", "y-y-");
	check("0xffffff 0 1 a0", "yy--"); /* PSNs wrap */
	check("30 31 n31", "y--");	  /* all before it came */
}
END_TEST

START_TEST(sent_again)
{
	check("30 31 32 n31 31 32 a32", "y------");
	check("30 31 30 31 a31", "-----"); /* which of the two came? */
	check("31 30 a31", "---");	   /* one overtook the other, or was sent first */
}
END_TEST

/* One packet that is damaged tells nothing that makes another one delivered. */
START_TEST(damaged)
{
	check("30d 31 a31", "-y-");
	check("30 31 a31d", "---");
	check("30 30d a31", "---");
}
END_TEST

START_TEST(nothing_is_known_of_the_other_direction)
{
	struct rda_passages passages;
	struct rda_passage request = {.flow = REQUESTS, .answered = true};
	bool *delivered;

	rda_passages_init(&passages);
	rda_passages_add(&passages, &request);
	delivered = rda_delivered_find(&passages, NULL, FLOWS);
	ck_assert(!delivered[0]);
	g_free(delivered);
	rda_passages_cleanup(&passages);
}
END_TEST

Suite *rda_suite_delivered(void)
{
	Suite *suite = suite_create("delivered");
	TCase *tcase = tcase_create("delivered");

	tcase_add_test(tcase, sent_once_and_acknowledged);
	tcase_add_test(tcase, sent_again);
	tcase_add_test(tcase, damaged);
	tcase_add_test(tcase, nothing_is_known_of_the_other_direction);
	suite_add_tcase(suite, tcase);
	return suite;
}
