/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of packets made by hand in the series that the page's script reads: points, sums of
 * slots, what is thinned and what never is.
 */
#include "analyzer/report/page/timeline.h"

#include "analyzer/base/psn.h"
#include "analyzer/engine/fpdus.h"
#include "tests/unit/sight.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

enum { NAK_SEQUENCE = 0x60, FIRST_PSN = 5000 };

/* Connection 0 sends FIRST_PSN and, 4000 us later, the next; connection 1 is another. */
static struct rda_feed feed;
static struct rda_report report;
static struct rda_timelines *timelines;
static struct rda_made_sight made;
static int64_t begin_ns;
static json_object *told;

static void setup(void)
{
	static const bool connections[] = {true, false};

	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, FIRST_PSN);
	begin_ns = feed.meta.time_ns;
	rda_feed_send(&feed, 1, 3, 0x13, 0xc000, 77);
	feed.meta.time_ns = begin_ns + 3999999 - RDA_FEED_STEP_NS;
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, FIRST_PSN + 1);
	rda_engine_finish(feed.engine);
	report = (struct rda_report){.result = rda_engine_finished(feed.engine)};
	timelines = rda_timelines_new(&report, connections);
}

static void teardown(void)
{
	json_object_put(told);
	told = NULL;
	rda_timelines_free(timelines);
	rda_feed_end(&feed);
}

static struct rda_sight *see(uint64_t number, int64_t since_us, unsigned flow, uint8_t opcode)
{
	rda_sight_make(&made, number, begin_ns + since_us * 1000, flow, opcode);
	made.sight.trace.standing = flow ? RDA_STANDING_NONE : RDA_STANDING_NEW;
	return &made.sight;
}

static void add(void)
{
	rda_timelines_sight(timelines, &made.sight);
}

/* A request with its relative PSN. */
static void add_request(uint64_t number, int64_t since_us, int64_t psn, enum rda_standing standing)
{
	see(number, since_us, 0, RC_SEND_ONLY)->trace.relative_known = true;
	made.sight.trace.relative_psn = psn;
	made.sight.trace.standing = (uint8_t)standing;
	add();
}

/* "connections.0.flows.0.points.y" of what is told */
static json_object *member(const char *path)
{
	char **names = g_strsplit(path, ".", -1);
	json_object *at;

	if (!told) {
		GString *json = g_string_new(NULL);
		struct rda_record record;

		rda_record_init(&record, json);
		rda_timelines_describe(timelines, &record);
		rda_record_end(&record);
		told = json_tokener_parse(json->str);
		g_string_free(json, TRUE);
	}
	at = told;
	for (char **name = names; *name; name++)
		at = json_object_is_type(at, json_type_array)
			     ? json_object_array_get_idx(at, strtoul(*name, NULL, 10))
			     : json_object_object_get(at, *name);
	g_strfreev(names);
	return at;
}

static void expect(const char *path, const char *want)
{
	ck_assert_msg(g_strcmp0(json_object_get_string(member(path)), want) == 0, "%s is %s", path,
		      json_object_get_string(member(path)));
}

#define POINTS "connections.0.flows.0.points."
#define SUMS   "connections.0.flows.0.sums."

/* The number of a slot in a series of sums. */
static int64_t sum_at(const char *path, unsigned slot)
{
	char **words = g_strsplit(json_object_get_string(member(path)), ",", -1);
	int64_t number = slot < g_strv_length(words) ? strtoll(words[slot], NULL, 10) : 0;

	g_strfreev(words);
	return number;
}

/* "request,nak": the names of the marks of flow 0 */
static void expect_marks(const char *want)
{
	char **marks = g_strsplit(json_object_get_string(member(POINTS "mark")), ",", -1);
	GString *got = g_string_new(NULL);

	for (unsigned i = 0; i < json_object_get_uint64(member(POINTS "count")); i++) {
		bool told_here = i < g_strv_length(marks) && *marks[i]; /* nothing for 0 */
		char *path = g_strdup_printf("marks.%s.name", told_here ? marks[i] : "0");

		g_string_append_printf(got, "%s%s", i ? "," : "",
				       json_object_get_string(member(path)));
		g_free(path);
	}
	ck_assert_str_eq(got->str, want);
	g_string_free(got, TRUE);
	g_strfreev(marks);
}

START_TEST(points_are_differences_with_what_they_are_about)
{
	add_request(10, 0, 0, RDA_STANDING_NEW);
	add_request(11, 1, 1, RDA_STANDING_NEW);
	see(14, 3, 0, RC_SEND_ONLY)->trace.relative_known = true;
	made.sight.trace.relative_psn = 1;
	made.sight.trace.standing = RDA_STANDING_RESENT;
	made.sight.trace.trigger = RDA_TRIGGER_NAK;
	made.sight.trace.retransmission_of = 11;
	made.packet.payload_known = true;
	made.packet.payload_length = 8;
	add();
	expect("begin_ns", "1700000000000001000"); /* text: a script has 53 bits */
	expect(POINTS "time", ",1000,2000");
	expect(POINTS "y", ",1,");
	expect(POINTS "frame", "10,1,3");
	expect(POINTS "file", "");
	expect(POINTS "about", ",,3");
	expect(POINTS "size", ",,8");
	expect(POINTS "trigger", ",,1");
	expect(POINTS "name", "");
	expect("names.0", "RC SEND Only");
	expect("triggers.0", "after_nak");
	expect_marks("new,new,resent");
	expect("connections.0.points", "3");
	expect("connections.1", NULL); /* it is not told */
}
END_TEST

/* What answers stands at the PSNs of who asked; a CNP, which has none, at the latest. */
START_TEST(answers_stand_with_who_asked)
{
	add_request(10, 0, 0, RDA_STANDING_NEW);
	add_request(11, 1, 7, RDA_STANDING_NEW);
	see(12, 2, 1, RC_ACKNOWLEDGE)->trace.relative_known = true;
	made.sight.trace.relative_psn = 3;
	made.sight.trace.answers = 10;
	made.packet.aeth.syndrome = NAK_SEQUENCE;
	add();
	see(13, 3, 1, ROCE_CNP)->trace.relative_known = true; /* whatever is said of it */
	made.sight.trace.relative_psn = 99;
	add();
	expect_marks("new,new,cnp,nak"); /* the latest of each mark comes last */
	expect(POINTS "y", ",7,-4,");
	expect(POINTS "about", ",,,2");
	expect("connections.0.flows.1.points.count", "0");
	/* its bytes are those of who sent it */
	ck_assert_int_eq(sum_at("connections.0.flows.1.sums.bytes", 0), 200);
	ck_assert_int_eq(sum_at(SUMS "bytes", 0), 200);
}
END_TEST

START_TEST(a_packet_marked_ce_has_two_marks)
{
	see(10, 0, 0, RC_SEND_ONLY);
	made.packet.ecn = RDA_ECN_CE;
	add();
	expect_marks("new,ce");
}
END_TEST

/* A loss stands at its PSN, counted from the first, and has a size. */
START_TEST(losses_stand_where_they_were)
{
	struct rda_event events[] = {
		{.kind = RDA_EVENT_LOST_BEFORE,
		 .psn = rda_psn_first(FIRST_PSN) + 40,
		 .count = 3,
		 .other_frame = 2},
		{.kind = RDA_EVENT_REQUEST_DONE},
		{.kind = RDA_EVENT_LOST_AFTER, .psn = rda_psn_first(FIRST_PSN) + 50},
	};

	see(10, 5, 0, RC_SEND_ONLY)->events = events;
	made.sight.event_count = RDA_COUNT(events);
	add();
	expect_marks("new,lost_before_tap,lost_after_tap");
	expect(POINTS "y", ",40,10");
	expect(POINTS "size", ",3,1");
	expect(POINTS "about", ",8,");
}
END_TEST

static void send_payload(uint64_t number, uint64_t again, enum rda_standing standing)
{
	see(number, 0, 0, RC_SEND_ONLY)->trace.retransmission_of = again;
	made.sight.trace.standing = (uint8_t)standing;
	made.packet.payload_known = true;
	made.packet.payload_length = 60;
	add();
}

START_TEST(payload_counts_once)
{
	send_payload(10, 0, RDA_STANDING_NEW);
	send_payload(11, 10, RDA_STANDING_RESENT);
	send_payload(12, 0, RDA_STANDING_MIRRORED);
	send_payload(13, 0, RDA_STANDING_REORDERED); /* late, for the first time */
	ck_assert_int_eq(sum_at(SUMS "bytes", 0), 400);
	ck_assert_int_eq(sum_at(SUMS "good_bytes", 0), 120);
	ck_assert_int_eq(sum_at("all.bytes", 0), 400);
}
END_TEST

static void fly(int64_t since_us, uint32_t psns, uint64_t bytes, uint32_t reads)
{
	see(10, since_us, 0, RC_SEND_ONLY)->trace.flight_known = true;
	made.sight.trace.psns_in_flight = psns;
	made.sight.trace.bytes_in_flight = bytes;
	made.sight.trace.reads_known = reads;
	made.sight.trace.reads_outstanding = reads;
	add();
}

/* 400 slots of 10 us */
START_TEST(a_slot_has_the_least_the_most_and_the_last)
{
	fly(20, 5, 500, 2);
	fly(21, 9, 900, 1);
	fly(22, 2, 200, 0);
	fly(23, 4, 400, 0);
	fly(3995, 1, 10, 0);
	expect("connections.0.slots", "400");
	expect("connections.0.slot_ns", "10000");
	ck_assert_int_eq(sum_at(SUMS "flight_known", 1), 0);
	ck_assert_int_eq(sum_at(SUMS "flight_known", 2), 1);
	ck_assert_int_eq(sum_at(SUMS "psns_most", 2), 9);
	ck_assert_int_eq(sum_at(SUMS "psns_least", 2), 2);
	ck_assert_int_eq(sum_at(SUMS "psns_last", 2), 4);
	ck_assert_int_eq(sum_at(SUMS "bytes_most", 2), 900);
	ck_assert_int_eq(sum_at(SUMS "reads_most", 2), 2);
	ck_assert_int_eq(sum_at(SUMS "psns_most", 399), 1);
}
END_TEST

START_TEST(times_out_of_the_span_count_in_its_ends)
{
	see(10, -7000000, 0, RC_SEND_ONLY);
	add();
	see(11, 7000000, 0, RC_SEND_ONLY);
	add();
	ck_assert_int_eq(sum_at(SUMS "bytes", 0), 100);
	ck_assert_int_eq(sum_at(SUMS "bytes", 399), 100);
	ck_assert_int_eq(sum_at("all.bytes", 0), 100);
	ck_assert_int_eq(sum_at("all.bytes", RDA_TIMELINE_SLOTS_MOST), 100);
}
END_TEST

START_TEST(pauses_and_what_belongs_to_no_connection_count_for_all)
{
	see(10, 0, 0, RC_SEND_ONLY);
	made.packet.carrier = RDA_CARRIER_NONE; /* what a finding is about, and no pause */
	made.packet.layer_count = 0;
	add();
	made.packet.layers[0].header = RDA_PAUSE;
	made.packet.layer_count = 1;
	add();
	see(11, 0, 0, RC_SEND_ONLY)->verdict = (struct rda_verdict){.connection = -1, .flow = -1};
	add();
	see(12, 0, 0, RC_SEND_ONLY)->verdict.connection = 1;
	add();
	ck_assert_int_eq(sum_at("all.pauses", 0), 1);
	ck_assert_int_eq(sum_at("all.bytes", 0), 200);
	expect("connections.0.points", "0");
}
END_TEST

START_TEST(messages_that_end_have_a_latency)
{
	struct rda_event done[] = {
		{.kind = RDA_EVENT_MESSAGE_DONE, .message = 1, .wait_ns = 1500, .other_frame = 4},
		{.kind = RDA_EVENT_MESSAGE_DONE, .message = 0, .wait_ns = -1},
	};

	see(10, 5, 1, RC_ACKNOWLEDGE)->events = done;
	made.sight.event_count = RDA_COUNT(done);
	add();
	expect("connections.0.flows.0.latencies.count", "1");
	expect("connections.0.flows.0.latencies.y", "1500");
	expect("connections.0.flows.0.latencies.mark", "1");
	expect("connections.0.flows.0.latencies.about", "6");
	expect("connections.0.flows.1.latencies.count", "0");
}
END_TEST

/* A bar has its own beginning and not that of the next one. */
START_TEST(bars_of_latencies_begin_where_they_say)
{
	static const struct {
		int64_t latency_ns;
		const char *from;
	} cases[] = {{1279, "1024"}, {1280, "1280"}, {1535, "1280"}};
	static const bool told_second[] = {false, true}; /* the first is connection management's */

	teardown();
	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 1);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 0);
	feed.meta.time_ns += cases[_i].latency_ns - RDA_FEED_STEP_NS;
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 0);
	rda_engine_finish(feed.engine);
	report.result = rda_engine_finished(feed.engine);
	timelines = rda_timelines_new(&report, told_second);
	expect("connections.0.flows.0.message_latency_ns.from_ns", cases[_i].from);
	expect("connections.0.flows.0.message_latency_ns.count", "1");
}
END_TEST

/* iWARP has no PSNs: a mark stands at the bytes sent so far. */
START_TEST(fpdus_stand_at_the_bytes_sent)
{
	struct rda_fpdu_told fpdu = {.done = true, .done_kind = 1, .latency_ns = 700};

	for (unsigned i = 0; i < 2; i++) {
		see(10 + i, i, 0, RC_SEND_ONLY)->fpdu = &fpdu;
		fpdu.fpdu.ulpdu.payload_length = 30;
		add();
	}
	expect(POINTS "y", "30,30");
	expect(POINTS "size", "30,30");
	ck_assert_int_eq(sum_at(SUMS "bytes", 0), 60);
	ck_assert_int_eq(sum_at(SUMS "good_bytes", 0), 60);
	ck_assert_int_eq(sum_at("all.bytes", 0), 60);
	expect("connections.0.flows.1.latencies.count", "2"); /* of who asked */
}
END_TEST

/* ---- thinning -------------------------------------------------------------------------------- */

/* A connection of half a million packets as its facts have it: its marks are thinned. */
static void set_up_many(void)
{
	const bool connections[] = {true, false};
	const struct rda_connection_facts *connection = rda_result_connection(report.result, 0);
	struct rda_flow_facts *facts =
		(struct rda_flow_facts *)rda_result_flow(report.result, connection, 0);

	facts->packets = 500000;
	rda_timelines_free(timelines);
	timelines = rda_timelines_new(&report, connections);
}

START_TEST(what_goes_on_all_the_time_is_thinned_and_what_is_rare_is_not)
{
	set_up_many();
	for (unsigned i = 0; i < 4000; i++) {
		add_request(i + 1, 0, i, RDA_STANDING_NEW);
		add_request(i + 1, 0, i, RDA_STANDING_RESENT);
	}
	expect("connections.0.points", "8000");
	/* of the slot the first and the last, which are the lowest and the highest */
	expect(POINTS "count", "4002");
}
END_TEST

START_TEST(rare_ones_are_thinned_when_they_are_too_many)
{
	for (unsigned i = 0; i < RDA_TIMELINE_RARE_POINTS + 1000; i++)
		add_request(i + 1, 0, i, RDA_STANDING_RESENT);
	ck_assert_int_le(json_object_get_int64(member(POINTS "count")),
			 RDA_TIMELINE_RARE_POINTS + 4);
	ck_assert_int_ge(json_object_get_int64(member(POINTS "count")), RDA_TIMELINE_RARE_POINTS);
}
END_TEST

Suite *rda_suite_timeline(void)
{
	Suite *suite = suite_create("timeline");
	TCase *tc = tcase_create("timeline");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, points_are_differences_with_what_they_are_about);
	tcase_add_test(tc, answers_stand_with_who_asked);
	tcase_add_test(tc, a_packet_marked_ce_has_two_marks);
	tcase_add_test(tc, losses_stand_where_they_were);
	tcase_add_test(tc, payload_counts_once);
	tcase_add_test(tc, a_slot_has_the_least_the_most_and_the_last);
	tcase_add_test(tc, times_out_of_the_span_count_in_its_ends);
	tcase_add_test(tc, pauses_and_what_belongs_to_no_connection_count_for_all);
	tcase_add_test(tc, messages_that_end_have_a_latency);
	tcase_add_loop_test(tc, bars_of_latencies_begin_where_they_say, 0, 3);
	tcase_add_test(tc, fpdus_stand_at_the_bytes_sent);
	tcase_add_test(tc, what_goes_on_all_the_time_is_thinned_and_what_is_rare_is_not);
	tcase_add_test(tc, rare_ones_are_thinned_when_they_are_too_many);
	suite_add_tcase(suite, tc);
	return suite;
}
