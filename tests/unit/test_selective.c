/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requesters that repeat selectively, and such as do not: whether it is told, and what is lost.
 */
#include "analyzer/track/roce/selective.h"

#include "tests/unit/suite.h"
#include "tests/unit/told.h"

/* Words are those of told.h. */
struct story {
	const char *name, *script;
	bool selective;
	uint64_t runs, lost_before;
};

static const struct story stories[] = {
	{"a hole is filled, and all is taken", "10 12 13 nak:11 11 14 ack:14", true, 1, 0},
	{"all is sent again", "10 12 13 nak:11 11 12 13 14 ack:14", false, 1, 1},
	{"lost behind the tap, and sent again alone: the next NAK says so",
	 "10 11 12 13 14 15 ack:10 nak:11 11 nak:14 16 14 15 16 ack:16", true, 2, 0},
	{"what came behind the NAK tells nothing", "10 11 nak:11 12 13 11 nak:14 ack:13", false, 1,
	 0},
	{"it sends again what it had left out: so it had not left it out, perhaps",
	 "10 11 nak:10 10 ack:10 12 nak:11 11 12 ack:12", false, 2, 0},
	{"what it jumped over before that was known was not lost",
	 "10 11 12 14 15 16 17 18 nak:13 19 20 21 13 22 ack:20 nak:21 21 23 ack:23", true, 2, 0},
};

START_TEST(tells)
{
	const struct story *story = &stories[_i];
	struct rda_told told;
	const struct rda_request_counts *counts;

	rda_told(&told, story->script);
	counts = &told.requester.rare->counts;
	ck_assert_msg(counts->selective_repeat == story->selective, "%s: %s", story->name,
		      story->selective ? "not told" : "told");
	ck_assert_msg(told.runs == story->runs, "%s: %u runs, expected %u", story->name, told.runs,
		      (unsigned)story->runs);
	ck_assert_msg(counts->lost_before == story->lost_before, "%s: %u lost before, expected %u",
		      story->name, (unsigned)counts->lost_before, (unsigned)story->lost_before);
	rda_told_cleanup(&told);
}
END_TEST

Suite *rda_suite_selective(void)
{
	Suite *suite = suite_create("selective");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, tells, 0, sizeof(stories) / sizeof(stories[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
