/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flow takes grows with what is remembered of it, and not with its packets.
 */
#include "analyzer/track/roce/footprint.h"

#include "analyzer/engine/state.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/response_bound.h"
#include "analyzer/track/roce/trail.h"
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
	ck_assert_uint_ge(many, one + 999 * sizeof(struct rda_lean_packet));
	ck_assert_uint_le(many, one + 2048 * sizeof(struct rda_lean_packet));
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

/* Responses of a READ that overtake each other are counted one by one. */
START_TEST(of_responses_that_are_counted)
{
	struct rda_response_bounds *bounds = NULL;
	uint64_t one;

	ck_assert_uint_eq(rda_response_bounds_bytes(NULL), 0);
	rda_response_bounds_open(&bounds, 100, 100 + RDA_RESPONSE_BOUND_PSNS, 101);
	one = rda_response_bounds_bytes(bounds);
	ck_assert_uint_ge(one, sizeof(*bounds) + 3 * RDA_RESPONSE_BOUND_PSNS);
	rda_response_bounds_open(&bounds, 10000, 10000 + RDA_RESPONSE_BOUND_PSNS, 10001);
	ck_assert_uint_eq(rda_response_bounds_bytes(bounds), 2 * one - sizeof(*bounds));
	rda_response_bounds_free(bounds);
}
END_TEST

/* What is kept to print packets: 1000 messages. */
START_TEST(of_a_trail)
{
	const struct rda_config config = {.trace = true};
	struct rda_feed plain, traced;

	rda_feed_begin(&plain);
	rda_feed_begin(&traced);
	rda_engine_free(traced.engine);
	traced.engine = rda_engine_new(&config);
	for (uint32_t psn = 0; psn < 1000; psn++) {
		rda_feed_send(&plain, 1, 2, 0x11, 0xc000, psn);
		rda_feed_send(&traced, 1, 2, 0x11, 0xc000, psn);
	}
	ck_assert_uint_ge(bytes_of(&traced, 0),
			  bytes_of(&plain, 0) + 1000 * sizeof(struct rda_trail_message));
	rda_feed_end(&plain);
	rda_feed_end(&traced);
}
END_TEST

Suite *rda_suite_footprint(void)
{
	Suite *suite = suite_create("footprint");
	TCase *tcase = tcase_create("flow");

	tcase_add_test(tcase, of_what_is_outstanding);
	tcase_add_test(tcase, not_of_packets);
	tcase_add_test(tcase, of_responses_that_are_counted);
	tcase_add_test(tcase, of_a_trail);
	suite_add_tcase(suite, tcase);
	return suite;
}
