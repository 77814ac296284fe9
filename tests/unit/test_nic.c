/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sums of flows come to, and that they add up in any order.
 */
#include "analyzer/facts/nic.h"

#include "analyzer/base/latency.h"
#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

#include <string.h>

START_TEST(words)
{
	struct rda_nic nic = {0};

	ck_assert_uint_eq(rda_nic_timer(&nic), RDA_TIMER_UNKNOWN);
	ck_assert_ptr_null(rda_nic_recovery(&nic));
	ck_assert_ptr_null(rda_nic_acknowledges(&nic));
	ck_assert_int_eq(rda_nic_timer_ns(&nic), 0);
	nic.timers[RDA_TIMER_GROWING] = 2;
	nic.timers[RDA_TIMER_CONSTANT] = 1;
	ck_assert_uint_eq(rda_nic_timer(&nic), RDA_TIMER_GROWING);
	nic.timers[RDA_TIMER_CONSTANT] = 2;
	ck_assert_uint_eq(rda_nic_timer(&nic), RDA_TIMER_CONSTANT);
	nic.timers[RDA_TIMER_ENDLESS] = 1;
	ck_assert_uint_eq(rda_nic_timer(&nic), RDA_TIMER_ENDLESS);
	nic.timers[RDA_TIMER_ADAPTIVE] = 1;
	ck_assert_uint_eq(rda_nic_timer(&nic), RDA_TIMER_ADAPTIVE);
	nic.go_back_n = 1;
	ck_assert_str_eq(rda_nic_recovery(&nic), "go-back-n");
	nic.selective = 1;
	ck_assert_str_eq(rda_nic_recovery(&nic), "selective");
	nic.acks = nic.acked = 20;
	ck_assert_str_eq(rda_nic_acknowledges(&nic), "each");
	nic.acked = 23;
	ck_assert_str_eq(rda_nic_acknowledges(&nic), "merged");
	nic.timer_least_ns = 1000;
	nic.timer_most_ns = 1250;
	ck_assert_int_eq(rda_nic_timer_ns(&nic), 1000);
	nic.timer_most_ns = 1400;
	ck_assert_int_eq(rda_nic_timer_ns(&nic), 0);
}
END_TEST

/* Host 1 asks, host 2 answers. */
static void take(struct rda_nic nics[2], const char *script)
{
	const struct rda_result *result;
	struct rda_feed feed;

	rda_dialog_tell(&feed, script, 7);
	result = rda_engine_finished(feed.engine);
	for (unsigned i = 0; i < 2; i++)
		rda_nic_merge(&nics[i], rda_result_nic(result, rda_result_host(result, i)->index));
	rda_feed_end(&feed);
}

START_TEST(of_connections)
{
	struct rda_nic nics[2];

	memset(nics, 0, sizeof(nics));
	take(nics, "send 9 ack 9 send 10 wait 20 10 wait 20 10 wait 20 10 ack 10");
	ck_assert_uint_eq(nics[0].timers[RDA_TIMER_CONSTANT], 1);
	ck_assert_int_eq(rda_nic_timer_ns(&nics[0]) / 1000000, 20);
	ck_assert_uint_eq(nics[1].acks, 2);
	ck_assert_uint_eq(nics[1].acked, 1); /* one was sent once */
	take(nics, "send 9-10 ack 9 send 12-13 nak 11 send 11-13 ack 13");
	ck_assert_uint_eq(nics[0].timers[RDA_TIMER_CONSTANT], 1);
	ck_assert_str_eq(rda_nic_recovery(&nics[0]), "go-back-n");
	ck_assert_uint_eq(nics[0].nak_obeyed.count, 1);
	ck_assert_uint_eq(nics[0].nak_sent.count, 0);
	ck_assert_uint_eq(nics[1].nak_sent.count, 1);
	for (unsigned i = 0; i < 2; i++)
		rda_nic_cleanup(&nics[i]);
}
END_TEST

Suite *rda_suite_nic(void)
{
	Suite *suite = suite_create("nic");
	TCase *tcase = tcase_create("nic");

	tcase_add_test(tcase, words);
	tcase_add_test(tcase, of_connections);
	suite_add_tcase(suite, tcase);
	return suite;
}
