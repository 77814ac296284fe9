/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JUnit's XML, as Jenkins, GitLab and others read it. There is no standard: what is written here is
 * what Jenkins' junit-10.xsd has.
 */
#include "analyzer/report/trial.h"

#include <inttypes.h>

/* A suite as it is written: the counts stand before the cases. */
struct suite {
	const char *name;
	GString *cases;
	unsigned tests, failures, errors, skipped;
};

/* Characters that XML cannot have are shown as escapes. */
static char *quote(const char *text)
{
	char *harmless = rda_output_harmless(text), *quoted = g_markup_escape_text(harmless, -1);

	g_free(harmless);
	return quoted;
}

/* Each line by itself: rda_output_harmless would show their ends. */
static void append_lines(GString *to, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		char *quoted = quote(*line);

		g_string_append_printf(to, "%s%s", line > lines ? "\n" : "", quoted);
		g_free(quoted);
	}
	g_strfreev(lines);
}

/* `kind` is NULL where the case passed, else "failure", "error" or "skipped". */
static void add_case(struct suite *suite, const char *class, const char *name, const char *kind,
		     const char *message, const char *body)
{
	char *quoted_class = quote(class), *quoted_name = quote(name);

	suite->tests++;
	g_string_append_printf(suite->cases, "    <testcase classname=\"%s\" name=\"%s\"",
			       quoted_class, quoted_name);
	if (kind) {
		char *quoted = quote(message);

		suite->failures += kind[0] == 'f';
		suite->errors += kind[0] == 'e';
		suite->skipped += kind[0] == 's';
		g_string_append_printf(suite->cases, ">\n      <%s message=\"%s\">", kind, quoted);
		append_lines(suite->cases, body);
		g_string_append_printf(suite->cases, "</%s>\n    </testcase>\n", kind);
		g_free(quoted);
	} else {
		g_string_append(suite->cases, "/>\n");
	}
	g_free(quoted_class);
	g_free(quoted_name);
}

static void print_suite(struct rda_output *out, struct suite *suite)
{
	rda_print(out,
		  "  <testsuite name=\"%s\" tests=\"%u\" failures=\"%u\" errors=\"%u\" "
		  "skipped=\"%u\">\n%s  </testsuite>\n",
		  suite->name, suite->tests, suite->failures, suite->errors, suite->skipped,
		  suite->cases->str);
	g_string_free(suite->cases, TRUE);
}

static void print_captures(struct rda_output *out, const struct rda_trial *trial)
{
	struct suite suite = {.name = "captures", .cases = g_string_new(NULL)};

	for (unsigned i = 0; i < trial->report->origin_count; i++) {
		const struct rda_origin *origin = trial->report->origins[i];

		add_case(&suite, "captures", origin->file, origin->damage ? "error" : NULL,
			 origin->damage, "");
	}
	add_case(&suite, "captures", "all files", trial->unread ? "error" : NULL,
		 "a file could not be read, or not to its end", "");
	print_suite(out, &suite);
}

/* ---- expectations ---------------------------------------------------------------------------- */

static char *all_told(const struct rda_expect_line *e)
{
	GString *text = g_string_new(e->comment ? e->comment : "");

	for (unsigned i = 0; i < e->told->len; i++)
		g_string_append_printf(text, "%s%s", text->len ? "\n" : "",
				       (const char *)g_ptr_array_index(e->told, i));
	if (e->violated > e->told->len)
		g_string_append_printf(text, "\nand %" PRIu64 " more", e->violated - e->told->len);
	return g_string_free(text, FALSE);
}

static void print_expectations(struct rda_output *out, const struct rda_trial *trial)
{
	struct suite suite = {.name = "expectations", .cases = g_string_new(NULL)};

	for (unsigned i = 0; trial->expectations && i < trial->expectations->lines->len; i++) {
		const struct rda_expect_line *e = g_ptr_array_index(trial->expectations->lines, i);
		char *name = g_strdup_printf("line %u: %s", e->line, e->text), *told = all_told(e);
		const char *first = e->told->len ? g_ptr_array_index(e->told, 0) : "";

		if (!rda_trial_line_fails(trial, i))
			add_case(&suite, trial->expect_file, name, NULL, "", "");
		else
			add_case(&suite, trial->expect_file, name, "failure", first, told);
		g_free(name);
		g_free(told);
	}
	if (trial->expectations)
		print_suite(out, &suite);
	else
		g_string_free(suite.cases, TRUE);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void append_finding(GString *to, const struct rda_result *result, unsigned index)
{
	const struct rda_finding *finding = rda_result_finding(result, index);
	char *text = rda_finding_text(finding);

	g_string_append_printf(to, "%s%s, %s: %s", to->len ? "\n" : "",
			       rda_severity_name(finding->severity), rda_proof_name(finding->proof),
			       text ? text : "");
	for (unsigned i = 0; i < finding->place_count; i++)
		g_string_append_printf(to, "%s%" PRIu64 ":%" PRIu64,
				       i ? ", " : " Frames (file:frame) ",
				       (uint64_t)rda_place_capture(finding->places[i]),
				       rda_place_number(finding->places[i]));
	g_free(text);
}

static void print_checks(struct rda_output *out, const struct rda_trial *trial)
{
	const struct rda_result *result = trial->report->result;
	struct suite suite = {.name = "checks", .cases = g_string_new(NULL)};
	GString *failed[RDA_CHECK_COUNT] = {NULL};

	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		GString **one = &failed[rda_result_finding(result, i)->key.check];

		if (!rda_trial_finding_fails(trial, i))
			continue;
		if (!*one)
			*one = g_string_new(NULL);
		append_finding(*one, result, i);
	}
	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)i);
		char *name = g_strdup_printf("%s %s", row->code, row->name);
		const char *group = rda_check_group_title(row->code[0]);

		if (failed[i])
			add_case(&suite, group, name, "failure", row->meaning, failed[i]->str);
		else if (trial->checks_off[i] || trial->report->count_only)
			add_case(&suite, group, name, "skipped", "switched off", "");
		else if (rda_result_withheld(result, (enum rda_check)i))
			add_case(&suite, group, name, "skipped",
				 "the capture has not what the check requires", "");
		else
			add_case(&suite, group, name, NULL, "", "");
		if (failed[i])
			g_string_free(failed[i], TRUE);
		g_free(name);
	}
	print_suite(out, &suite);
}

void rda_trial_junit(struct rda_output *out, const struct rda_trial *trial)
{
	rda_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		       "<testsuites name=\"rdma-analyze\">\n");
	print_captures(out, trial);
	print_expectations(out, trial);
	if (trial->fail_on < RDA_SEVERITY_COUNT)
		print_checks(out, trial);
	rda_print(out, "</testsuites>\n");
}
