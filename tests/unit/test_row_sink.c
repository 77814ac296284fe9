/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as rows: which columns and tables they become, whose rows are whose, and that no value of
 * one row is left in the next.
 */
#include "analyzer/rdma-analyze/row_sink.h"
#include "tests/unit/suite.h"

static struct rda_row_sink sink;
static GString *rows;

/* "flow(0,1,7,-) ": the table, its cells, "-" for what is not known */
static void take(void *context, struct rda_row_table *table)
{
	(void)context;
	g_string_append_printf(rows, "%s(", table->name);
	for (guint i = 0; i < table->cells->len; i++) {
		const struct rda_row_cell *cell =
			&g_array_index(table->cells, struct rda_row_cell, i);

		g_string_append(rows, i ? "," : "");
		if (!cell->known)
			g_string_append(rows, "-");
		else if (cell->member.text)
			g_string_append(rows, cell->member.text);
		else
			g_string_append_printf(rows, "%" PRId64, (int64_t)cell->member.number);
	}
	g_string_append(rows, ") ");
}

static void setup(void)
{
	rda_row_sink_init(&sink);
	sink.take = take;
	rows = g_string_new(NULL);
}

static void teardown(void)
{
	rda_row_sink_cleanup(&sink);
	g_string_free(rows, TRUE);
}

/* Every table: "flow(connection,flow,packets:INTEGER) [2]": columns, types, how many are keys */
static void expect_tables(const char *want)
{
	GString *got = g_string_new(NULL);

	for (guint i = 0; i < sink.tables->len; i++) {
		const struct rda_row_table *table = g_ptr_array_index(sink.tables, i);

		g_string_append_printf(got, "%s[%u](", table->name, table->keys);
		for (guint j = 0; j < table->columns->len; j++) {
			const struct rda_row_column *column =
				&g_array_index(table->columns, struct rda_row_column, j);

			g_string_append_printf(got, "%s%s:%.1s", j ? "," : "", column->name,
					       column->type);
		}
		g_string_append(got, ") ");
	}
	ck_assert_str_eq(got->str, want);
	g_string_free(got, TRUE);
}

/* ---- a row ----------------------------------------------------------------------------------- */

/* A record; what it may lack is not known unless `all`. A fraction is told in any case when tables
 * are declared: its type is that of its column. */
static void tell_host(bool all, const char *name)
{
	const char *words[] = {"one", "two"};
	char *passing = g_strdup(name);
	struct rda_record record;

	rda_row_sink_begin(&sink, &record, "host");
	rda_record_text(&record, "name", passing);
	rda_record_open(&record, "naks");
	rda_record_number_known(&record, "sequence", all, 3);
	rda_record_open(&record, "rnr");
	rda_record_signed(&record, "least", -2);
	rda_record_close(&record);
	rda_record_close(&record);
	rda_record_words(&record, "words", words, all ? 2 : 0);
	rda_record_open_list(&record, "links");
	rda_record_text(&record, NULL, "ethernet");
	if (all)
		rda_record_text(&record, NULL, "infiniband");
	rda_record_close(&record);
	if (rda_record_open_if(&record, "latency", all)) {
		rda_record_number_known(&record, "max", all, 9);
		rda_record_close(&record);
	}
	if (all || sink.declaring)
		rda_record_decimal(&record, "mean", "1.50");
	else
		rda_record_absent(&record, "mean");
	rda_record_flag(&record, "seen", true);
	memset(passing, 'x', strlen(passing)); /* the sink has its own */
	g_free(passing);
	rda_record_end(&record);
}

START_TEST(objects_become_columns_and_rows_forget)
{
	tell_host(false, "");
	sink.declaring = false;
	expect_tables("host[1](id:I,name:T,naks_sequence:I,naks_rnr_least:I,words:T,links:T,"
		      "latency_max:I,"
		      "mean:R,seen:I) ");
	ck_assert_str_eq(rows->str, "");
	tell_host(true, "first");
	tell_host(false, "second");
	tell_host(true, "third");
	ck_assert_str_eq(rows->str, "host(0,first,3,-2,one; two,ethernet; infiniband,9,1.50,1) "
				    "host(1,second,-,-2,,ethernet,-,-,1) "
				    "host(2,third,3,-2,one; two,ethernet; infiniband,9,1.50,1) ");
}
END_TEST

/* ---- rows of rows ---------------------------------------------------------------------------- */

static void tell_connection(unsigned id, bool with_cm)
{
	struct rda_record record;

	rda_row_sink_begin(&sink, &record, "connection");
	rda_record_number(&record, "id", id); /* the row's own */
	rda_record_open_list(&record, "flows");
	for (unsigned flow = 0; flow < rda_record_count(&record, 2); flow++) {
		rda_record_open(&record, NULL);
		rda_record_number(&record, "packets", 10 * id + flow);
		rda_record_open(&record, "messages");
		rda_record_open(&record, "write");
		rda_record_number(&record, "count", flow);
		rda_record_close(&record);
		rda_record_open(&record, "read");
		rda_record_number(&record, "count", 7);
		rda_record_close(&record);
		rda_record_close(&record);
		rda_record_number(&record, "last", 5);
		rda_record_close(&record);
	}
	rda_record_close(&record);
	if (rda_record_open_if(&record, "cm", with_cm)) {
		rda_record_number(&record, "port", 4420);
		rda_record_close(&record);
	}
	rda_record_flag(&record, "end", true);
	rda_record_end(&record);
}

START_TEST(lists_and_objects_become_rows_with_their_owners_keys)
{
	tell_connection(0, true);
	sink.declaring = false;
	expect_tables("connection[1](id:I,end:I) "
		      "flow[2](connection:I,flow:I,packets:I,last:I) "
		      "message[3](connection:I,flow:I,message:T,count:I) "
		      "conversation[1](id:I,connection:I,port:I) ");
	tell_connection(0, false);
	tell_connection(1, true);
	ck_assert_str_eq(rows->str,
			 "message(0,0,write,0) message(0,0,read,7) flow(0,0,0,5) "
			 "message(0,1,write,1) message(0,1,read,7) flow(0,1,1,5) connection(0,1) "
			 "message(1,0,write,0) message(1,0,read,7) flow(1,0,10,5) "
			 "message(1,1,write,1) message(1,1,read,7) flow(1,1,11,5) "
			 "conversation(0,1,4420) connection(1,1) ");
}
END_TEST

static void tell_layer(void)
{
	struct rda_record record;

	rda_row_sink_begin(&sink, &record, "upper_layer");
	rda_record_number(&record, "connection", 3);
	rda_record_number(&record, "flow", 1);
	rda_record_text(&record, "protocol", "nvme");
	rda_record_open_list(&record, "operations");
	for (unsigned i = 0; i < rda_record_count(&record, 2); i++) {
		rda_record_open(&record, NULL);
		rda_record_number(&record, "commands", i + 5);
		rda_record_close(&record);
	}
	rda_record_close(&record);
	rda_record_end(&record);
}

START_TEST(rows_may_have_columns_of_their_owner)
{
	tell_layer();
	sink.declaring = false;
	tell_layer();
	ck_assert_str_eq(rows->str, "command(0,0,3,1,nvme,5) command(0,1,3,1,nvme,6) "
				    "upper_layer(0,3,1,nvme) ");
}
END_TEST

static void tell_finding(bool any)
{
	struct rda_record record;

	rda_row_sink_begin(&sink, &record, "finding");
	rda_record_text(&record, "code", "S01");
	rda_record_open(&record, "arguments");
	if (any) {
		rda_record_number(&record, "lost", 3);
		rda_record_text(&record, "who", "me");
		rda_record_open(&record, "psn");
		rda_record_number(&record, "first", 8);
		rda_record_close(&record);
	}
	rda_record_close(&record);
	rda_record_end(&record);
}

START_TEST(members_that_depend_on_the_case_are_rows_of_name_and_value)
{
	tell_finding(false);
	sink.declaring = false;
	expect_tables("finding[1](id:I,code:T) finding_argument[2](finding:I,name:T,value:) ");
	tell_finding(true);
	tell_finding(false);
	ck_assert_str_eq(rows->str, "finding_argument(0,lost,3) finding_argument(0,who,me) "
				    "finding_argument(0,psn_first,8) finding(0,S01) "
				    "finding(1,S01) ");
}
END_TEST

Suite *rda_suite_row_sink(void)
{
	Suite *suite = suite_create("row_sink");
	TCase *tc = tcase_create("row_sink");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, objects_become_columns_and_rows_forget);
	tcase_add_test(tc, lists_and_objects_become_rows_with_their_owners_keys);
	tcase_add_test(tc, rows_may_have_columns_of_their_owner);
	tcase_add_test(tc, members_that_depend_on_the_case_are_rows_of_name_and_value);
	suite_add_tcase(suite, tc);
	return suite;
}
