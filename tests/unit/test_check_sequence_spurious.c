/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S05: what was sent again although it had been taken, and which answers tell that.
 */
#include "analyzer/checks/sequence/spurious.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

enum { TIMEOUT_US = 90000, LINES = 8 };

static const struct {
	const char *name;
	struct rda_line lines[LINES];
	unsigned count;
	enum rda_saying saying;
	enum rda_proof proof;
} cases[] = {
	{"its answer had passed, and another has come further",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 11}},
	 1,
	 RDA_SAY_S05_ANSWERED,
	 RDA_PROOF_PROVEN},
	{"its answer had passed, or the QP begins anew",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US}},
	 1,
	 RDA_SAY_S05_SEEMS_ANSWERED,
	 RDA_PROOF_SUSPECTED},
	{"its answer comes, and another one",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'B', RC_ACKNOWLEDGE, 10, 0, 500}},
	 1,
	 RDA_SAY_S05_EARLY,
	 RDA_PROOF_PROVEN},
	{"two packets are sent again: both answers may be to these",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500}},
	 1,
	 RDA_SAY_S05_SEEMS_EARLY,
	 RDA_PROOF_SUSPECTED},
	{"three cannot, but that of the first may be lost",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500}},
	 1,
	 RDA_SAY_S05_SEEMS_EARLY,
	 RDA_PROOF_SUSPECTED},
	{"it is there, and behind it more than these have",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500}},
	 1,
	 RDA_SAY_S05_EARLY,
	 RDA_PROOF_PROVEN},
	{"one answer",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 10}},
	 0,
	 RDA_SAY_S05_EARLY,
	 RDA_PROOF_PROVEN},
};

START_TEST(what_was_taken)
{
	const struct rda_finding *finding;
	struct rda_feed feed;

	rda_talk(&feed, cases[_i].lines, LINES);
	finding = rda_talk_found(&feed, RDA_CHECK_S05);
	ck_assert_msg((finding ? finding->count : 0) == cases[_i].count, "%s", cases[_i].name);
	if (finding) {
		ck_assert_msg(finding->said->sayings[0] == cases[_i].saying, "%s", cases[_i].name);
		ck_assert_msg(finding->proof == cases[_i].proof, "%s", cases[_i].name);
	}
	rda_feed_end(&feed);
}
END_TEST

START_TEST(parts_of_one)
{
	struct rda_losses losses = {0};
	struct rda_loss_sum *early = &losses.by_verdict[RDA_VERDICT_EARLY];
	struct rda_loss_sum *answered = &losses.by_verdict[RDA_VERDICT_ANSWERED];

	ck_assert(!rda_spurious_least(&losses).parts);
	ck_assert_uint_eq(rda_spurious_least(&losses).answered, 0);
	answered->runs = 1; /* nothing that it may be a part of */
	ck_assert(!rda_spurious_least(&losses).parts);
	ck_assert_uint_eq(rda_spurious_least(&losses).answered, 1);
	early->runs = early->waits = 1;
	ck_assert(rda_spurious_least(&losses).parts);
	ck_assert_uint_eq(rda_spurious_least(&losses).early, 1);
	ck_assert_uint_eq(rda_spurious_least(&losses).answered, 0);
	answered->waits = 1;
	ck_assert(!rda_spurious_least(&losses).parts);
	ck_assert_uint_eq(rda_spurious_least(&losses).answered, 1);
	answered->runs = 3; /* two of them of one, or each */
	ck_assert(rda_spurious_least(&losses).parts);
	ck_assert_uint_eq(rda_spurious_least(&losses).answered, 1);
}
END_TEST

Suite *rda_suite_check_sequence_spurious(void)
{
	Suite *suite = suite_create("check_sequence_spurious");
	TCase *tcase = tcase_create("check_sequence_spurious");

	tcase_add_loop_test(tcase, what_was_taken, 0, RDA_COUNT(cases));
	tcase_add_test(tcase, parts_of_one);
	suite_add_tcase(suite, tcase);
	return suite;
}
