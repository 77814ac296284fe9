/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages are lines of their own, and move no terminal.
 */
#include "analyzer/rdma-analyze/complain.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <unistd.h>

static FILE *written;
static int before;

static void setup(void)
{
	written = tmpfile();
	before = dup(STDERR_FILENO);
	dup2(fileno(written), STDERR_FILENO);
}

static void teardown(void)
{
	dup2(before, STDERR_FILENO);
	close(before);
	fclose(written);
}

static void was_written(const char *want)
{
	char got[256] = "";

	ck_assert_int_ge(pread(fileno(written), got, sizeof(got) - 1, 0), 0);
	ck_assert_str_eq(got, want);
}

START_TEST(a_message_is_one_line)
{
	rda_complain("%s: line %d", "a\033[31m\nrdma-analyze: b\xff", 5);
	was_written("rdma-analyze: a\\x1b[31m\\x0ardma-analyze: b\xef\xbf\xbd: line 5\n");
}
END_TEST

START_TEST(lines_stay_lines)
{
	rda_complain_lines("one\n\n\ttwo\a\n");
	was_written("one\n\n\\x09two\\x07\n");
}
END_TEST

START_TEST(nothing_is_no_line)
{
	rda_complain_lines("");
	was_written("");
}
END_TEST

Suite *rda_suite_complain(void)
{
	Suite *suite = suite_create("complain");
	TCase *tcase = tcase_create("messages");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_message_is_one_line);
	tcase_add_test(tcase, lines_stay_lines);
	tcase_add_test(tcase, nothing_is_no_line);
	suite_add_tcase(suite, tcase);
	return suite;
}
