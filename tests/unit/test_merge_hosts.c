/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts that several results know are one, in order of their first packets.
 */
#include "analyzer/engine/engine.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

/* The first frame is `elsewhere`, or sent by host `from`; the second one the other way round. */
static struct rda_result *result_of(uint8_t from, bool first)
{
	const struct rda_share share = {.pair = 1, .rdma = true};
	const struct rda_frame frame = {.wire = 100};
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < 2; i++) {
		if (first == (i == 0)) {
			rda_feed_send(&feed, from, 1, 0x11, 0xc000, 5);
			continue;
		}
		feed.meta.number++;
		feed.meta.time_ns += RDA_FEED_STEP_NS;
		rda_engine_elsewhere(feed.engine, &feed.meta, &frame, &share);
	}
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	return result;
}

START_TEST(one_host_of_two)
{
	struct rda_result *late = result_of(2, false), *early = result_of(3, true);
	struct rda_result *both = rda_result_merge(late, early);

	ck_assert_uint_eq(rda_result_host_count(both), 3);
	/* as their packets came: host 3, host 1 that received it, host 2 */
	ck_assert_uint_eq(rda_result_host_of_index(both, 0)->address.bytes[15], 3);
	ck_assert_uint_eq(rda_result_host_of_index(both, 1)->address.bytes[15], 1);
	ck_assert_uint_eq(rda_result_host_of_index(both, 2)->address.bytes[15], 2);
	/* by address */
	ck_assert_uint_eq(rda_result_host(both, 0)->address.bytes[15], 1);
	ck_assert_uint_eq(rda_result_host(both, 1)->packets_sent, 1);
	rda_result_free(late);
	rda_result_free(early);
	rda_result_free(both);
}
END_TEST

Suite *rda_suite_merge_hosts(void)
{
	Suite *suite = suite_create("merge_hosts");
	TCase *tcase = tcase_create("merge_hosts");

	tcase_add_test(tcase, one_host_of_two);
	suite_add_tcase(suite, tcase);
	return suite;
}
