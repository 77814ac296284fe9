/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sentences of S01-S05, and who tells when several could.
 */
#include "analyzer/checks/sequence/state.h"
#include "analyzer/engine/state.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

/* BEGUN: nothing that is missing from then on can have passed before the capture began. */
enum { NAK = 0x60, TIMEOUT_US = 89999, BEGUN_US = 59999 };

static struct rda_feed feed;

static void same(enum rda_check check, const char *text)
{
	const struct rda_finding *finding = rda_talk_found(&feed, check);

	ck_assert_ptr_nonnull(finding);
	ck_assert_str_eq(rda_said_by(finding), text);
}

START_TEST(a_loss_before)
{
	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 9}, {'B', RC_ACKNOWLEDGE, 9},
		 {'A', RC_SEND_ONLY, 10, 0, BEGUN_US}, {'A', RC_SEND_ONLY, 12},
		 {'B', RC_ACKNOWLEDGE, 11, NAK, 999}, {'A', RC_SEND_ONLY, 11, 0, 1999},
		 {'A', RC_SEND_ONLY, 12}, {'B', RC_ACKNOWLEDGE, 12, 0, 999});
	same(RDA_CHECK_S01,
	     "1 of 6 packets was lost before this capture point, in 1 episode; recovery took "
	     "3 ms of 64 ms.");
	same(RDA_CHECK_S02, "2 packets were sent again: once after a NAK, as it seems.");
	/* a timer of 2^8 units fires in 1.05 ms */
	same(RDA_CHECK_S03,
	     "Requests were sent again once after a NAK, 2 ms behind it, and that may not be why: "
	     "it may have been a timer, and the NAK lost behind this capture point, or what came "
	     "first was late.");
	same(RDA_CHECK_S16, "2 packets were sent again to replace 1 that did not arrive in its "
			    "place: with go-back-N everything behind is sent again.");
	ck_assert_int_eq(rda_talk_found(&feed, RDA_CHECK_S01)->cost_ns, 3001000);
	rda_talk_frames(rda_talk_found(&feed, RDA_CHECK_S01), 4, 5, 6, 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(a_loss_behind)
{
	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 11}, {'A', RC_SEND_ONLY, 12},
		 {'B', RC_ACKNOWLEDGE, 11, NAK}, {'A', RC_SEND_ONLY, 11, 0, 1999},
		 {'A', RC_SEND_ONLY, 12}, {'B', RC_ACKNOWLEDGE, 12, 0, 998});
	same(RDA_CHECK_S02, "At least 1 of 5 packets passed this capture point and was lost or "
			    "overtaken behind it, in 1 "
			    "episode; recovery took 3 ms of 3 ms.");
	rda_talk_frames(rda_talk_found(&feed, RDA_CHECK_S02), 2, 4, 5, 0);
	rda_feed_end(&feed);
}
END_TEST

/* The resend is lost too, and a timer ends it: two episodes, and their time counts once. */
/* 11, of which 12 was sent again before, so much later */
static void lose_what_was_resent(int64_t wait_us)
{
	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 9}, {'B', RC_ACKNOWLEDGE, 9},
		 {'A', RC_SEND_ONLY, 10, 0, BEGUN_US}, {'A', RC_SEND_ONLY, 12},
		 {'B', RC_ACKNOWLEDGE, 11, NAK}, {'A', RC_SEND_ONLY, 12, 0, wait_us},
		 {'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US}, {'A', RC_SEND_ONLY, 12},
		 {'B', RC_ACKNOWLEDGE, 12, 0, 998});
}

/* 12 comes once more, and so soon that the network may have copied it. */
START_TEST(a_loss_of_what_may_be_copied)
{
	lose_what_was_resent(199);
	ck_assert_uint_eq(
		rda_finding_find_argument(rda_talk_found(&feed, RDA_CHECK_S01), "lost")->number, 1);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(a_loss_of_what_was_resent)
{
	lose_what_was_resent(1999);
	same(RDA_CHECK_S01,
	     "2 of 8 packets were lost before this capture point, in 2 episodes; recovery "
	     "took 93 ms of 153 ms.");
	same(RDA_CHECK_S04, "Requests were sent again once after a timeout, when no request had "
			    "passed and none been answered in full for 90 ms.");
	ck_assert_int_eq(rda_talk_found(&feed, RDA_CHECK_S04)->key.severity, RDA_SEVERITY_NOTE);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(damage)
{
	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 11},
		 {.from = 'A', .opcode = RC_SEND_ONLY, .psn = 12, .damaged = true},
		 {'A', RC_SEND_ONLY, 13}, {'B', RC_ACKNOWLEDGE, 12, NAK},
		 {'A', RC_SEND_ONLY, 12, 0, 998}, {'A', RC_SEND_ONLY, 13},
		 {'B', RC_ACKNOWLEDGE, 13});
	same(RDA_CHECK_S02, "2 packets were sent again: once after a NAK, as it seems; 1 was "
			    "damaged when it passed "
			    "this point, in 1 episode; recovery took 1 ms of 1.01 ms.");
	ck_assert_int_eq(rda_talk_found(&feed, RDA_CHECK_S02)->key.severity, RDA_SEVERITY_NOTE);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(timeouts)
{
	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
		 {'B', RC_ACKNOWLEDGE, 10}, {'A', RC_SEND_ONLY, 11},
		 {'A', RC_SEND_ONLY, 11, 0, 2 * TIMEOUT_US + 1});
	same(RDA_CHECK_S04,
	     "Requests were sent again 2 times after a timeout, when no request had passed "
	     "and none been answered in full for 90 ms to 180 ms, 270 ms in all: they or "
	     "their answers were lost or late, or none was given; 1 of these was never answered.");
	same(RDA_CHECK_S02, "2 packets were sent again: 2 times after a timeout, as it seems.");
	rda_feed_end(&feed);
}
END_TEST

START_TEST(spurious)
{
	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
		 {'B', RC_ACKNOWLEDGE, 10}, {'B', RC_ACKNOWLEDGE, 10, 0, 500},
		 {'A', RC_SEND_ONLY, 11}, {'B', RC_ACKNOWLEDGE, 11},
		 {'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US}, {'B', RC_ACKNOWLEDGE, 11});
	same(RDA_CHECK_S05,
	     "Requests were sent again once, after 90 ms, before their answer came, "
	     "and original and resend were both answered: the timeout was too early, "
	     "and what was sent first was not lost. And once although their answer had passed this "
	     "capture point "
	     "up to "
	     "90 ms before: it was lost or damaged on the way to the requester, or came when "
	     "the timer had fired.");
	ck_assert_uint_eq(rda_talk_count(&feed, RDA_CHECK_S04), 0);
	rda_feed_end(&feed);
}
END_TEST

/* Findings of losses that there was no room for, since: at the end there is nothing to tell of. */
START_TEST(what_went_for_want_of_room)
{
	for (unsigned responses = 0; responses < 2; responses++) {
		const struct rda_flow *flow;

		rda_feed_begin(&feed);
		rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 10);
		rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 10);
		rda_feed_send(&feed, 1, 2, 0x12, 0xc000, 12);
		rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 12);
		flow = feed.engine->flows.table.items[0];
		ck_assert_ptr_nonnull(flow->watch.sequence->losses);
		flow->watch.sequence->losses->missing = !responses;
		flow->watch.sequence->losses->responses_missing = responses;
		rda_findings_cleanup(&feed.engine->judge.findings);
		rda_findings_init(&feed.engine->judge.findings, 1);
		rda_engine_finish(feed.engine);
		ck_assert_ptr_null(rda_talk_found(&feed, RDA_CHECK_S01));
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_sequence_tell(void)
{
	Suite *suite = suite_create("check_sequence_tell");
	TCase *tcase = tcase_create("check_sequence_tell");

	tcase_add_test(tcase, a_loss_before);
	tcase_add_test(tcase, a_loss_behind);
	tcase_add_test(tcase, a_loss_of_what_may_be_copied);
	tcase_add_test(tcase, a_loss_of_what_was_resent);
	tcase_add_test(tcase, damage);
	tcase_add_test(tcase, timeouts);
	tcase_add_test(tcase, spurious);
	tcase_add_test(tcase, what_went_for_want_of_room);
	suite_add_tcase(suite, tcase);
	return suite;
}
