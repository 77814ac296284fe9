/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: defaults, every option of the table, and what is refused.
 */
#include "analyzer/rdma-analyze/options.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static struct rda_options options;
static char *error;

static void teardown(void)
{
	rda_options_cleanup(&options);
	options = (struct rda_options){0};
	g_clear_pointer(&error, g_free);
}

/* `line` is split at blanks. */
static bool parse(const char *line)
{
	char **arguments = g_strsplit(line, " ", -1);
	bool good = rda_options_parse(&options, (int)g_strv_length(arguments), arguments, &error);

	g_strfreev(arguments);
	return good;
}

START_TEST(the_first_word_of_a_set_is_the_default)
{
	ck_assert(parse("rdma-analyze a - b"));
	ck_assert_int_eq(options.format, RDA_FORMAT_TEXT);
	ck_assert_int_eq(options.reader, RDA_READER_NAME_AUTO);
	ck_assert_int_eq(options.color, RDA_COLOR_AUTO);
	ck_assert_int_eq(options.fail_on, RDA_FAIL_ON_NEVER);
	ck_assert(!options.packets && !options.help && !options.list_opcodes);
	ck_assert_ptr_null(options.filter);
	ck_assert_str_eq(options.files[0], "a");
	ck_assert_str_eq(options.files[1], "-");
	ck_assert_str_eq(options.files[2], "b");
	ck_assert_ptr_null(options.files[3]);
}
END_TEST

START_TEST(values_come_behind_a_blank_or_an_equals_sign)
{
	ck_assert(parse("rdma-analyze --format=json -f udp --color never x --fail-on=warning"));
	ck_assert_int_eq(options.format, RDA_FORMAT_JSON);
	ck_assert_int_eq(options.color, RDA_COLOR_NEVER);
	ck_assert_int_eq(options.fail_on, RDA_FAIL_ON_WARNING);
	ck_assert_str_eq(options.filter, "udp");
}
END_TEST

START_TEST(sizes_have_letters)
{
	ck_assert(parse("rdma-analyze --memory 256M x"));
	ck_assert_uint_eq(options.memory, 256 << 20);
	rda_options_cleanup(&options);
	ck_assert(parse("rdma-analyze --memory=2g x"));
	ck_assert_uint_eq(options.memory, UINT64_C(2) << 30);
	rda_options_cleanup(&options);
	ck_assert(parse("rdma-analyze --memory 67108864 x"));
	ck_assert_uint_eq(options.memory, 64 << 20);
}
END_TEST

START_TEST(sizes_that_are_none)
{
	static const char *const words[] = {
		"63M", "0", "M", "64MB", "1T", "-64M", "20000000000000G", "18446744073709551616"};
	char *line = g_strdup_printf("rdma-analyze --memory=%s x", words[_i]);

	ck_assert_msg(!parse(line), "%s", line);
	ck_assert_ptr_nonnull(strstr(error, "--memory: "));
	g_free(line);
}
END_TEST

START_TEST(headers_are_of_packets)
{
	ck_assert(parse("rdma-analyze -H x"));
	ck_assert(options.headers && options.packets);
}
END_TEST

START_TEST(a_list_may_name_its_form)
{
	ck_assert(parse("rdma-analyze --list-opcodes"));
	ck_assert_int_eq(options.list_opcodes, 1 + RDA_LISTING_TEXT);
	teardown();
	ck_assert(parse("rdma-analyze --list-opcodes=markdown"));
	ck_assert_int_eq(options.list_opcodes, 1 + RDA_LISTING_MARKDOWN);
}
END_TEST

START_TEST(ports_add_up)
{
	ck_assert(parse("rdma-analyze --port 1 --port=65535 x"));
	ck_assert_uint_eq(options.ports.count, 2);
	ck_assert_uint_eq(options.ports.port[0], 1);
	ck_assert_uint_eq(options.ports.port[1], 65535);
}
END_TEST

/* command line, what the message must contain */
static const char *const refused[][2] = {
	{"rdma-analyze", "no capture file"},
	{"rdma-analyze --packets", "no capture file"},
	{"rdma-analyze --format=xml x", "text, json, ndjson, csv"},
	{"rdma-analyze --format", "--format"},
	{"rdma-analyze --port 0 x", "\"0\""},
	{"rdma-analyze --port 65536 x", "\"65536\""},
	{"rdma-analyze --port 4791x x", "\"4791x\""},
	{"rdma-analyze --port -1 x", "\"-1\""},
	{"rdma-analyze --port= x", "\"\""},
	{"rdma-analyze --port 1 --port 2 --port 3 --port 4 --port 5 --port 6 --port 7 --port 8 "
	 "--port 9 x",
	 "more than 8"},
	{"rdma-analyze --list-opcodes=yaml", "text, json, markdown"},
	{"rdma-analyze --headers --format csv x", "CSV"},
	{"rdma-analyze --diff y --format json x", "--diff: it is text"},
	{"rdma-analyze --diff y --packets x", "--diff: it is text"},
	{"rdma-analyze --no-such x", "--no-such"},
	{"rdma-analyze --packets=yes x", "--packets"},
	{"rdma-analyze --check S05 x", "\"S05\" is no CODE=WEIGHT"},
	{"rdma-analyze --check S05=loud x", "error, warning, note or off"},
	{"rdma-analyze --check S5=note x", "did you mean S05?"},
	{"rdma-analyze --check S05=note, x", "no check \"\""},
	{"rdma-analyze --check= x", "no check \"\""},
	{"rdma-analyze --explain-check S99", "did you mean S09?"},
	{"rdma-analyze --config /no/such/file x", "/no/such/file"},
	{"rdma-analyze --extract x", "\"x\""},
	{"rdma-analyze --extract 3", "\"3\" into which file?"},
	{"rdma-analyze --extract 3 out", "no capture file"},
	{"rdma-analyze --extract S1 out x", "did you mean S01?"},
	{"rdma-analyze --extract 3x out x", "\"3x\" is no number of a connection and no check"},
	{"rdma-analyze --extract 3 out x y", "one capture at a time"},
};

START_TEST(a_part_is_two_words)
{
	ck_assert(parse("rdma-analyze --extract 3 out x"));
	ck_assert_str_eq(options.extract.file, "out");
	ck_assert_ptr_null(options.extract.code);
	ck_assert_uint_eq(options.extract.connection, 3);
	ck_assert_str_eq(options.files[0], "x");
	ck_assert_ptr_null(options.files[1]);
	teardown();
	ck_assert(parse("rdma-analyze x --extract S05 out"));
	ck_assert_str_eq(options.extract.code, "S05");
	ck_assert_str_eq(options.files[0], "x");
	teardown();
	ck_assert(parse("rdma-analyze -- --extract S05 out")); /* files */
	ck_assert_ptr_null(options.extract.file);
}
END_TEST

START_TEST(checks_are_weighed_one_by_one)
{
	int s05 = rda_check_number("S05"), t06 = rda_check_number("T06");

	ck_assert(parse("rdma-analyze --check S05=note,T06=off --check S05=error x"));
	ck_assert_uint_eq(options.checks.severity[s05], RDA_SEVERITY_ERROR + 1);
	ck_assert(!options.checks.off[s05] && options.checks.off[t06]);
	teardown();
	ck_assert(parse("rdma-analyze --check T06=off --check T06=note x"));
	ck_assert(!options.checks.off[t06]);
}
END_TEST

/* Reads `text` as a file of options. */
static bool parse_config(const char *text)
{
	char *name, *line;
	int fd = g_file_open_tmp("options-XXXXXX", &name, NULL);
	bool good;

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert(g_file_set_contents(name, text, -1, NULL));
	line = g_strdup_printf("rdma-analyze --format json --config %s --port 4 x", name);
	good = parse(line);
	ck_assert_int_eq(g_unlink(name), 0);
	g_free(line);
	g_free(name);
	return good;
}

START_TEST(options_may_come_from_a_file)
{
	ck_assert_msg(parse_config("# ours\n\nformat csv # not json\r\ncheck=S05=note\n"
				   "  count-only\nlist-checks\nport 3"),
		      "%s", error);
	ck_assert_int_eq(options.format, RDA_FORMAT_CSV);
	ck_assert_uint_eq(options.checks.severity[rda_check_number("S05")], RDA_SEVERITY_NOTE + 1);
	ck_assert(options.count_only);
	ck_assert_int_eq(options.list_checks, 1 + RDA_LISTING_TEXT);
	ck_assert_uint_eq(options.ports.port[0], 3);
	ck_assert_uint_eq(options.ports.port[1], 4);
}
END_TEST

/* a file of options, what the message must contain */
static const char *const refused_config[][2] = {
	{"\n\nchek S05=note", ":3: there is no option \"chek\"; did you mean check?"},
	{"xyzzy", ":1: there is no option \"xyzzy\""},
	{"format", "format needs a value"},
	{"count-only yes", "count-only takes no value"},
	{"config x", "names no other one"},
	{"check S5=note", ":1: there is no check \"S5\""},
};

START_TEST(nonsense_in_a_file_is_refused_with_its_line)
{
	ck_assert(!parse_config(refused_config[_i][0]));
	ck_assert_msg(strstr(error, refused_config[_i][1]), "%s: %s", refused_config[_i][0], error);
}
END_TEST

START_TEST(nonsense_is_refused_with_its_reason)
{
	ck_assert(!parse(refused[_i][0]));
	ck_assert_msg(strstr(error, refused[_i][1]), "%s: %s", refused[_i][0], error);
}
END_TEST

START_TEST(no_two_options_share_a_name_or_a_letter)
{
	for (unsigned i = 0; i < rda_option_count; i++)
		for (unsigned j = 0; j < i; j++) {
			ck_assert_str_ne(rda_option_table[i].name, rda_option_table[j].name);
			ck_assert(!rda_option_table[i].letter ||
				  rda_option_table[i].letter != rda_option_table[j].letter);
		}
}
END_TEST

Suite *rda_suite_options(void)
{
	Suite *suite = suite_create("options");
	TCase *tc = tcase_create("options");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, the_first_word_of_a_set_is_the_default);
	tcase_add_test(tc, values_come_behind_a_blank_or_an_equals_sign);
	tcase_add_test(tc, headers_are_of_packets);
	tcase_add_test(tc, a_list_may_name_its_form);
	tcase_add_test(tc, ports_add_up);
	tcase_add_test(tc, sizes_have_letters);
	tcase_add_test(tc, sizes_that_are_none);
	tcase_add_test(tc, checks_are_weighed_one_by_one);
	tcase_add_test(tc, a_part_is_two_words);
	tcase_add_test(tc, options_may_come_from_a_file);
	tcase_add_loop_test(tc, nonsense_in_a_file_is_refused_with_its_line, 0,
			    RDA_COUNT(refused_config));
	tcase_add_loop_test(tc, nonsense_is_refused_with_its_reason, 0, RDA_COUNT(refused));
	tcase_add_test(tc, no_two_options_share_a_name_or_a_letter);
	suite_add_tcase(suite, tc);
	return suite;
}
