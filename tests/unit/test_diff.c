/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of two documents as one each, and what is told of those that differ. Findings:
 * test_baseline.c has what is the same, here is what is said of them.
 */
#include "analyzer/report/diff.h"
#include "tests/unit/suite.h"

#include <json-c/json.h>
#include <string.h>

static struct rda_diff old, now;
static struct rda_output out;

static void setup(void)
{
	rda_diff_init(&old);
	rda_diff_init(&now);
	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
}

static void teardown(void)
{
	rda_diff_cleanup(&old);
	rda_diff_cleanup(&now);
	rda_output_cleanup(&out);
}

static void take(struct rda_diff *diff, const char *list, const char *json)
{
	json_object *record = json_tokener_parse(json);

	rda_diff_take(diff, list, 0, record);
	json_object_put(record);
}

/* What is told, with single blanks. */
static char *told(void)
{
	char *text, **words;

	rda_diff_print(&out, &old, &now);
	words = g_regex_split_simple("\\s+", out.text->str, 0, 0);
	text = g_strjoinv(" ", words);
	g_strfreev(words);
	return g_strstrip(text);
}

/* hosts before, hosts now, what is told of numbers */
static const struct {
	const char *before, *after, *line;
} numbers[] = {
	{"{\"sent\": 3}", "{\"sent\": 5}", "hosts[*].sent 3 5"},
	{"{\"sent\": 3}", "{\"sent\": 3}", "All numbers are as before."},
	{"{\"sent\": 3} {\"sent\": 4}", "{\"sent\": 7}", "All numbers are as before."},
	{"{\"lat\": {\"min\": 7}} {\"lat\": {\"min\": 4}}", "{\"lat\": {\"min\": 5}}",
	 "hosts[*].lat.min 4 5"},
	{"{\"lat\": {\"max\": 4}} {\"lat\": {\"max\": 7}}", "{\"lat\": {\"max\": 5}}",
	 "hosts[*].lat.max 7 5"},
	{"{\"lat\": {\"p99\": 4}} {\"lat\": {\"p99\": 7}}", "{\"lat\": {\"p99\": 5}}",
	 "hosts[*].lat.p99 7 5"},
	{"{\"packets\": 4} {\"packets\": 7}", "{\"packets\": 5}", "hosts[*].packets 11 5"},
	{"{\"list\": [1, [2, 3]]}", "{\"list\": [1, [2, 9]]}", "hosts[*].list[*][*] 5 11"},
	{"{\"share\": 0.25}", "{\"share\": 1.5}", "hosts[*].share 0.25 1.5"},
	/* what is not known is no 0 */
	{"{\"sent\": null}", "{\"sent\": 5}", "hosts[*].sent not known 5"},
	{"{\"sent\": null} {\"sent\": 2}", "{\"sent\": 5}", "hosts[*].sent 2 5"},
	{"{\"sent\": 0}", "{\"sent\": null}", "hosts[*].sent 0 not known"},
	{"{\"sent\": null}", "{\"other\": null}", "All numbers are as before."},
	/* what one of them does not have */
	{"{\"sent\": 3}", "{}", "hosts[*].sent 3 -"},
	{"{}", "{\"sent\": 3}", "hosts[*].sent - 3"},
	/* what names or dates */
	{"{\"id\": 1, \"connection\": 1, \"first_psn\": 1, \"first_time_ns\": 1, \"qpn\": 1, "
	 "\"source_port\": 1, \"worst_frame\": 1, \"address\": \"a\", \"cm\": true}",
	 "{\"id\": 2, \"connection\": 2, \"first_psn\": 2, \"first_time_ns\": 2, \"qpn\": 2, "
	 "\"source_port\": 2, \"worst_frame\": 2, \"address\": \"b\", \"cm\": false}",
	 "All numbers are as before."},
	/* a name from outside */
	{"{\"a\\u001b[2J\": 1}", "{}", "hosts[*].a\\x1b[2J 1 -"},
};

START_TEST(numbers_that_differ_are_told)
{
	for (int side = 0; side < 2; side++) {
		char **hosts = g_strsplit(side ? numbers[_i].after : numbers[_i].before, "} {", -1);

		for (char **host = hosts; *host; host++) {
			bool first = host == hosts, last = !host[1];
			char *json =
				g_strdup_printf("%s%s%s", first ? "" : "{", *host, last ? "" : "}");

			take(side ? &now : &old, "hosts", json);
			take(side ? &now : &old, "slowest_messages", json); /* not looked at */
			g_free(json);
		}
		g_strfreev(hosts);
	}
	char *text = told();

	ck_assert_ptr_nonnull(strstr(text, numbers[_i].line));
	ck_assert_ptr_nonnull(strstr(text, "All findings are as before."));
	ck_assert_ptr_null(strstr(text, "slowest"));
	g_free(text);
}
END_TEST

/* severity and count before and now, "" none; what is told */
static const struct {
	const char *before, *after, *line;
} findings[] = {
	{"warning 1", "warning 1", "All findings are as before."},
	{"", "warning 1", "New: warning Q01: now"},
	{"warning 1", "", "Gone: warning Q01: old"},
	{"warning 1", "warning 2", "Worse: warning Q01: 2 cases, before 1. now"},
	{"warning 2", "warning 1", "Better: warning Q01: 1 case, before 2. now"},
	{"warning 9", "error 1", "Worse: error Q01: 1 case, before 9 (warning). now"},
	{"error 1", "note 9", "Better: note Q01: 9 cases, before 1 (error). now"},
};

static void take_finding(struct rda_diff *diff, const char *finding, const char *text)
{
	const char *count = strchr(finding, ' ');
	char *json;

	if (!count)
		return;
	json = g_strdup_printf("{\"code\": \"Q01\", \"severity\": \"%.*s\", \"count\": %s, "
			       "\"text\": \"%s\"}",
			       (int)(count - finding), finding, count, text);
	take(diff, "findings", json);
	g_free(json);
}

START_TEST(findings_that_differ_are_told)
{
	char *text;

	take_finding(&old, findings[_i].before, "old");
	take_finding(&now, findings[_i].after, "now");
	text = told();
	ck_assert_msg(g_str_has_prefix(text, findings[_i].line), "%s", text);
	g_free(text);
}
END_TEST

START_TEST(an_older_document_is_not_believed)
{
	GString *deep = g_string_new("{\"x\": 1}");
	char *text;

	for (unsigned i = 0; i < 30; i++) {
		g_string_prepend(deep, "{\"y\": ");
		g_string_append(deep, "}");
	}
	take(&old, "hosts", deep->str); /* deeper than any document of the program */
	take(&old, "findings", "{\"text\": \"\\u001b[2J\"}");
	text = told();
	ck_assert_ptr_nonnull(strstr(text, "All numbers are as before."));
	ck_assert_ptr_nonnull(strstr(text, "Gone: note : \\x1b[2J"));
	g_free(text);
	g_string_free(deep, TRUE);
}
END_TEST

Suite *rda_suite_diff(void)
{
	Suite *suite = suite_create("diff");
	TCase *tc = tcase_create("diff");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, numbers_that_differ_are_told, 0, RDA_COUNT(numbers));
	tcase_add_loop_test(tc, findings_that_differ_are_told, 0, RDA_COUNT(findings));
	tcase_add_test(tc, an_older_document_is_not_believed);
	suite_add_tcase(suite, tc);
	return suite;
}
