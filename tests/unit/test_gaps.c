/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long what is lost or damaged is missed at the second tap, and how often it was sent.
 */
#include "analyzer/taps/gaps.h"

#include "tests/unit/suite.h"

#include <string.h>

#define LONG RDA_HOP_STALL_NS

static struct rda_gaps gaps;
static struct rda_hop hop;
static int64_t now_ns;

static void setup(void)
{
	memset(&gaps, 0, sizeof(gaps));
	memset(&hop, 0, sizeof(hop));
	now_ns = 0;
}

static struct rda_passage packet(bool request, uint32_t psn)
{
	return (struct rda_passage){
		.time_ns = now_ns, .sequence = psn, .answered = request, .answers = !request};
}

static void gone(bool request, uint32_t psn)
{
	struct rda_passage it = packet(request, psn);

	rda_gaps_gone(&gaps, &hop, &it, false);
}

static void came(bool request, uint32_t psn)
{
	struct rda_passage it = packet(request, psn);

	rda_gaps_came(&gaps, &hop, &it);
}

static uint64_t stalls(enum rda_gap_kind kind)
{
	ck_assert_uint_eq(hop.stalls[kind][1], 0);
	return hop.stalls[kind][0];
}

/* Later requests do not stand for one that is missed; it does, when it comes, and one before it. */
START_TEST(a_request_is_missed_until_it_comes)
{
	gone(true, 0xffffff);
	came(true, 0); /* behind it */
	now_ns += LONG;
	came(true, 1);
	ck_assert_uint_eq(stalls(RDA_GAP_REQUESTS), 0);
	came(true, 0xffffff);
	ck_assert_uint_eq(stalls(RDA_GAP_REQUESTS), 1);
	gone(true, 2);
	now_ns += LONG - 1;
	came(true, 1);
	now_ns += LONG;
	came(true, 2);
	ck_assert_uint_eq(stalls(RDA_GAP_REQUESTS), 1);
}
END_TEST

/* The second capture missed a request, which nobody sends again; others are missed behind it. */
START_TEST(one_that_never_comes_again)
{
	gone(true, 30);
	for (uint32_t psn = 40; psn < 45; psn++) {
		now_ns += LONG;
		gone(true, psn);
		now_ns += LONG;
		came(true, psn);
	}
	ck_assert_uint_eq(stalls(RDA_GAP_REQUESTS), 5);
	gone(true, 50);
	now_ns += LONG;
	rda_gaps_end(&gaps, &hop);
	ck_assert_uint_eq(stalls(RDA_GAP_REQUESTS), 5);
}
END_TEST

START_TEST(a_later_answer_stands_for_one)
{
	gone(false, 30);
	came(true, 30); /* that direction's own request */
	came(false, 29);
	now_ns += LONG;
	came(false, 31);
	ck_assert_uint_eq(stalls(RDA_GAP_ANSWERS), 1);
	gone(false, 32);
	came(false, 33);
	now_ns += LONG;
	rda_gaps_end(&gaps, &hop);
	ck_assert_uint_eq(stalls(RDA_GAP_ANSWERS), 1);
	ck_assert_uint_eq(hop.tries[RDA_GAP_ANSWERS][0], 0);
	ck_assert_uint_eq(stalls(RDA_GAP_REQUESTS), 0);
}
END_TEST

/* Nobody waits for a CNP, and it stands for nothing. */
START_TEST(packets_that_answer_nothing)
{
	struct rda_passage cnp = {.sequence = 40};

	gone(false, 30);
	rda_gaps_came(&gaps, &hop, &cnp);
	rda_gaps_gone(&gaps, &hop, &cnp, false);
	now_ns += LONG;
	came(false, 31);
	ck_assert_uint_eq(stalls(RDA_GAP_ANSWERS), 1);
}
END_TEST

/* A message of three packets is lost, three times; the other packets of each try count as nothing.
 */
static void three_tries(enum rda_gap_kind kind)
{
	for (unsigned i = 0; i < 3; i++) {
		now_ns += LONG;
		for (uint32_t psn = 30; psn < 33; psn++)
			gone(kind == RDA_GAP_REQUESTS, psn);
	}
	rda_gaps_end(&gaps, &hop); /* nothing tells that the last one's timer fired */
	ck_assert_uint_eq(stalls(kind), 2);
	ck_assert_uint_eq(hop.tries[kind][0], 3);
	ck_assert_uint_eq(hop.tries[!kind][0], 0);
}

START_TEST(each_try_of_a_request)
{
	three_tries(RDA_GAP_REQUESTS);
}
END_TEST

START_TEST(each_answer_to_a_read)
{
	three_tries(RDA_GAP_ANSWERS);
}
END_TEST

START_TEST(damaged_ones_are_counted_apart)
{
	struct rda_passage it = packet(false, 30);

	rda_gaps_gone(&gaps, &hop, &it, true);
	now_ns += LONG;
	came(false, 30);
	ck_assert_uint_eq(hop.stalls[RDA_GAP_ANSWERS][0], 0);
	ck_assert_uint_eq(hop.stalls[RDA_GAP_ANSWERS][1], 1);
}
END_TEST

START_TEST(stamps_at_both_ends)
{
	now_ns = INT64_MIN;
	gone(false, 30);
	now_ns = INT64_MAX;
	came(false, 30);
	ck_assert_uint_eq(stalls(RDA_GAP_ANSWERS), 1);
	gone(false, 31);
	now_ns = INT64_MIN; /* the clock was set back */
	came(false, 31);
	ck_assert_uint_eq(stalls(RDA_GAP_ANSWERS), 1);
}
END_TEST

START_TEST(what_nobody_knows_is_no_try)
{
	gone(true, 30);
	now_ns += LONG;
	gone(true, 30);
	rda_gaps_unknown(&gaps);
	rda_gaps_end(&gaps, &hop);
	ck_assert_uint_eq(stalls(RDA_GAP_REQUESTS), 1);
	ck_assert_uint_eq(hop.tries[RDA_GAP_REQUESTS][0], 0);
}
END_TEST

Suite *rda_suite_gaps(void)
{
	Suite *suite = suite_create("gaps");
	TCase *tcase = tcase_create("gaps");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_request_is_missed_until_it_comes);
	tcase_add_test(tcase, one_that_never_comes_again);
	tcase_add_test(tcase, a_later_answer_stands_for_one);
	tcase_add_test(tcase, packets_that_answer_nothing);
	tcase_add_test(tcase, each_try_of_a_request);
	tcase_add_test(tcase, each_answer_to_a_read);
	tcase_add_test(tcase, damaged_ones_are_counted_apart);
	tcase_add_test(tcase, stamps_at_both_ends);
	tcase_add_test(tcase, what_nobody_knows_is_no_try);
	suite_add_tcase(suite, tcase);
	return suite;
}
