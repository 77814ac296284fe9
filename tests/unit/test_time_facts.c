/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of a direction as a value, and the depth that waits show; sums, and the greatest cause.
 */
#include "analyzer/facts/time_facts.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, A_QP = 0x11, B_QP = 0x22, PORT = 0xc000, MS = 1000000 };

/* So many times: `depth` requests, then the answer to all of them 1 ms later. */
static void ask(struct rda_feed *feed, uint32_t *psn, unsigned times, unsigned depth)
{
	for (unsigned i = 0; i < times; i++) {
		for (unsigned k = 0; k < depth; k++)
			rda_feed_send(feed, A, B, B_QP, PORT, (*psn)++);
		feed->meta.time_ns += MS - RDA_FEED_STEP_NS;
		rda_feed_acknowledge(feed, B, A, A_QP, PORT, *psn - 1);
	}
}

/* Of A's requests: the only ones of their host, and of the capture. */
static struct rda_flow_time time_of(struct rda_feed *feed)
{
	const struct rda_result *result;
	struct rda_flow_time time = {0};

	rda_engine_finish(feed->engine);
	result = rda_engine_finished(feed->engine);
	for (unsigned i = 0; i < rda_result_connection_count(result); i++) {
		const struct rda_connection_facts *connection = rda_result_connection(result, i);
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, 0);

		if (flow && flow->key.dest_qp == B_QP) {
			time = *flow->time;
			ck_assert_int_eq(rda_result_host_time(result, 0)->total_ns, time.total_ns);
			ck_assert_int_eq(rda_result_capture_time(result, 0)->ns[RDA_TIME_LIMITED],
					 time.ns[RDA_TIME_LIMITED]);
		}
	}
	return time;
}

static const struct {
	const char *name;
	unsigned times[3], depths[3];
	uint32_t depth;
	int64_t limited_ms; /* about */
} rows[] = {
	{"one at a time", {10}, {1}, 1, 10},
	{"too few to show a limit", {7}, {1}, 0, 0},
	{"four at a time", {20}, {4}, 4, 20},
	{"most of them with three or four", {20, 20, 4}, {3, 4, 1}, 4, 40},
	{"at any depth", {10, 10, 10}, {1, 4, 16}, 0, 0},
};

START_TEST(depth)
{
	struct rda_flow_time time;
	struct rda_feed feed;
	uint32_t psn = 0;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, A, B, A_QP, B_QP, 1);
	for (unsigned i = 0; i < 3; i++)
		ask(&feed, &psn, rows[_i].times[i], rows[_i].depths[i]);
	time = time_of(&feed);
	ck_assert(time.known);
	ck_assert_uint_eq(time.depth, rows[_i].depth);
	ck_assert_int_eq((time.limited_ns + MS / 2) / MS, rows[_i].limited_ms);
	ck_assert_int_eq(time.ns[RDA_TIME_LIMITED], time.limited_ns);
	if (time.depth)
		ck_assert_uint_eq(time.kind, RDA_MESSAGE_SEND);
	rda_feed_end(&feed);
}
END_TEST

/* Without answers nothing is known. */
START_TEST(one_direction)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, A, B, B_QP, PORT, 5);
	rda_feed_send(&feed, A, B, B_QP, PORT, 6);
	rda_engine_finish(feed.engine);
	ck_assert(!rda_result_host_time(rda_engine_finished(feed.engine), 0)->known);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(sums)
{
	struct rda_flow_time total = {0}, unknown = {.total_ns = 9},
			     time = {.known = true, .directions = 1, .total_ns = 7};

	ck_assert_uint_eq(rda_time_facts_most(&total), RDA_TIME_CAUSE_COUNT);
	time.ns[RDA_TIME_IDLE] = 3;
	time.ns[RDA_TIME_WAITING] = 4;
	rda_time_facts_add(&total, &unknown);
	ck_assert(!total.known);
	rda_time_facts_add(&total, &time);
	rda_time_facts_add(&total, &time);
	ck_assert(total.known);
	ck_assert_uint_eq(total.directions, 2);
	ck_assert_int_eq(total.total_ns, 14);
	ck_assert_int_eq(total.ns[RDA_TIME_WAITING], 8);
	ck_assert_uint_eq(rda_time_facts_most(&total), RDA_TIME_WAITING);
}
END_TEST

Suite *rda_suite_time_facts(void)
{
	Suite *suite = suite_create("time_facts");
	TCase *tcase = tcase_create("time_facts");

	tcase_add_loop_test(tcase, depth, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, one_direction);
	tcase_add_test(tcase, sums);
	suite_add_tcase(suite, tcase);
	return suite;
}
