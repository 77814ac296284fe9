/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds of clocks contain the truth, and are no closer than packets make them.
 */
#include "analyzer/taps/clocks.h"

#include "tests/unit/suite.h"

enum { POINTS = 2000 };

/* A clock that is 7 ms ahead and runs so much faster; ways take at least 10 us, and up to 60. */
static void fill(struct rda_clock_point *points, double drift)
{
	for (unsigned i = 0; i < POINTS; i++) {
		int64_t t = (int64_t)i * 1000000, way = 10000 + (int64_t)(i * 7919 % 50000);
		int64_t d = 7000000 + (int64_t)(drift * (double)t);

		points[i] = (struct rda_clock_point){t, i % 2 ? d + way : d - way, i % 2 != 0};
	}
}

START_TEST(the_truth_is_between)
{
	const double drifts[] = {0, 5000e-6, -2000e-6, 1e-6};

	for (unsigned k = 0; k < RDA_COUNT(drifts); k++) {
		struct rda_clock_point points[POINTS];
		struct rda_clocks clocks;

		fill(points, drifts[k]);
		rda_clocks_find(&clocks, points, POINTS, 1);
		ck_assert(rda_clocks_known(&clocks));
		ck_assert(clocks.b_min <= drifts[k] && drifts[k] <= clocks.b_max);
		ck_assert(clocks.b_max - clocks.b_min < 40e-6);
		for (int64_t t = 0; t < POINTS * INT64_C(1000000); t += 17000000) {
			double truth = 7000000 + drifts[k] * (double)t;

			ck_assert(rda_clocks_least(&clocks, t) <= truth + 1);
			ck_assert(rda_clocks_most(&clocks, t) >= truth - 1);
			/* two ways of 10 us */
			ck_assert(rda_clocks_most(&clocks, t) - rda_clocks_least(&clocks, t) >=
				  20000);
			ck_assert(rda_clocks_most(&clocks, t) - rda_clocks_least(&clocks, t) <
				  60000);
		}
	}
}
END_TEST

START_TEST(one_direction_tells_nothing)
{
	struct rda_clock_point points[] = {{0, 100, true}, {1000, 120, true}, {2000, 90, true}};
	struct rda_clocks clocks;

	rda_clocks_find(&clocks, points, 3, 1);
	ck_assert_uint_eq(clocks.state, RDA_CLOCK_ONE_WAY);
	rda_clocks_find(&clocks, points, 0, 1);
	ck_assert_uint_eq(clocks.state, RDA_CLOCK_ONE_WAY);
}
END_TEST

/* A step of the clock: no line fits. */
START_TEST(a_clock_that_was_set)
{
	struct rda_clock_point points[POINTS];
	struct rda_clocks clocks;

	fill(points, 0);
	for (unsigned i = POINTS / 3; i < POINTS * 2 / 3; i++)
		points[i].d += 1000000000;
	rda_clocks_find(&clocks, points, POINTS, 1);
	ck_assert_uint_eq(clocks.state, RDA_CLOCK_UNEVEN);
}
END_TEST

/* Longer than numbers of a double are exact: no point is behind the last slot. */
START_TEST(a_long_time)
{
	const int64_t span = (INT64_C(1) << 60) - 1;
	struct rda_clock_point points[] = {{0, 100, true},	  {0, -100, false},
					   {span - 1, 100, true}, {span - 1, -100, false},
					   {span, 100, true},	  {span, -100, false}};
	struct rda_clocks clocks;

	rda_clocks_find(&clocks, points, RDA_COUNT(points), 1);
	ck_assert(rda_clocks_known(&clocks));
	ck_assert(rda_clocks_least(&clocks, span) <= 0);
	ck_assert(rda_clocks_most(&clocks, span) >= 0);
}
END_TEST

/* At one time the offset would have to be below 10 and above 20, whatever the drift. */
START_TEST(a_contradiction_at_one_time)
{
	struct rda_clock_point points[] = {{0, 1000, true},   {0, -1000, false},
					   {500, 10, true},   {500, 20, false},
					   {900, 1000, true}, {900, -1000, false}};
	struct rda_clocks clocks;

	rda_clocks_find(&clocks, points, RDA_COUNT(points), 1);
	ck_assert_uint_eq(clocks.state, RDA_CLOCK_UNEVEN);
}
END_TEST

Suite *rda_suite_clocks(void)
{
	Suite *suite = suite_create("clocks");
	TCase *tcase = tcase_create("clocks");

	tcase_add_test(tcase, the_truth_is_between);
	tcase_add_test(tcase, one_direction_tells_nothing);
	tcase_add_test(tcase, a_clock_that_was_set);
	tcase_add_test(tcase, a_long_time);
	tcase_add_test(tcase, a_contradiction_at_one_time);
	suite_add_tcase(suite, tcase);
	return suite;
}
