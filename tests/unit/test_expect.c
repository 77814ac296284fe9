/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expectations held against records that are made here, of a shape that is made here: what captures
 * do not have. tests/program/expect_rows.tsv has each row of the language, on captures.
 */
#include "analyzer/report/expect.h"
#include "tests/unit/suite.h"

#include <string.h>

#define SHAPE                                                                                      \
	"{\"boxes\": [{\"size\": \"number\", \"name\": \"text\", \"open\": {}, "                   \
	"\"balls\": [{\"weight\": \"number\", \"most\": \"number\"}]}], \"findings\": [{}]}"

#define BOXES                                                                                      \
	"{\"boxes\": ["                                                                            \
	"{\"size\": 3, \"name\": \"a b\", \"open\": {\"26\": 7},"                                  \
	" \"balls\": [{\"weight\": 1, \"most\": 2}, {\"weight\": 2, \"most\": 2}]},"               \
	"{\"size\": null, \"name\": \"c\", \"open\": {}, \"balls\": []},"                          \
	"{\"size\": 18446744073709551615, \"balls\": null}],"                                      \
	"\"findings\": [{\"code\": \"S02\", \"severity\": \"warning\"},"                           \
	" {\"code\": \"X99\", \"severity\": \"deadly\"}]}"

static struct rda_expectations *expectations;
static char *error;

static struct rda_expectations *parse(const char *text)
{
	json_object *shape = json_tokener_parse(SHAPE);

	ck_assert_ptr_nonnull(shape);
	expectations = rda_expectations_parse(text, shape, &error);
	json_object_put(shape);
	return expectations;
}

static void teardown(void)
{
	rda_expectations_free(expectations);
	g_clear_pointer(&error, g_free);
	expectations = NULL;
}

/* How many of the expectations do not hold. */
static unsigned hold(const char *text, const char *json)
{
	json_object *document = json_tokener_parse(json);

	ck_assert_ptr_nonnull(document);
	if (!expectations)
		ck_assert_msg(parse(text) != NULL, "%s", error);
	json_object_object_foreach(document, list,
				   records) for (unsigned i = 0;
						 i < json_object_array_length(records); i++)
		rda_expectations_take(expectations, list, i, json_object_array_get_idx(records, i));
	json_object_put(document);
	return rda_expectations_end(expectations);
}

/* a line, whether it holds on BOXES, what is told of it (or NULL) */
static const struct {
	const char *line;
	bool holds;
	const char *told;
} cases[] = {
	{"boxes[0].size == 3", true, NULL},
	{"boxes[*].size > 0", false, "boxes[1].size is not known"},
	{"boxes[size != unknown].size > 0", true, NULL},
	{"boxes[size > 0].size >= 3", true, NULL},
	{"boxes[0].size == 3ns", true, NULL},
	{"boxes[0].size == 0.003us", true, NULL}, /* to the nanosecond */
	{"boxes[0].size == 3e-6ms", true, NULL},
	{"boxes[0].size == 3e-9s", true, NULL},
	{"boxes[0].size == 30e-1", true, NULL},
	{"boxes[0].size == 3E-6ms", true, NULL},
	{"boxes[0].size == 0.0003E1us", true, NULL},
	{"boxes[0].size < 1e99999999999999999999ms", true, NULL},
	{"boxes[0].size > 1E-99999999999999999999s", true, NULL},
	{"boxes[0].size > -0.3ms", true, NULL},
	{"boxes[2].size == 18446744073709551615ns", true, NULL},
	{"boxes[balls[*].weight == 1].size == 3", true, NULL}, /* one that fits is enough */
	{"boxes[7].size > 0", false, "nothing of that kind"},
	{"if any boxes[7].size > 0", true, NULL},
	{"boxes[2].size == 18446744073709551615", true, NULL},
	{"boxes[name == \"a b\"].balls[*].weight <= .most", true, NULL},
	{"boxes[name == \"a # b\"].size == 1", false, "nothing of that kind"},
	{"boxes[0].balls[*].weight < .most", false,
	 "boxes[0].balls[1].weight is 2, and .most is 2"},
	{"boxes[0].balls[*].weight <= 0.5 * .most", false, "and 0.5 * .most is 1"},
	{"boxes[0].balls[*].weight <= .nest", false, NULL},
	{"boxes[0].open.26 == 7", true, NULL},
	{"boxes[1].open.26 == 7", false, "boxes[1].open.26 is not known"},
	{"boxes[2].balls[*].weight > 0", false, "boxes[2].balls is not known"},
	{"boxes[balls[*].weight == 2].size == 3", true, NULL},
	{"sum(boxes[*].size) > 0", false, "sum() is not known, as boxes[1].size is not"},
	{"sum(boxes[0].balls[*].weight) == 3", true, NULL},
	{"min(boxes[0].balls[*].weight) == 1", true, NULL},
	{"max(boxes[0].balls[*].weight) == 2", true, NULL},
	{"sum(boxes[0].balls[*].weight) == 1.5 * max(boxes[0].balls[*].weight)", true, NULL},
	{"count(boxes[*]) == 3", true, NULL},
	{"count(boxes[7]) == 0", true, NULL},
	{"sum(boxes[7].size) == 0", false, "nothing to take it of"},
	{"if any sum(boxes[7].size) == 0", true, NULL},
	{"finding S02", true, NULL},
	{"no finding S05", true, NULL},
	/* of a newer version, as a document may be: not overlooked */
	{"no finding >= error", false, "deadly X99"},
	{"no finding S05, S04", true, NULL},
};

START_TEST(lines_hold_or_not)
{
	unsigned violated;
	const struct rda_expect_line *e;

	if (!cases[_i].holds && !cases[_i].told) {
		ck_assert_ptr_null(parse(cases[_i].line));
		ck_assert_ptr_nonnull(strstr(error, "did you mean most?"));
		return;
	}
	violated = hold(cases[_i].line, BOXES);
	e = g_ptr_array_index(expectations->lines, 0);
	ck_assert_msg(violated == !cases[_i].holds, "%s: %s", cases[_i].line,
		      e->told->len ? (char *)g_ptr_array_index(e->told, 0) : "holds");
	if (violated)
		ck_assert_msg(strstr(g_ptr_array_index(e->told, 0), cases[_i].told), "%s tells %s",
			      cases[_i].line, (char *)g_ptr_array_index(e->told, 0));
}
END_TEST

START_TEST(they_may_be_held_against_another_document)
{
	const char *lines = "boxes[*].size == 3\nsum(boxes[*].size) == 3\nno finding S02";

	ck_assert_uint_eq(hold(lines, BOXES), 3);
	rda_expectations_reset(expectations);
	ck_assert_uint_eq(hold(lines, "{\"boxes\": [{\"size\": 3}], \"findings\": []}"), 0);
}
END_TEST

START_TEST(lines_keep_their_numbers_and_comments)
{
	const struct rda_expect_line *e;

	ck_assert_ptr_nonnull(parse("# head\n\n\tno finding  # as it \"was\r\n  \nfinding S02"));
	ck_assert_uint_eq(expectations->lines->len, 2);
	e = g_ptr_array_index(expectations->lines, 0);
	ck_assert_uint_eq(e->line, 3);
	ck_assert_str_eq(e->text, "no finding");
	ck_assert_str_eq(e->comment, "as it \"was");
	e = g_ptr_array_index(expectations->lines, 1);
	ck_assert_uint_eq(e->line, 5);
	ck_assert_ptr_null(e->comment);
}
END_TEST

Suite *rda_suite_expect(void)
{
	Suite *suite = suite_create("expect");
	TCase *tc = tcase_create("expect");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_loop_test(tc, lines_hold_or_not, 0, RDA_COUNT(cases));
	tcase_add_test(tc, they_may_be_held_against_another_document);
	tcase_add_test(tc, lines_keep_their_numbers_and_comments);
	suite_add_tcase(suite, tc);
	return suite;
}
