/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for people: when it is coloured, how it is wrapped, and that names from outside are
 * harmless. And what could not be written.
 */
#include "analyzer/report/output.h"
#include "tests/unit/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

START_TEST(colour_is_forced_or_refused)
{
	int fd = open("/dev/null", O_WRONLY);

	ck_assert(!rda_output_wants_colour(fd)); /* no terminal */
	close(fd);
}
END_TEST

START_TEST(words_are_wrapped_under_themselves)
{
	struct rda_output out = {.text = g_string_new(NULL), .width = 80};
	GString *text = out.text;
	char **lines;

	for (unsigned i = 0; i < 40; i++)
		g_string_append(text, i ? " four" : "four");
	lines = g_strsplit(text->str, "\n", -1);
	g_string_truncate(text, 0);
	rda_output_wrap(&out, lines[0], 30, 10);
	g_strfreev(lines);
	lines = g_strsplit(text->str, "\n", -1);
	ck_assert_uint_eq(strlen(lines[0]), 10 * 5 - 1); /* 30 columns are taken */
	ck_assert_uint_eq(strlen(lines[1]), 10 + 14 * 5 - 1);
	ck_assert(g_str_has_prefix(lines[1], "          four"));
	ck_assert_str_eq(lines[g_strv_length(lines) - 1], "");
	g_strfreev(lines);
	g_string_free(text, TRUE);
}
END_TEST

START_TEST(a_long_word_is_left_whole)
{
	struct rda_output out = {.text = g_string_new(NULL), .width = 80};
	GString *text = out.text;
	char *word = g_strnfill(200, 'x'), *want = g_strconcat(word, "\n", NULL);

	rda_output_wrap(&out, word, 0, 4);
	ck_assert_str_eq(text->str, want);
	g_free(word);
	g_free(want);
	g_string_free(text, TRUE);
}
END_TEST

START_TEST(control_characters_become_visible)
{
	char *name = rda_output_harmless("a\033[31m\n\xc3\xa9\xff.pcap");

	ck_assert_str_eq(name, "a\\x1b[31m\\x0a\xc3\xa9\xef\xbf\xbd.pcap");
	g_free(name);
}
END_TEST

/* What is written to, what comes of it. */
START_TEST(a_file_is_whole_or_says_why_not)
{
	static const struct {
		const char *name;
		int failure;
	} files[] = {{"/dev/null", 0}, {"/dev/full", ENOSPC}, {NULL, EPIPE}};
	struct rda_output out;
	int ends[2];

	if (files[_i].name) {
		ends[1] = open(files[_i].name, O_WRONLY);
	} else {
		signal(SIGPIPE, SIG_IGN);
		ck_assert_int_eq(pipe(ends), 0);
		close(ends[0]);
	}
	rda_output_init(&out, ends[1], false);
	rda_print(&out, "text");
	ck_assert_int_eq(rda_output_failure(&out), files[_i].failure);
	rda_output_cleanup(&out);
	close(ends[1]);
}
END_TEST

Suite *rda_suite_output(void)
{
	Suite *suite = suite_create("output");
	TCase *tc = tcase_create("terminal");

	tcase_add_test(tc, colour_is_forced_or_refused);
	tcase_add_test(tc, words_are_wrapped_under_themselves);
	tcase_add_test(tc, a_long_word_is_left_whole);
	tcase_add_test(tc, control_characters_become_visible);
	tcase_add_loop_test(tc, a_file_is_whole_or_says_why_not, 0, 3);
	suite_add_tcase(suite, tc);
	return suite;
}
