/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conversations past the limit are counted; those whose flows are gone are bound no more.
 */
#include "analyzer/engine/state.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

START_TEST(conversations_and_names_are_bounded)
{
	struct rda_feed feed;
	struct rda_cm_track *cm;
	uint64_t bytes;

	rda_feed_begin(&feed);
	cm = feed.engine->cm;
	rda_cm_track_limit(cm, 2);
	for (uint32_t i = 0; i < 5; i++)
		rda_feed_exchange(&feed, 1, 2, 0x10 + i, 0x20 + i, 100 + i);
	ck_assert_uint_eq(rda_cm_track_count(cm), 2);
	/* REQ and REP of each of the three others */
	ck_assert_uint_eq(rda_cm_track_not_kept(cm), 6);
	bytes = rda_cm_track_bytes(cm);
	ck_assert_uint_ge(bytes, 2 * sizeof(struct rda_cm_pair));
	/* no name is new past four for each conversation */
	for (uint32_t i = 0; i < 50; i++)
		rda_feed_cm(&feed, &(struct rda_cm_message){.from = 2,
							    .to = 1,
							    .attribute = 0x14,
							    .local_id = 1000 + i,
							    .remote_id = 100});
	ck_assert_uint_le(rda_cm_track_bytes(cm),
			  bytes + 8 * (sizeof(struct rda_address) * 4 + 64));
	ck_assert_uint_eq(rda_cm_track_not_kept(cm), 6 + 50 - 4);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(what_is_gone_is_bound_no_more)
{
	const uint32_t moved[] = {0, RDA_GONE};
	struct rda_feed feed;
	const struct rda_cm_pair *pair;
	struct rda_flow *flow;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 100);
	pair = rda_cm_track_at(feed.engine->cm, 0);
	rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 0);
	flow = feed.engine->flows.table.items[feed.engine->flows.table.count - 1];
	ck_assert_ptr_eq(flow->pair, pair);
	ck_assert_ptr_eq(pair->flows[RDA_CM_ACTIVE], flow);
	ck_assert(!pair->retired);
	flow->index = 1;
	rda_cm_track_sift(feed.engine->cm, moved);
	ck_assert(pair->retired);
	ck_assert_ptr_null(pair->flows[RDA_CM_ACTIVE]);
	ck_assert_ptr_null(rda_cm_track_bind(feed.engine->cm, flow));
	flow->index = feed.engine->flows.table.count - 1;
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_cm_bounds(void)
{
	Suite *suite = suite_create("cm_bounds");
	TCase *tcase = tcase_create("bounds");

	tcase_add_test(tcase, conversations_and_names_are_bounded);
	tcase_add_test(tcase, what_is_gone_is_bound_no_more);
	suite_add_tcase(suite, tcase);
	return suite;
}
