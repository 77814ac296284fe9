/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S01-S04, S17: each run of resends has one cause, and one finding tells it.
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

enum { NAK = 0x60 };
enum { TIMEOUT_US = 90000, LINES = 24 };

/* What was found of S01 to S05 at the severity of a warning. */
struct expected {
	unsigned lost, lost_behind, timeout, spurious;
};

static const struct {
	const char *name;
	struct rda_line lines[LINES];
	struct expected expected;
} cases[] = {
	{"a gap, and late packets fill it",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 {0, 0, 0, 0}},
	{"a gap, and it is acknowledged",
	 {{'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 12}, {'B', RC_ACKNOWLEDGE, 12}},
	 {0, 0, 0, 0}},
	{"a gap, a NAK, a resend",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 11, NAK},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 {1, 0, 0, 0}},
	{"the same behind the capture point",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 11, NAK},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 {0, 1, 0, 0}},
	{"silence, and then one answer",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 10}},
	 {0, 0, 1, 0}},
	{"silence, and no answer ever",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US}},
	 {0, 0, 3, 0}},
	{"silence, and both are answered",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'B', RC_ACKNOWLEDGE, 10, 0, 500}},
	 {0, 0, 0, 1}},
	{"the second of three packets more than answered",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 {0, 0, 1, 0}},
	{"two runs of two packets, and three answers too many: the second run of them is not "
	 "proven",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500}},
	 {0, 0, 1, 1}},
	{"and with one more it is",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500}},
	 {0, 0, 0, 2}},
	{"another answer to what was sent behind the run tells nothing of it",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'B', RC_ACKNOWLEDGE, 11, 0, 500}},
	 {0, 0, 1, 0}},
	{"the answer was here before",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 10}},
	 {0, 0, 0, 1}},
	{"an ATOMIC, and both are answered",
	 {{'A', RC_FETCH_ADD, 10},
	  {'A', RC_FETCH_ADD, 10, 0, TIMEOUT_US},
	  {'B', RC_ATOMIC_ACKNOWLEDGE, 10},
	  {'B', RC_ATOMIC_ACKNOWLEDGE, 10, 0, 500}},
	 {0, 0, 0, 1}},
	{"an ATOMIC, and one is answered",
	 {{'A', RC_FETCH_ADD, 10},
	  {'A', RC_FETCH_ADD, 10, 0, TIMEOUT_US},
	  {'B', RC_ATOMIC_ACKNOWLEDGE, 10}},
	 {0, 0, 1, 0}},
	{"a READ, and both are answered",
	 {{'A', RC_READ_REQUEST, 10, 8},
	  {'A', RC_READ_REQUEST, 10, 8, TIMEOUT_US},
	  {'B', 0x10, 10},
	  {'B', 0x10, 10, 0, 500}},
	 {0, 0, 0, 1}},
	{"a READ of which a response is missing was lost at its end",
	 {{'A', 0x00, 8},
	  {'A', 0x02, 9},
	  {'B', RC_ACKNOWLEDGE, 9},
	  {'A', RC_READ_REQUEST, 10, 2048},
	  {'B', 0x0d, 10},
	  {'A', RC_READ_REQUEST, 10, 2048, TIMEOUT_US},
	  {'B', 0x0d, 10},
	  {'B', 0x0f, 11}},
	 {1, 0, 0, 0}},
	{"the responder had refused the request: it answers nothing",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 11, 0x62},
	  {'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US}},
	 {0, 0, 0, 0}},
	{"a timeout that repairs a proven loss is a note",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 11, NAK},
	  {'A', RC_SEND_ONLY, 12, 0, 100},
	  {'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 {2, 0, 0, 0}},
	{"only one direction: nobody knows what was answered",
	 {{'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US}},
	 {0, 1, 0, 0}},
	{"damaged: the frame family tells it",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12, .damaged = true},
	  {'A', RC_SEND_ONLY, 13},
	  {'B', RC_ACKNOWLEDGE, 12, NAK},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 13},
	  {'B', RC_ACKNOWLEDGE, 13}},
	 {0, 0, 0, 0}},
	{"a copy of the one answer, at once",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'B', RC_ACKNOWLEDGE, 10}},
	 {0, 0, 1, 0}},
	{"the answer comes while the run is sent: too late or too early, nobody knows",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
	  {'B', RC_ACKNOWLEDGE, 11},
	  {'A', RC_SEND_ONLY, 11}},
	 {0, 0, 1, 0}},
	{"a NAK at the end",
	 {{'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 13}, {'B', RC_ACKNOWLEDGE, 11, NAK}},
	 {2, 0, 0, 0}},
};

static unsigned warnings(const struct rda_feed *feed, enum rda_check check)
{
	const struct rda_finding *finding = rda_talk_found(feed, check);

	return finding && finding->key.severity == RDA_SEVERITY_WARNING ? (unsigned)finding->count
									: 0;
}

START_TEST(each_run_has_one_cause)
{
	struct rda_feed feed;

	rda_talk(&feed, cases[_i].lines, LINES);
	ck_assert_msg(warnings(&feed, RDA_CHECK_S01) == cases[_i].expected.lost, "S01: %s",
		      cases[_i].name);
	ck_assert_msg(warnings(&feed, RDA_CHECK_S02) == cases[_i].expected.lost_behind, "S02: %s",
		      cases[_i].name);
	ck_assert_msg(warnings(&feed, RDA_CHECK_S04) == cases[_i].expected.timeout, "S04: %s",
		      cases[_i].name);
	ck_assert_msg(warnings(&feed, RDA_CHECK_S05) == cases[_i].expected.spurious, "S05: %s",
		      cases[_i].name);
	rda_feed_end(&feed);
}
END_TEST

/* More runs than wait for evidence: the oldest are judged as they are. */
START_TEST(many_runs)
{
	enum { RUNS = 3 * RDA_LOSS_RUNS_KEPT };
	struct rda_line lines[RUNS + 3] = {
		{'A', RC_SEND_ONLY, 10}, {'B', RC_ACKNOWLEDGE, 10}, {'A', RC_SEND_ONLY, 11}};
	struct rda_feed feed;

	for (unsigned i = 0; i < RUNS; i++)
		lines[3 + i] = (struct rda_line){'A', RC_SEND_ONLY, 11, 0, TIMEOUT_US};
	rda_talk(&feed, lines, RDA_COUNT(lines));
	ck_assert_uint_eq(warnings(&feed, RDA_CHECK_S04), RUNS);
	ck_assert_int_eq(rda_talk_found(&feed, RDA_CHECK_S04)->cost_ns,
			 RUNS * (INT64_C(1000) * TIMEOUT_US + RDA_FEED_STEP_NS));
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_sequence_loss(void)
{
	Suite *suite = suite_create("check_sequence_loss");
	TCase *tcase = tcase_create("check_sequence_loss");

	tcase_add_loop_test(tcase, each_run_has_one_cause, 0, RDA_COUNT(cases));
	tcase_add_test(tcase, many_runs);
	suite_add_tcase(suite, tcase);
	return suite;
}
