/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is late, by values: rings of which the second host may be.
 */
#include "analyzer/facts/collective.h"

#include "tests/unit/suite.h"

#include <stdlib.h>

enum { HOSTS = 4, STEPS = 5, US = 1000, USUAL = 10 * US };

static struct rda_step steps[HOSTS][STEPS];
static struct rda_rank ranks[HOSTS];
static struct rda_edge edges[HOSTS];
static struct rda_collective ring;

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Each begins USUAL, and the second so much more, after its input of the step before. */
static void run(int64_t late_ns, uint32_t count)
{
	ring = (struct rda_collective){
		.shape = RDA_SHAPE_RING, .rank_count = HOSTS, .ranks = ranks};
	for (uint32_t i = 0; i < HOSTS; i++) {
		ranks[i] = (struct rda_rank){0};
		edges[i] = (struct rda_edge){
			.from = i, .to = (i + 1) % HOSTS, .count = count, .steps = steps[i]};
	}
	for (uint32_t k = 0; k < count; k++)
		for (uint32_t i = 0; i < HOSTS; i++) {
			int64_t ready = k ? greater(steps[(i + HOSTS - 1) % HOSTS][k - 1].sent_ns,
						    steps[i][k - 1].sent_ns)
					  : 0;
			int64_t start = ready + USUAL + (i == 1 && k ? late_ns : 0);

			steps[i][k] = (struct rda_step){start, start + US, start + 2 * US, 1};
		}
}

START_TEST(the_late_one)
{
	run(1000 * US, STEPS);
	rda_lateness_of(&ring, edges, HOSTS);
	ck_assert(ring.in_step);
	ck_assert_uint_eq(ring.steps, STEPS);
	ck_assert_int_eq(ring.late, 1);
	ck_assert_uint_eq(ring.late_starts, STEPS - 1);
	ck_assert_int_eq(ring.others_ns, USUAL);
	ck_assert(ring.held);
	ck_assert_int_eq(ranks[1].after_ns, 1010 * US);
}
END_TEST

START_TEST(nobody)
{
	run(0, STEPS);
	rda_lateness_of(&ring, edges, HOSTS);
	ck_assert(ring.in_step);
	ck_assert_int_eq(ring.late, -1);
	run(2 * USUAL, STEPS);
	rda_lateness_of(&ring, edges, HOSTS);
	ck_assert_int_eq(ring.late, -1);
	run(1000 * US, 2);
	rda_lateness_of(&ring, edges, HOSTS);
	ck_assert_int_eq(ring.late, -1);
}
END_TEST

/* Where a step begins before its input, or by another clock, nothing is told. */
START_TEST(out_of_step)
{
	run(1000 * US, STEPS);
	steps[3][2].start_ns = 0;
	rda_lateness_of(&ring, edges, HOSTS);
	ck_assert(!ring.in_step);
	ck_assert_int_eq(ring.late, -1);
	run(1000 * US, STEPS);
	edges[2].clock = 1;
	rda_lateness_of(&ring, edges, HOSTS);
	ck_assert(!ring.in_step);
	run(1000 * US, STEPS);
	edges[2].count -= 2;
	rda_lateness_of(&ring, edges, HOSTS);
	ck_assert(!ring.in_step);
}
END_TEST

Suite *rda_suite_lateness(void)
{
	Suite *suite = suite_create("lateness");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, the_late_one);
	tcase_add_test(tests, nobody);
	tcase_add_test(tests, out_of_step);
	suite_add_tcase(suite, tests);
	return suite;
}
