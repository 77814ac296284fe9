/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of ranges against a table of single numbers: random additions give the same set, the same
 * count of fresh numbers, and the same holes forgotten.
 */
#include "analyzer/base/ranges.h"
#include "tests/unit/suite.h"

enum { NUMBERS = 1000, ROUNDS = 200, ADDITIONS = 400 };

/* ---- the model ------------------------------------------------------------------------------ */

struct model {
	bool has[NUMBERS];
	uint64_t forgotten;
};

/* The next run of numbers from `at` on; false when there is none. */
static bool next_run(const struct model *m, int *at, struct rda_range *run)
{
	while (*at < NUMBERS && !m->has[*at])
		++*at;
	if (*at == NUMBERS)
		return false;
	run->begin = *at;
	while (*at < NUMBERS && m->has[*at])
		++*at;
	run->end = *at;
	return true;
}

static unsigned count_runs(const struct model *m)
{
	struct rda_range run;
	unsigned count = 0;

	for (int at = 0; next_run(m, &at, &run);)
		count++;
	return count;
}

static int64_t model_add(struct model *m, int64_t begin, int64_t end)
{
	struct rda_range first, second;
	int64_t fresh = 0;
	int at = 0;

	for (int64_t i = begin; i < end; i++) {
		fresh += !m->has[i];
		m->has[i] = true;
	}
	if (count_runs(m) > RDA_RANGES_CAP) { /* the lowest hole is forgotten */
		ck_assert(next_run(m, &at, &first) && next_run(m, &at, &second));
		for (int64_t i = first.end; i < second.begin; i++)
			m->has[i] = true;
		m->forgotten++;
	}
	return fresh;
}

static void check_same(const struct rda_ranges *set, const struct model *m)
{
	const struct rda_range *ranges = rda_ranges_array(set);
	struct rda_range run = {0, -1};
	unsigned i = 0;

	for (int at = 0; next_run(m, &at, &run); i++) {
		RDA_CHECK(i < set->count, "range %u is missing", i);
		RDA_CHECK(ranges[i].begin == run.begin && ranges[i].end == run.end, "range %u", i);
	}
	RDA_CHECK(set->count == i, "%u ranges and not %u", set->count, i);
	RDA_CHECK(set->forgotten == m->forgotten, "forgotten");
	RDA_CHECK(rda_ranges_end(set, -1) == run.end, "the end");
	for (int number = 0; number < NUMBERS; number++)
		RDA_CHECK(rda_ranges_has(set, number) == m->has[number], "number %d", number);
}

/* The same numbers in every run. */
static unsigned next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* Short and long additions; the short ones make more than RDA_RANGES_CAP holes. */
START_TEST(random_additions)
{
	static const unsigned longest[] = {1, 2, 5, 40};
	uint32_t state = 1 + (uint32_t)_i;
	bool capped = false;

	for (unsigned round = 0; round < ROUNDS / 4; round++) {
		struct model m = {0};
		struct rda_ranges set;

		rda_ranges_init(&set);
		for (unsigned i = 0; i < ADDITIONS; i++) {
			int64_t begin = next_random(&state) % NUMBERS;
			int64_t end = begin + 1 + next_random(&state) % longest[_i];

			end = end < NUMBERS ? end : NUMBERS;
			RDA_CHECK(rda_ranges_add(&set, begin, end) == model_add(&m, begin, end),
				  "fresh of [%lld, %lld)", (long long)begin, (long long)end);
			if (i % 8 == 0 || set.count > RDA_RANGES_CAP - 2)
				check_same(&set, &m);
		}
		check_same(&set, &m);
		capped |= set.forgotten > 0;
		rda_ranges_cleanup(&set);
	}
	ck_assert(capped == (longest[_i] < 40));
}
END_TEST

START_TEST(a_flow_without_losses_is_one_range)
{
	struct rda_ranges set;

	rda_ranges_init(&set);
	for (int64_t i = 5; i < 5000; i++)
		ck_assert_int_eq(rda_ranges_add(&set, i, i + 1), 1);
	ck_assert_uint_eq(set.count, 1);
	ck_assert_ptr_null(set.more); /* and allocates nothing */
	ck_assert_int_eq(rda_ranges_add(&set, 5, 5000), 0);
	ck_assert_int_eq(rda_ranges_add(&set, 0, 5001), 6);
	ck_assert_int_eq(set.one.begin, 0);
	ck_assert_int_eq(set.one.end, 5001);
	rda_ranges_cleanup(&set);
}
END_TEST

START_TEST(the_empty_set_and_empty_additions)
{
	struct rda_ranges set;

	rda_ranges_init(&set);
	ck_assert_int_eq(rda_ranges_end(&set, 42), 42);
	ck_assert(!rda_ranges_has(&set, 0));
	ck_assert_int_eq(rda_ranges_add(&set, 7, 7), 0);
	ck_assert_int_eq(rda_ranges_add(&set, 7, 3), 0);
	ck_assert_uint_eq(set.count, 0);
	rda_ranges_cleanup(&set);
}
END_TEST

/* What the cap forgets is the oldest hole: its numbers count as seen from then on. */
START_TEST(the_cap_forgets_the_oldest_hole)
{
	struct rda_ranges set;

	rda_ranges_init(&set);
	for (int64_t i = 0; i < RDA_RANGES_CAP; i++)
		ck_assert_int_eq(rda_ranges_add(&set, 10 * i, 10 * i + 1), 1);
	ck_assert_uint_eq(set.count, RDA_RANGES_CAP);
	ck_assert_uint_eq(set.forgotten, 0);
	ck_assert(!rda_ranges_has(&set, 5));
	rda_ranges_add(&set, 10 * RDA_RANGES_CAP, 10 * RDA_RANGES_CAP + 1);
	ck_assert_uint_eq(set.count, RDA_RANGES_CAP);
	ck_assert_uint_eq(set.forgotten, 1);
	ck_assert(rda_ranges_has(&set, 5));
	ck_assert(!rda_ranges_has(&set, 15));
	ck_assert_int_eq(rda_ranges_add(&set, 5, 6), 0);
	rda_ranges_cleanup(&set);
	ck_assert_uint_eq(set.count, 0);
}
END_TEST

START_TEST(holes_lie_between_two_ranges)
{
	struct rda_ranges set;

	rda_ranges_init(&set);
	ck_assert_int_eq(rda_ranges_hole(&set, 3), 0);
	rda_ranges_add(&set, 5, 7);
	rda_ranges_add(&set, 10, 12);
	rda_ranges_add(&set, 100, 101);
	ck_assert_int_eq(rda_ranges_hole(&set, 4), 0);
	ck_assert_int_eq(rda_ranges_hole(&set, 6), 0);
	ck_assert_int_eq(rda_ranges_hole(&set, 7), 3);
	ck_assert_int_eq(rda_ranges_hole(&set, 9), 3);
	ck_assert_int_eq(rda_ranges_hole(&set, 10), 0);
	ck_assert_int_eq(rda_ranges_hole(&set, 50), 88);
	ck_assert_int_eq(rda_ranges_hole(&set, 101), 0);
	rda_ranges_cleanup(&set);
}
END_TEST

Suite *rda_suite_ranges(void)
{
	Suite *suite = suite_create("ranges");
	TCase *tcase = tcase_create("ranges");

	tcase_add_loop_test(tcase, random_additions, 0, 4);
	tcase_add_test(tcase, a_flow_without_losses_is_one_range);
	tcase_add_test(tcase, the_empty_set_and_empty_additions);
	tcase_add_test(tcase, the_cap_forgets_the_oldest_hole);
	tcase_add_test(tcase, holes_lie_between_two_ranges);
	suite_add_tcase(suite, tcase);
	return suite;
}
