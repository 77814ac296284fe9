/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which gaps between packets are gaps inside a message. What is said of them, and of idle
 * connections: tests/scenarios/timing.
 */
#include "analyzer/checks/time/state.h"

#include "tests/unit/suite.h"

#include <glib.h>

enum { FIRST_PSN = 0xfffffe, STEP_NS = 2000000 };

/*
 * READ responses, one letter each: First, Middle, Last; `|` skips a PSN, `=` repeats one, `.` lets
 * 1000 ns pass. They are 100 ns apart, and the PSN wraps.
 */
static const struct {
	const char *name, *packets;
	uint64_t gaps;
	int64_t longest;
	uint64_t after; /* the packet behind the longest gap, from 1 */
} rows[] = {
	{"one message", "FMML", 3, STEP_NS, 2},
	{"two messages: what is between them does not count", "FML....FML", 4, STEP_NS, 2},
	{"a pause", "FM.ML", 3, 11 * STEP_NS, 3},
	{"a pause at a packet that is missing", "FM.|ML", 2, STEP_NS, 2},
	{"a packet twice", "FM=ML", 2, STEP_NS, 2},
	{"it begins in the middle", "MML", 2, STEP_NS, 2},
	{"it was asked again from the middle", "FMM.FML", 4, STEP_NS, 2},
};

static const struct rda_opcode *opcode_of(char letter)
{
	return rda_opcode(letter == 'F' ? 0x0d : letter == 'M' ? 0x0e : 0x0f);
}

START_TEST(gaps)
{
	struct rda_pace *pace = g_new0(struct rda_pace, 1);
	struct rda_packet packet = {.bth.psn = FIRST_PSN};
	struct rda_meta meta = {.time_ns = 1000};
	struct rda_at at = {.meta = &meta, .packet = &packet};

	for (const char *p = rows[_i].packets; *p; p++) {
		if (*p == '.') {
			meta.time_ns += 10 * STEP_NS;
		} else if (*p == '|' || *p == '=') {
			packet.bth.psn += *p == '|' ? 1 : UINT32_MAX;
		} else {
			packet.opcode = opcode_of(*p);
			at.place++;
			rda_pace_packet(pace, &at);
			packet.bth.psn = (packet.bth.psn + 1) & 0xffffff;
			meta.time_ns += STEP_NS;
		}
	}
	ck_assert_uint_eq(pace->gaps.count, rows[_i].gaps);
	ck_assert_int_eq(pace->gaps.max, rows[_i].longest);
	ck_assert_int_eq(pace->pauses[0].gap_ns, rows[_i].longest);
	ck_assert_uint_eq(pace->pauses[0].after, rows[_i].after);
	rda_pace_cleanup(pace);
	g_free(pace);
}
END_TEST

/* However many there are, the longest are kept, longest first. */
START_TEST(the_longest_are_kept)
{
	static const int64_t times[] = {5, 9, 2, 7, 6, 8, 1}, longest[] = {9, 8, 7, 6};
	struct rda_pace *pace = g_new0(struct rda_pace, 1);
	struct rda_packet packet = {.opcode = rda_opcode(0x0d)};
	struct rda_meta meta = {.time_ns = 0};
	struct rda_at at = {.meta = &meta, .packet = &packet};

	rda_pace_packet(pace, &at);
	for (unsigned i = 0; i < RDA_COUNT(times); i++) {
		packet.opcode = rda_opcode(0x0e);
		packet.bth.psn++;
		meta.time_ns += times[i] * STEP_NS;
		rda_pace_packet(pace, &at);
	}
	ck_assert_uint_eq(pace->pause_count, RDA_PAUSES_KEPT);
	for (unsigned i = 0; i < RDA_PAUSES_KEPT; i++)
		ck_assert_int_eq(pace->pauses[i].gap_ns, longest[i] * STEP_NS);
	rda_pace_cleanup(pace);
	g_free(pace);
}
END_TEST

/* A pause that any host makes is not told, and not kept. */
START_TEST(short_ones_are_not_kept)
{
	struct rda_pace *pace = g_new0(struct rda_pace, 1);
	struct rda_packet packet = {.opcode = rda_opcode(0x0d)};
	struct rda_meta meta = {.time_ns = 0};
	struct rda_at at = {.meta = &meta, .packet = &packet};

	rda_pace_packet(pace, &at);
	packet.opcode = rda_opcode(0x0e);
	packet.bth.psn++;
	meta.time_ns += STEP_NS / 2;
	rda_pace_packet(pace, &at);
	ck_assert_uint_eq(pace->gaps.count, 1);
	ck_assert_uint_eq(pace->pause_count, 0);
	rda_pace_cleanup(pace);
	g_free(pace);
}
END_TEST

Suite *rda_suite_check_time_pace(void)
{
	Suite *suite = suite_create("check_pace");
	TCase *tcase = tcase_create("check_pace");

	tcase_add_loop_test(tcase, gaps, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, the_longest_are_kept);
	tcase_add_test(tcase, short_ones_are_not_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
