/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S05: what else may have begun a run whose answer had passed.
 */
#include "analyzer/checks/sequence/spurious.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

/* A NAK may be under way for less than RDA_NAK_STALE_NS (50 ms). */
enum { SOON_US = 20000, LATE_US = 90000, NAK = 0x60, LINES = 14 };

static const struct {
	const char *name;
	struct rda_line lines[LINES];
	enum rda_proof proof;
} cases[] = {
	{"no NAK asks for the last that was sent",
	 {{'A', RC_SEND_ONLY, 8},
	  {'B', RC_ACKNOWLEDGE, 8},
	  {'A', RC_SEND_ONLY, 9, 0, LATE_US},
	  {'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 10, 0, SOON_US},
	  {'B', RC_ACKNOWLEDGE, 10}},
	 RDA_PROOF_PROVEN},
	{"one may ask for what another has overtaken behind the capture point",
	 {{'A', RC_SEND_ONLY, 8},
	  {'B', RC_ACKNOWLEDGE, 8},
	  {'A', RC_SEND_ONLY, 9, 0, LATE_US},
	  {'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 10, 0, SOON_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11}},
	 RDA_PROOF_SUSPECTED},
	{"one passed, and the capture may have missed another",
	 {{'A', RC_SEND_ONLY, 8},
	  {'B', RC_ACKNOWLEDGE, 8},
	  {'A', RC_SEND_ONLY, 10, 0, LATE_US},
	  {'B', RC_ACKNOWLEDGE, 9, NAK},
	  {'A', RC_SEND_ONLY, 9},
	  {'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 10, 0, SOON_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11}},
	 RDA_PROOF_SUSPECTED},
	{"none is under way for so long",
	 {{'A', RC_SEND_ONLY, 8},
	  {'B', RC_ACKNOWLEDGE, 8},
	  {'A', RC_SEND_ONLY, 10, 0, LATE_US},
	  {'B', RC_ACKNOWLEDGE, 9, NAK},
	  {'A', RC_SEND_ONLY, 9},
	  {'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 10, 0, LATE_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11}},
	 RDA_PROOF_PROVEN},
};

START_TEST(what_else)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	rda_talk(&feed, cases[_i].lines, LINES);
	finding = rda_talk_found(&feed, RDA_CHECK_S05);
	ck_assert_msg(finding && finding->proof == cases[_i].proof, "%s", cases[_i].name);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_sequence_spurious_doubt(void)
{
	Suite *suite = suite_create("check_sequence_spurious_doubt");
	TCase *tcase = tcase_create("check_sequence_spurious_doubt");

	tcase_add_loop_test(tcase, what_else, 0, RDA_COUNT(cases));
	suite_add_tcase(suite, tcase);
	return suite;
}
