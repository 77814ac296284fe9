/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q10, what it cost: resends for what only came late, who tells of them, and what they explain.
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

static bool says(const struct rda_finding *finding, enum rda_saying saying)
{
	for (unsigned i = 0; finding && i < finding->said->saying_count; i++)
		if (finding->said->sayings[i] == saying)
			return true;
	return false;
}

/* 11 comes late, and its responder asked for it all the same. */
START_TEST(a_nak_for_what_came_late)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'B', RC_ACKNOWLEDGE, 10}, {'A', RC_SEND_ONLY, 12},
		 {'A', RC_SEND_ONLY, 11}, {'A', RC_SEND_ONLY, 13}, {'B', RC_ACKNOWLEDGE, 11, 0x60},
		 {'A', RC_SEND_ONLY, 11}, {'A', RC_SEND_ONLY, 12}, {'A', RC_SEND_ONLY, 13},
		 {'B', RC_ACKNOWLEDGE, 13});
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert(says(finding, RDA_SAY_Q10_ASKED));
	ck_assert_uint_eq(rda_finding_find_argument(finding, "naks")->number, 1);
	ck_assert_uint_eq(rda_finding_find_argument(finding, "resent_late")->number, 3);
	ck_assert_uint_eq(finding->severity, RDA_SEVERITY_WARNING);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(nobody_asks)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'B', RC_ACKNOWLEDGE, 10}, {'A', RC_SEND_ONLY, 12},
		 {'A', RC_SEND_ONLY, 11}, {'B', RC_ACKNOWLEDGE, 12});
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert(says(finding, RDA_SAY_Q10_TOLERATED));
	ck_assert_uint_eq(finding->severity, RDA_SEVERITY_NOTE);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(a_read_asked_again_for_what_came_late)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_READ_REQUEST, 10, 3 * 1024}, {'B', RC_READ_RESPONSE_FIRST, 10},
		 {'B', RC_READ_RESPONSE_LAST, 12}, {'B', RC_READ_RESPONSE_MIDDLE, 11},
		 {'A', RC_READ_REQUEST, 11, 2 * 1024}, {'B', RC_READ_RESPONSE_FIRST, 11},
		 {'B', RC_READ_RESPONSE_LAST, 12});
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert(says(finding, RDA_SAY_Q10_ASKED_RESPONSES));
	ck_assert_uint_eq(finding->severity, RDA_SEVERITY_WARNING);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(what_explains_most)
{
	struct rda_finding effect = {0};
	struct rda_losses losses = {0};
	struct rda_flow flow = {0};

	ck_assert(!rda_reordered_explains(&flow, &losses, &effect));
	losses.by_verdict[RDA_VERDICT_OVERTAKEN].packets = 5;
	losses.by_verdict[RDA_VERDICT_BEFORE].packets = 5;
	ck_assert(!rda_reordered_explains(&flow, &losses, &effect) && !effect.explained);
	losses.by_verdict[RDA_VERDICT_OVERTAKEN].packets = 6;
	ck_assert(rda_reordered_explains(&flow, &losses, &effect));
	ck_assert_uint_eq(rda_reordered_resent(&losses), 6);
	ck_assert(effect.explained && effect.cause_check == RDA_CHECK_Q10);
}
END_TEST

/* The newest are remembered. */
START_TEST(many_came_late)
{
	struct rda_losses losses = {0};
	struct rda_loss_run old = {.start = 0}, recent = {.start = 1};

	for (int64_t psn = 0; psn <= RDA_LATE_KEPT; psn++)
		rda_reordered_late(&losses, psn);
	rda_reordered_run(&losses, &old);
	rda_reordered_run(&losses, &recent);
	ck_assert(!old.overtaken && recent.overtaken);
}
END_TEST

Suite *rda_suite_check_sequence_reordered(void)
{
	Suite *suite = suite_create("check_sequence_reordered");
	TCase *tcase = tcase_create("check_sequence_reordered");

	tcase_add_test(tcase, a_nak_for_what_came_late);
	tcase_add_test(tcase, nobody_asks);
	tcase_add_test(tcase, a_read_asked_again_for_what_came_late);
	tcase_add_test(tcase, what_explains_most);
	tcase_add_test(tcase, many_came_late);
	suite_add_tcase(suite, tcase);
	return suite;
}
