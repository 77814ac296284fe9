/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parted waits in the sums of time, and in what is said of them.
 */
#include "analyzer/taps/waited.h"

#include "analyzer/engine/later.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { CLIENT = 1, SERVER = 2, PORT = 0xc000 };

static int64_t sum_of(const struct rda_flow_time *time)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		sum += time->ns[i];
	return sum;
}

/* Few requests, each answered a millisecond later: no limit shows. */
static struct rda_result *result_of(void)
{
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < 5; i++) {
		rda_feed_send(&feed, CLIENT, SERVER, 0x11, PORT, i);
		feed.meta.time_ns += 1000000;
		rda_feed_acknowledge(&feed, SERVER, CLIENT, 0x22, PORT, i);
	}
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	return result;
}

START_TEST(sums_and_words)
{
	struct rda_result *result = result_of();
	const struct rda_connection_facts *connection = rda_result_connection(result, 0);
	const struct rda_flow_facts *flow = rda_result_flow(result, connection, 0);
	uint8_t side = flow->request_packets ? 0 : 1;
	struct rda_tap tap[2] = {{.name = (char[]){"left"}}, {.name = (char[]){"right"}}};
	struct rda_taps_waits waits = {0, side, 0, 1, 3000000, 1000000, 1000000};
	struct rda_taps_part parts[] = {{0, side, 0, 300, 100}, {0, side, 1, 20, 10}};
	const struct rda_taps taps = {.taps = tap,
				      .count = 2,
				      .waits = &waits,
				      .parts = parts,
				      .wait_count = 1,
				      .part_count = 2};
	const struct rda_flow_time *time, *host;
	int64_t waiting;
	bool said = false;

	flow = rda_result_flow(result, connection, side);
	waiting = flow->time->ns[RDA_TIME_WAITING];
	ck_assert_int_gt(waiting, 1000000);
	rda_taps_waited(&taps, result);
	rda_result_found_later(result);
	time = flow->time;
	ck_assert_int_eq(time->ns[RDA_TIME_WAITING], waiting - 430);
	ck_assert_int_eq(time->ns[RDA_TIME_NETWORK], 320);
	ck_assert_int_eq(time->ns[RDA_TIME_RESPONDER], 110);
	ck_assert_int_eq(sum_of(time), time->total_ns);
	host = rda_result_host_time(result, 0);
	ck_assert_int_eq(host->ns[RDA_TIME_NETWORK] +
				 rda_result_host_time(result, 1)->ns[RDA_TIME_NETWORK],
			 320);
	ck_assert_int_eq(rda_result_capture_time(result, 0)->ns[RDA_TIME_RESPONDER], 110);
	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);
		char *text = rda_finding_text(finding);

		if (strcmp(rda_finding_check(finding)->code, "T13") == 0)
			said = strstr(text, "60.0 % went into the way between left and right and "
					    "back, and 20.0 % passed behind right.") != NULL;
		g_free(text);
	}
	ck_assert(said);
	rda_result_free(result);
}
END_TEST

START_TEST(found_by_time)
{
	struct rda_taps_part parts[] = {{0, 1, 7, 1, 2}, {0, 0, 9, 3, 4}, {0, 0, 5, 5, 6}};
	struct rda_taps taps = {.parts = parts, .part_count = 3};

	rda_taps_sort_waits(&taps);
	ck_assert_int_eq(rda_taps_part(&taps, 0, 0, 9)->network_ns, 3);
	ck_assert_int_eq(rda_taps_part(&taps, 0, 1, 7)->responder_ns, 2);
	ck_assert_ptr_null(rda_taps_part(&taps, 0, 1, 9));
	ck_assert_ptr_null(rda_taps_part(NULL, 0, 1, 9));
	ck_assert_ptr_null(rda_taps_waits(&taps, 0, 1));
}
END_TEST

Suite *rda_suite_waited(void)
{
	Suite *suite = suite_create("waited");
	TCase *tcase = tcase_create("waited");

	tcase_add_test(tcase, sums_and_words);
	tcase_add_test(tcase, found_by_time);
	suite_add_tcase(suite, tcase);
	return suite;
}
