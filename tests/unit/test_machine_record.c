/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One telling of a record gives JSON, a line of CSV and the line of its names, that agree.
 */
#include "analyzer/report/machine_record.h"
#include "tests/unit/suite.h"

#include <json-c/json.h>

static void tell(struct rda_record *record)
{
	static const char *const words[] = {"one", "two; three"};

	rda_record_number(record, "big", UINT64_MAX);
	rda_record_signed(record, "before", -1);
	rda_record_signed(record, "least", INT64_MIN);
	rda_record_decimal(record, "mean", "1.50");
	rda_record_open(record, "naks");
	rda_record_number(record, "sequence", 3);
	rda_record_null(record, "other");
	rda_record_close(record);
	if (rda_record_open_if(record, "unknown", false)) {
		rda_record_null(record, "count");
		rda_record_close(record);
	}
	if (rda_record_open_if(record, "known", true)) {
		rda_record_number(record, "count", 5);
		rda_record_close(record);
	}
	rda_record_flag(record, "solicited", true);
	rda_record_text(record, "name", "a \"b\", c\n");
	rda_record_text(record, "nothing", NULL);
	rda_record_text(record, "bytes", "f\xff/x");
	rda_record_hex(record, "rkey", 0x26a8, 8);
	rda_record_absent(record, "immediate");
	rda_record_words(record, "words", words, 2);
}

static GString *line;

static void setup(void)
{
	line = g_string_new(NULL);
}

static void teardown(void)
{
	g_string_free(line, TRUE);
}

START_TEST(json_leaves_out_what_is_absent)
{
	struct rda_record record;

	rda_record_init(&record, line);
	tell(&record);
	rda_record_end(&record);
	ck_assert_str_eq(
		line->str,
		"{\"big\":18446744073709551615,\"before\":-1,"
		"\"least\":-9223372036854775808,\"mean\":1.50,"
		"\"naks\":{\"sequence\":3,\"other\":null},\"unknown\":null,\"known\":{\"count\":5},"
		"\"solicited\":true,"
		"\"name\":\"a \\\"b\\\", c\\n\",\"nothing\":null,\"bytes\":\"f\xef\xbf\xbd/x\","
		"\"rkey\":\"0x000026a8\",\"words\":[\"one\",\"two; three\"]}");
}
END_TEST

START_TEST(csv_has_a_cell_for_every_name)
{
	struct rda_record record;

	rda_record_init_csv(&record, line, true);
	tell(&record);
	rda_record_end(&record);
	rda_record_init_csv(&record, line, false);
	tell(&record);
	rda_record_end(&record);
	ck_assert_str_eq(line->str,
			 "big,before,least,mean,naks.sequence,naks.other,unknown.count,known.count,"
			 "solicited,name,nothing,bytes,rkey,immediate,words\n"
			 "18446744073709551615,-1,-9223372036854775808,1.50,3,,,5,true,\"a "
			 "\"\"b\"\", c\\x0a\",,f\xef\xbf\xbd/x,"
			 "0x000026a8,,one; two; three\n");
}
END_TEST

START_TEST(tree_is_the_same_json)
{
	struct rda_record record;
	GString *again = g_string_new(NULL);

	rda_record_init(&record, line);
	tell(&record);
	rda_record_end(&record);
	rda_record_init_tree(&record);
	tell(&record);
	g_string_assign(again, json_object_to_json_string_ext(
				       record.object[0],
				       JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(record.object[0]);
	ck_assert_str_eq(line->str, again->str);
	g_string_free(again, TRUE);
}
END_TEST

START_TEST(control_characters_are_escaped)
{
	struct rda_record record;

	rda_record_init(&record, line);
	rda_record_text(&record, "all", "\x01\b\t\n\f\r\x1f \"\\/\x7f");
	/* C1 CSI, é, RIGHT-TO-LEFT OVERRIDE, a control character beyond 16 bits */
	rda_record_text(&record, "wide", "\xc2\x9b\xc3\xa9\xe2\x80\xae\xf3\xa0\x80\x81/");
	rda_record_end(&record);
	ck_assert_str_eq(line->str, "{\"all\":\"\\u0001\\b\\t\\n\\f\\r\\u001f \\\"\\\\/\\u007f\","
				    "\"wide\":\"\\u009b\xc3\xa9\\u202e\\udb40\\udc01/\"}");
}
END_TEST

START_TEST(times_are_told_as_numbers_and_in_words)
{
	struct rda_record record;

	rda_record_init(&record, line);
	rda_record_time(&record, "time", true, INT64_C(1795218577078447275));
	rda_record_time(&record, "last_time", false, 0);
	rda_record_end(&record);
	ck_assert_str_eq(line->str, "{\"time_ns\":1795218577078447275,"
				    "\"time\":\"2026-11-20T23:49:37.078447275Z\","
				    "\"last_time_ns\":null,\"last_time\":null}");
}
END_TEST

START_TEST(lists_of_objects_are_json)
{
	struct rda_record record;

	rda_record_init(&record, line);
	rda_record_open_list(&record, "flows");
	for (unsigned i = 0; i < 2; i++) {
		rda_record_open(&record, NULL);
		rda_record_number(&record, "packets", i);
		rda_record_close(&record);
	}
	rda_record_close(&record);
	rda_record_end(&record);
	ck_assert_str_eq(line->str, "{\"flows\":[{\"packets\":0},{\"packets\":1}]}");
}
END_TEST

Suite *rda_suite_machine_record(void)
{
	Suite *suite = suite_create("machine_record");
	TCase *tc = tcase_create("machine_record");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, json_leaves_out_what_is_absent);
	tcase_add_test(tc, csv_has_a_cell_for_every_name);
	tcase_add_test(tc, tree_is_the_same_json);
	tcase_add_test(tc, control_characters_are_escaped);
	tcase_add_test(tc, times_are_told_as_numbers_and_in_words);
	tcase_add_test(tc, lists_of_objects_are_json);
	suite_add_tcase(suite, tc);
	return suite;
}
