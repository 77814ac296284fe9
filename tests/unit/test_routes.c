/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of two taps each direction passes first.
 */
#include "analyzer/taps/routes.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { WAY = 5000, TIMES = 5 };

static struct rda_passages x, y;
static uint32_t to_y[64];
static struct rda_routes routes;

static void setup(void)
{
	rda_passages_init(&x);
	rda_passages_init(&y);
	rda_routes_init(&routes);
}

static void teardown(void)
{
	rda_passages_cleanup(&x);
	rda_passages_cleanup(&y);
	rda_routes_cleanup(&routes);
}

/* Seen at both; `later`: at y, than at x. */
static void pass(uint64_t pair, bool forward, int64_t later)
{
	struct rda_passage packet = {
		.pair = pair, .forward = forward, .time_ns = 1000000 * (int64_t)x.count};

	to_y[x.count] = y.count;
	rda_passages_add(&x, &packet);
	packet.time_ns += later;
	rda_passages_add(&y, &packet);
}

static int way(uint64_t pair, bool forward)
{
	const struct rda_passage packet = {.pair = pair, .forward = forward};

	return rda_routes_way(&routes, &packet);
}

START_TEST(to_and_fro)
{
	const struct rda_routes_of of = {&x, &y, to_y, false};

	for (unsigned i = 0; i < TIMES; i++) {
		pass(1, true, 700 + WAY);
		pass(1, false, 700 - WAY);
		pass(2, true, 700 - WAY);
		pass(2, false, 700 + WAY);
		pass(3, true, 700 + WAY);
	}
	rda_routes_find(&routes, &of);
	ck_assert_int_eq(way(1, true), 1);
	ck_assert_int_eq(way(1, false), -1);
	ck_assert_int_eq(way(2, true), -1);
	ck_assert_int_eq(way(3, true), 0); /* one direction alone */
	ck_assert_int_eq(way(4, true), 0);
	ck_assert_ptr_null(rda_routes_at(&routes, 4));
}
END_TEST

/* Once the clocks are known from others. */
START_TEST(one_direction_alone)
{
	const struct rda_routes_of of = {&x, &y, to_y, false};
	struct rda_clocks clocks = {.state = RDA_CLOCK_KNOWN, .base_ns = 700, .span_ns = 1000000};

	pass(3, true, 700 + WAY);
	pass(5, true, 700 - WAY);
	pass(6, false, 700 - WAY);
	rda_routes_find(&routes, &of);
	rda_routes_settle(&routes, &of, &clocks);
	ck_assert_int_eq(way(3, true), 1);
	ck_assert_int_eq(way(5, true), -1);
	ck_assert_int_eq(way(6, false), -1);
}
END_TEST

START_TEST(far_apart)
{
	const struct rda_routes_of of = {&x, &y, to_y, true};

	pass(1, true, WAY);
	pass(1, false, -WAY);
	rda_routes_find(&routes, &of);
	ck_assert_int_eq(way(1, true), 0);
	ck_assert_ptr_nonnull(rda_routes_at(&routes, 1));
}
END_TEST

/* What lies closer than a mirror may be late by is as it seems, unless more tells it. */
START_TEST(certain_or_as_it_seems)
{
	const struct rda_routes_of of = {&x, &y, to_y, false};
	const struct rda_passage packet[] = {{.pair = 1}, {.pair = 2}, {.pair = 3}};

	for (unsigned i = 0; i < TIMES; i++) {
		pass(1, true, 5000);
		pass(1, false, -5000);
		pass(2, true, 50000);
		pass(2, false, -50000);
		pass(3, true, 5000);
		pass(3, false, 17000); /* late */
	}
	for (uint32_t i = 0; i < x.count; i++) {
		x.packets[i].ttl = 64 - (x.packets[i].pair == 3 && !x.packets[i].forward);
		y.packets[i].ttl = 64 - (y.packets[i].pair == 3 && y.packets[i].forward);
	}
	rda_routes_find(&routes, &of);
	ck_assert(!rda_routes_are_sure(&routes, &packet[0]));
	ck_assert(rda_routes_are_sure(&routes, &packet[1]));
	ck_assert(rda_routes_are_sure(&routes, &packet[2]));
	ck_assert_int_eq(way(1, true), 1);
	ck_assert_int_eq(way(3, true), 1);
	ck_assert_int_eq(way(3, false), -1);
}
END_TEST

/* Of what the second tap lacks it proves that it was lost before it. */
START_TEST(told_by_losses)
{
	const struct rda_routes_of of = {&x, &y, to_y, false};
	const uint32_t peer[] = {0};
	struct rda_lost_before lost[] = {{0, 1}}, there[] = {{1, 1}};
	struct rda_routes_lost losses = {
		.from = &x,
		.match = to_y,
		.lost = lost,
		.lost_there = there,
		.peer = peer,
		.flow_count = 1,
		.last = 2 * TIMES,
		.way = 1,
	};

	for (unsigned i = 0; i < TIMES; i++) {
		pass(1, true, 5000);
		pass(1, false, 17000); /* late */
	}
	rda_routes_find(&routes, &of);
	ck_assert_int_eq(way(1, true), -1);
	x.packets[4].answered = true;
	to_y[4] = RDA_PASSAGE_NONE;
	rda_routes_tell_by_losses(&routes, &losses);
	ck_assert_int_eq(way(1, true), -1); /* it may be lost before both */
	lost[0].all = 0;
	rda_routes_tell_by_losses(&routes, &losses);
	ck_assert_int_eq(way(1, true), 1);
	ck_assert(rda_routes_are_sure(&routes, &x.packets[0]));
}
END_TEST

static bool lacks(uint64_t fit, uint64_t unfit)
{
	const struct rda_routes_pair route = {.fit = {0, fit}, .unfit = {0, unfit}};

	ck_assert(!rda_routes_lack_checksums(&route, false));
	return rda_routes_lack_checksums(&route, true);
}

START_TEST(without_checksums)
{
	ck_assert(lacks(0, 1)); /* few, and none fits */
	ck_assert(!lacks(1, 8));
	ck_assert(!lacks(2, 18));
	ck_assert(lacks(1, 19));
	ck_assert(!lacks(10, 0));
}
END_TEST

Suite *rda_suite_routes(void)
{
	Suite *suite = suite_create("routes");
	TCase *tcase = tcase_create("routes");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, to_and_fro);
	tcase_add_test(tcase, one_direction_alone);
	tcase_add_test(tcase, far_apart);
	tcase_add_test(tcase, certain_or_as_it_seems);
	tcase_add_test(tcase, told_by_losses);
	tcase_add_test(tcase, without_checksums);
	suite_add_tcase(suite, tcase);
	return suite;
}
