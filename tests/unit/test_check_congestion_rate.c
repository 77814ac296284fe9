/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sender did behind CNPs: as fast as before, slower, or not enough sent to tell.
 */
#include "analyzer/checks/congestion/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { US = 1000 };

static struct rda_feed feed;
static uint32_t psn;

static void send(unsigned packets, int64_t gap_ns)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x12, RC_SEND_ONLY, 0);

	recipe.ecn = 2;
	recipe.payload_length = 64;
	while (packets--) {
		recipe.psn = psn++;
		feed.meta.time_ns += gap_ns - RDA_FEED_STEP_NS;
		rda_feed(&feed, &recipe);
	}
}

static void notify(void)
{
	struct rda_recipe recipe = rda_packet_of(2, 1, 0x11, ROCE_CNP, 0);

	recipe.becn = true;
	recipe.payload_length = 16;
	rda_feed(&feed, &recipe);
}

START_TEST(before_and_behind)
{
	static const struct {
		unsigned notices;
		int64_t before_ns, behind_ns; /* between packets */
		uint64_t told;
	} cases[] = {
		{3, 10 * US, 10 * US, 3},   {3, 10 * US, 5 * US, 3},
		{2, 10 * US, 10 * US, 0},   /* too seldom */
		{3, 10 * US, 12 * US, 0},   /* slower */
		{3, 200 * US, 200 * US, 0}, /* with gaps: perhaps there was no more to send */
		{3, 10 * US, 200 * US, 0},  /* gaps behind: perhaps there was no more to send */
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		psn = 0;
		rda_feed_begin(&feed);
		rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 7);
		send(400, cases[i].before_ns);
		for (unsigned j = 0; j < cases[i].notices; j++) {
			notify();
			send(200, cases[i].behind_ns);
		}
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G06) == cases[i].told, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_congestion_rate(void)
{
	Suite *suite = suite_create("check_congestion_rate");
	TCase *tcase = tcase_create("check_congestion_rate");

	tcase_add_test(tcase, before_and_behind);
	suite_add_tcase(suite, tcase);
	return suite;
}
