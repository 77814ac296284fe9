/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q10: how what came late is told, and that what turns out to be resent is not.
 */
#include "analyzer/checks/capture/state.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

START_TEST(requests)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'B', RC_ACKNOWLEDGE, 10}, {'A', RC_SEND_ONLY, 12},
		 {'A', RC_SEND_ONLY, 11}, {'B', RC_ACKNOWLEDGE, 12});
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert_ptr_nonnull(finding);
	ck_assert_uint_eq(finding->said->sayings[0], RDA_SAY_Q10_LATE);
	ck_assert_uint_eq(finding->severity, RDA_SEVERITY_NOTE);
	rda_talk_frames(finding, 4, 0);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(responses_are_of_who_sent_them)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_READ_REQUEST, 10, 3 * 1024}, {'B', RC_READ_RESPONSE_FIRST, 10},
		 {'B', RC_READ_RESPONSE_LAST, 12}, {'B', RC_READ_RESPONSE_MIDDLE, 11});
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert_ptr_nonnull(finding);
	ck_assert_uint_eq(finding->said->sayings[0], RDA_SAY_Q10_RESPONSES);
	rda_talk_frames(finding, 4, 0);
	rda_feed_end(&feed);
}
END_TEST

/* A NAK asked for it, and the whole run comes: it was lost. */
START_TEST(what_was_sent_again_is_none)
{
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'B', RC_ACKNOWLEDGE, 10}, {'A', RC_SEND_ONLY, 12},
		 {'B', RC_ACKNOWLEDGE, 11, 0x60}, {'A', RC_SEND_ONLY, 11}, {'A', RC_SEND_ONLY, 12},
		 {'B', RC_ACKNOWLEDGE, 12});
	ck_assert_ptr_null(rda_talk_found(&feed, RDA_CHECK_Q10));
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_capture_reorder(void)
{
	Suite *suite = suite_create("check_capture_reorder");
	TCase *tcase = tcase_create("check_capture_reorder");

	tcase_add_test(tcase, requests);
	tcase_add_test(tcase, responses_are_of_who_sent_them);
	tcase_add_test(tcase, what_was_sent_again_is_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
