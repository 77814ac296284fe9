/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers that were sent between two others and did not come, told by their identifications.
 */
#include "analyzer/track/roce/answer_place.h"

#include "dissectors/aeth.h"
#include "dissectors/opcode.h"
#include "tests/unit/story.h"
#include "tests/unit/suite.h"

#include <stdio.h>

/* READs of one response that are asked for ("?2"), and answered ("2@25", an identification). */
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
	/* others took more, or nothing was left out */
	{"?1 ?2 ?3 1@11 2@12 3@13 ?1 ?2 ?3 1@14 3@17", 0},
	{"?1 ?2 ?3 1@11 2@12 3@13 ?1 ?2 ?3 1@14 3@15", 0},
};

/* Before a story identifications go up as PSNs do, but once. In it they are two digits, behind all
 * of those. */
enum { ORDERED_FIRST = 100, ORDERED_COUNT = 20, STORY_PSN = ORDERED_FIRST + ORDERED_COUNT - 1 };
enum { ORDERED_ID = 0x2000, STORY_ID = ORDERED_ID + ORDERED_COUNT - 10 };

static void answer(struct rda_telling *t, uint32_t psn, uint16_t ip_id)
{
	struct rda_response response = {
		.psn = (t->first + psn) & RDA_PSN_MASK,
		.time_ns = t->time_ns += 10000,
		.frame = ++t->frame,
		.roles = RDA_ROLE_RESPONSE | RDA_ROLE_READ | RDA_ROLE_ONLY,
		.ip_id = ip_id,
		.has_aeth = true,
		.syndrome = 0x1f,
	};

	rda_responder_response(&t->responder, &t->requester, &response, &t->sink);
	rda_telling_check(t);
}

static void ask(struct rda_telling *t, uint32_t psn)
{
	char script[32];

	snprintf(script, sizeof(script), "read %u", psn);
	rda_tell(t, script);
}

static void tell(struct rda_telling *t, const char *script)
{
	unsigned psn, ip_id;
	int length;

	for (; *script; script += length) {
		if (sscanf(script, " ?%u%n", &psn, &length) == 1) {
			ask(t, STORY_PSN + psn);
			continue;
		}
		ck_assert_int_eq(sscanf(script, " %u@%u%n", &psn, &ip_id, &length), 2);
		answer(t, STORY_PSN + psn, (uint16_t)(STORY_ID + ip_id));
	}
}

START_TEST(story)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	for (uint32_t i = 0; i < ORDERED_COUNT; i++) {
		ask(&t, ORDERED_FIRST + i);
		answer(&t, ORDERED_FIRST + i, (uint16_t)(ORDERED_ID + i + (i > 1)));
	}
	rda_tell(&t, "wait 100");
	tell(&t, stories[_i].script);
	ck_assert_uint_eq(t.responder.rare->counts.unshown, stories[_i].unshown);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_answer_place(void)
{
	Suite *suite = suite_create("answer_place");
	TCase *tcase = tcase_create("answer_place");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
