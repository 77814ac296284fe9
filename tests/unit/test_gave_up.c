/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who gives up, and who only waits; what is said of it: test_check_answer_giveup.c.
 */
#include "analyzer/track/roce/gave_up.h"

#include "tests/unit/dialog.h"
#include "tests/unit/suite.h"

/* Of host 1, as the counters have it. */
static uint64_t exceeded(const struct rda_feed *feed, bool rnr)
{
	const struct rda_host *host = rda_engine_host(feed->engine, 0);

	return rnr ? host->rnr_retry_exceeded : host->retry_exceeded;
}

#define TIMED "send 9 ack 9 send 10-12 wait 20 10-12 wait 20 "

START_TEST(counters)
{
	static const struct {
		const char *script;
		uint64_t retry, rnr;
	} cases[] = {
		{"send 10 ack 10", 0, 0},
		{"send 9 ack 9 send 10 wait 20 10 wait 70 other", 1, 0},
		{"send 10 wait 20 10 wait 20 10 wait 20 10 wait 70 other", 1, 0},
		/* an ACK above it has answered it: a late original, or a copy */
		{"send 9-12 ack 12 us 200 send 10 wait 70 other", 0, 0},
		/* sooner than the shortest timer there is */
		{"send 9 ack 9 send 10 us 2 10 wait 70 other", 0, 0},
		{"send 10 rnr 10 wait 1200 other", 0, 1},
		/* the RNR NAK may be lost behind, and the timer not have expired */
		{"send 10 rnr 10 wait 20 other", 0, 0},
		/* it obeyed one in 1 ms, and sent on for 5 ms after the other */
		{"send 10 rnr 10 wait 2 send 10 rnr 10 wait 8 send 11 wait 4000 other", 0, 0},
		{"other", RDA_UNKNOWN, RDA_UNKNOWN},
		/* its timer is one of 20 ms; a NAK was obeyed, and the next one is not */
		{TIMED "10-12 nak 10 us 50 send 10-12 nak 11 wait 31 other", 1, 0},
		{TIMED "10-12 nak 10 us 50 send 10-12 nak 11 wait 29 other", 0, 0},
		{TIMED "10-12 nak 11 wait 31 other", 1, 0},
		/* obeyed; the timer may have begun anew since */
		{TIMED "10-12 nak 10 us 50 send 10-12 nak 11 us 50 send 11-12 wait 31 other", 0, 0},
		/* acknowledged; and refused, which is told as what it is */
		{TIMED "10-12 nak 10 us 50 send 10-12 nak 11 ack 12 wait 31 other", 0, 0},
		{TIMED "10-12 nak 10 us 50 send 10-12 nak 11 fatal 61 11 wait 31 other", 0, 0},
		/* no timer fires within 5 us */
		{"send 9 ack 9 send 10-12 us 5 10-12 us 5 10-12 nak 11 us 50 send 11-12 nak 12 "
		 "wait 5 other",
		 0, 0},
		/* it was seen once, or is none of a constant length */
		{"send 9 ack 9 send 10-12 wait 20 10-12 nak 10 us 50 send 10-12 nak 11 wait 90 "
		 "other",
		 0, 0},
		{"send 9 ack 9 send 10-12 wait 20 10-12 wait 40 10-12 nak 10 us 50 send 10-12 nak "
		 "11 "
		 "wait 90 other",
		 0, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_feed feed;

		rda_dialog_tell(&feed, cases[i].script, 5);
		ck_assert_uint_eq(exceeded(&feed, false), cases[i].retry);
		ck_assert_uint_eq(exceeded(&feed, true), cases[i].rnr);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_gave_up(void)
{
	Suite *suite = suite_create("gave_up");
	TCase *tcase = tcase_create("gave_up");

	tcase_add_test(tcase, counters);
	suite_add_tcase(suite, tcase);
	return suite;
}
