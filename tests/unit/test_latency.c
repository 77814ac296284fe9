/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The summary of durations against all of them, sorted.
 */
#include "analyzer/base/latency.h"

#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return (one > two) - (one < two);
}

/* The nearest rank: the least of `sorted` that `percent` of them are not above. */
static int64_t nearest_rank(const int64_t *sorted, uint64_t count, unsigned percent)
{
	uint64_t rank = 1;

	while (rank * 100 < count * percent)
		rank++;
	return sorted[rank - 1];
}

/* Few are kept as they are: count; p50, p90, p99 of 10, 20, 30, ... */
static const struct {
	unsigned count;
	int64_t p50, p90, p99;
} few[] = {
	{0, 0, 0, 0},	    {1, 10, 10, 10},	 {2, 10, 20, 20},     {10, 50, 90, 100},
	{11, 60, 100, 110}, {20, 100, 180, 200}, {63, 320, 570, 630}, {64, 320, 580, 640},
};

START_TEST(few_are_exact)
{
	struct rda_latency l = {0};

	/* the greatest first: the order does not matter */
	for (unsigned i = few[_i].count; i > 0; i--)
		rda_latency_add(&l, 10 * (int64_t)i);
	ck_assert_uint_eq(l.count, few[_i].count);
	ck_assert_int_eq(rda_latency_percentile(&l, 50), few[_i].p50);
	ck_assert_int_eq(rda_latency_percentile(&l, 90), few[_i].p90);
	ck_assert_int_eq(rda_latency_percentile(&l, 99), few[_i].p99);
	ck_assert_int_eq(rda_latency_percentile(&l, 100), l.max);
	rda_latency_cleanup(&l);
}
END_TEST

/* Durations of more than four seconds take more room: those before one stay what they are. */
START_TEST(long_among_short)
{
	const int64_t longest = INT64_C(5000000000);
	struct rda_latency l = {0}, again, sum = {0}, *own;

	for (int64_t i = 1; i <= 5; i++)
		rda_latency_add(&l, i == 4 ? longest : i);
	rda_latency_copy(&again, &l);
	rda_latency_merge(&sum, &l);
	rda_latency_merge(&sum, NULL);
	own = rda_latency_dup(&l);
	ck_assert_int_eq(rda_latency_percentile(own, 60), 3);
	rda_latency_free(own);
	rda_latency_free(rda_latency_dup(NULL));
	ck_assert_ptr_null(rda_latency_dup(&(struct rda_latency){0}));
	ck_assert_int_eq(rda_latency_percentile(&again, 20), 1);
	ck_assert_int_eq(rda_latency_percentile(&again, 60), 3);
	ck_assert_int_eq(rda_latency_percentile(&again, 80), 5);
	ck_assert_int_eq(rda_latency_percentile(&again, 100), longest);
	ck_assert_int_eq(rda_latency_percentile(&sum, 60), 3);
	ck_assert_int_eq(rda_latency_percentile(&sum, 100), longest);
	ck_assert_uint_eq(rda_latency_above(&again, UINT32_MAX), 1);
	rda_latency_cleanup(&l);
	rda_latency_cleanup(&again);
	rda_latency_cleanup(&sum);
}
END_TEST

/* Spans of durations, from nothing to hours: `bits` random ones above `base`. */
static const struct {
	int64_t base;
	unsigned bits, count;
} many[] = {
	{0, 3, 1000},
	{0, 6, 65},
	{0, 10, 5000},
	{5000, 16, 5000},
	{1000000, 20, 65},
	{0, 40, 20000},
	{INT64_C(1) << 44, 44, 3000},
};

static int64_t random_duration(unsigned bits, uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	/* many short ones, few long ones */
	return (int64_t)((*state >> 20 & ((UINT64_C(1) << bits) - 1)) >> (*state >> 10) % bits);
}

static void check_near(int64_t told, int64_t truth)
{
	int64_t most = truth / 62; /* 1.6 % */

	RDA_CHECK(llabs(told - truth) <= most, "%lld for %lld", (long long)told, (long long)truth);
}

START_TEST(many_are_near)
{
	struct rda_latency l = {0};
	int64_t *all = calloc(many[_i].count, sizeof(*all));
	uint64_t state = 7;

	for (unsigned i = 0; i < many[_i].count; i++) {
		all[i] = many[_i].base + random_duration(many[_i].bits, &state);
		rda_latency_add(&l, all[i]);
	}
	qsort(all, many[_i].count, sizeof(*all), compare);
	ck_assert_uint_eq(l.count, many[_i].count);
	ck_assert_int_eq(l.min, all[0]);
	ck_assert_int_eq(l.max, all[many[_i].count - 1]);
	for (unsigned percent = 1; percent <= 100; percent++)
		check_near(rda_latency_percentile(&l, percent),
			   nearest_rank(all, many[_i].count, percent));
	ck_assert_int_eq(rda_latency_percentile(&l, 100), l.max);
	free(all);
	rda_latency_cleanup(&l);
}
END_TEST

/* Any two summaries, however many each has, come to one of all. */
START_TEST(merged)
{
	static const unsigned counts[] = {0, 1, 3, 60, 64, 65, 1000};

	for (unsigned i = 0; i < RDA_COUNT(counts); i++)
		for (unsigned j = 0; j < RDA_COUNT(counts); j++) {
			struct rda_latency a = {0}, b = {0}, both = {0};

			for (unsigned k = 0; k < counts[i]; k++) {
				rda_latency_add(&a, 100 + 17 * k);
				rda_latency_add(&both, 100 + 17 * k);
			}
			for (unsigned k = 0; k < counts[j]; k++) {
				rda_latency_add(&b, 50000 + 1013 * k);
				rda_latency_add(&both, 50000 + 1013 * k);
			}
			rda_latency_merge(&a, &b);
			ck_assert_uint_eq(a.count, both.count);
			if (a.count) {
				ck_assert_int_eq(a.min, both.min);
				ck_assert_int_eq(a.max, both.max);
			}
			for (unsigned percent = 1; percent <= 100; percent++)
				check_near(rda_latency_percentile(&a, percent),
					   rda_latency_percentile(&both, percent));
			rda_latency_cleanup(&a);
			rda_latency_cleanup(&b);
			rda_latency_cleanup(&both);
		}
}
END_TEST

/* A few are far from the others: so many are above, and the median distance does not see them. */
START_TEST(outliers)
{
	static const unsigned counts[] = {20, 2000};

	for (unsigned i = 0; i < RDA_COUNT(counts); i++) {
		struct rda_latency l = {0};

		for (unsigned k = 0; k < counts[i]; k++)
			rda_latency_add(&l, 1000 + 10 * (int64_t)(k % 11));
		rda_latency_add(&l, 90000);
		rda_latency_add(&l, 80000);
		ck_assert_uint_eq(rda_latency_above(&l, 2000), 2);
		ck_assert_uint_eq(rda_latency_above(&l, 85000), 1);
		ck_assert_uint_eq(rda_latency_above(&l, 90000), 0);
		ck_assert_uint_eq(rda_latency_above(&l, -1), l.count);
		ck_assert_int_le(rda_latency_deviation(&l, 1050), 40);
		ck_assert_int_ge(rda_latency_deviation(&l, 1050), 20);
		rda_latency_cleanup(&l);
	}
}
END_TEST

START_TEST(the_ends)
{
	struct rda_latency l = {0};

	rda_latency_add(&l, -5);
	ck_assert_int_eq(l.min, 0);
	for (unsigned i = 0; i < 100; i++)
		rda_latency_add(&l, INT64_MAX);
	ck_assert_int_eq(l.min, 0);
	ck_assert_int_eq(l.max, INT64_MAX);
	ck_assert_int_eq(rda_latency_percentile(&l, 100), INT64_MAX);
	check_near(rda_latency_percentile(&l, 2), INT64_C(1) << 45);
	rda_latency_cleanup(&l);
}
END_TEST

/* What latency.h says of memory: 41 groups of 32 counters at most. */
START_TEST(memory_is_bounded)
{
	struct rda_latency l = {0};

	for (unsigned i = 0; i < 100; i++)
		rda_latency_add(&l, 1000 + i);
	ck_assert_uint_le(l.group_count, 2);
	for (unsigned bit = 0; bit < 63; bit++)
		rda_latency_add(&l, INT64_C(1) << bit);
	ck_assert_uint_eq(l.group_count, 41);
	rda_latency_cleanup(&l);
}
END_TEST

/* What is put into its bucket after others is there as if it had been added at once. */
START_TEST(counted_later)
{
	struct rda_latency later = {0}, at_once = {0};
	uint16_t bucket;

	for (unsigned i = 0; i < 100; i++) {
		rda_latency_add(&later, 1000 + i);
		rda_latency_add(&at_once, 1000 + i);
	}
	ck_assert(rda_latency_has_place(&later, 1050));
	bucket = rda_latency_bucket(1050);
	for (unsigned bit = 0; bit < 63; bit += 31) {
		rda_latency_add(&later, INT64_C(1) << bit);
		rda_latency_add(&at_once, INT64_C(1) << bit);
	}
	rda_latency_count(&later, bucket);
	rda_latency_add(&at_once, 1050);
	ck_assert_uint_eq(later.count, at_once.count);
	for (unsigned percent = 1; percent <= 100; percent++)
		ck_assert_int_eq(rda_latency_percentile(&later, percent),
				 rda_latency_percentile(&at_once, percent));
	rda_latency_cleanup(&later);
	rda_latency_cleanup(&at_once);
}
END_TEST

Suite *rda_suite_latency(void)
{
	Suite *suite = suite_create("latency");
	TCase *tcase = tcase_create("latency");

	tcase_add_test(tcase, long_among_short);
	tcase_add_loop_test(tcase, few_are_exact, 0, RDA_COUNT(few));
	tcase_add_loop_test(tcase, many_are_near, 0, RDA_COUNT(many));
	tcase_add_test(tcase, merged);
	tcase_add_test(tcase, outliers);
	tcase_add_test(tcase, the_ends);
	tcase_add_test(tcase, memory_is_bounded);
	tcase_add_test(tcase, counted_later);
	suite_add_tcase(suite, tcase);
	return suite;
}
