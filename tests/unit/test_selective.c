/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requesters that repeat selectively, and such as do not: whether it is told, and what is lost.
 */
#include "analyzer/track/roce/selective.h"

#include "analyzer/track/roce/responder.h"
#include "dissectors/aeth.h"
#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

/* A word is a PSN, or nak:PSN, or ack:PSN. Identifications are all 0. */
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

static void pass(struct rda_requester *r, struct rda_responder *s, const char *word, int64_t ns)
{
	struct rda_response response = {.time_ns = ns, .frame = (uint64_t)ns, .has_aeth = true};
	struct rda_request request = {.time_ns = ns,
				      .frame = (uint64_t)ns,
				      .roles = RDA_ROLE_REQUEST | RDA_ROLE_ONLY | RDA_ROLE_SEND};
	uint64_t original;
	unsigned psn;

	if (sscanf(word, "nak:%u", &psn) == 1 || sscanf(word, "ack:%u", &psn) == 1) {
		response.psn = psn;
		response.roles = RDA_ROLE_RESPONSE | RDA_ROLE_ACK;
		response.syndrome = word[0] == 'n' ? RDA_SYNDROME_NAK_SEQUENCE : 0x1f;
		rda_responder_response(s, r, &response, NULL);
		return;
	}
	ck_assert_int_eq(sscanf(word, "%u", &psn), 1);
	request.begin = psn;
	request.end = psn + 1;
	rda_requester_packet(r, &request, NULL, &original);
	rda_responder_request(s, r, &request, (enum rda_request_kind)RDA_REQUEST_NEW, NULL);
}

START_TEST(told)
{
	const struct story *story = &stories[_i];
	char script[256], *save = NULL;
	struct rda_requester r;
	struct rda_responder s;
	int64_t ns = 1000000;
	uint64_t runs = 0;

	rda_requester_init(&r, 0);
	rda_responder_init(&s);
	strcpy(script, story->script);
	for (char *word = strtok_r(script, " ", &save); word; word = strtok_r(NULL, " ", &save))
		pass(&r, &s, word, ns += 10000);
	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		runs += r.rare->counts.resends[i];
	ck_assert_msg(r.rare->counts.selective_repeat == story->selective, "%s: %s", story->name,
		      story->selective ? "not told" : "told");
	ck_assert_msg(runs == story->runs, "%s: %u runs, expected %u", story->name, (unsigned)runs,
		      (unsigned)story->runs);
	ck_assert_msg(r.rare->counts.lost_before == story->lost_before,
		      "%s: %u lost before, expected %u", story->name,
		      (unsigned)r.rare->counts.lost_before, (unsigned)story->lost_before);
	rda_requester_cleanup(&r);
	rda_responder_cleanup(&s);
}
END_TEST

Suite *rda_suite_selective(void)
{
	Suite *suite = suite_create("selective");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, told, 0, sizeof(stories) / sizeof(stories[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
