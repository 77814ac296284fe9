/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses that expire, are renewed and released; how much of a while they take at most.
 */
#include "analyzer/checks/congestion/stopping.h"

#include "tests/unit/suite.h"

enum { MS = 1000000 };

START_TEST(expires_is_renewed_and_released)
{
	struct rda_stopping stop = {0};

	rda_stopping_ask(&stop, 10 * MS, 2 * MS); /* expires */
	rda_stopping_ask(&stop, 20 * MS, 5 * MS);
	rda_stopping_ask(&stop, 24 * MS, 5 * MS); /* goes on */
	rda_stopping_ask(&stop, 26 * MS, 0);	  /* goes on no more */
	rda_stopping_end(&stop, 40 * MS);
	ck_assert_int_eq(stop.stopped_ns, 8 * MS);
	ck_assert_int_eq(stop.longest_ns, 6 * MS);
	ck_assert_int_eq(stop.most_ns, 8 * MS);
	ck_assert(!rda_stopping_is_storm(&stop));
}
END_TEST

/* A share of each millisecond, for a second: the most within 100 ms is that share. */
START_TEST(within_a_while)
{
	for (int64_t percent = 10; percent <= 100; percent += 10) {
		struct rda_stopping stop = {0};

		for (int64_t i = 0; i < 1000; i++)
			rda_stopping_ask(&stop, i * MS, percent * MS / 100);
		rda_stopping_end(&stop, 1000 * (int64_t)MS);
		ck_assert_int_eq(stop.stopped_ns, percent * 10 * MS);
		ck_assert_int_eq(stop.most_ns, percent * RDA_STORM_NS / 100);
		ck_assert_int_eq(rda_stopping_is_storm(&stop), percent > 50);
	}
}
END_TEST

Suite *rda_suite_check_congestion_stopping(void)
{
	Suite *suite = suite_create("check_congestion_stopping");
	TCase *tcase = tcase_create("check_congestion_stopping");

	tcase_add_test(tcase, expires_is_renewed_and_released);
	tcase_add_test(tcase, within_a_while);
	suite_add_tcase(suite, tcase);
	return suite;
}
