/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q01: what was acknowledged and not seen, where the QP may have been set up anew. The answers here
 * count no messages, as those of a life that has just begun count few.
 */
#include "analyzer/checks/capture/state.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

static enum rda_proof proof_of(const struct rda_feed *feed)
{
	const struct rda_finding *finding = rda_talk_found(feed, RDA_CHECK_Q01);

	ck_assert_ptr_nonnull(finding);
	return finding->proof;
}

START_TEST(behind_a_silence_another_life_may_begin)
{
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'B', RC_ACKNOWLEDGE, 10},
		 {'A', RC_SEND_ONLY, 12, 0, 20000}, {'B', RC_ACKNOWLEDGE, 12});
	ck_assert_int_eq(proof_of(&feed), RDA_PROOF_SUSPECTED);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(not_at_once)
{
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 9}, {'B', RC_ACKNOWLEDGE, 9},
		 {'A', RC_SEND_ONLY, 10, 0, 5000}, {'B', RC_ACKNOWLEDGE, 10},
		 {'A', RC_SEND_ONLY, 12}, {'B', RC_ACKNOWLEDGE, 12});
	ck_assert_int_eq(proof_of(&feed), RDA_PROOF_PROVEN);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(nor_inside_a_message)
{
	struct rda_feed feed;

	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 9}, {'B', RC_ACKNOWLEDGE, 9},
		 {'A', RC_SEND_ONLY, 10, 0, 5000}, {'B', RC_ACKNOWLEDGE, 10},
		 {'A', RC_SEND_LAST, 12, 0, 20000}, {'B', RC_ACKNOWLEDGE, 12});
	ck_assert_int_eq(proof_of(&feed), RDA_PROOF_PROVEN);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_capture_anew(void)
{
	Suite *suite = suite_create("check_capture_anew");
	TCase *tcase = tcase_create("check_capture_anew");

	tcase_add_test(tcase, behind_a_silence_another_life_may_begin);
	tcase_add_test(tcase, not_at_once);
	tcase_add_test(tcase, nor_inside_a_message);
	suite_add_tcase(suite, tcase);
	return suite;
}
