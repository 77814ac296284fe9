/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M22-M24: which connection an ICMP error is about, and who asks in vain. The stories are in
 * tests/scenarios/management.
 */
#include "analyzer/checks/management/neighbours.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { SECOND = 1000000000 };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static void give(struct rda_build *b)
{
	rda_feed_frame(&feed, b, b->length, 1);
}

/* Who asks whom for an address; or tells it. */
static void arp(uint16_t operation, uint8_t from, uint8_t to)
{
	struct rda_build b = {0};

	rda_put_eth(&b, 0x0806);
	rda_put_hex(&b, "0001 0800 06 04");
	rda_put16(&b, operation);
	rda_put_hex(&b, "020000000001 c00002");
	rda_put8(&b, from);
	rda_put_hex(&b, "000000000000 c00002");
	rda_put8(&b, to);
	give(&b);
}

START_TEST(asked_in_vain)
{
	static const struct {
		unsigned asks;
		int64_t apart_ns;
		bool told;
		uint64_t cases;
	} cases[] = {
		{RDA_NEIGHBOUR_ASKS, SECOND, false, 1},
		{RDA_NEIGHBOUR_ASKS - 1, SECOND, false, 0},
		{RDA_NEIGHBOUR_ASKS, SECOND, true, 0},
		{2 * RDA_NEIGHBOUR_ASKS, INT64_C(60) * SECOND, false, 0}, /* each was answered */
	};

	for (unsigned i = 0; i < cases[_i].asks; i++) {
		arp(1, 1, 2);
		feed.meta.time_ns += cases[_i].apart_ns;
	}
	if (cases[_i].told)
		arp(2, 2, 1);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_M24), cases[_i].cases);
}
END_TEST

/* A flood of pairs does not grow without end. */
START_TEST(more_pairs_than_are_kept)
{
	for (unsigned i = 0; i < 256; i++)
		for (unsigned j = 0; j < 32; j++)
			arp(1, (uint8_t)i, (uint8_t)j);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_M24), 0);
}
END_TEST

Suite *rda_suite_check_management_neighbours(void)
{
	Suite *suite = suite_create("check_management_neighbours");
	TCase *tcase = tcase_create("check_management_neighbours");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, asked_in_vain, 0, 4);
	tcase_add_test(tcase, more_pairs_than_are_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
