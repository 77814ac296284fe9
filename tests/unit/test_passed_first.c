/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resends that pass before their originals: what each packet is told as when it passes, and what it
 * counts as in the end.
 */
#include "analyzer/track/roce/passed_first.h"

#include "tests/unit/suite.h"
#include "tests/unit/told.h"

#include <string.h>

/* Words are those of told.h. The first identifications make the order known. */
struct story {
	const char *name, *script, *kinds;
	uint64_t news, resent, late, late_resends, lost_before;
	unsigned runs;
};

static const struct story stories[] = {
	{"taken for new, and the rest of its run passes behind the original",
	 "10:1 11:3 12:5 13:7 nak:11 14:17 14:9 11:11 12:13 13:15 15:19 ack:15", "nnnnnlRRRn",
	 .news = 5, .resent = 4, .late = 1, .late_resends = 3, .runs = 1},
	{"taken for new, behind others of the run at hand",
	 "10:1 11:3 12:5 13:7 nak:11 11:13 12:15 13:17 15:21 14:9 15:11 14:19 16:23 ack:16",
	 "nnnnRRRnllRn", .news = 5, .resent = 5, .late = 2, .late_resends = 1, .runs = 1},
	{"taken for late", "10:1 11:3 12:5 16:25 14:17 14:9 13:7 13:15 15:11 15:19 ack:16",
	 "nnnnlllRlR", .news = 4, .resent = 3, .late = 3, .late_resends = 3, .runs = 1},
	{"no run but of this one", "10:1 11:3 12:5 nak:13 13:9 13:7 14:11 ack:14", "nnnnln",
	 .news = 4, .resent = 1, .late = 1},
	{"the original is late, and nothing was sent again",
	 "10:1 11:3 12:5 14:9 13:7 15:11 ack:15", "nnnnln", .news = 5, .late = 1},
	{"a copy of what is late", "10:1 11:3 12:5 14:9 13:7 13:7 15:11 ack:15", "nnnnlmn",
	 .news = 5, .late = 1},
};

START_TEST(counts)
{
	const struct story *story = &stories[_i];
	const struct rda_request_counts *rare;
	struct rda_told told;

	rda_told(&told, story->script);
	rare = &told.requester.rare->counts;
	ck_assert_msg(strcmp(told.kinds, story->kinds) == 0, "%s: packets are %s, expected %s",
		      story->name, told.kinds, story->kinds);
#define COUNT(member, is)                                                                          \
	ck_assert_msg((is) == story->member, "%s: %s is %u, expected %u", story->name, #member,    \
		      (unsigned)(is), (unsigned)story->member)
	COUNT(news, told.requester.news);
	COUNT(resent, rare->packets[RDA_REQUEST_RESENT]);
	COUNT(late, rare->packets[RDA_REQUEST_REORDERED]);
	COUNT(late_resends, rare->late_resends);
	COUNT(lost_before, rare->lost_before);
	COUNT(runs, told.runs);
#undef COUNT
	rda_told_cleanup(&told);
}
END_TEST

Suite *rda_suite_passed_first(void)
{
	Suite *suite = suite_create("passed_first");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, counts, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
