/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames are told before they come: their flows are found, those that are no more are forgotten,
 * and nothing that the engine tells depends on it.
 */
#include "analyzer/engine/ahead.h"

#include "analyzer/engine/retire.h"
#include "analyzer/engine/state.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { PAIRS = 40, ROUNDS = 6 };

static struct rda_recipe packet(uint8_t pair, uint32_t psn)
{
	return rda_packet_of((uint8_t)(2 * pair + 1), (uint8_t)(2 * pair + 2), 0x100u + pair, 0x04,
			     psn);
}

/* The first `captured` bytes of it; all of it: UINT32_MAX. */
static void tell(struct rda_engine *engine, const struct rda_recipe *recipe, uint32_t captured)
{
	struct rda_built built;
	struct rda_frame frame;

	rda_build_packet(&built, recipe);
	captured = captured < built.b.length ? captured : built.b.length;
	frame = rda_exact_frame(built.b.bytes, captured, built.b.length, built.link);
	rda_ahead_frame(engine, &frame);
	rda_frame_free(&frame); /* it is not kept */
}

static void tell_pair(struct rda_engine *engine, uint8_t pair)
{
	struct rda_recipe recipe = packet(pair, 5);

	tell(engine, &recipe, UINT32_MAX);
}

static void send(struct rda_feed *feed, uint8_t pair, uint32_t psn)
{
	struct rda_recipe recipe = packet(pair, psn);

	rda_feed(feed, &recipe);
}

static void begin(struct rda_feed *feed)
{
	rda_feed_begin(feed);
	for (uint8_t pair = 0; pair < PAIRS; pair++)
		send(feed, pair, 5);
}

/* The flow that was found of the frame that was told so many frames ago. */
static const struct rda_flow *found(const struct rda_engine *engine, uint32_t ago)
{
	const struct rda_ahead *ahead = &engine->ahead;

	return ahead->frames[(ahead->count - ago) & (RDA_AHEAD_RING - 1)].flow;
}

START_TEST(flows_are_found)
{
	struct rda_feed feed;

	begin(&feed);
	for (uint8_t pair = 0; pair < RDA_AHEAD_FRAMES; pair++)
		tell_pair(feed.engine, pair);
	ck_assert_ptr_eq(found(feed.engine, RDA_AHEAD_FRAMES), feed.engine->flows.table.items[0]);
	ck_assert_ptr_eq(found(feed.engine, RDA_AHEAD_FRAMES - 1),
			 feed.engine->flows.table.items[1]);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(frames_in_a_row_have_one_flow)
{
	const struct rda_ahead_frame *second;
	struct rda_feed feed;

	begin(&feed);
	for (unsigned i = 0; i < RDA_AHEAD_FRAMES; i++)
		tell_pair(feed.engine, i < 3 ? 7 : (uint8_t)i);
	second = &feed.engine->ahead.frames[1];
	ck_assert(second->follows);
	ck_assert_ptr_eq(second->flow, feed.engine->flows.table.items[7]);
	ck_assert_uint_eq(second->share, ((const struct rda_flow *)second->flow)->share);
	ck_assert(second->copies);
	rda_feed_end(&feed);
}
END_TEST

/* Cut anywhere, or of no flow. */
START_TEST(what_is_not_known)
{
	struct rda_recipe stranger = packet(PAIRS + 1, 5), cut = packet(0, 5);
	struct rda_feed feed;

	begin(&feed);
	for (uint32_t captured = 0; captured < 54; captured++) {
		tell(feed.engine, &cut, captured);
		ck_assert(!feed.engine->ahead.frames[captured % RDA_AHEAD_RING].known);
	}
	rda_ahead_forget(feed.engine);
	for (unsigned i = 0; i < RDA_AHEAD_FRAMES; i++)
		tell(feed.engine, &stranger, 54);
	ck_assert(feed.engine->ahead.frames[0].known);
	ck_assert_ptr_null(found(feed.engine, RDA_AHEAD_FRAMES));
	rda_feed_end(&feed);
}
END_TEST

/* What was found is not looked at once it was freed. */
START_TEST(flows_that_went)
{
	struct rda_feed feed;

	begin(&feed);
	for (unsigned i = 0; i < RDA_AHEAD_FRAMES; i++)
		tell_pair(feed.engine, (uint8_t)i);
	feed.engine->slowest.count = 0;
	rda_retire(feed.engine, 1);
	ck_assert_uint_lt(feed.engine->flows.table.count, PAIRS);
	for (unsigned i = 1; i < RDA_AHEAD_RING; i++)
		ck_assert_ptr_null(found(feed.engine, i));
	for (unsigned i = 0; i < RDA_AHEAD_FRAMES; i++)
		tell_pair(feed.engine, (uint8_t)i);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(nothing_depends_on_it)
{
	struct rda_result *result[2];
	struct rda_feed feed[2];

	for (unsigned with = 0; with < 2; with++) {
		begin(&feed[with]);
		for (uint32_t i = 0; i < ROUNDS * PAIRS; i++) {
			if (with)
				tell_pair(feed[with].engine, (uint8_t)(i * 7 % PAIRS));
			send(&feed[with], (uint8_t)(i % PAIRS), 6 + i / PAIRS);
		}
		result[with] = rda_engine_result(feed[with].engine);
	}
	ck_assert_uint_eq(rda_result_connection_count(result[0]),
			  rda_result_connection_count(result[1]));
	for (uint32_t i = 0; i < rda_result_connection_count(result[0]); i++)
		for (unsigned with = 0; with < 2; with++)
			ck_assert_uint_eq(rda_result_flow(result[with],
							  rda_result_connection(result[with], i), 0)
						  ->request_packets,
					  1 + ROUNDS);
	for (unsigned with = 0; with < 2; with++) {
		rda_result_free(result[with]);
		rda_feed_end(&feed[with]);
	}
}
END_TEST

START_TEST(many_flows_make_it_worth_while)
{
	struct rda_feed feed;

	begin(&feed);
	ck_assert(!rda_ahead_is_worth(feed.engine));
	for (uint32_t qp = PAIRS; qp < RDA_AHEAD_FLOWS; qp++) {
		struct rda_recipe recipe = rda_packet_of(1, 2, 0x1000 + qp, 0x04, 5);

		rda_feed(&feed, &recipe);
	}
	ck_assert(rda_ahead_is_worth(feed.engine));
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_ahead(void)
{
	Suite *suite = suite_create("ahead");
	TCase *tcase = tcase_create("ahead");

	tcase_add_test(tcase, flows_are_found);
	tcase_add_test(tcase, frames_in_a_row_have_one_flow);
	tcase_add_test(tcase, what_is_not_known);
	tcase_add_test(tcase, flows_that_went);
	tcase_add_test(tcase, nothing_depends_on_it);
	tcase_add_test(tcase, many_flows_make_it_worth_while);
	suite_add_tcase(suite, tcase);
	return suite;
}
