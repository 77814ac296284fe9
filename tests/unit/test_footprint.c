/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flow takes grows with what is remembered of it, and not with its packets.
 */
#include "analyzer/track/roce/footprint.h"

#include "analyzer/engine/state.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

static uint64_t bytes_of(const struct rda_feed *feed, uint32_t index)
{
	return rda_footprint_flow(feed->engine->flows.table.items[index]);
}

START_TEST(of_what_is_outstanding)
{
	uint64_t one, many;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 0);
	one = bytes_of(&feed, 0);
	ck_assert_uint_ge(one, sizeof(struct rda_flow));
	for (uint32_t psn = 1; psn < 1000; psn++)
		rda_feed_send(&feed, 1, 2, 0x11, 0xc000, psn);
	many = bytes_of(&feed, 0);
	ck_assert_uint_ge(many, one + 999 * 24);
	ck_assert_uint_le(many, one + UINT64_C(2048) * 24);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(not_of_packets)
{
	uint64_t settled = 0;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	for (uint32_t psn = 0; psn < 4000; psn++) {
		rda_feed_send(&feed, 1, 2, 0x11, 0xc000, psn);
		rda_feed_acknowledge(&feed, 2, 1, 0x12, 0xc001, psn);
		if (psn == 1000)
			settled = bytes_of(&feed, 0);
	}
	ck_assert_uint_ge(settled, sizeof(struct rda_flow) + 500);
	ck_assert_uint_eq(bytes_of(&feed, 0), settled);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_footprint(void)
{
	Suite *suite = suite_create("footprint");
	TCase *tcase = tcase_create("flow");

	tcase_add_test(tcase, of_what_is_outstanding);
	tcase_add_test(tcase, not_of_packets);
	suite_add_tcase(suite, tcase);
	return suite;
}
