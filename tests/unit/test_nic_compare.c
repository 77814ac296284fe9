/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters held against a capture of two packets: what is the same, what a reason explains and as
 * far as it does, what differs, and the findings of it.
 */
#include "analyzer/report/nic_compare.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { A = 1, B = 2, PORT = 0xc000 };

static struct rda_result *result;
static struct rda_nic_compared *compared;

static void setup(void)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_engine_begin_capture(feed.engine);
	rda_feed_send(&feed, A, B, 0x10, PORT, 5);
	rda_feed_send(&feed, A, B, 0x10, PORT, 6);
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
}

static void teardown(void)
{
	rda_nic_compared_free(compared);
	rda_result_free(result);
	compared = NULL;
}

/* The host that sends, unless it is the other one. */
static void hold(const char *text, bool receiver, bool filtered)
{
	const struct rda_flow_key *key =
		&rda_result_flow(result, rda_result_connection(result, 0), 0)->key;
	struct rda_nic_counters counters;

	rda_nic_counters_init(&counters);
	rda_nic_counters_read(&counters, text, strlen(text));
	compared = rda_nic_compare("host", receiver ? &key->destination : &key->source, 1,
				   &counters, NULL, result, filtered);
	rda_nic_compared_judge(compared, result);
}

/* "NAME VERDICT UNEXPLAINED [REASON COUNT ...]; ..." */
static char *rows_text(void)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < compared->rows->len; i++) {
		const struct rda_nic_row *row =
			&g_array_index(compared->rows, struct rda_nic_row, i);

		g_string_append_printf(text, "%s%s %s %" PRIu64, i ? "; " : "", row->name,
				       rda_nic_verdict_name(row->verdict), row->unexplained);
		for (unsigned k = 0; k < row->why_count; k++)
			g_string_append_printf(text, " %s %" PRIu64,
					       rda_nic_reason_name(row->whys[k].reason),
					       row->whys[k].count);
	}
	return g_string_free(text, FALSE);
}

static const struct {
	const char *text;
	bool receiver, filtered;
	const char *rows, *codes;
} rows[] = {
	{"sent_pkts 7\nsent_pkts 9\n", false, false, "sent_pkts same 0", ""},
	{"# delta\nsent_pkts 5\n", false, false, "sent_pkts explained 0 not_whole_time 3", ""},
	{"# delta\nrcvd_pkts 1\n", true, false, "rcvd_pkts differs 1", "N02"},
	{"# delta\nrcvd_pkts 2\nout_of_buffer 3\n", true, false,
	 "rcvd_pkts same 0; out_of_buffer drops 0", "N01"},
	{"# delta\nnp_cnp_sent 0\nduplicate_request 4\n", true, false,
	 "np_cnp_sent same 0; duplicate_request not_in_capture 0", ""},
	{"sent_pkts 7\n", false, false, "sent_pkts read_once 0", ""},
	{"sent_pkts 7\nsent_pkts 6\n", false, false, "sent_pkts went_back 0", ""},
	{"# delta\nrp_cnp_handled 0\nrp_cnp_ignored 0\n", false, false, "rp_cnp_handled same 0",
	 ""},
	{"# delta\nrp_cnp_handled 0\nrp_cnp_ignored 1\n", false, true,
	 "rp_cnp_handled explained 0 not_whole_time 1", ""},
	{"# delta\nvport_np_cnp_sent 0\n", false, false, "np_cnp_sent same 0", ""},
	{"# delta\nstrange 0\nrdma_sends 4\n", false, false, "", ""},
};

START_TEST(each)
{
	GString *codes = g_string_new(NULL);
	char *text;

	hold(rows[_i].text, rows[_i].receiver, rows[_i].filtered);
	text = rows_text();
	/* the capture has not the beginning of its connection: that explains what is more */
	ck_assert_str_eq(text, rows[_i].rows);
	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);
		const char *code = rda_finding_check(finding)->code;
		char *sentence = rda_finding_text(finding);

		if (code[0] == 'N')
			g_string_append(codes, code);
		if (code[0] == 'N')
			ck_assert_ptr_null(strpbrk(sentence, "{}[]"));
		g_free(sentence);
	}
	ck_assert_str_eq(codes->str, rows[_i].codes);
	g_string_free(codes, TRUE);
	g_free(text);
}
END_TEST

/* Those that nothing is like are named, each once. */
START_TEST(not_compared)
{
	hold("strange 0\nlink rxe0/1 rdma_sends 4 ack_deferred 0\n", false, false);
	ck_assert_uint_eq(compared->rows->len, 0);
	ck_assert_uint_eq(compared->not_compared->len, 3);
	ck_assert_str_eq(g_ptr_array_index(compared->not_compared, 0), "strange");
}
END_TEST

START_TEST(devices)
{
	char **names;

	hold("link rxe0/1 a 4\nlink rxe1/1 a 4\nb 1\n", false, false);
	names = rda_nic_compare_devices(&compared->counters);
	ck_assert_str_eq(names[0], "rxe0");
	ck_assert_str_eq(names[1], "rxe1");
	ck_assert_ptr_null(names[2]);
	g_strfreev(names);
}
END_TEST

Suite *rda_suite_nic_compare(void)
{
	Suite *suite = suite_create("nic_compare");
	TCase *tcase = tcase_create("nic_compare");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, each, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, not_compared);
	tcase_add_test(tcase, devices);
	suite_add_tcase(suite, tcase);
	return suite;
}
