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
	return (struct rda_passage){.time_ns = now_ns, .sequence = psn, .answered = request};
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

/* Later requests do not stand for one that is missed; it does, when it comes, and one before it. */
START_TEST(a_request_is_missed_until_it_comes)
{
	gone(true, 0xffffff);
	came(true, 0); /* behind it */
	now_ns += LONG;
	came(true, 1);
	ck_assert_uint_eq(hop.stalls[0], 0);
	came(true, 0xffffff);
	ck_assert_uint_eq(hop.stalls[0], 1);
	gone(true, 2);
	now_ns += LONG - 1;
	came(true, 1);
	now_ns += LONG;
	came(true, 2);
	ck_assert_uint_eq(hop.stalls[0], 1);
}
END_TEST

START_TEST(any_later_answer_stands_for_one)
{
	gone(false, 30);
	came(true, 30); /* that direction's own request */
	now_ns += LONG;
	came(false, 31);
	ck_assert_uint_eq(hop.stalls[0], 1);
	gone(false, 32);
	came(false, 33);
	now_ns += LONG;
	rda_gaps_end(&gaps, &hop);
	ck_assert_uint_eq(hop.stalls[0], 1);
	ck_assert_uint_eq(hop.tries_lost[RDA_GAP_OTHERS], 0);
}
END_TEST

/* A message of three packets is lost, three times; the other packets of each try count as nothing.
 */
START_TEST(each_try_is_one)
{
	for (unsigned i = 0; i < 3; i++) {
		for (uint32_t psn = 30; psn < 33; psn++)
			gone(true, psn);
		now_ns += LONG;
	}
	ck_assert_uint_eq(hop.stalls[0], 2);
	rda_gaps_end(&gaps, &hop);
	ck_assert_uint_eq(hop.stalls[0], 3);
	ck_assert_uint_eq(hop.tries_lost[RDA_GAP_REQUESTS], 3);
	ck_assert_uint_eq(hop.tries_lost[RDA_GAP_OTHERS], 0);
}
END_TEST

START_TEST(damaged_ones_are_counted_apart)
{
	struct rda_passage it = packet(false, 30);

	rda_gaps_gone(&gaps, &hop, &it, true);
	now_ns += LONG;
	came(false, 30);
	ck_assert_uint_eq(hop.stalls[0], 0);
	ck_assert_uint_eq(hop.stalls[1], 1);
}
END_TEST

START_TEST(what_nobody_knows_is_no_try)
{
	gone(true, 30);
	now_ns += LONG;
	gone(true, 30);
	rda_gaps_unknown(&gaps);
	rda_gaps_end(&gaps, &hop);
	ck_assert_uint_eq(hop.stalls[0], 1);
	ck_assert_uint_eq(hop.tries_lost[RDA_GAP_REQUESTS], 0);
}
END_TEST

Suite *rda_suite_gaps(void)
{
	Suite *suite = suite_create("gaps");
	TCase *tcase = tcase_create("gaps");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_request_is_missed_until_it_comes);
	tcase_add_test(tcase, any_later_answer_stands_for_one);
	tcase_add_test(tcase, each_try_is_one);
	tcase_add_test(tcase, damaged_ones_are_counted_apart);
	tcase_add_test(tcase, what_nobody_knows_is_no_try);
	suite_add_tcase(suite, tcase);
	return suite;
}
