/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that come after they were told as lost: by their places in the order of sending.
 */
#include "analyzer/track/roce/told_lost.h"

#include "tests/unit/answers.h"

#include <string.h>

/* Before a story identifications go up by two, where the PSN does so by one. */
enum { ORDERED_COUNT = 12, STORY_PSN = ORDERED_FIRST + ORDERED_COUNT - 1 };
enum { STORY_ID = ORDERED_ID + 2 * ORDERED_COUNT };

/* Or by one. */
enum {
	DENSE_COUNT = 24,
	DENSE_PSN = ORDERED_FIRST + DENSE_COUNT - 1,
	DENSE_ID = ORDERED_ID + DENSE_COUNT - 1
};

/* In the words of answers.h: what comes after 3, which had the identification 23, was told; and how
 * long after. */
static const struct {
	const char *script;
	unsigned wait_ms;
	uint64_t found;
} stories[] = {
	{"?7 7@52 8@23", 0, 0}, /* another PSN */
	{"?7 7@52 3@23", 0, 1},
	{"?7 7@52 3@23 3@23", 0, 1},
	{"?7 7@52 ?3 3@53", 0, 0}, /* the answer to what asks once more */
	{"?7 7@52 3@53", 0, 0},	   /* a response that was sent later, whoever asked */
	/* 33 ms later it may be ahead as well, by all others of 65536 */
	{"?7 7@93 3@23", 33, 1},
	/* and then something waits for it */
	{"?7 7@93 ?3 3@23", 33, 0},
};

/*
 * Identifications that go up by one leave gaps, which are counted as well: what was told apart from
 * these, and came, is not told by them either.
 */
START_TEST(comes_apart_from_gaps)
{
	const struct rda_response_counts *counts;
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell_ordered(&t, DENSE_COUNT, 1);
	rda_tell_answers(&t, DENSE_PSN, DENSE_ID, "?0 0@1 ?1 ?2 ?3 1@2 3@4 ?2 ?3 2@5 3@6");
	rda_tell(&t, "wait 200");
	rda_tell_answers(&t, DENSE_PSN, DENSE_ID, "?5 5@7");
	rda_tell(&t, "wait 20");
	rda_tell_answers(&t, DENSE_PSN, DENSE_ID, "?6 6@8");
	counts = &t.responder.rare->counts;
	ck_assert_ptr_nonnull(t.responder.heard->gaps);
	ck_assert_uint_eq(counts->lost_before, 1);
	ck_assert_uint_eq(counts->unshown + counts->apart, 1);
	rda_tell_answers(&t, DENSE_PSN, DENSE_ID, "?7 7@9 2@3");
	ck_assert_uint_eq(counts->lost_before, 0);
	ck_assert_uint_eq(counts->unshown + counts->apart, 0);
	rda_telling_end(&t);
}
END_TEST

/* The late one is what shows that it is owed for too long. */
START_TEST(comes_first)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell_ordered(&t, ORDERED_COUNT, 2);
	rda_tell_answers(&t, STORY_PSN, STORY_ID,
			 "?1 ?2 ?3 ?4 1@21 4@24 ?2 ?3 ?4 2@22 2@25 3@26 4@27 ?5 5@93");
	ck_assert_uint_eq(t.responder.rare->counts.lost_before, 1);
	rda_tell(&t, "wait 90");
	rda_tell_answers(&t, STORY_PSN, STORY_ID, "3@23");
	ck_assert_uint_eq(t.responder.rare->counts.lost_before, 0);
	rda_telling_end(&t);
}
END_TEST

START_TEST(story)
{
	struct rda_telling t;
	const char *wait = stories[_i].wait_ms ? "wait 33" : "wait 1";
	const char *late = strrchr(stories[_i].script, ' ');
	char before[64];

	rda_telling_begin(&t, 0, 0);
	rda_tell_ordered(&t, ORDERED_COUNT, 2);
	rda_tell_answers(&t, STORY_PSN, STORY_ID,
			 "?1 ?2 ?3 ?4 1@21 4@24 ?2 ?3 ?4 2@22 2@25 3@26 4@27");
	rda_tell(&t, "wait 200");
	rda_tell_answers(&t, STORY_PSN, STORY_ID, "?5 5@48");
	rda_tell(&t, "wait 20"); /* what the path held back has come by now */
	rda_tell_answers(&t, STORY_PSN, STORY_ID, "?6 6@50");
	ck_assert_uint_eq(t.events[RDA_EVENT_RESPONSE_LOST_BEFORE], 1);
	snprintf(before, sizeof(before), "%.*s", (int)(late - stories[_i].script),
		 stories[_i].script);
	rda_tell_answers(&t, STORY_PSN, STORY_ID, before);
	rda_tell(&t, wait);
	rda_tell_answers(&t, STORY_PSN, STORY_ID, late);
	ck_assert_uint_eq(t.events[RDA_EVENT_RESPONSE_FOUND], stories[_i].found);
	ck_assert_uint_eq(t.responder.rare->counts.lost_before, 1 - stories[_i].found);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_told_lost(void)
{
	Suite *suite = suite_create("told_lost");
	TCase *tcase = tcase_create("told_lost");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, comes_first);
	tcase_add_test(tcase, comes_apart_from_gaps);
	suite_add_tcase(suite, tcase);
	return suite;
}
