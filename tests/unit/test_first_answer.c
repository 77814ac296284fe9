/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First answers that never came, told from later ones by their places in the order of sending.
 */
#include "analyzer/track/roce/first_answer.h"

#include "dissectors/aeth.h"
#include "dissectors/opcode.h"
#include "tests/unit/story.h"
#include "tests/unit/suite.h"

#include <stdio.h>

/* A READ of one response is asked for ("?"), or answered with this identification. */
struct step {
	char what; /* '?', '!', or 0 behind the last */
	uint32_t psn;
	uint16_t ip_id;
};

static const struct {
	uint64_t lost, told;
	struct step steps[16];
} stories[] = {
	/* 2 was answered between 21 and 24; what comes of it later was sent later */
	{1,
	 1,
	 {{'?', 1, 0},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'!', 1, 0x2021},
	  {'!', 3, 0x2024},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'!', 2, 0x2025},
	  {'!', 3, 0x2026}}},
	/* its first answer is late, and then comes the other */
	{0,
	 0,
	 {{'?', 1, 0},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'!', 1, 0x2021},
	  {'!', 3, 0x2024},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'!', 2, 0x2023},
	  {'!', 2, 0x2025},
	  {'!', 3, 0x2026}}},
	/* all was asked again before any was taken, and 3 answered for the first time */
	{1,
	 1,
	 {{'?', 1, 0},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'?', 1, 0},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'!', 1, 0x2021},
	  {'!', 3, 0x2024},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'!', 2, 0x2025},
	  {'!', 3, 0x2026}}},
	/* it had come before 3 was answered again: that may have been asked for alone */
	{0,
	 0,
	 {{'?', 1, 0},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'!', 1, 0x2021},
	  {'!', 2, 0x2022},
	  {'!', 3, 0x2023},
	  {'?', 2, 0},
	  {'?', 3, 0},
	  {'!', 3, 0x2025},
	  {'?', 2, 0},
	  {'!', 2, 0x2026}}},
};

/* Identifications go up by two, where the PSN does so by one, and once more by one. */
#define ORDERED_FIRST 100
#define ORDERED_COUNT 12

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

START_TEST(story)
{
	uint32_t first = ORDERED_FIRST + ORDERED_COUNT;
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	for (uint32_t i = 0; i < ORDERED_COUNT; i++) {
		ask(&t, ORDERED_FIRST + i);
		answer(&t, ORDERED_FIRST + i, (uint16_t)(0x2000 + 2 * i));
	}
	/* one after another: what comes 100 ms later is no reaction to what preceded the capture */
	rda_tell(&t, "wait 100");
	for (const struct step *step = stories[_i].steps; step->what; step++) {
		if (step->what == '?')
			ask(&t, first - 1 + step->psn);
		else
			answer(&t, first - 1 + step->psn, step->ip_id);
	}
	ck_assert_uint_eq(t.responder.rare->counts.lost_before, stories[_i].lost);
	rda_tell(&t, "wait 200");
	ask(&t, first + 3);
	answer(&t, first + 3, 0x2030);
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
