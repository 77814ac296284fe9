/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One telling of a record gives JSON, a line of CSV and the line of its names, that agree.
 */
#include "analyzer/report/machine_record.h"
#include "tests/unit/suite.h"

static void tell(struct rda_record *record)
{
	static const char *const words[] = {"one", "two; three"};

	rda_record_number(record, "big", UINT64_MAX);
	rda_record_signed(record, "before", -1);
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

	rda_record_init(&record);
	tell(&record);
	rda_record_json(&record, line);
	ck_assert_str_eq(
		line->str,
		"{\"big\":18446744073709551615,\"before\":-1,"
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
	rda_record_end_line(&record);
	rda_record_init_csv(&record, line, false);
	tell(&record);
	rda_record_end_line(&record);
	ck_assert_str_eq(line->str,
			 "big,before,naks.sequence,naks.other,unknown.count,known.count,"
			 "solicited,name,nothing,bytes,rkey,immediate,words\n"
			 "18446744073709551615,-1,3,,,5,true,\"a \"\"b\"\", c\n\",,f\xef\xbf\xbd/x,"
			 "0x000026a8,,one; two; three\n");
}
END_TEST

START_TEST(lists_of_objects_are_json)
{
	struct rda_record record;

	rda_record_init(&record);
	rda_record_open_list(&record, "flows");
	for (unsigned i = 0; i < 2; i++) {
		rda_record_open(&record, NULL);
		rda_record_number(&record, "packets", i);
		rda_record_close(&record);
	}
	rda_record_close(&record);
	rda_record_json(&record, line);
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
	tcase_add_test(tc, lists_of_objects_are_json);
	suite_add_tcase(suite, tc);
	return suite;
}
