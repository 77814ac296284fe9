/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What seems to be sent again, and may be of the QP's next life: what S05 says of it.
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

enum { TIMEOUT_US = 90000, LINES = 8 };

static const struct {
	const char *name;
	struct rda_line lines[LINES];
	enum rda_proof proof;
} cases[] = {
	{"all is sent again, and answered as it was",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 RDA_PROOF_SUSPECTED},
	{"an answer has come further",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 11}},
	 RDA_PROOF_PROVEN},
	{"its sender goes on with what is new",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 RDA_PROOF_PROVEN},
	{"it begins behind the first, which may be lost",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US}},
	 RDA_PROOF_SUSPECTED},
};

START_TEST(what_is_proven)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	rda_talk(&feed, cases[_i].lines, LINES);
	finding = rda_talk_found(&feed, RDA_CHECK_S05);
	ck_assert_msg(finding, "%s", cases[_i].name);
	ck_assert_msg(finding->proof == cases[_i].proof, "%s", cases[_i].name);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_sequence_anew(void)
{
	Suite *suite = suite_create("check_sequence_anew");
	TCase *tcase = tcase_create("check_sequence_anew");

	tcase_add_loop_test(tcase, what_is_proven, 0, RDA_COUNT(cases));
	suite_add_tcase(suite, tcase);
	return suite;
}
