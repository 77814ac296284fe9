/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a file of expectations.
 *
 *     line       = [ "if any" ] ( [ "no" ] "finding" [ ">=" SEVERITY ] [ codes ] [ "except" codes ]
 *                               | subject SIGN operand )
 *     subject    = path | FOLD "(" path ")"
 *     codes      = CODE { "," CODE }
 *
 * expect_parser.h has the rest.
 */
#include "analyzer/report/expect.h"
#include "analyzer/report/expect_parser.h"
#include "analyzer/report/nearest.h"

#include <string.h>

/* ---- findings -------------------------------------------------------------------------------- */

static bool parse_severity(struct rda_parser *p, uint8_t *severity)
{
	const char *at;
	char *word;

	rda_parser_skip_blanks(p);
	at = p->at;
	word = rda_parser_name(p);
	*severity = (uint8_t)rda_severity_of(word);
	if (*severity == RDA_SEVERITY_COUNT)
		rda_parser_mistake(p, at, "\"%s\" is none of error, warning, note", word);
	g_free(word);
	return !p->error;
}

static bool parse_codes(struct rda_parser *p, bool codes[RDA_CHECK_COUNT], bool value)
{
	do {
		struct rda_nearest nearest = {.word = ""};
		const char *at;
		char *word;
		int check;

		rda_parser_skip_blanks(p);
		at = p->at;
		word = rda_parser_name(p);
		check = rda_check_number(word);
		nearest.word = word;
		for (int i = 0; i < RDA_CHECK_COUNT; i++)
			rda_nearest_try(&nearest, rda_check_row((enum rda_check)i)->code);
		if (check >= 0)
			codes[check] = value;
		else if (nearest.name)
			rda_parser_mistake(p, at, "there is no check \"%s\"; did you mean %s?",
					   word, nearest.name);
		else
			rda_parser_mistake(p, at,
					   "the code of a check is expected here, such as S02");
		g_free(word);
	} while (!p->error && rda_parser_accept(p, ","));
	return !p->error;
}

static bool parse_findings(struct rda_parser *p, struct rda_expect_findings *findings)
{
	bool all;

	if (rda_parser_accept(p, ">=") && !parse_severity(p, &findings->severity))
		return false;
	rda_parser_skip_blanks(p);
	all = !*p->at || strncmp(p->at, "except", 6) == 0;
	findings->any_code = all;
	for (unsigned i = 0; i < RDA_CHECK_COUNT; i++)
		findings->codes[i] = all;
	if (!all && !parse_codes(p, findings->codes, true))
		return false;
	return !rda_parser_accept(p, "except") || parse_codes(p, findings->codes, false);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool parse_subject(struct rda_parser *p, struct rda_expect_line *e)
{
	struct rda_comparison *comparison = &e->comparison;
	const char *begin = p->at;

	e->fold = (uint8_t)rda_parser_fold(p);
	if (!e->fold) {
		e->kind = RDA_EXPECT_VALUES;
		if (!rda_parser_comparison(p, comparison, p->shape))
			return false;
		if (comparison->operand.type == RDA_OPERAND_FOLD)
			return rda_parser_mistake(
				p, begin, "only a sum() or another one of all compares with %s()",
				rda_fold_name(comparison->operand.fold));
		return true;
	}
	e->kind = RDA_EXPECT_FOLD;
	if (!rda_parser_folded(p, (enum rda_fold)e->fold, &comparison->path) ||
	    !rda_parser_right_side(p, comparison, begin, NULL, NULL))
		return false;
	if (comparison->operand.type != RDA_OPERAND_NUMBER &&
	    comparison->operand.type != RDA_OPERAND_FOLD)
		return rda_parser_mistake(p, begin,
					  "%s() compares with a number or another one of all",
					  rda_fold_name(e->fold));
	return true;
}

static bool parse_line(struct rda_parser *p, struct rda_expect_line *e)
{
	bool no;

	e->if_any = rda_parser_accept(p, "if any");
	no = rda_parser_accept(p, "no");
	if (no || (rda_parser_accept(p, "finding"))) {
		e->kind = RDA_EXPECT_FINDINGS;
		e->findings.wanted = !no;
		if (e->if_any)
			return rda_parser_mistake(p, p->begin,
						  "\"if any\" stands before values only");
		if ((no && !rda_parser_expect(p, "finding")) || !parse_findings(p, &e->findings))
			return false;
	} else if (!parse_subject(p, e)) {
		return false;
	}
	rda_parser_skip_blanks(p);
	return !*p->at || rda_parser_mistake(p, p->at, "nothing is expected here any more");
}

/* Where a comment begins in the line: at a '#' that is not in a text; or its end. */
static char *find_comment(char *line)
{
	bool quoted = false;

	for (; *line && (quoted || *line != '#'); line++)
		quoted ^= *line == '"';
	return line;
}

static void free_expectation(void *data)
{
	struct rda_expect_line *e = data;

	rda_comparison_cleanup(&e->comparison);
	g_free(e->text);
	g_free(e->comment);
	g_free(e->left.unknown);
	g_free(e->right.unknown);
	g_ptr_array_unref(e->told);
	g_free(e);
}

/* A line with nothing but a comment is none: true, and nothing is added. */
static bool take_line(struct rda_expectations *expectations, char *line, unsigned number,
		      json_object *shape, char **error)
{
	struct rda_parser p = {.begin = line, .at = line, .shape = shape};
	char *comment = find_comment(line);
	struct rda_expect_line *e;

	if (*comment)
		*comment++ = '\0';
	g_strchomp(line);
	rda_parser_skip_blanks(&p);
	if (!*p.at)
		return true;
	e = g_new0(struct rda_expect_line, 1);
	e->line = number;
	e->text = g_strdup(p.at);
	e->comment = *g_strstrip(comment) ? g_strdup(comment) : NULL;
	e->told = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(expectations->lines, e);
	if (parse_line(&p, e))
		return true;
	*error = g_strdup_printf("%u:%s", number, p.error);
	g_free(p.error);
	return false;
}

struct rda_expectations *rda_expectations_parse(const char *text, json_object *shape, char **error)
{
	struct rda_expectations *expectations = g_new(struct rda_expectations, 1);
	char *valid = g_utf8_make_valid(text, -1);
	char **lines = g_strsplit(valid, "\n", -1);
	bool good = true;

	expectations->lines = g_ptr_array_new_with_free_func(free_expectation);
	for (unsigned i = 0; lines[i] && good; i++)
		good = take_line(expectations, lines[i], i + 1, shape, error);
	if (good && !expectations->lines->len) {
		*error = g_strdup("1:1: nothing is expected here: the file has no expectation");
		good = false;
	}
	g_strfreev(lines);
	g_free(valid);
	if (good)
		return expectations;
	rda_expectations_free(expectations);
	return NULL;
}

void rda_expectations_free(struct rda_expectations *expectations)
{
	if (!expectations)
		return;
	g_ptr_array_unref(expectations->lines);
	g_free(expectations);
}
