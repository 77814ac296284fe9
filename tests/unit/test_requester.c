/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each request packet is, and where the missing ones went: stories, and what must hold after
 * any packet whatever.
 */
#include "analyzer/track/roce/requester.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

#include <stdio.h>

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"in order", "send 10-15 ack 15 send 16-19 ack 19", .fresh = 10},
	{"one loss", "send 10 11 13-15 nak 12 send 12-16 ack 16", .fresh = 6, .resent = 4,
	 .after_nak = 1, .lost_before = 1, .out_of_sequence = 3},
	{"two losses in one run", "send 10 11 13 15 nak 12 send 12-16 ack 16", .fresh = 5,
	 .resent = 4, .after_nak = 1, .lost_before = 2, .out_of_sequence = 2},
	{"a burst of three", "send 10 14 15 nak 11 send 11-16 ack 16", .fresh = 4, .resent = 5,
	 .after_nak = 1, .lost_before = 3, .out_of_sequence = 2},
	{"lost again inside the resend run",
	 "send 10 11 13-15 nak 12 send 12 13 15 16 nak 14 send 14-17 ack 17", .fresh = 7,
	 .resent = 6, .after_nak = 2, .lost_before = 2, .out_of_sequence = 5},
	{"a hole, lost again inside the resend run",
	 "send 10 11 13 15 nak 12 send 12 13 15 nak 14 send 14-16 ack 16", .fresh = 5, .resent = 5,
	 .after_nak = 2, .lost_before = 3, .out_of_sequence = 3},
	{"the first of the resend run lost",
	 "send 10 11 13-15 nak 12 send 13-15 wait 100 send 12-16 ack 16", .fresh = 6, .resent = 7,
	 .after_nak = 1, .after_timeout = 1, .lost_before = 2, .out_of_sequence = 6},
	{"the last of the resend run lost",
	 "numbered send 10 11 13-15 nak 12 send 12-14 16 nak 15 send 15-17 ack 17", .fresh = 7,
	 .resent = 5, .after_nak = 2, .lost_before = 2, .out_of_sequence = 4},
	{"reordering", "send 10 12 11 14 15 13 16 ack 16", .fresh = 5, .reordered = 2,
	 .out_of_sequence = 1},
	{"reordering, and a NAK before the late one",
	 "send 10 11 13 14 nak 12 send 12 12-15 ack 15", .fresh = 5, .resent = 3, .reordered = 1,
	 .after_nak = 1, .out_of_sequence = 2, .duplicates = 1},
	{"two late ones, and a NAK before them", "send 10 11 14 15 nak 12 send 12 13 12-16 ack 16",
	 .fresh = 5, .resent = 4, .reordered = 2, .after_nak = 1, .out_of_sequence = 2,
	 .duplicates = 2},
	{"a late one, and a new one before the run",
	 "send 10 11 13 14 nak 12 send 12 15 12-16 ack 16", .fresh = 6, .resent = 4, .reordered = 1,
	 .after_nak = 1, .out_of_sequence = 3, .duplicates = 1},
	{"a late one whose NAK was never obeyed",
	 "send 10 11 13 14 nak 12 send 12 ack 12 wait 500 send 13-15 ack 15", .fresh = 5,
	 .resent = 2, .reordered = 1, .after_timeout = 1, .out_of_sequence = 2},
	{"reordering inside a resend run", "send 10-15 nak 12 send 12 14 13 15 16 ack 16",
	 .fresh = 7, .resent = 4, .after_nak = 1, .lost_after = 1, .out_of_sequence = 4},
	{"lost by the capture", "send 10 11 13-15 ack 15", .fresh = 5, .lost_by_capture = 1},
	{"lost by the capture at the end", "send 10-12 ack 15 send 16 ack 16", .fresh = 4,
	 .lost_by_capture = 3, .ghosts = 1},
	{"half a hole is acknowledged", "send 10 15 ack 12 nak 13 send 13-16 ack 16", .fresh = 3,
	 .resent = 3, .after_nak = 1, .lost_before = 2, .lost_by_capture = 2},
	{"a timeout", "send 10-13 ack 11 wait 500 send 12-14 ack 14", .fresh = 5, .resent = 2,
	 .after_timeout = 1},
	{"timeouts, of which the first packets are lost again",
	 "agreed 10 send 10-13 wait 100 send 12-13 wait 100 send 12-13 ack 13", .fresh = 4,
	 .resent = 4, .after_timeout = 2, .lost_before = 4, .out_of_sequence = 0},
	{"or, of a connection that began before, acknowledged where nobody saw it",
	 "send 10-13 wait 100 send 12-13 wait 100 send 12-13 ack 13", .fresh = 4, .resent = 4,
	 .after_timeout = 2},
	{"but not where a NAK has told what is expected",
	 "send 10 11 nak 10 wait 500 send 11 wait 500 send 10 11 ack 11", .fresh = 2, .resent = 3,
	 .after_timeout = 2, .lost_before = 1, .lost_after = 1, .out_of_sequence = 2},
	{"a timeout of a hole whose NAK did not arrive",
	 "send 10 11 14 nak 12 wait 500 send 13 14 ack 14", .fresh = 3, .resent = 2,
	 .after_timeout = 1, .lost_before = 2, .lost_by_capture = 1},
	{"a run from below, sooner than any timer, and then the one of the NAK",
	 "send 10-13 15 16 nak 14 send 11-13 15 16 14 15 16 ack 16", .fresh = 6, .resent = 8,
	 .after_nak = 1, .unexplained = 1, .lost_before = 2, .spurious = 3, .duplicates = 3,
	 .out_of_sequence = 4},
	{"a READ is asked again, and of its run a hole appears first",
	 "atomic 10 send 11 12 14 ack 12 send 13 14 result 10 ack 14", .fresh = 4, .resent = 2,
	 .after_implied = 1, .lost_before = 1, .out_of_sequence = 1, .implied_naks = 1, .done = 1},
	{"a timeout, and its first packet lost",
	 "send 10-13 ack 11 wait 500 send 13 14 wait 500"
	 " send 12-14 wait 1 ack 14",
	 .fresh = 5, .resent = 4, .after_timeout = 2, .lost_before = 1},
	{"a late acknowledgment cuts a run short",
	 "send 10-15 wait 500 send 10 11 ack 15 send 16 17 ack 17", .fresh = 8, .resent = 2,
	 .after_timeout = 1, .duplicates = 2},
	{"a run of what was acknowledged", "send 10-15 ack 15 wait 500 send 10-13 15 ack 15",
	 .fresh = 6, .resent = 5, .after_timeout = 1, .spurious = 5, .duplicates = 5},
	{"a run of what was acknowledged, reordered", "send 10-15 ack 15 wait 500 send 10 12 11 13",
	 .fresh = 6, .resent = 4, .after_timeout = 2, .spurious = 4, .duplicates = 4},
	{"a mirrored copy", "send 10 11 copy 12 ack 12", .fresh = 3, .mirrored = 1},
	{"a copy that is no mirror's", "send 10 11 wait 1 copy send 12 ack 12", .fresh = 3,
	 .resent = 1, .after_timeout = 1},
	{"a mirrored copy of a resent one", "send 10 11 13 nak 12 send 12 13 copy send 14 ack 14",
	 .fresh = 4, .resent = 2, .mirrored = 1, .after_nak = 1, .lost_before = 1,
	 .out_of_sequence = 1},
	{"only the missing one is resent", "numbered send 10 11 13-15 nak 12 send 12 16 17 ack 17",
	 .fresh = 7, .resent = 1, .after_nak = 1, .lost_before = 1, .selective = 1,
	 .out_of_sequence = 3},
	{"only the missing ones are resent",
	 "numbered send 10 13-15 18 nak 11 send 11 12 19 ack 19", .fresh = 6, .resent = 2,
	 .after_nak = 1, .lost_before = 2, .lost_by_capture = 2, .selective = 1,
	 .out_of_sequence = 4},
	{"only the one that was lost behind the tap is resent",
	 "send 10-15 nak 12 send 12 16 17 ack 17", .fresh = 8, .resent = 1, .after_nak = 1,
	 .lost_after = 1, .selective = 1, .out_of_sequence = 3},
	{"reordering after a selective repeat",
	 "send 10 11 13 14 nak 12 send 12 15 ack 15 send 17 16 18 ack 18", .fresh = 7, .resent = 1,
	 .reordered = 1, .after_nak = 1, .missing = 1, .selective = 1, .out_of_sequence = 3},
	{"the resend run lands inside a hole",
	 "send 10-12 16 nak 11 send 11 12 15-17 nak 13 send 13-17 ack 17", .fresh = 5, .resent = 9,
	 .after_nak = 2, .lost_before = 5, .lost_after = 1, .out_of_sequence = 5},
	{"acknowledged before it is clear that it was resent",
	 "numbered send 10 11 13-15 nak 12 send 13-15 nak 12 send 12 ack 12 send 13-16 ack 16",
	 .fresh = 6, .resent = 7, .after_nak = 2, .lost_before = 2, .out_of_sequence = 6},
	{"what a selective repeat jumps over was not lost",
	 "send 10-15 nak 12 send 12 16 ack 16 send 17-20 nak 18 send 18 21 nak 19 send 19 22 ack "
	 "22",
	 .fresh = 13, .resent = 3, .after_nak = 3, .lost_after = 3, .selective = 1,
	 .out_of_sequence = 6},
	{"a NAK is answered by a selective repeat",
	 "numbered send 10 11 13 14 nak 12 send 12 15 ack 15 wait 20 send 15", .fresh = 5,
	 .resent = 2, .after_nak = 1, .after_timeout = 1, .lost_before = 1, .spurious = 1,
	 .selective = 1, .duplicates = 1, .out_of_sequence = 2},
	{"a damaged packet", "send 10 11 damaged 1 send 13 14 nak 12 send 12-15 ack 15", .fresh = 5,
	 .resent = 3, .after_nak = 1, .lost_after = 1, .out_of_sequence = 2},
	{"damaged inside the resend run",
	 "send 10 11 13-15 nak 12 send 12 13 damaged 1 send 15 nak 14 send 14-16 ack 16",
	 .fresh = 6, .resent = 5, .after_nak = 2, .lost_before = 1, .lost_after = 1,
	 .out_of_sequence = 4},
	{"the first of the resend run damaged",
	 "send 10 11 13-15 nak 12 damaged 1 send 13-15 wait 100 send 12-15 ack 15", .fresh = 5,
	 .resent = 7, .after_nak = 1, .after_timeout = 1, .lost_before = 1, .lost_after = 1,
	 .out_of_sequence = 6},
	{"damaged, and much later a NAK",
	 "send 10 damaged 1 send 12 nak 11 send 11-16 18 19 nak 17 send 18 19 wait 100 send 17-19"
	 " ack 19",
	 .fresh = 8, .resent = 7, .after_nak = 2, .after_timeout = 1, .lost_before = 2,
	 .lost_after = 1, .out_of_sequence = 5},
	{"late, and named by a NAK that was obeyed before",
	 "send 10 11 13 14 nak 12 send 12 ack 13 send 16 15 17 ack 17", .fresh = 6, .resent = 1,
	 .reordered = 1, .after_nak = 1, .missing = 1, .selective = 1, .out_of_sequence = 3},
	{"an implied NAK in what was asked again",
	 "agreed 10 read 10-13 atomic 14 result 14 wait 100 read 10-13 atomic 14 response 10 12"
	 " read 11-13",
	 .fresh = 2, .resent = 3, .after_timeout = 1, .after_implied = 1, .spurious = 3,
	 .duplicates = 3, .implied_naks = 2, .responses_lost_before = 5, .waiting = 2, .done = 1},
	{"an implied NAK behind what an older NAK named",
	 "send 10-12 read 13-15 nak 11 ack 12 response 14 read 13-15", .fresh = 4, .resent = 1,
	 .after_implied = 1, .spurious = 1, .duplicates = 1, .responses_lost_before = 1,
	 .waiting = 1},
	{"an answer came late, and a NAK after it counts",
	 "atomic 10 11 result 11 10 send 12 14 nak 13 send 13 14 ack 14", .fresh = 4, .resent = 2,
	 .after_nak = 1, .lost_before = 1, .out_of_sequence = 1, .implied_naks = 1, .done = 2},
	{"an answer to what was not captured proves that it arrived",
	 "send 10 13 result 12 wait 100 send 13 result 13", .fresh = 2, .resent = 1,
	 .after_timeout = 1, .lost_by_capture = 2},
	{"overtaken by the first packet", "send 11 10 12 ack 12", .fresh = 2, .reordered = 1,
	 .out_of_sequence = 1},
	{"captured behind its own answer, after a pause",
	 "send 10 ack 10 wait 60 ack 11 send 11 12 ack 12", .fresh = 3, .ghosts = 1},
	{"late, behind what a NAK named and an ACK passed",
	 "send 10 11 13 14 nak 12 send 12 ack 12 send 16 15 17 ack 17", .fresh = 6, .resent = 1,
	 .reordered = 1, .after_nak = 1, .missing = 1, .selective = 1, .out_of_sequence = 2},
	{"a run fills two holes, one of them acknowledged, and lacks what lies between",
	 "send 10 12 14-15 nak 11 send 11 ack 11 send 13-15 nak 12 send 12-15 ack 15", .fresh = 4,
	 .resent = 8, .after_nak = 2, .lost_before = 2, .missing = 1, .out_of_sequence = 6},
	{"a NAK between a jump in the run and its end",
	 "send 10-15 nak 12 send 12 14 nak 13 send 13-16 ack 16", .fresh = 7, .resent = 5,
	 .after_nak = 2, .lost_before = 1, .lost_after = 1, .out_of_sequence = 4},
	{"more than is remembered", "send 10-30", .fresh = 21, .forgotten = 13, .forgetting = 13,
	 .cap = 8},
	{"what is acknowledged is not forgotten",
	 "send 10-16 ack 16 send 17-23 ack 23 send 24-30 ack 30", .fresh = 21, .cap = 8},
	{"more holes than are remembered", "send 10 80 nak 11 wait 1 send 12 14 16 18 20 22 24 26",
	 .fresh = 2, .reordered = 8, .forgotten = 11, .forgetting = 6, .out_of_sequence = 9,
	 .cap = 8},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

/* The kind of each packet, and the frame that it repeats. */
START_TEST(a_resend_names_its_original)
{
	struct rda_telling t;
	uint64_t original;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 11 12 nak 11");
	t.latest.begin--;
	t.latest.end--;
	t.latest.frame = 99;
	t.latest.icrc = 99;
	ck_assert_int_eq(rda_requester_packet(&t.requester, &t.latest, NULL, &original),
			 RDA_REQUEST_RESENT);
	ck_assert_uint_eq(original, 2);
	t.latest.begin = t.requester.progress.next;
	t.latest.end = t.latest.begin + 1;
	ck_assert_int_eq(rda_requester_packet(&t.requester, &t.latest, NULL, &original),
			 RDA_REQUEST_NEW);
	ck_assert_uint_eq(original, 0);
	rda_telling_end(&t);
}
END_TEST

/* From the latest progress to the next: to the ACK of what was resent. */
START_TEST(time_without_progress)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10-12 nak 11 wait 3 send 11 12 ack 12 send 13 wait 400 send 13 ack 13");
	ck_assert_int_eq(rda_stall_of(&t.requester.stall, RDA_TRIGGER_NAK), 3030000);
	ck_assert_int_eq(rda_stall_of(&t.requester.stall, RDA_TRIGGER_TIMEOUT), 400020000);
	rda_telling_end(&t);
}
END_TEST

/* The same numbers in every run. */
static unsigned next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Packets without sense, in windows of all sizes: story.c checks the account after each. */
START_TEST(random_packets)
{
	static const char *const verbs[] = {"send",  "send",   "send",	   "send",
					    "ack",   "nak",    "rnr",	   "read",
					    "guess", "atomic", "response", "result"};
	static const uint32_t caps[] = {1, 2, 8, 0};
	uint32_t state = 1 + (uint32_t)_i;

	for (unsigned round = 0; round < 20; round++) {
		struct rda_telling t;
		unsigned at = 100;

		rda_telling_begin(&t, next_random(&state), caps[_i]);
		for (unsigned i = 0; i < 600; i++) {
			const char *verb = verbs[next_random(&state) % RDA_COUNT(verbs)];
			unsigned psn = at + next_random(&state) % 24 - 12;
			char script[64];

			at += next_random(&state) % 3;
			snprintf(script, sizeof(script), "%s %u-%u %s", verb, psn,
				 psn + next_random(&state) % 5,
				 i % 31 == 0   ? "damaged 1"
				 : i % 17 == 0 ? "wait 60"
				 : i % 7 == 0  ? "copy"
					       : "");
			rda_tell(&t, script);
		}
		rda_telling_end(&t);
	}
}
END_TEST

Suite *rda_suite_requester(void)
{
	Suite *suite = suite_create("requester");
	TCase *tcase = tcase_create("requester");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, a_resend_names_its_original);
	tcase_add_test(tcase, time_without_progress);
	tcase_add_loop_test(tcase, random_packets, 0, 4);
	suite_add_tcase(suite, tcase);
	return suite;
}
