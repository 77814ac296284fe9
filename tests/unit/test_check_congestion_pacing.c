/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which receivers are told of: two QPs that are marked at the same time, and CNPs for one or both.
 */
#include "analyzer/checks/congestion/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { US = 1000, PACE = 50 * US };

static struct rda_feed feed;

static void mark(uint8_t from, uint32_t qp, uint32_t psn)
{
	struct rda_recipe recipe = rda_packet_of(from, 9, qp, RC_SEND_ONLY, psn);

	recipe.ecn = 3;
	rda_feed(&feed, &recipe);
}

static void notify(uint8_t to, uint32_t qp)
{
	struct rda_recipe recipe = rda_packet_of(9, to, qp, ROCE_CNP, 0);

	recipe.becn = true;
	recipe.payload_length = 16;
	rda_feed(&feed, &recipe);
}

static uint64_t cases(bool by_port)
{
	int64_t latest[2] = {-PACE, -PACE}, begin;
	uint64_t told, notices = 0;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, 1, 9, 0x11, 0x21, 7);
	rda_feed_exchange(&feed, 2, 9, 0x12, 0x22, 8);
	begin = feed.meta.time_ns;
	for (uint32_t i = 0; i < 1000; i++)
		for (uint8_t qp = 0; qp < 2; qp++) {
			int64_t now = feed.meta.time_ns - begin;

			mark(qp + 1, 0x21 + qp, i);
			/* two in a row, so that they are not just as far apart by QP */
			if (now - latest[by_port ? 0 : qp] < PACE ||
			    (by_port && qp != notices / 2 % 2))
				continue;
			notices++;
			latest[by_port ? 0 : qp] = now;
			notify(qp + 1, 0x11 + qp);
		}
	rda_engine_finish(feed.engine);
	told = rda_feed_cases(&feed, RDA_CHECK_G19);
	rda_feed_end(&feed);
	return told;
}

START_TEST(told_once_with_all_cnps)
{
	ck_assert_uint_ge(cases(true), 16);
	ck_assert_uint_ge(cases(false), 32);
}
END_TEST

Suite *rda_suite_check_congestion_pacing(void)
{
	Suite *suite = suite_create("check_congestion_pacing");
	TCase *tcase = tcase_create("check_congestion_pacing");

	tcase_add_test(tcase, told_once_with_all_cnps);
	suite_add_tcase(suite, tcase);
	return suite;
}
