/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two taps on one way, one of which did not see all: whose view of the connection is told.
 */
#include "analyzer/taps/network.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { CLIENT = 1, SERVER = 2, TIMES = 100, PORT = 0xc000, WAY = 5000, TAPS = 2 };

/* What a tap saw of the exchanges: from one on, up to another, each that is no multiple. */
struct sight {
	uint32_t from, to, misses_each;
	bool cut;
};

struct seen {
	struct rda_result *result;
	struct rda_passages passages;
	struct rda_tap facts;
	bool connections[4], hosts[4];
};

static const struct sight ALL = {.to = TIMES};

static void see(struct seen *seen, unsigned index, const struct sight *sight)
{
	struct rda_feed feed;

	*seen = (struct seen){.result = NULL};
	rda_passages_init(&seen->passages);
	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < TIMES; i++) {
		int64_t t = feed.meta.time_ns + 1;
		struct rda_passage request = {.hash = 1000 + i,
					      .pair = 1,
					      .forward = true,
					      .cut = sight->cut && i % 10 == 5,
					      .time_ns = t + index * WAY};
		struct rda_passage answer = {
			.hash = 2000 + i, .pair = 1, .flow = 1, .time_ns = t + (6 - index) * WAY};

		feed.meta.time_ns += 1000000;
		if (i < sight->from || i >= sight->to ||
		    (sight->misses_each && i % sight->misses_each == 1))
			continue;
		rda_feed_send(&feed, CLIENT, SERVER, 0x11, PORT, i);
		rda_feed_acknowledge(&feed, SERVER, CLIENT, 0x22, PORT, i);
		rda_passages_add(&seen->passages, &request);
		rda_passages_add(&seen->passages, &answer);
	}
	rda_engine_end(feed.engine);
	seen->result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
}

/* The tap that is told, 0 being the one at the client; `order`: which of them is given first. */
static unsigned told_of(const struct sight *near, const struct sight *far, unsigned order)
{
	struct rda_network_found found = rda_network_found_new();
	struct rda_network_tap taps[TAPS];
	struct seen seen[TAPS];
	unsigned told = TAPS;

	for (unsigned i = 0; i < TAPS; i++) {
		unsigned index = i ^ order;

		see(&seen[i], index, index ? far : near);
		taps[i] = (struct rda_network_tap){seen[i].result,	&seen[i].passages,
						   &seen[i].facts,	i,
						   seen[i].connections, seen[i].hosts};
	}
	rda_network_find(taps, TAPS, &found);
	for (unsigned i = 0; i < TAPS; i++)
		if (seen[i].connections[0]) {
			ck_assert_uint_eq(told, TAPS);
			told = i ^ order;
		}
	for (guint i = 0; i < found.hops->len; i++)
		rda_hop_cleanup(&g_array_index(found.hops, struct rda_network_hop, i).hop);
	for (unsigned i = 0; i < TAPS; i++) {
		rda_result_free(seen[i].result);
		rda_passages_cleanup(&seen[i].passages);
	}
	rda_network_found_cleanup(&found);
	return told;
}

/* In whatever order they are given. */
static void check_told(const struct sight *near, const struct sight *far, unsigned told)
{
	ck_assert_uint_eq(told_of(near, far, 0), told);
	ck_assert_uint_eq(told_of(near, far, 1), told);
}

START_TEST(the_nearer_one_saw_all)
{
	check_told(&ALL, &ALL, 0);
	check_told(&ALL, &(const struct sight){.to = 60}, 0);
	check_told(&ALL, &(const struct sight){.to = TIMES, .cut = true}, 0);
}
END_TEST

START_TEST(the_nearer_one_lacks_some)
{
	check_told(&(const struct sight){.to = 60}, &ALL, 1);		     /* it ended earlier */
	check_told(&(const struct sight){.from = 30, .to = TIMES}, &ALL, 1); /* began later */
	check_told(&(const struct sight){.to = TIMES, .misses_each = 9}, &ALL, 1);
	check_told(&(const struct sight){.to = TIMES, .cut = true}, &ALL, 1);
}
END_TEST

/* One packet, or the time between two of them, is no reason; nor is what both lack. */
START_TEST(the_nearer_one_lacks_next_to_nothing)
{
	const struct sight cut = {.to = TIMES, .cut = true}, part = {.to = 60};

	check_told(&(const struct sight){.to = TIMES - 1}, &ALL, 0);
	check_told(&(const struct sight){.to = TIMES, .misses_each = 51}, &ALL, 0);
	check_told(&cut, &cut, 0);
	check_told(&part, &part, 0);
	/* each lacks something */
	check_told(&(const struct sight){.to = 60}, &cut, 0);
}
END_TEST

Suite *rda_suite_network_views(void)
{
	Suite *suite = suite_create("network_views");
	TCase *tcase = tcase_create("network_views");

	tcase_add_test(tcase, the_nearer_one_saw_all);
	tcase_add_test(tcase, the_nearer_one_lacks_some);
	tcase_add_test(tcase, the_nearer_one_lacks_next_to_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
