/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First answers that never came, told from later ones by their places in the order of sending.
 */
#include "analyzer/track/roce/first_answer.h"

#include "tests/unit/answers.h"

/* In the words of answers.h. */
static const struct {
	const char *script;
	uint64_t lost, told;
} stories[] = {
	/* 3 was answered between 22, which comes late, and 24: what comes of it was sent later */
	{"?1 ?2 ?3 ?4 1@21 4@24 ?2 ?3 ?4 2@22 2@25 3@26 4@27", 1, 1},
	/* both first answers are late, and then come the others */
	{"?1 ?2 ?3 ?4 1@21 4@24 ?2 ?3 ?4 2@22 3@23 2@25 3@26 4@27", 0, 0},
	/* all was asked again before any was taken, and 4 answered for the first time */
	{"?1 ?2 ?3 ?4 ?1 ?2 ?3 ?4 1@21 4@24 ?2 ?3 ?4 2@22 2@25 3@26 4@27", 1, 1},
	/* all had come before 4 was answered again: that may have been asked for alone */
	{"?1 ?2 ?3 ?4 1@21 3@23 2@22 4@24 ?2 ?3 ?4 4@25 ?2 ?3 2@26 3@27", 0, 0},
};

/* Before a story identifications go up by two, where the PSN does so by one. In it they are two
 * digits, behind all of those. */
enum { ORDERED_COUNT = 12, STORY_PSN = ORDERED_FIRST + ORDERED_COUNT - 1 };
enum { STORY_ID = ORDERED_ID + 2 * ORDERED_COUNT };

START_TEST(story)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell_ordered(&t, ORDERED_COUNT, 2);
	rda_tell_answers(&t, STORY_PSN, STORY_ID, stories[_i].script);
	ck_assert_uint_eq(t.responder.rare->counts.lost_before, stories[_i].lost);
	rda_tell(&t, "wait 200");
	rda_tell_answers(&t, STORY_PSN, STORY_ID, "?5 5@48");
	rda_tell(&t, "wait 20"); /* what the path held back has come by now */
	rda_tell_answers(&t, STORY_PSN, STORY_ID, "?6 6@50");
	ck_assert_uint_eq(t.responder.rare->counts.lost_before, stories[_i].lost);
	ck_assert_uint_eq(t.events[RDA_EVENT_RESPONSE_LOST_BEFORE], stories[_i].told);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_first_answer(void)
{
	Suite *suite = suite_create("first_answer");
	TCase *tcase = tcase_create("first_answer");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
