/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is drawn of packets made by hand: where each point stands, which hides which, the scale.
 */
#include "analyzer/report/graph.h"

#include "tests/unit/sight.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

#include <string.h>

enum { WIDTH = 10, ROWS = 16, FRAME = 9 + 3, NAK_SEQUENCE = 0x60, RNR = 0x2a };

/* A connection whose last packet is 9999 ns behind the first: each column is 1000 ns. */
static struct rda_feed feed;
static struct rda_graph *graph;
static int64_t begin_ns;

static void setup(void)
{
	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 0);
	begin_ns = feed.meta.time_ns;
	feed.meta.time_ns += 9999 - RDA_FEED_STEP_NS;
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 1);
	rda_engine_finish(feed.engine);
}

static void teardown(void)
{
	rda_graph_free(graph);
	rda_feed_end(&feed);
}

static void begin(enum rda_graph_kind kind, bool ascii)
{
	graph = rda_graph_new(kind, rda_engine_finished(feed.engine), 0, WIDTH + FRAME, ascii);
}

/* A request in that column, with its relative PSN; or an answer of endpoint 1. */
static struct rda_made_sight made;

static struct rda_sight *request(unsigned number, unsigned column, int64_t psn)
{
	rda_sight_make(&made, number, begin_ns + column * 1000 + 500, 0, RC_SEND_ONLY);
	made.sight.trace.relative_known = true;
	made.sight.trace.relative_psn = psn;
	made.sight.trace.standing = RDA_STANDING_NEW;
	return &made.sight;
}

static struct rda_sight *answer(unsigned number, unsigned column, int64_t psn, uint8_t syndrome)
{
	request(number, column, psn);
	rda_sight_make(&made, number, made.meta.time_ns, 1, RC_ACKNOWLEDGE);
	made.sight.trace.relative_known = true;
	made.sight.trace.relative_psn = psn;
	made.packet.aeth.syndrome = syndrome;
	return &made.sight;
}

/* What is drawn of row `row` from below, of the first direction that is drawn; "" of blanks. */
static char *row(unsigned number)
{
	struct rda_output out;
	char **lines, *text;

	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
	rda_graph_print(graph, &out);
	lines = g_strsplit(out.text->str, "\n", -1);
	ck_assert_uint_gt(g_strv_length(lines), ROWS);
	text = g_strdup(strchr(lines[ROWS - number], '|') + 1);
	g_strfreev(lines);
	rda_output_cleanup(&out);
	return text;
}

static void expect_row(unsigned number, const char *want)
{
	char *got = row(number);

	ck_assert_str_eq(got, want);
	g_free(got);
}

static char *all(void)
{
	struct rda_output out;

	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
	rda_graph_print(graph, &out);
	return g_string_free(g_steal_pointer(&out.text), FALSE);
}

static void expect_text(const char *want, bool there)
{
	char *text = all();

	ck_assert_msg((strstr(text, want) != NULL) == there, "%s: %s", want, text);
	g_free(text);
}

START_TEST(points_stand_at_their_time_and_psn)
{
	begin(RDA_GRAPH_PSN, true);
	rda_graph_add(graph, request(1, 0, 100));
	rda_graph_add(graph, request(2, 4, 110));
	rda_graph_add(graph, request(3, 9, 115));
	expect_row(0, ".");
	expect_row(10, "    .");
	expect_row(15, "         .");
	expect_row(7, "");
	expect_text("      115 |", true); /* the scale: the most and the least */
	expect_text("      100 |", true);
	expect_text("192.0.2.1 to 192.0.2.2: PSNs", true);
}
END_TEST

/* Of a column stay the least and the most, and what is between them is filled. */
START_TEST(no_extreme_is_lost)
{
	begin(RDA_GRAPH_PSN, true);
	rda_graph_add(graph, request(1, 0, 0));
	rda_graph_add(graph, request(2, 5, 8));
	rda_graph_add(graph, request(3, 5, 15));
	rda_graph_add(graph, request(4, 5, 4));
	rda_graph_add(graph, request(5, 5, 9));
	expect_row(15, "     .");
	expect_row(8, "     .");
	expect_row(4, "     .");
	expect_row(3, "");
}
END_TEST

/* syndrome and standing of two packets in one place, what is seen */
static const struct {
	uint8_t syndrome, standing;
	const char *sign, *words;
} marks[] = {
	{0x1f, 0, "-", "- answered"},
	{0, RDA_STANDING_NEW, ".", ". sent"},
	{0, RDA_STANDING_REORDERED, "o", "o reordered"},
	{0, RDA_STANDING_RESENT, "#", "# resent"},
	{RNR, 0, "R", "R RNR NAK"},
	{NAK_SEQUENCE, 0, "X", "X NAK"},
};

static void add_mark(unsigned i)
{
	struct rda_sight *sight =
		marks[i].syndrome ? answer(1, 3, 7, marks[i].syndrome) : request(1, 3, 7);

	if (!marks[i].syndrome)
		sight->trace.standing = marks[i].standing;
	rda_graph_add(graph, sight);
}

/* In the order of the table the later one hides the earlier, whichever comes first. */
START_TEST(what_is_rarer_hides_what_is_not)
{
	for (unsigned other = 0; other < RDA_COUNT(marks); other++) {
		begin(RDA_GRAPH_PSN, true);
		add_mark((unsigned)_i);
		add_mark(other);
		expect_row(0, other > (unsigned)_i
				      ? (char[]){' ', ' ', ' ', marks[other].sign[0], 0}
				      : (char[]){' ', ' ', ' ', marks[_i].sign[0], 0});
		for (unsigned i = 0; i < RDA_COUNT(marks); i++)
			expect_text(marks[i].words, i == other || i == (unsigned)_i);
		rda_graph_free(graph);
	}
	begin(RDA_GRAPH_PSN, true);
}
END_TEST

START_TEST(answers_stand_with_who_asked)
{
	begin(RDA_GRAPH_PSN, true);
	rda_graph_add(graph, answer(1, 2, 5, 0x1f));
	expect_text("192.0.2.1 to 192.0.2.2", true);
	expect_text("192.0.2.2 to 192.0.2.1", false);
}
END_TEST

START_TEST(other_packets_are_left_out)
{
	begin(RDA_GRAPH_PSN, true);
	request(1, 3, 7)->verdict.connection = 1;
	rda_graph_add(graph, &made.sight);
	request(1, 3, 7)->verdict.flow = -1;
	rda_graph_add(graph, &made.sight);
	request(1, 3, 7)->trace.relative_known = false;
	rda_graph_add(graph, &made.sight);
	expect_text("Connection 0: no requests with PSNs (iWARP has none)\n", true);
}
END_TEST

/* A clock may go backwards: what is before the first is at the left, behind the last at the right.
 */
START_TEST(times_out_of_the_span_stand_at_its_ends)
{
	begin(RDA_GRAPH_PSN, true);
	request(1, 0, 0);
	made.meta.time_ns = INT64_MIN / 2;
	rda_graph_add(graph, &made.sight);
	request(2, 0, 15);
	made.meta.time_ns = INT64_MAX / 2;
	rda_graph_add(graph, &made.sight);
	request(3, 0, 15);
	made.meta.time_ns = begin_ns + 9999; /* the last moment itself */
	rda_graph_add(graph, &made.sight);
	expect_row(0, ".");
	expect_row(15, "         .");
}
END_TEST

static void send_payload(unsigned column, uint32_t bytes, bool again)
{
	request(1, column, 0);
	made.packet.payload_known = true;
	made.packet.payload_length = bytes;
	made.sight.trace.retransmission_of = again;
	rda_graph_add(graph, &made.sight);
}

/* 125 bytes in a column of 999.9 ns are 1 Gbit/s. Full blocks where a bar has half a row at least.
 */
START_TEST(goodput_is_payload_by_time_each_packet_once)
{
	begin(RDA_GRAPH_GOODPUT, true);
	send_payload(1, 1000, false);
	send_payload(4, 250, false);
	send_payload(4, 250, false);
	send_payload(6, 62, false);
	send_payload(8, 1000, true); /* sent again */
	expect_text("    8.00G |", true);
	expect_text("        0 |", true);
	expect_row(15, " #");
	expect_row(8, " #");
	expect_row(7, " #  #");
	expect_row(0, " #  # #");
}
END_TEST

/* The most of a column; the scale begins at 0. */
START_TEST(outstanding_is_the_most_of_a_column)
{
	begin(RDA_GRAPH_OUTSTANDING, true);
	for (unsigned i = 0; i < 3; i++) {
		static const uint32_t flights[] = {8, 16, 8};

		request(i, 2, 0)->trace.flight_known = true;
		made.sight.trace.psns_in_flight = flights[i];
		rda_graph_add(graph, &made.sight);
	}
	request(4, 5, 0)->trace.psns_in_flight = 99; /* not known */
	rda_graph_add(graph, &made.sight);
	answer(5, 7, 0, 0x1f)->trace.flight_known = true;
	made.sight.trace.psns_in_flight = 1;
	rda_graph_add(graph, &made.sight);
	expect_text("       16 |", true);
	expect_row(15, "  #");
	expect_row(0, "  #    #");
}
END_TEST

/* A packet that lets an event be known. */
static void add_event(uint8_t kind, unsigned number, unsigned column, int64_t wait_ns)
{
	struct rda_event event = {.kind = kind, .wait_ns = wait_ns};

	answer(number, column, 1, 0x1f);
	made.sight.events = &event;
	made.sight.event_count = 1;
	rda_graph_add(graph, &made.sight);
}

START_TEST(latency_is_that_of_messages)
{
	begin(RDA_GRAPH_LATENCY, true);
	rda_graph_add(graph, request(1, 0, 0));
	rda_graph_add(graph, request(2, 2, 1));
	add_event(RDA_EVENT_MESSAGE_DONE, 3, 5, 3000);
	add_event(RDA_EVENT_MESSAGE_DONE, 4, 6, 6000);
	add_event(RDA_EVENT_MESSAGE_DONE, 5, 7, -1); /* not known */
	add_event(RDA_EVENT_ACK, 6, 8, 9000);
	expect_text("  6.00 us |", true);
	expect_text("     0 ns |", true);
	expect_row(15, "      .");
	expect_row(8, "     .");
	expect_row(0, "");
}
END_TEST

/* Years pass until the last packet, more nanoseconds than a double counts one by one. */
START_TEST(the_end_of_a_long_time)
{
	const int64_t years = INT64_C(1) << 60;
	char *got;

	feed.meta.time_ns += years;
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 2);
	rda_engine_finish(feed.engine);
	begin(RDA_GRAPH_PSN, true);
	rda_graph_add(graph, request(1, 0, 100));
	request(2, 0, 100);
	made.meta.time_ns = feed.meta.time_ns;
	rda_graph_add(graph, &made.sight);
	got = row(0);
	ck_assert_uint_eq(strlen(got), WIDTH);
	ck_assert(got[0] == '.' && got[WIDTH - 1] == '.');
	g_free(got);
}
END_TEST

START_TEST(in_unicode_a_bar_has_eighths)
{
	char *text;

	begin(RDA_GRAPH_OUTSTANDING, false);
	request(1, 0, 0)->trace.flight_known = true;
	made.sight.trace.psns_in_flight = 128;
	rda_graph_add(graph, &made.sight);
	request(2, 1, 0)->trace.flight_known = true;
	made.sight.trace.psns_in_flight = 11; /* of 128: a row and three eighths */
	rda_graph_add(graph, &made.sight);
	text = all();
	ck_assert_msg(strstr(text, "\xe2\x94\x82\xe2\x96\x88\xe2\x96\x83\n") != NULL, "%s", text);
	ck_assert_msg(strstr(text, "\xe2\x94\x82\xe2\x96\x88\xe2\x96\x88\n") != NULL, "%s", text);
	g_free(text);
}
END_TEST

Suite *rda_suite_graph(void)
{
	Suite *suite = suite_create("graph");
	TCase *tc = tcase_create("graph");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, points_stand_at_their_time_and_psn);
	tcase_add_test(tc, no_extreme_is_lost);
	tcase_add_loop_test(tc, what_is_rarer_hides_what_is_not, 0, RDA_COUNT(marks));
	tcase_add_test(tc, answers_stand_with_who_asked);
	tcase_add_test(tc, other_packets_are_left_out);
	tcase_add_test(tc, times_out_of_the_span_stand_at_its_ends);
	tcase_add_test(tc, goodput_is_payload_by_time_each_packet_once);
	tcase_add_test(tc, outstanding_is_the_most_of_a_column);
	tcase_add_test(tc, latency_is_that_of_messages);
	tcase_add_test(tc, in_unicode_a_bar_has_eighths);
	tcase_add_test(tc, the_end_of_a_long_time);
	suite_add_tcase(suite, tc);
	return suite;
}
