/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs that a NAK seems to have begun: which of them may have another reason.
 */
#include "analyzer/track/roce/run_doubt.h"

#include "tests/unit/suite.h"
#include "tests/unit/told.h"

#include <inttypes.h>

/* Words are those of told.h. */
struct story {
	const char *name, *script;
	unsigned runs, doubted;
	uint64_t firsts; /* sent again, or late and never sent before */
};

static const struct story stories[] = {
	{"sent again from what the NAK asks for", "10 11 12 nak:11 11 12 13 ack:13", 1, 0, 0},
	{"lost before the tap, and the whole run follows", "10 12 13 nak:11 11 12 13 ack:13", 1, 0,
	 0},
	{"late, and new ones before the run behind it",
	 "10 12 13 nak:11 11 ack:11 14 nak:12 12 13 14 ack:14", 1, 1, 1},
	{"a NAK just before what the run comes to, as others were lost before the tap",
	 "10 11 12 13 14 15 nak:11 11 12 nak:14 14 15 16 ack:16", 2, 1, 0},
	{"left out by the run, asked for, and late",
	 "10 11 12 13 14 nak:11 11 12 14 nak:13 13 ack:14", 2, 1, 0},
	{"what had never passed ends the run, and new ones follow",
	 "10 11 12 14 nak:11 11 12 13 15 ack:15", 1, 0, 1},
	{"what had never passed ends the run, and the next begins",
	 "10 11 12 14 nak:11 11 12 13 ack:11 nak:12 12", 2, 0, 1},
	{"the run comes to what had passed, and the next begins",
	 "10 11 12 14 nak:11 11 12 13 14 ack:11 nak:12 12", 2, 0, 0},
};

START_TEST(doubted)
{
	const struct story *story = &stories[_i];
	struct rda_told told;

	rda_told(&told, story->script);
	ck_assert_msg(told.runs == story->runs, "%s: %u runs, expected %u", story->name, told.runs,
		      story->runs);
	ck_assert_msg(told.doubted == story->doubted, "%s: %u doubted, expected %u", story->name,
		      told.doubted, story->doubted);
	ck_assert_msg(told.requester.rare->counts.doubts.firsts == story->firsts,
		      "%s: %" PRIu64 " may be first, expected %" PRIu64, story->name,
		      told.requester.rare->counts.doubts.firsts, story->firsts);
	rda_told_cleanup(&told);
}
END_TEST

Suite *rda_suite_run_doubt(void)
{
	Suite *suite = suite_create("run_doubt");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, doubted, 0, sizeof(stories) / sizeof(stories[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
