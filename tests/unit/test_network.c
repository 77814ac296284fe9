/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three taps on one way: of each connection one view is told, and a hop leads from tap to tap.
 */
#include "analyzer/taps/network.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { CLIENT = 1, SERVER = 2, TIMES = 10, PORT = 0xc000, WAY = 5000, TAPS = 3 };

struct seen {
	struct rda_result *result;
	struct rda_passages passages;
	struct rda_tap facts;
	bool connections[4], hosts[4];
};

/* Tap `index` of the way from the client to the server; requests take WAY from one to the next. It
 * keeps no more packets than `most`. */
static void see(struct seen *seen, unsigned index, uint32_t most)
{
	struct rda_feed feed;

	*seen = (struct seen){.result = NULL};
	rda_passages_init(&seen->passages);
	seen->passages.most = most;
	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < TIMES; i++) {
		int64_t t = feed.meta.time_ns + 1;
		struct rda_passage request = {
			.hash = 100 + i, .pair = 1, .forward = true, .time_ns = t + index * WAY};
		struct rda_passage answer = {
			.hash = 200 + i, .pair = 1, .flow = 1, .time_ns = t + (6 - index) * WAY};

		rda_feed_send(&feed, CLIENT, SERVER, 0x11, PORT, i);
		rda_feed_acknowledge(&feed, SERVER, CLIENT, 0x22, PORT, i);
		feed.meta.time_ns += 1000000;
		rda_passages_add(&seen->passages, &request);
		rda_passages_add(&seen->passages, &answer);
	}
	rda_engine_end(feed.engine);
	seen->result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
}

START_TEST(three_taps)
{
	/* in another order than on the way */
	const unsigned index[TAPS] = {1, 0, 2};
	struct rda_network_tap taps[TAPS];
	struct seen seen[TAPS];
	struct rda_network_found found = rda_network_found_new();
	GArray *hops = found.hops;

	for (unsigned i = 0; i < TAPS; i++) {
		see(&seen[i], index[i], RDA_PASSAGE_PACKETS);
		ck_assert_uint_eq(rda_result_connection_count(seen[i].result), 1);
		taps[i] = (struct rda_network_tap){seen[i].result,	&seen[i].passages,
						   &seen[i].facts,	i,
						   seen[i].connections, seen[i].hosts};
	}
	rda_network_find(taps, TAPS, &found);
	ck_assert(!seen[0].connections[0]);
	ck_assert(seen[1].connections[0]); /* nearest to the client */
	ck_assert(!seen[2].connections[0]);
	ck_assert_uint_eq(hops->len, 4); /* two there, two back; none from end to end */
	for (guint i = 0; i < hops->len; i++) {
		struct rda_network_hop *of = &g_array_index(hops, struct rda_network_hop, i);

		ck_assert(of->hop.ordered);
		ck_assert_uint_eq(of->hop.packets, TIMES);
		ck_assert_uint_eq(of->hop.lost, 0);
		ck_assert(of->hop.from == 0 || of->hop.to == 0);
		rda_latency_cleanup(&of->hop.delay);
	}
	ck_assert(seen[1].facts.offset_ns.has_min);
	ck_assert_int_le(seen[1].facts.offset_ns.min, 0);
	ck_assert_int_ge(seen[1].facts.offset_ns.max, 0);
	for (unsigned i = 0; i < TAPS; i++) {
		rda_result_free(seen[i].result);
		rda_passages_cleanup(&seen[i].passages);
	}
	rda_network_found_cleanup(&found);
}
END_TEST

/* What comes behind the packets that are kept is not compared, and none of it counts as lost. */
START_TEST(more_packets_than_are_kept)
{
	enum { KEPT = 7 }; /* four requests and three answers */

	struct rda_network_tap taps[2];
	struct seen seen[2];
	struct rda_network_found found = rda_network_found_new();
	GArray *hops = found.hops;

	for (unsigned i = 0; i < 2; i++) {
		see(&seen[i], i, i ? KEPT : RDA_PASSAGE_PACKETS);
		taps[i] = (struct rda_network_tap){seen[i].result,	&seen[i].passages,
						   &seen[i].facts,	i,
						   seen[i].connections, seen[i].hosts};
	}
	rda_network_find(taps, 2, &found);
	ck_assert_uint_eq(seen[0].facts.not_compared, 0);
	ck_assert_uint_eq(seen[1].facts.not_compared, 2 * TIMES - KEPT);
	ck_assert_uint_eq(hops->len, 2);
	for (guint i = 0; i < hops->len; i++) {
		struct rda_hop *hop = &g_array_index(hops, struct rda_network_hop, i).hop;

		ck_assert_uint_eq(hop->lost, 0);
		ck_assert_uint_eq(hop->appeared, 0);
		ck_assert_uint_eq(hop->packets, hop->from == 0 ? 4 : 3);
		ck_assert_uint_eq(hop->not_compared, hop->from == 0 ? TIMES - 4 : 0);
		rda_latency_cleanup(&hop->delay);
	}
	for (unsigned i = 0; i < 2; i++) {
		rda_result_free(seen[i].result);
		rda_passages_cleanup(&seen[i].passages);
	}
	rda_network_found_cleanup(&found);
}
END_TEST

Suite *rda_suite_network(void)
{
	Suite *suite = suite_create("network");
	TCase *tcase = tcase_create("network");

	tcase_add_test(tcase, three_taps);
	tcase_add_test(tcase, more_packets_than_are_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
