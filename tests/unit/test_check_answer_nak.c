/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NAKs, and what follows them.
 */
#include "analyzer/checks/answer/nak.h"

#include "tests/unit/dialog.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

START_TEST(sequence_errors)
{
	static const struct rda_dialog cases[] = {
		{"send 10 12 nak 11 wait 1 send 11-12 ack 12", ""},
		/* A07 */
		{"send 10 12-13 nak 11 wait 2 nak 11 wait 1 send 11-13 ack 13", "A07w?1"},
		{"send 10 12-13 nak 11 us 2 nak 11 wait 1 send 11-13 ack 13", ""}, /* a copy */
		{"send 10 12 nak 11 wait 2 send 11-12 wait 2 nak 11 wait 2 send 11-12 ack 12", ""},
		{"send 10-12 ack 10 rnr 11 nak 11 wait 2 nak 11 send 11-12 ack 12",
		 "A17n!1"}, /* rxe */
		/* A08: made after the ACK of more */
		{"send 10-13 ack 12 nak 11/4", "A08e?1"},
		{"send 10-13 ack 12 nak 11/1", ""}, /* came late */
		/* A09 */
		{"send 10-12 nak 11 wait 500 send 13 wait 600 send 14", "A09w?1"},
		{"send 10-12 nak 11 send 13 wait 1200 send 11-14 ack 14", ""}, /* on its way */
		{"send 10-12 nak 11 wait 500 send 13 ack 13 wait 600 send 14 ack 14", ""},
		{"send 10-12 nak 11 wait 2300 send 11-12 ack 12", ""}, /* rxe: until its timer */
		/* A10 */
		{"send 10-13 nak 12 us 200 send 10-13 ack 13", "A10n?1"},
		{"send 10-13 nak 12 us 200 send 12-13 ack 13", ""},
		{"send 10-13 nak 12 wait 70 send 10-13 ack 13", ""}, /* a timer */
		{"read 10 send 11-13 nak 12 us 200 read 10 send 11-13", ""},
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

START_TEST(fatal_naks)
{
	static const struct rda_dialog cases[] = {
		{"send 10 fatal 61 10", "A11e!1"},
		{"send 10 fatal 63 10", "A11e!1"},
		{"send 10 fatal 64 10", "A11e!1"},
		{"write 10 fatal 62 10", ""}, /* K01 tells */
		{"send 10 fatal 65 10", "A13e!1"},
		/* K16 and K07 tell why */
		{"inv 10 fatal 63 10", "A11n!1"},
		/* A12: goes on */
		{"send 10 fatal 61 10 send 11", "A11e!1"}, /* on its way */
		{"send 10 fatal 61 10 wait 5 send 11-12", "A11e!1 A12w?2"},
		{"send 10-12 fatal 61 11 ack 12", "A11e!1 A12w!1"},
		{"send 10-12 fatal 61 11 ack 10", "A11e!1"}, /* came late */
	};

	rda_dialogs_check(cases, RDA_COUNT(cases));
}
END_TEST

static const char *text_of(const struct rda_feed *feed, enum rda_check check)
{
	for (unsigned i = 0; i < rda_engine_finding_count(feed->engine); i++)
		if (rda_engine_finding(feed->engine, i)->key.check == check)
			return rda_said_by(rda_engine_finding(feed->engine, i));
	return "";
}

/* What was refused, as far as it is remembered. */
START_TEST(the_refused_request)
{
	static const struct {
		const char *script, *part;
	} cases[] = {
		{"write 10 fatal 61 10", "(RC RDMA WRITE Only, of a message of 8 bytes for address "
					 "0x9000 with r_key 0x00000077)"},
		{"send 10 fatal 63 10",
		 "(RC SEND Only, with which 0 bytes of its message were sent)"},
		{"send 10 13 fatal 61 12", "(not in the capture)"},
		{"middle 10 fatal 61 10", "(RC SEND Middle)"},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_feed feed;

		rda_dialog_tell(&feed, cases[i].script, 0);
		ck_assert_msg(strstr(text_of(&feed, RDA_CHECK_A11), cases[i].part) != NULL,
			      "%s: %s", cases[i].script, text_of(&feed, RDA_CHECK_A11));
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_answer_nak(void)
{
	Suite *suite = suite_create("check_nak");
	TCase *tcase = tcase_create("check_nak");

	tcase_add_test(tcase, sequence_errors);
	tcase_add_test(tcase, fatal_naks);
	tcase_add_test(tcase, the_refused_request);
	suite_add_tcase(suite, tcase);
	return suite;
}
