/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the times of resends tell of a timer, and what comes next.
 */
#include "analyzer/track/roce/schedule.h"

#include "tests/unit/suite.h"

enum { US = 1000, MS = 1000000 };

/* Resends so many milliseconds after the first transmission; the list ends with 0. */
static struct rda_tries tries_of(const double *at_ms)
{
	struct rda_tries tries = {.armed_ns = 1000};

	for (; *at_ms > 0; at_ms++)
		rda_tries_add(&tries, 1000 + (int64_t)(*at_ms * MS));
	return tries;
}

/* The published schedules of ConnectX-6 Dx, as far as they go before the sender gives up. */
static const double t14_r7[] = {20.7,  37.7,   71.4,   138.4,  239.1,  440.4,
				977.3, 1514.2, 2051.1, 2588.0, 3124.8, 0};
static const double t14_r1[] = {20.7, 37.7, 71.4, 138.4, 239.1, 440.4, 0};
static const double t18_r2[] = {20.7, 37.7, 71.4, 138.4, 239.1, 440.4, 977.3, 1782.4, 0};
static const double t20_r7[] = {20.7,	37.7,	71.4,	 138.4,	  239.1,   440.4,   977.3,   1782.4,
				3930.3, 8225.1, 16815.1, 25405.0, 33995.0, 42584.9, 51174.8, 0};

START_TEST(adaptive)
{
	static const struct {
		const double *at_ms;
		int told;
		uint32_t adaptive, regular, budget_least, budget_most;
		bool may_end;
		int64_t least_ms, most_ms;
	} cases[] = {
		{t14_r7, -1, 6, 5, 7, 7, true, 536, 536},
		{t14_r7, 14, 6, 5, 7, 7, true, 536, 536},
		{t14_r1, -1, 6, 0, 0, 2, true, 536, 536},
		{t14_r1, 10, 6, 0, 0, 2, true, 536, 536},
		{t14_r1, 18, 6, 0, 0, 0, false, 0, 0}, /* its ladder is longer */
		{t18_r2, 18, 8, 0, 0, 2, true, 2147, 2147},
		{t18_r2, 17, 8, 0, 0, 2, true, 1073, 1073},
		{t18_r2, -1, 8, 0, 0, 2, true, 1073, 2147}, /* nobody can tell these apart */
		{t20_r7, -1, 10, 5, 7, 7, true, 8589, 8589},
		{t20_r7, 20, 10, 5, 7, 7, true, 8589, 8589},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		const struct rda_tries tries = tries_of(cases[i].at_ms);
		const struct rda_schedule s = rda_schedule_of(&tries, cases[i].told);

		ck_assert_uint_eq(s.timer, RDA_TIMER_ADAPTIVE);
		ck_assert_msg(s.adaptive == cases[i].adaptive && s.regular == cases[i].regular,
			      "case %u: %u by the ladder and %u regular, not %u and %u", i,
			      s.adaptive, s.regular, cases[i].adaptive, cases[i].regular);
		ck_assert_int_eq(s.may_end, cases[i].may_end);
		if (!s.may_end)
			continue;
		ck_assert_msg(s.least_ns / MS == cases[i].least_ms &&
				      s.most_ns / MS == cases[i].most_ms,
			      "case %u: from %lld to %lld ms", i, (long long)s.least_ns / MS,
			      (long long)s.most_ns / MS);
		ck_assert_uint_eq(s.budget_least, cases[i].budget_least);
		ck_assert_uint_eq(s.budget_most, cases[i].budget_most);
		ck_assert_int_gt(s.patience_ns, s.most_ns);
	}
}
END_TEST

/* Also where one of its resends is not in the capture, or something else armed the timer. */
START_TEST(adaptive_nevertheless)
{
	static const double lacks_one[] = {20.7, 37.7, 71.4, 239.1, 440.4, 977.3, 1514.2, 0};
	static const double began_later[] = {8.6, 25.6, 59.3, 126.3, 227.0, 428.3, 0};
	static const double one[] = {20.7, 0}, two[] = {20.7, 37.7, 0};
	struct rda_tries tries = tries_of(lacks_one);

	ck_assert_uint_eq(rda_schedule_of(&tries, -1).timer, RDA_TIMER_ADAPTIVE);
	ck_assert_uint_eq(rda_schedule_of(&tries, -1).adaptive, 6);
	ck_assert_uint_eq(rda_schedule_of(&tries, -1).regular, 2);
	tries = tries_of(began_later);
	ck_assert_uint_eq(rda_schedule_of(&tries, -1).timer, RDA_TIMER_ADAPTIVE);
	tries = tries_of(one);
	ck_assert_uint_eq(rda_schedule_of(&tries, -1).timer, RDA_TIMER_UNKNOWN);
	ck_assert(rda_schedule_may_be_adaptive(&tries));
	tries = tries_of(two);
	ck_assert_uint_eq(rda_schedule_of(&tries, -1).timer, RDA_TIMER_UNKNOWN);
	ck_assert(rda_schedule_may_be_adaptive(&tries));
}
END_TEST

START_TEST(others)
{
	static const struct {
		double at_ms[12];
		enum rda_timer timer;
		bool may_end;
		int64_t next_ms, patience_ms; /* next_ms 0: not known */
	} cases[] = {
		{{67}, RDA_TIMER_UNKNOWN, true, 67, 201},
		{{67, 134}, RDA_TIMER_CONSTANT, true, 67, 201},
		{{67, 134, 201, 268}, RDA_TIMER_CONSTANT, true, 67, 100},
		{{67, 134, 201, 268, 335, 402, 469}, RDA_TIMER_CONSTANT, true, 67, 100},
		{{67, 134, 201, 268, 335, 402, 469, 536}, RDA_TIMER_ENDLESS, false, 67, 100},
		{{16, 48, 112, 240}, RDA_TIMER_GROWING, true, 0, 384},
		{{16, 48, 112, 240, 368, 496, 624, 752, 880}, RDA_TIMER_GROWING, true, 128, 192},
		{{100, 110, 300, 310, 500, 510, 700, 710}, RDA_TIMER_UNKNOWN, false, 0, 570},
		/* a timer that doubles from 16.8 ms is no ladder */
		{{16.8, 50.3, 117.4, 251.7}, RDA_TIMER_GROWING, true, 0, 402},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		const struct rda_tries tries = tries_of(cases[i].at_ms);
		const struct rda_schedule s = rda_schedule_of(&tries, -1);

		ck_assert_msg(s.timer == cases[i].timer, "case %u is timer %u, not %u", i, s.timer,
			      cases[i].timer);
		ck_assert_int_eq(s.may_end, cases[i].may_end);
		ck_assert_int_eq(s.most_ns / MS, cases[i].next_ms);
		ck_assert_msg(s.patience_ns / MS == cases[i].patience_ms,
			      "case %u: patience of %lld ms, not %lld", i,
			      (long long)s.patience_ns / MS, (long long)cases[i].patience_ms);
		ck_assert(!s.adaptive && !rda_schedule_may_be_adaptive(&tries));
	}
}
END_TEST

/* Tries without end, of which the first few seem to come ever slower, as an uneven clock has it. */
START_TEST(no_timer_grows_for_ever)
{
	static const double at_ms[12] = {16, 32, 49, 67, 86, 106, 127, 149, 176, 208, 246};
	struct rda_tries tries = tries_of(at_ms);
	struct rda_schedule s;

	s = rda_schedule_of(&tries, -1);
	ck_assert_int_eq(s.timer, RDA_TIMER_GROWING);
	ck_assert(s.may_end);
	while (tries.count < 460)
		rda_tries_add(&tries, tries.last_ns + 40 * MS);
	s = rda_schedule_of(&tries, -1);
	ck_assert_int_eq(s.timer, RDA_TIMER_GROWING);
	ck_assert(!s.may_end);
}
END_TEST

START_TEST(waits)
{
	static const double at_ms[] = {10, 30, 80, 0}, one[] = {10, 0};
	struct rda_tries tries = tries_of(at_ms);
	int64_t shortest_ns, longest_ns;

	rda_tries_waits(&tries, &shortest_ns, &longest_ns);
	ck_assert_int_eq(shortest_ns, 20 * MS);
	ck_assert_int_eq(longest_ns, 50 * MS);
	tries = tries_of(one);
	rda_tries_waits(&tries, &shortest_ns, &longest_ns);
	ck_assert_int_eq(shortest_ns, 10 * MS);
	ck_assert_int_eq(longest_ns, 10 * MS);
}
END_TEST

/* Hostile times and counts: nothing overflows, and nothing beyond what is kept is read. */
START_TEST(hostile)
{
	const int64_t far_ns = (INT64_C(1) << 62) - 1;
	struct rda_tries tries = {.armed_ns = -far_ns};

	ck_assert_uint_eq(rda_schedule_of(&tries, -1).timer, RDA_TIMER_UNKNOWN);
	for (unsigned i = 0; i < 3 * RDA_TRIES_KEPT; i++) {
		rda_tries_add(&tries, i % 2 ? far_ns : -far_ns);
		ck_assert_uint_ne(rda_schedule_of(&tries, 31).timer, RDA_TIMER_ADAPTIVE);
		ck_assert(!rda_schedule_may_be_adaptive(&tries));
	}
	ck_assert_uint_eq(tries.count, 3 * RDA_TRIES_KEPT);
}
END_TEST

Suite *rda_suite_schedule(void)
{
	Suite *suite = suite_create("schedule");
	TCase *tcase = tcase_create("schedule");

	tcase_add_test(tcase, adaptive);
	tcase_add_test(tcase, adaptive_nevertheless);
	tcase_add_test(tcase, others);
	tcase_add_test(tcase, no_timer_grows_for_ever);
	tcase_add_test(tcase, waits);
	tcase_add_test(tcase, hostile);
	suite_add_tcase(suite, tcase);
	return suite;
}
