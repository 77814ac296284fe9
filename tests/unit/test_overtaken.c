/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late originals and late resends, told by the order of sending: what each packet is, how many runs
 * there were, and that nothing is lost but what is.
 */
#include "analyzer/track/roce/overtaken.h"

#include "analyzer/track/roce/responder.h"
#include "dissectors/aeth.h"
#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

/*
 * A word is PSN:identification, or nak:PSN, or ack:PSN; `kinds` has a letter for each packet: new,
 * Resent, late (l), mirrored. The first ones make the order known.
 */
struct story {
	const char *name, *script, *kinds;
	uint64_t runs, lost_before, lost_by_capture;
};

static const struct story stories[] = {
	{"a late original", "10:1 11:3 12:5 14:9 13:7 15:11 ack:15", "nnnnln", 0, 0, 0},
	{"a late original, behind the resend for which it was missed",
	 "10:1 11:3 12:5 14:9 nak:13 13:11 14:13 13:7 15:15 ack:15", "nnnnRRln", 1, 0, 0},
	{"and behind its acknowledgment",
	 "10:1 11:3 12:5 14:9 nak:13 13:11 14:13 ack:14 13:7 15:15 ack:15", "nnnnRRln", 1, 0, 0},
	{"a resend that is overtaken in its run",
	 "10:1 11:3 12:5 14:9 nak:13 14:13 13:11 15:15 ack:15", "nnnnRRn", 1, 1, 0},
	{"a run, overtaken by a new packet", "10:1 11:3 12:5 14:9 nak:13 15:15 13:11 14:13 ack:15",
	 "nnnnnRR", 1, 1, 0},
	{"a new packet, overtaken by a run",
	 "10:1 11:3 12:5 14:9 nak:13 13:13 15:11 14:15 16:17 ack:16", "nnnnRnRn", 1, 1, 0},
	{"a run that seemed to go on was another",
	 "10:1 11:3 12:5 14:9 nak:13 13:11 nak:14 14:15 14:13 15:17 ack:15", "nnnnRRRn", 2, 1, 0},
	{"a copy by the network, however late", "10:1 11:3 12:5 13:7 12:5 14:9 ack:14", "nnnnmn", 0,
	 0, 0},
	{"a copy of the latest", "10:1 11:3 12:5 12:5 13:7 ack:13", "nnnmn", 0, 0, 0},
	{"a copy of a resend", "10:1 11:3 12:5 14:9 nak:13 13:11 14:13 13:11 15:15 ack:15",
	 "nnnnRRmn", 1, 1, 0},
	{"late, of a run that had jumped over it as acknowledged: what was lost before stays lost",
	 "10:1 11:3 12:5 14:9 nak:13 13:11 14:13 ack:14 12:15 14:19 13:17 15:21 ack:15",
	 "nnnnRRRRRn", 2, 1, 0},
	{"lost, and nothing late", "10:1 11:3 12:5 14:9 nak:13 13:11 14:13 15:15 ack:15", "nnnnRRn",
	 1, 1, 0},
};

static void pass(struct rda_requester *r, struct rda_responder *s, const char *word, int64_t ns,
		 char *kind)
{
	static const char letters[RDA_REQUEST_KINDS] = {'n', 'R', 'l', 'm'};
	struct rda_response response = {.time_ns = ns, .frame = (uint64_t)ns, .has_aeth = true};
	struct rda_request request = {.time_ns = ns,
				      .frame = (uint64_t)ns,
				      .roles = RDA_ROLE_REQUEST | RDA_ROLE_ONLY | RDA_ROLE_SEND};
	uint64_t original;
	unsigned psn, ip_id;

	if (sscanf(word, "nak:%u", &psn) == 1 || sscanf(word, "ack:%u", &psn) == 1) {
		response.psn = psn;
		response.roles = RDA_ROLE_RESPONSE | RDA_ROLE_ACK;
		response.syndrome = word[0] == 'n' ? RDA_SYNDROME_NAK_SEQUENCE : 0x1f;
		rda_responder_response(s, r, &response, NULL);
		return;
	}
	ck_assert_int_eq(sscanf(word, "%u:%u", &psn, &ip_id), 2);
	request.begin = psn;
	request.end = psn + 1;
	request.ip_id = (uint16_t)ip_id;
	*kind = letters[rda_requester_packet(r, &request, NULL, &original)];
	rda_responder_request(s, r, &request, (enum rda_request_kind)RDA_REQUEST_NEW, NULL);
}

START_TEST(told)
{
	const struct story *story = &stories[_i];
	char script[256], kinds[32] = "", *save = NULL;
	struct rda_requester r;
	struct rda_responder s;
	int64_t ns = 1000000;
	uint64_t runs = 0;

	rda_requester_init(&r, 0);
	rda_responder_init(&s);
	strcpy(script, story->script);
	for (char *word = strtok_r(script, " ", &save); word; word = strtok_r(NULL, " ", &save))
		pass(&r, &s, word, ns += 10000, &kinds[strlen(kinds)]);
	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		runs += r.rare->counts.resends[i];
	ck_assert_msg(strcmp(kinds, story->kinds) == 0, "%s: packets are %s, expected %s",
		      story->name, kinds, story->kinds);
	ck_assert_msg(runs == story->runs, "%s: %u runs, expected %u", story->name, (unsigned)runs,
		      (unsigned)story->runs);
	ck_assert_msg(r.rare->counts.lost_before == story->lost_before,
		      "%s: %u lost before, expected %u", story->name,
		      (unsigned)r.rare->counts.lost_before, (unsigned)story->lost_before);
	ck_assert_msg(r.rare->counts.lost_by_capture == story->lost_by_capture,
		      "%s: %u missed by the capture, expected %u", story->name,
		      (unsigned)r.rare->counts.lost_by_capture, (unsigned)story->lost_by_capture);
	rda_requester_cleanup(&r);
	rda_responder_cleanup(&s);
}
END_TEST

Suite *rda_suite_overtaken(void)
{
	Suite *suite = suite_create("overtaken");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, told, 0, sizeof(stories) / sizeof(stories[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
