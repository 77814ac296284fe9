/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs that a NAK seems to have begun: which of them may have another reason.
 */
#include "analyzer/track/roce/run_doubt.h"

#include "analyzer/track/roce/responder.h"
#include "dissectors/aeth.h"
#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

/* A word is a PSN, or nak:PSN, or ack:PSN. Identifications are all 0. */
struct story {
	const char *name, *script;
	unsigned runs, doubted;
};

static const struct story stories[] = {
	{"sent again from what the NAK asks for", "10 11 12 nak:11 11 12 13 ack:13", 1, 0},
	{"lost before the tap, and the whole run follows", "10 12 13 nak:11 11 12 13 ack:13", 1, 0},
	{"late, and new ones before the run behind it",
	 "10 12 13 nak:11 11 ack:11 14 nak:12 12 13 14 ack:14", 1, 1},
	{"a NAK just before what the run comes to, as others were lost before the tap",
	 "10 11 12 13 14 15 nak:11 11 12 nak:14 14 15 16 ack:16", 2, 1},
	{"left out by the run, asked for, and late",
	 "10 11 12 13 14 nak:11 11 12 14 nak:13 13 ack:14", 2, 1},
};

struct heard {
	unsigned runs, doubted;
};

static void hear(void *context, const struct rda_event *event)
{
	struct heard *heard = context;

	if (event->kind != RDA_EVENT_RESEND)
		return;
	heard->runs++;
	heard->doubted += event->doubted;
}

static void pass(struct rda_requester *r, struct rda_responder *s, const char *word, int64_t ns,
		 const struct rda_event_sink *sink)
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
		rda_responder_response(s, r, &response, sink);
		return;
	}
	ck_assert_int_eq(sscanf(word, "%u", &psn), 1);
	request.begin = psn;
	request.end = psn + 1;
	rda_requester_packet(r, &request, sink, &original);
	rda_responder_request(s, r, &request, (enum rda_request_kind)RDA_REQUEST_NEW, sink);
}

START_TEST(doubted)
{
	const struct story *story = &stories[_i];
	struct heard heard = {0};
	const struct rda_event_sink sink = {hear, &heard};
	char script[256], *save = NULL;
	struct rda_requester r;
	struct rda_responder s;
	int64_t ns = 1000000;

	rda_requester_init(&r, 0);
	rda_responder_init(&s);
	strcpy(script, story->script);
	for (char *word = strtok_r(script, " ", &save); word; word = strtok_r(NULL, " ", &save))
		pass(&r, &s, word, ns += 10000, &sink);
	ck_assert_msg(heard.runs == story->runs, "%s: %u runs, expected %u", story->name,
		      heard.runs, story->runs);
	ck_assert_msg(heard.doubted == story->doubted, "%s: %u doubted, expected %u", story->name,
		      heard.doubted, story->doubted);
	rda_requester_cleanup(&r);
	rda_responder_cleanup(&s);
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
