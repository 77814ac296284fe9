/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S03: what a NAK asked for, and where a timer may have sent it again instead.
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

enum { NAK = 0x60, TIMER_US = 1100, LINES = 11 };

static const struct {
	const char *name;
	struct rda_line lines[LINES];
	enum rda_proof proof;
} cases[] = {
	{"a NAK is obeyed at once",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12, 0, 1000},
	  {'B', RC_ACKNOWLEDGE, 11, NAK},
	  {'A', RC_SEND_ONLY, 11, 0, 50},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 RDA_PROOF_PROVEN},
	{"a timer has fired in as much time as has passed since what it names",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 11, 0, TIMER_US},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 13, 0, 1000},
	  {'B', RC_ACKNOWLEDGE, 12, NAK},
	  {'A', RC_SEND_ONLY, 12, 0, 50},
	  {'A', RC_SEND_ONLY, 13},
	  {'B', RC_ACKNOWLEDGE, 13}},
	 RDA_PROOF_SUSPECTED},
	{"that timer is much longer",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 11, 0, 4 * TIMER_US},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 13, 0, 1000},
	  {'B', RC_ACKNOWLEDGE, 12, NAK},
	  {'A', RC_SEND_ONLY, 12, 0, 50},
	  {'A', RC_SEND_ONLY, 13},
	  {'B', RC_ACKNOWLEDGE, 13}},
	 RDA_PROOF_PROVEN},
	{"it is not, and the NAK comes soon behind what it names",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 11, 0, TIMER_US},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 13},
	  {'B', RC_ACKNOWLEDGE, 12, NAK},
	  {'A', RC_SEND_ONLY, 12, 0, 50},
	  {'A', RC_SEND_ONLY, 13},
	  {'B', RC_ACKNOWLEDGE, 13}},
	 RDA_PROOF_PROVEN},
};

START_TEST(nak_or_timer)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	rda_talk(&feed, cases[_i].lines, LINES);
	finding = rda_talk_found(&feed, RDA_CHECK_S03);
	ck_assert_msg(finding && finding->count == 1, "%s", cases[_i].name);
	ck_assert_msg(finding->proof == cases[_i].proof, "%s: %s", cases[_i].name,
		      finding->proof == RDA_PROOF_PROVEN ? "proven" : "suspected");
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_sequence_after_nak(void)
{
	Suite *suite = suite_create("check_sequence_after_nak");
	TCase *tcase = tcase_create("check_sequence_after_nak");

	tcase_add_loop_test(tcase, nak_or_timer, 0, RDA_COUNT(cases));
	suite_add_tcase(suite, tcase);
	return suite;
}
