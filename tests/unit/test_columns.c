/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of text: alignment, a cell that is too long, and lists that are broken behind commas.
 */
#include "analyzer/report/columns.h"
#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

static struct rda_output out;

static void setup(void)
{
	rda_output_init(&out, -1, false);
}

static void teardown(void)
{
	rda_output_cleanup(&out);
}

/* Prints the rows of three cells under the titles N, Name and Sent. */
static const char *table(unsigned limit, const char *const (*rows)[3], unsigned count)
{
	struct rda_columns columns = {
		.column = {{"N", true, 0, 0}, {"Name", false, limit, 0}, {"Sent", false, 0, 0}},
		.count = 3,
		.width = 30,
	};

	for (unsigned i = 0; i < count; i++)
		rda_columns_row(&columns, NULL, rows[i]);
	rda_columns_titles(&columns, &out);
	for (unsigned i = 0; i < count; i++)
		rda_columns_row(&columns, &out, rows[i]);
	return out.text->str;
}

START_TEST(numbers_stand_right_and_words_left)
{
	static const char *const rows[][3] = {{"7", "ab", "x"}, {"1234", "abcdef", ""}};

	ck_assert_str_eq(table(0, rows, 2), "    N  Name    Sent\n"
					    "    7  ab      x\n"
					    " 1234  abcdef\n");
}
END_TEST

START_TEST(a_cell_beyond_its_limit_has_the_line_alone)
{
	static const char *const rows[][3] = {{"1", "short", "x"}, {"2", "much longer", "y"}};

	ck_assert_str_eq(table(6, rows, 2), " N  Name   Sent\n"
					    " 1  short  x\n"
					    " 2  much longer\n"
					    "           y\n");
}
END_TEST

START_TEST(the_last_column_is_broken_behind_commas)
{
	static const char *const rows[][3] = {{"1", "n", "one and one, two, three three, four"}};

	ck_assert_str_eq(table(0, rows, 1), " N  Name  Sent\n"
					    " 1  n     one and one, two,\n"
					    "          three three, four\n");
}
END_TEST

START_TEST(empty_cells_leave_their_place)
{
	static const char *const rows[][3] = {{"", "", "x"}, {"", "name", ""}, {"1", "", ""}};

	ck_assert_str_eq(table(0, rows, 3), " N  Name  Sent\n"
					    "          x\n"
					    "    name\n"
					    " 1\n");
}
END_TEST

Suite *rda_suite_columns(void)
{
	Suite *suite = suite_create("columns");
	TCase *tc = tcase_create("columns");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, numbers_stand_right_and_words_left);
	tcase_add_test(tc, a_cell_beyond_its_limit_has_the_line_alone);
	tcase_add_test(tc, the_last_column_is_broken_behind_commas);
	tcase_add_test(tc, empty_cells_leave_their_place);
	suite_add_tcase(suite, tc);
	return suite;
}
