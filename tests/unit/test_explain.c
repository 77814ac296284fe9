/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which connection a line is about: of several that are alike the one that has most of it, and none
 * where the line names a QP that is not there. tests/program/explain_rows.tsv has lines of
 * programs.
 */
#include "analyzer/report/explain.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { A = 1, B = 2, C = 3, PORT = 0xc000, QP = 0x10 };

static struct rda_result *result;
static struct rda_explain *explain;

/* A sends to three QPs of B, and to one of C that has the number of B's first. */
static void setup(void)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_engine_begin_capture(feed.engine);
	for (uint32_t i = 0; i < 3; i++)
		rda_feed_send(&feed, A, B, QP + i, PORT, 5);
	rda_feed_send(&feed, A, C, QP, PORT, 5);
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	explain = rda_explain_new();
}

static void teardown(void)
{
	rda_explain_free(explain);
	rda_result_free(result);
}

static const char *address_of(char text[RDA_ADDRESS_TEXT], unsigned connection, unsigned side)
{
	return rda_address_text(
		text, &rda_result_connection(result, connection)->endpoints[side].address);
}

/* "one: 2", "several: 0 3", "not_in_capture:"; `%` in the line is the address of C */
static void expect(const char *words, const char *want)
{
	const struct rda_explained *explained;
	GString *got = g_string_new(NULL);
	char text[RDA_ADDRESS_TEXT], **parts = g_strsplit(words, "%", -1);
	char *line = g_strjoinv(address_of(text, 3, 1), parts);

	rda_explain_line(explain, NULL, 1, line, strlen(line));
	rda_explain_join(explain, result);
	explained = g_ptr_array_index(explain->lines, explain->lines->len - 1);
	g_string_append_printf(got, "%s:", rda_explain_verdict_name(explained->verdict));
	for (unsigned i = 0; i < explained->candidate_count; i++)
		g_string_append_printf(got, " %" PRIu32, explained->candidates[i].connection);
	ck_assert_msg(strcmp(got->str, want) == 0, "%s: %s, not %s", line, got->str, want);
	ck_assert(rda_explain_wants_frames(explain) == (explained->candidate_count > 0));
	g_string_free(got, TRUE);
	g_strfreev(parts);
	g_free(line);
}

static const struct {
	const char *line, *want;
} rows[] = {
	{"qp 0x11", "one: 1"},
	{"remote qpn 0x12", "one: 2"},
	{"qp 0x10", "several: 0 3"},
	{"qp 0x10 of %", "one: 3"},
	{"to %", "one: 3"},
	{"qp 0x13", "not_in_capture:"},
	{"qp 0x13 of %", "not_in_capture:"},
	{"qp 0x11 or 0x99", "one: 1"},
	{"192.0.2.77", "not_in_capture:"},
	{"rkey 0x77", "not_in_capture:"},
	{"rkey 0x77 of %", "not_in_capture:"},
	{"status 10", "not_in_capture:"},
	{"hello", "nothing_to_find:"},
	{"psn 5", "nothing_to_find:"},
};

START_TEST(chosen)
{
	expect(rows[_i].line, rows[_i].want);
}
END_TEST

/* Past the most, lines are counted. */
START_TEST(limits)
{
	for (unsigned i = 0; i < RDA_EXPLAIN_LINES_MAX + 3; i++)
		rda_explain_line(explain, NULL, i, "qp 0x11", 7);
	ck_assert_uint_eq(explain->lines->len, RDA_EXPLAIN_LINES_MAX);
	ck_assert_uint_eq(explain->lines_left, 3);
}
END_TEST

/* What is kept of a line to be printed has no bytes that a terminal obeys. */
START_TEST(harmless)
{
	const struct rda_explained *explained;

	rda_explain_line(explain, NULL, 1, "a\x1b[31m\tb\xff\r", 10);
	explained = g_ptr_array_index(explain->lines, 0);
	ck_assert_str_eq(explained->text, "a?[31m b?");
}
END_TEST

Suite *rda_suite_explain(void)
{
	Suite *suite = suite_create("explain");
	TCase *tcase = tcase_create("explain");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, chosen, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, limits);
	tcase_add_test(tcase, harmless);
	suite_add_tcase(suite, tcase);
	return suite;
}
