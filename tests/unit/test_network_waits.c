/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three taps on one way: waits are parted between the tap that is told and the last one.
 */
#include "analyzer/taps/network.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { CLIENT = 1, SERVER = 2, TIMES = 20, PORT = 0xc000, WAY = 50000, TAPS = 3 };

struct seen {
	struct rda_result *result;
	struct rda_passages passages;
	struct rda_tap facts;
	bool connections[4], hosts[4];
};

/* Tap `index` of the way from the client to the server; requests take WAY from one to the next. */
static void see(struct seen *seen, unsigned index, uint8_t depth)
{
	struct rda_feed feed;

	*seen = (struct seen){.result = NULL};
	rda_passages_init(&seen->passages);
	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < TIMES; i++) {
		int64_t t = feed.meta.time_ns + 1;
		struct rda_passage request = {.hash = 100 + i,
					      .pair = 1,
					      .forward = true,
					      .answered = true,
					      .sequence = i,
					      .time_ns = t + index * WAY};
		struct rda_passage answer = {.hash = 200 + i,
					     .pair = 1,
					     .flow = 1,
					     .sequence = i,
					     .time_ns = t + (6 - index) * WAY};
		struct rda_passage_wait wait = {request.time_ns, answer.time_ns, 0,
						RDA_TIME_WAITING, depth};

		rda_feed_send(&feed, CLIENT, SERVER, 0x11, PORT, i);
		rda_feed_acknowledge(&feed, SERVER, CLIENT, 0x22, PORT, i);
		feed.meta.time_ns += 1000000;
		rda_passages_add(&seen->passages, &request);
		rda_passages_add(&seen->passages, &answer);
		rda_passages_add_wait(&seen->passages, &wait);
	}
	rda_engine_end(feed.engine);
	seen->result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
}

/* `depth`: of waits; 0: no limit may explain them. */
static struct rda_network_found find(uint8_t depth)
{
	/* in another order than on the way */
	const unsigned index[TAPS] = {1, 0, 2};
	struct rda_network_found found = rda_network_found_new();
	struct rda_network_tap taps[TAPS];
	struct seen seen[TAPS];

	for (unsigned i = 0; i < TAPS; i++) {
		see(&seen[i], index[i], depth);
		taps[i] = (struct rda_network_tap){seen[i].result,	&seen[i].passages,
						   &seen[i].facts,	i,
						   seen[i].connections, seen[i].hosts};
	}
	rda_network_find(taps, TAPS, &found);
	for (unsigned i = 0; i < TAPS; i++) {
		rda_result_free(seen[i].result);
		rda_passages_cleanup(&seen[i].passages);
	}
	for (guint i = 0; i < found.hops->len; i++)
		rda_latency_cleanup(
			&g_array_index(found.hops, struct rda_network_hop, i).hop.delay);
	return found;
}

START_TEST(from_the_first_to_the_last)
{
	struct rda_network_found found = find(0);
	const struct rda_taps_waits *waits;

	ck_assert_uint_eq(found.waits->len, 1);
	waits = &g_array_index(found.waits, struct rda_network_waits, 0).waits;
	ck_assert_uint_eq(waits->from, 1);
	ck_assert_uint_eq(waits->to, 2);
	ck_assert_int_eq(waits->network_ns + waits->responder_ns + waits->unknown_ns,
			 TIMES * 6 * WAY);
	ck_assert_int_le(waits->network_ns, TIMES * 4 * WAY);
	ck_assert_int_le(waits->responder_ns, TIMES * 2 * WAY);
	ck_assert_int_le(waits->unknown_ns, TIMES * WAY / 10);
	ck_assert_uint_eq(found.parts->len, TIMES);
	rda_network_found_cleanup(&found);
}
END_TEST

/* The client is held by its limit of one: that stays the cause of its time. */
START_TEST(waits_of_a_limit)
{
	struct rda_network_found found = find(1);
	const struct rda_taps_waits *waits =
		&g_array_index(found.waits, struct rda_network_waits, 0).waits;

	ck_assert_int_gt(waits->network_ns, 0);
	ck_assert_uint_eq(found.parts->len, 0);
	rda_network_found_cleanup(&found);
}
END_TEST

Suite *rda_suite_network_waits(void)
{
	Suite *suite = suite_create("network_waits");
	TCase *tcase = tcase_create("network_waits");

	tcase_add_test(tcase, from_the_first_to_the_last);
	tcase_add_test(tcase, waits_of_a_limit);
	suite_add_tcase(suite, tcase);
	return suite;
}
