/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READs of one response, and answers to them with identifications, told to a requester and its
 * responder: what the tests of what answers' places tell have in common.
 */
#ifndef RDA_TEST_ANSWERS_H
#define RDA_TEST_ANSWERS_H

#include "dissectors/aeth.h"
#include "dissectors/opcode.h"
#include "tests/unit/story.h"
#include "tests/unit/suite.h"

#include <stdio.h>

static inline void rda_answer(struct rda_telling *t, uint32_t psn, uint16_t ip_id)
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

static inline void rda_ask(struct rda_telling *t, uint32_t psn)
{
	char script[32];

	snprintf(script, sizeof(script), "read %u", psn);
	rda_tell(t, script);
}

enum { ORDERED_FIRST = 100, ORDERED_ID = 0x2000 };

/* Before a story: so many are asked for and answered one after another, from PSN ORDERED_FIRST and
 * identification ORDERED_ID on, which go up by `step`. What comes 100 ms later is no reaction to
 * what preceded the capture. */
static inline void rda_tell_ordered(struct rda_telling *t, uint32_t count, uint32_t step)
{
	for (uint32_t i = 0; i < count; i++) {
		rda_ask(t, ORDERED_FIRST + i);
		rda_answer(t, ORDERED_FIRST + i, (uint16_t)(ORDERED_ID + step * i));
	}
	rda_tell(t, "wait 100");
}

/* A script: "?2" asks for the second PSN behind `before`, "2@25" answers it, with the
 * identification `from` and 25. */
static inline void rda_tell_answers(struct rda_telling *t, uint32_t before, uint16_t from,
				    const char *script)
{
	unsigned psn, ip_id;
	int length;

	for (; *script; script += length) {
		if (sscanf(script, " ?%u%n", &psn, &length) == 1) {
			rda_ask(t, before + psn);
			continue;
		}
		ck_assert_int_eq(sscanf(script, " %u@%u%n", &psn, &ip_id, &length), 2);
		rda_answer(t, before + psn, (uint16_t)(from + ip_id));
	}
}

#endif
