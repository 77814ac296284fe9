/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers that were sent between two others and did not come, told by their identifications.
 */
#include "analyzer/track/roce/answer_place.h"

#include "tests/unit/answers.h"

/* In the words of answers.h. */
static const struct {
	const char *script;
	uint64_t unshown;
} stories[] = {
	{"?1 ?2 ?3 1@11 2@12 3@13 ?1 ?2 ?3 1@14 2@15 3@16", 0},
	/* the second answer to 2 */
	{"?1 ?2 ?3 1@11 2@12 3@13 ?1 ?2 ?3 1@14 3@16", 1},
	/* it comes late */
	{"?1 ?2 ?3 1@11 2@12 3@13 ?1 ?2 ?3 1@14 3@16 2@15", 0},
	/* of two one does */
	{"?1 ?2 ?3 ?4 1@11 2@12 3@13 4@14 ?1 ?2 ?3 ?4 1@15 4@18 3@17", 1},
	/* 2 was asked for once: if it is not asked for again, only the capture missed the answer */
	{"?1 ?2 ?3 1@11 3@13", 0},
	/* requests overtake each other, so that answers come in any order */
	{"?1 ?3 ?2 1@11 2@12 3@13 ?1 ?2 ?3 1@14 3@16", 0},
	/* others took more, or nothing was left out */
	{"?1 ?2 ?3 1@11 2@12 3@13 ?1 ?2 ?3 1@14 3@17", 0},
	{"?1 ?2 ?3 1@11 2@12 3@13 ?1 ?2 ?3 1@14 3@15", 0},
};

/* Before a story identifications go up as PSNs do, but once. In it they are two digits, behind all
 * of those. */
enum { ORDERED_COUNT = 20, STORY_PSN = ORDERED_FIRST + ORDERED_COUNT - 1 };
enum { STORY_ID = ORDERED_ID + ORDERED_COUNT - 10 };

START_TEST(story)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	for (uint32_t i = 0; i < ORDERED_COUNT; i++) {
		rda_ask(&t, ORDERED_FIRST + i);
		rda_answer(&t, ORDERED_FIRST + i, (uint16_t)(ORDERED_ID + i + (i > 1)));
	}
	rda_tell(&t, "wait 100");
	rda_tell_answers(&t, STORY_PSN, STORY_ID, stories[_i].script);
	ck_assert_uint_eq(t.responder.rare->counts.unshown, stories[_i].unshown);
	rda_telling_end(&t);
}
END_TEST

/* The second answer to 2 of each three READs is left out, more often than is remembered; then the
 * first of these comes late. */
START_TEST(more_than_is_remembered)
{
	const uint32_t times = RDA_ANSWER_GAPS_KEPT + 1;
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	for (uint32_t i = 0; i < ORDERED_COUNT; i++) {
		rda_ask(&t, i);
		rda_answer(&t, i, (uint16_t)(ORDERED_ID + i + (i > 1)));
	}
	rda_tell(&t, "wait 100");
	for (uint32_t i = 0; i < times; i++) {
		rda_tell_answers(&t, ORDERED_COUNT - 1 + 3 * i, (uint16_t)(STORY_ID + 6 * i),
				 "?1 ?2 ?3 1@11 2@12 3@13 ?1 ?2 ?3 1@14 3@16");
		ck_assert_uint_eq(t.responder.rare->counts.unshown, i + 1);
	}
	ck_assert(!t.responder.heard->gaps->is_unsure);
	rda_answer(&t, ORDERED_COUNT + 1, STORY_ID + 15);
	ck_assert(t.responder.heard->gaps->is_unsure);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_answer_place(void)
{
	Suite *suite = suite_create("answer_place");
	TCase *tcase = tcase_create("answer_place");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, more_than_is_remembered);
	suite_add_tcase(suite, tcase);
	return suite;
}
