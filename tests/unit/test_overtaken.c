/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late originals and late resends, told by the order of sending: what each packet is, how many runs
 * there were, and that nothing is lost but what is.
 */
#include "analyzer/track/roce/overtaken.h"

#include "tests/unit/suite.h"
#include "tests/unit/told.h"

#include <string.h>

/*
 * Words are those of told.h. The first identifications make the order known.
 */
struct story {
	const char *name, *script, *kinds;
	uint64_t runs, lost_before, lost_by_capture;
};

static const struct story stories[] = {
	{"a late original", "10:1 11:3 12:5 14:9 13:7 15:11 ack:15", "nnnnln", 0, 0, 0},
	{"late, and in its place came a damaged packet that was sent behind it",
	 "10:1 11:3 12:5 damaged:9 15:11 13:7 16:13 ack:13", "nnnnln", 0, 0, 0},
	{"sent again: the damaged packet in its place was sent before it",
	 "10:1 11:3 12:5 damaged:7 14:9 nak:13 14:13 13:11 15:15 ack:15", "nnnnRRn", 1, 0, 0},
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
	{"what was acknowledged is left out, and not what is new behind it, which is missing",
	 "10:1 11:2 12:3 13:4 nak:12 12:5 13:6 ack:13 14:7 15:8 nak:14 14:9 ack:15 17:11 nak:16"
	 " 16:12 17:13 ack:17",
	 "nnnnRRnnRnRR", 3, 1, 0},
	{"of a run that a NAK asked for what was seen first had overtaken its beginning",
	 "10:1 11:2 12:3 13:4 14:5 nak:11 15:11 12:8 11:7 13:9 14:10 ack:15", "nnnnnnRRRR", 1, 0,
	 0},
	{"it goes on behind a packet, and a number, of others",
	 "10:1 11:2 12:3 13:4 14:5 15:6 16:7 17:8 nak:12 11:9 nak:17 17:16 12:10 13:11 14:12 "
	 "15:13 16:15 ack:17",
	 "nnnnnnnnRRRRRRR", 1, 0, 0},
	{"a resend that passed before its original, and behind which its run goes on, was sent by "
	 "it once",
	 "22:34 20:32 24:44 20:40 23:43 23:35 25:37 25:45 ms:26 23:54 ms:30 ack:23", "nlnRllnRR", 2,
	 0, 0},
	{"lost, and nothing late", "10:1 11:3 12:5 14:9 nak:13 13:11 14:13 15:15 ack:15", "nnnnRRn",
	 1, 1, 0},
};

START_TEST(tells)
{
	const struct story *story = &stories[_i];
	struct rda_told told;
	const struct rda_request_counts *counts;

	rda_told(&told, story->script);
	counts = &told.requester.rare->counts;
	ck_assert_msg(strcmp(told.kinds, story->kinds) == 0, "%s: packets are %s, expected %s",
		      story->name, told.kinds, story->kinds);
	ck_assert_msg(told.runs == story->runs, "%s: %u runs, expected %u", story->name, told.runs,
		      (unsigned)story->runs);
	ck_assert_msg(counts->lost_before == story->lost_before, "%s: %u lost before, expected %u",
		      story->name, (unsigned)counts->lost_before, (unsigned)story->lost_before);
	ck_assert_msg(counts->lost_by_capture == story->lost_by_capture,
		      "%s: %u missed by the capture, expected %u", story->name,
		      (unsigned)counts->lost_by_capture, (unsigned)story->lost_by_capture);
	rda_told_cleanup(&told);
}
END_TEST

Suite *rda_suite_overtaken(void)
{
	Suite *suite = suite_create("overtaken");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, tells, 0, sizeof(stories) / sizeof(stories[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
