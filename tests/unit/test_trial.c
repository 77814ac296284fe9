/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fails a trial, and what is written of it where captures at hand have no case: several
 * captures, checks that were withheld, violations that are not all told. program/gate has the two
 * files as a whole.
 */
#include "analyzer/report/trial.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

enum { NAK_SEQUENCE = 0x60, ACK = 0x1f };

static struct rda_feed feed;
static struct rda_origin first = {.file = "one.pcap"}, second = {.file = "a b/<two>.pcap"};
static const struct rda_origin *const origins[] = {&first, &second};
static struct rda_report report;
static struct rda_baseline now, old;
static struct rda_expectations *expectations;
static bool off[RDA_CHECK_COUNT];
static struct rda_trial trial;
static struct rda_output out;

static void say(uint8_t from, uint8_t to, uint32_t dest_qp, uint8_t opcode, uint32_t psn,
		uint8_t syndrome, uint32_t msn)
{
	struct rda_extended aeth = rda_aeth(syndrome, msn);
	struct rda_recipe recipe = rda_packet_of(from, to, dest_qp, opcode, psn);

	if (syndrome)
		recipe = rda_with(recipe, &aeth);
	rda_feed(&feed, &recipe);
}

static void take_record(void *context, const char *list, unsigned index, json_object *record)
{
	rda_baseline_take(context, list, index, record);
}

/* Expectations, each violated in ten places of now; the first in as many before, the second in
 * fewer. */
static void expect_what_is_not(void)
{
	static const char lines[] = "connections[*].id < 0 # all\nconnections[*].id <= -1\n"
				    "count(connections[*]) == 0\nconnections[*].id == 7";
	json_object *shape = rda_report_shape(), *record = json_tokener_parse("{\"id\": 7}");
	char *error = NULL;

	expectations = rda_expectations_parse(lines, shape, &error);
	ck_assert_msg(expectations != NULL, "%s", error);
	for (unsigned i = 0; i < 10; i++)
		rda_expectations_take(expectations, "connections", i, record);
	ck_assert_uint_eq(rda_expectations_end(expectations), 3);
	json_object_put(record);
	json_object_put(shape);
	trial.expectations = expectations;
	trial.expect_file = "roce.expect";
}

/* A loss in the second capture: a warning or an error, and notes. */
static void setup(void)
{
	rda_feed_begin(&feed);
	say(1, 3, 0x33, RC_SEND_ONLY, 5000, 0, 0);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5000, ACK, 1);
	rda_engine_begin_capture(feed.engine);
	feed.meta.number = 0;
	say(1, 3, 0x33, RC_SEND_ONLY, 5001, 0, 0);
	say(1, 3, 0x33, RC_SEND_ONLY, 5003, 0, 0);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5002, NAK_SEQUENCE, 2);
	say(1, 3, 0x33, RC_SEND_ONLY, 5002, 0, 0);
	say(1, 3, 0x33, RC_SEND_ONLY, 5003, 0, 0);
	say(3, 1, 0x12, RC_ACKNOWLEDGE, 5003, ACK, 4);
	rda_engine_finish(feed.engine);
	report = (struct rda_report){.result = rda_engine_finished(feed.engine),
				     .origins = origins,
				     .origin_count = RDA_COUNT(origins)};
	rda_baseline_init(&now);
	rda_baseline_init(&old);
	rda_report_each(&report, take_record, &now);
	trial = (struct rda_trial){
		.report = &report, .fail_on = RDA_SEVERITY_NOTE, .checks_off = off, .now = &now};
	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
}

static void teardown(void)
{
	rda_expectations_free(expectations);
	expectations = NULL;
	rda_baseline_cleanup(&now);
	rda_baseline_cleanup(&old);
	rda_output_cleanup(&out);
	rda_feed_end(&feed);
}

/* The index of a finding of that severity. */
static unsigned finding_of(enum rda_severity severity)
{
	for (unsigned i = 0; i < rda_result_finding_count(report.result); i++)
		if (rda_result_finding(report.result, i)->severity == severity)
			return i;
	ck_abort_msg("there is no finding of %s", rda_severity_name(severity));
}

static bool printed(const char *words)
{
	return strstr(out.text->str, words) != NULL;
}

START_TEST(findings_from_a_severity_on_fail)
{
	unsigned note = finding_of(RDA_SEVERITY_NOTE), warning = finding_of(RDA_SEVERITY_WARNING);

	ck_assert(rda_trial_finding_fails(&trial, note) &&
		  rda_trial_finding_fails(&trial, warning));
	trial.fail_on = RDA_SEVERITY_WARNING;
	ck_assert(!rda_trial_finding_fails(&trial, note));
	ck_assert(rda_trial_finding_fails(&trial, warning));
	trial.fail_on = RDA_SEVERITY_COUNT;
	ck_assert(!rda_trial_finding_fails(&trial, warning));
	ck_assert_uint_eq(rda_trial_failures(&trial), 0);
}
END_TEST

START_TEST(against_an_older_document_only_what_is_new_fails)
{
	unsigned count = rda_result_finding_count(report.result);

	trial.old = &old;
	ck_assert_uint_eq(rda_trial_failures(&trial), count);
	rda_trial_print(&out, &trial);
	ck_assert(printed("new: warning ") && !printed("worse:"));
	rda_report_each(&report, take_record, &old);
	ck_assert_uint_eq(rda_trial_failures(&trial), 0);
	g_string_truncate(out.text, 0);
	rda_trial_print(&out, &trial);
	ck_assert_str_eq(out.text->str, "");
}
END_TEST

START_TEST(lines_fail_that_are_violated_in_more_places)
{
	const uint64_t before[] = {10, 9, 1, 0};

	expect_what_is_not();
	trial.fail_on = RDA_SEVERITY_COUNT;
	ck_assert_uint_eq(rda_trial_failures(&trial), 3);
	trial.old = &old;
	trial.old_violated = before;
	ck_assert(!rda_trial_line_fails(&trial, 0));
	ck_assert(rda_trial_line_fails(&trial, 1));
	ck_assert(!rda_trial_line_fails(&trial, 2));
	ck_assert_uint_eq(rda_trial_failures(&trial), 1);
	rda_trial_print(&out, &trial);
	ck_assert(printed("roce.expect:2: does not hold: connections[*].id <= -1\n"));
	ck_assert(!printed("roce.expect:1:"));
	ck_assert(printed("rdma-analyze: 3 of 4 expectations do not hold, 2 as before\n"));
}
END_TEST

/* The string between two others. */
static char *between(const char *begin, const char *end)
{
	const char *from = strstr(out.text->str, begin), *to;

	ck_assert_msg(from != NULL, "no %s in %s", begin, out.text->str);
	from += strlen(begin);
	to = strstr(from, end);
	ck_assert_ptr_nonnull(to);
	return g_strndup(from, (gsize)(to - from));
}

START_TEST(junit_tells_what_was_seen_of_a_line)
{
	char *told;

	expect_what_is_not();
	rda_trial_junit(&out, &trial);
	told = between("name=\"line 1: connections[*].id &lt; 0\">\n"
		       "      <failure message=\"connections[0].id is 7\">",
		       "</failure>");
	/* its comment, each place that was told in a line of its own, and how many more there are
	 */
	ck_assert_msg(
		g_str_has_prefix(told, "all\nconnections[0].id is 7\nconnections[1].id is 7\n"),
		"%s", told);
	ck_assert_msg(g_str_has_suffix(told, "\nconnections[7].id is 7\nand 2 more"), "%s", told);
	g_free(told);
}
END_TEST

START_TEST(junit_has_all_frames_with_their_files)
{
	const struct rda_finding *finding = rda_result_finding(report.result, 0);
	GString *frames = g_string_new(NULL);

	rda_trial_junit(&out, &trial);
	g_string_append(frames, " Frames (file:frame) ");
	for (unsigned i = 0; i < finding->place_count; i++)
		g_string_append_printf(frames, "%s1:%" PRIu64, i ? ", " : "",
				       rda_place_number(finding->places[i]));
	ck_assert_uint_gt(finding->place_count, 1);
	g_string_append(frames, "</failure>");
	ck_assert_msg(printed(frames->str), "no %s in %s", frames->str, out.text->str);
	g_string_free(frames, TRUE);
	ck_assert(printed("name=\"a b/&lt;two&gt;.pcap\""));
}
END_TEST

/* Of one direction alone A06 cannot be said: that is no pass. */
START_TEST(junit_skips_what_the_capture_has_not_enough_for)
{
	struct rda_subject flow = {RDA_SUBJECT_FLOW, 0};
	struct rda_judge *judge;
	struct rda_feed half;
	char *outcome;

	rda_feed_begin(&half);
	rda_feed_send(&half, 1, 2, 0x22, 0xc000, 5);
	judge = (struct rda_judge *)(void *)rda_engine_judge(half.engine);
	rda_finding_add(&judge->findings, RDA_CHECK_A06, flow, 1);
	rda_engine_finish(half.engine);
	report.result = rda_engine_finished(half.engine);
	rda_trial_junit(&out, &trial);
	outcome = between("name=\"A06 ", "</testcase>");
	ck_assert_msg(strstr(outcome, "<skipped message=\"the capture has not") != NULL, "%s",
		      outcome);
	g_free(outcome);
	rda_feed_end(&half);
}
END_TEST

START_TEST(junit_has_checks_only_where_they_can_fail)
{
	trial.fail_on = RDA_SEVERITY_COUNT;
	rda_trial_junit(&out, &trial);
	ck_assert(!printed("<testsuite name=\"checks\""));
	trial.fail_on = RDA_SEVERITY_ERROR;
	rda_trial_junit(&out, &trial);
	ck_assert(printed("<testsuite name=\"checks\""));
}
END_TEST

/* ---- SARIF ----------------------------------------------------------------------------------- */

/* "0.locations.0": a member of the run's results */
static json_object *result_of(json_object *document, const char *path)
{
	json_object *at = json_object_object_get(document, "runs");
	char **names = g_strsplit(path, ".", -1);

	at = json_object_object_get(json_object_array_get_idx(at, 0), "results");
	for (char **name = names; *name && **name; name++)
		at = json_object_is_type(at, json_type_array)
			     ? json_object_array_get_idx(at, strtoul(*name, NULL, 10))
			     : json_object_object_get(at, *name);
	g_strfreev(names);
	return at;
}

static json_object *sarif(void)
{
	json_object *document;

	rda_trial_sarif(&out, &trial);
	document = json_tokener_parse(out.text->str);
	ck_assert_ptr_nonnull(document);
	return document;
}

START_TEST(sarif_has_the_file_and_the_name_of_a_frame)
{
	const struct rda_finding *finding = rda_result_finding(report.result, 0);
	json_object *document = sarif();
	char *name = g_strdup_printf("frame %" PRIu64, rda_place_number(finding->places[0]));
	char *key = g_strdup_printf("%s 192.0.2.1 > 192.0.2.3",
				    rda_check_row(finding->key.check)->code);

	ck_assert_uint_eq(rda_place_capture(finding->places[0]), 1);
	ck_assert_str_eq(json_object_get_string(result_of(
				 document, "0.locations.0.physicalLocation.artifactLocation.uri")),
			 "a%20b/%3Ctwo%3E.pcap");
	ck_assert_str_eq(json_object_get_string(
				 result_of(document, "0.locations.0.logicalLocations.0.name")),
			 name);
	ck_assert_str_eq(
		json_object_get_string(result_of(document, "0.partialFingerprints.hosts/v1")), key);
	g_free(key);
	g_free(name);
	json_object_put(document);
}
END_TEST

/* What is told of a capture as a whole is located in it; of several captures nobody knows in which.
 */
START_TEST(sarif_has_the_capture_where_there_is_no_frame)
{
	struct rda_judge *judge;
	struct rda_feed whole;

	rda_feed_begin(&whole);
	rda_feed_send(&whole, 1, 2, 0x22, 0xc000, 5);
	judge = (struct rda_judge *)(void *)rda_engine_judge(whole.engine);
	rda_finding_add(&judge->findings, RDA_CHECK_F01,
			(struct rda_subject){RDA_SUBJECT_CAPTURE, 0}, 0);
	rda_engine_finish(whole.engine);
	report.result = rda_engine_finished(whole.engine);
	ck_assert_uint_eq(rda_result_finding(report.result, 0)->key.check, RDA_CHECK_F01);
	rda_baseline_cleanup(&now);
	rda_baseline_init(&now);
	report.origin_count = 1; /* as the result has captures */
	rda_report_each(&report, take_record, &now);
	for (unsigned count = 1; count <= 2; count++) {
		json_object *document, *uri;

		report.origin_count = count;
		g_string_truncate(out.text, 0);
		document = sarif();
		ck_assert_uint_eq(json_object_array_length(result_of(document, "0.locations")),
				  count == 1);
		uri = count == 1 ? result_of(document,
					     "0.locations.0.physicalLocation.artifactLocation.uri")
				 : NULL;
		ck_assert_pstr_eq(uri ? json_object_get_string(uri) : NULL,
				  count == 1 ? "one.pcap" : NULL);
		json_object_put(document);
	}
	rda_feed_end(&whole);
}
END_TEST

START_TEST(sarif_has_lines_that_do_not_hold_and_says_which_fail)
{
	const uint64_t before[] = {10, 9, 1, 0};
	json_object *document;

	expect_what_is_not();
	trial.old_violated = before;
	trial.fail_on = RDA_SEVERITY_COUNT;
	document = sarif();
	for (unsigned i = 0; i < 3; i++) {
		unsigned at = rda_result_finding_count(report.result) + i;
		char *level = g_strdup_printf("%u.level", at);

		ck_assert_str_eq(json_object_get_string(result_of(document, level)),
				 i == 1 ? "error" : "note");
		g_free(level);
	}
	ck_assert(printed("connections[7].id is 7; and 2 more\""));
	/* the one that holds is no result */
	ck_assert_uint_eq(json_object_array_length(result_of(document, "")),
			  rda_result_finding_count(report.result) + 3);
	json_object_put(document);
}
END_TEST

Suite *rda_suite_trial(void)
{
	Suite *suite = suite_create("trial");
	TCase *tc = tcase_create("trial");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, findings_from_a_severity_on_fail);
	tcase_add_test(tc, against_an_older_document_only_what_is_new_fails);
	tcase_add_test(tc, lines_fail_that_are_violated_in_more_places);
	tcase_add_test(tc, junit_tells_what_was_seen_of_a_line);
	tcase_add_test(tc, junit_has_all_frames_with_their_files);
	tcase_add_test(tc, junit_skips_what_the_capture_has_not_enough_for);
	tcase_add_test(tc, junit_has_checks_only_where_they_can_fail);
	tcase_add_test(tc, sarif_has_the_file_and_the_name_of_a_frame);
	tcase_add_test(tc, sarif_has_the_capture_where_there_is_no_frame);
	tcase_add_test(tc, sarif_has_lines_that_do_not_hold_and_says_which_fail);
	suite_add_tcase(suite, tc);
	return suite;
}
