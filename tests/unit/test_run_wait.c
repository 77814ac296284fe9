/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a requester waits before it sends again: packets as they pass.
 */
#include "analyzer/track/roce/run_wait.h"

#include "tests/unit/suite.h"
#include "tests/unit/told.h"

/* The least silence that a timer ended, and no reason that was given. */
START_TEST(waited)
{
	const struct rda_request q = {.begin = 12, .end = 13};
	struct rda_requester r;

	rda_requester_init(&r, 0);
	r.begun.first = 10;
	r.progress.acked = 12;
	rda_run_waited(&r, &q, RDA_TRIGGER_TIMEOUT, false, RDA_TIMER_IN_USE_NS - 1);
	ck_assert_int_eq(r.rare->run.timer_ns, 0);
	rda_run_waited(&r, &q, RDA_TRIGGER_TIMEOUT, false, 9000000);
	rda_run_waited(&r, &q, RDA_TRIGGER_TIMEOUT, false, 8000000);
	rda_run_waited(&r, &q, RDA_TRIGGER_TIMEOUT, false, 67000000);
	ck_assert_int_eq(r.rare->run.timer_ns, 8000000);
	ck_assert_int_eq(r.rare->run.obeyed_ns, 0);
	rda_run_waited(&r, &q, RDA_TRIGGER_NAK, true, 5000);
	rda_run_waited(&r, &q, RDA_TRIGGER_RNR, true, 1000);
	ck_assert_int_eq(r.rare->run.obeyed_ns, 5000);
	ck_assert_int_eq(r.rare->run.timer_ns, 8000000);
	ck_assert(!r.rare->run.from_first);
	r.progress.acked = 10;
	rda_run_waited(&r, &q, RDA_TRIGGER_NAK, true, 5000);
	ck_assert(!r.rare->run.from_first);
	rda_run_waited(&r, &q, RDA_TRIGGER_TIMEOUT, false, 9000000);
	ck_assert(r.rare->run.from_first);
	rda_requester_cleanup(&r);
}
END_TEST

Suite *rda_suite_run_wait(void)
{
	Suite *suite = suite_create("run_wait");
	TCase *tcase = tcase_create("run_wait");

	tcase_add_test(tcase, waited);
	suite_add_tcase(suite, tcase);
	return suite;
}
