/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What resends spend and tell of a timer, as they pass; what follows from it: test_gave_up.c.
 */
#include "analyzer/track/roce/giveup.h"

#include "analyzer/engine/state.h"
#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

START_TEST(spent)
{
	static const struct {
		const char *script;
		uint32_t spent, spent_by_naks, waits;
		int64_t most_ms;
	} cases[] = {
		{"send 9 ack 9 send 10-12 wait 20 10-12", 1, 0, 1, 20},
		{"send 9 ack 9 send 10-12 wait 20 10-12 wait 21 10-12", 2, 0, 2, 21},
		{"send 9 ack 9 send 10-12 nak 11 us 50 send 11-12", 1, 1, 0, 0},
		{"send 9 ack 9 send 10-12 nak 11 us 50 send 11-12 nak 12 us 50 send 12", 2, 2, 0,
		 0},
		/* an ACK gives them back; the timer is the same */
		{"send 9 ack 9 send 10-12 wait 20 10-12 ack 12 send 13", 0, 0, 1, 20},
		/* put off by an RNR NAK */
		{"send 9 ack 9 send 10 rnr 10 wait 2 send 10", 0, 0, 0, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		const struct rda_giveup *giveup;
		struct rda_feed feed;

		rda_dialog_tell(&feed, cases[i].script, 5);
		giveup = rda_giveup_of(feed.engine->flows.table.items[0]);
		ck_assert_ptr_nonnull(giveup);
		ck_assert_uint_eq(giveup->spent, cases[i].spent);
		ck_assert_uint_eq(giveup->spent_by_naks, cases[i].spent_by_naks);
		ck_assert_uint_eq(giveup->waits.count, cases[i].waits);
		ck_assert_int_eq(giveup->waits.most_ns / 1000000, cases[i].most_ms);
		rda_feed_end(&feed);
	}
}
END_TEST

START_TEST(put_off_unseen)
{
	/* code 14: 1.28 ms */
	const struct rda_giveup thrice = {
		.put_off = {.obeyed = 3, .syndrome = 0x2e, .late_ns = 720000}};
	const struct rda_giveup once = {
		.put_off = {.obeyed = 1, .syndrome = 0x2e, .late_ns = 720000}};

	ck_assert(rda_giveup_may_be_put_off(&thrice, 1280000));
	ck_assert(rda_giveup_may_be_put_off(&thrice, 2360000));
	ck_assert(!rda_giveup_may_be_put_off(&thrice, 2360001));
	ck_assert(!rda_giveup_may_be_put_off(&thrice, 1279999)); /* sooner than asked */
	ck_assert(!rda_giveup_may_be_put_off(&once, 1500000));
}
END_TEST

Suite *rda_suite_giveup(void)
{
	Suite *suite = suite_create("giveup");
	TCase *tcase = tcase_create("giveup");

	tcase_add_test(tcase, spent);
	tcase_add_test(tcase, put_off_unseen);
	suite_add_tcase(suite, tcase);
	return suite;
}
