/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When what was sent again is a storm (S15), and what go-back-N sends again for a loss (S16).
 */
#include "analyzer/checks/sequence/state.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

enum { NAK = 0x60, TIMEOUT_US = 89999 };

static struct rda_feed feed;

static void same(enum rda_check check, const char *text)
{
	const struct rda_finding *finding = rda_talk_found(&feed, check);

	ck_assert_ptr_nonnull(finding);
	ck_assert_str_eq(rda_said_by(finding), text);
}

/* A warning that tells why keeps the storm a note. */
START_TEST(a_storm)
{
	struct rda_line lines[120];
	unsigned count = 0;

	for (uint32_t i = 0; i < 60; i++) {
		lines[count++] = (struct rda_line){'A', RC_SEND_ONLY, 10 + i};
		lines[count++] = (struct rda_line){'A', RC_SEND_ONLY, 10 + i, 0, TIMEOUT_US};
	}
	rda_talk(&feed, lines, count);
	same(RDA_CHECK_S15, "60 of 120 request packets were resends.");
	ck_assert_int_eq(rda_talk_found(&feed, RDA_CHECK_S02)->key.severity, RDA_SEVERITY_WARNING);
	ck_assert_int_eq(rda_talk_found(&feed, RDA_CHECK_S15)->key.severity, RDA_SEVERITY_NOTE);
	rda_feed_end(&feed);
	/* less than a hundred packets are no storm */
	rda_talk(&feed, lines, 98);
	ck_assert_ptr_null(rda_talk_found(&feed, RDA_CHECK_S15));
	rda_feed_end(&feed);
}
END_TEST

START_TEST(one_packet_many_times)
{
	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
		 {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US});
	ck_assert_ptr_null(rda_talk_found(&feed, RDA_CHECK_S15));
	rda_feed_end(&feed);
	RDA_TALK(&feed, {'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US},
		 {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US}, {'A', RC_SEND_ONLY, 10, 0, TIMEOUT_US});
	same(RDA_CHECK_S15, "3 of 4 request packets were resends, one packet was sent 4 times.");
	rda_feed_end(&feed);
}
END_TEST

/* Damaged packets count by what they look like: an ACK was not sent again. */
START_TEST(what_was_damaged)
{
	for (unsigned i = 0; i < 2; i++) {
		RDA_TALK(&feed, {'B', RC_SEND_ONLY, 500}, {'A', RC_SEND_ONLY, 10},
			 {'B', RC_ACKNOWLEDGE, 10},
			 {.from = 'A', .opcode = RC_ACKNOWLEDGE, .psn = 500, .damaged = i},
			 {.from = 'A', .opcode = RC_SEND_ONLY, .psn = 11, .damaged = true},
			 {'A', RC_SEND_ONLY, 12}, {'B', RC_ACKNOWLEDGE, 11, NAK},
			 {'A', RC_SEND_ONLY, 11, 0, 998}, {'A', RC_SEND_ONLY, 12},
			 {'B', RC_ACKNOWLEDGE, 12});
		same(RDA_CHECK_S16,
		     "2 packets were sent again to replace 1 that did not arrive in its "
		     "place: with go-back-N everything behind is sent again.");
		/* what its bytes were is not known: each may have been an answer */
		ck_assert_int_eq(rda_talk_found(&feed, RDA_CHECK_S16)->key.proof,
				 RDA_PROOF_SUSPECTED);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_sequence_storm(void)
{
	Suite *suite = suite_create("check_sequence_storm");
	TCase *tcase = tcase_create("check_sequence_storm");

	tcase_add_test(tcase, a_storm);
	tcase_add_test(tcase, one_packet_many_times);
	tcase_add_test(tcase, what_was_damaged);
	suite_add_tcase(suite, tcase);
	return suite;
}
