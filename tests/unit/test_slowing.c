/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rates around CNPs: where they are told, and what a cut and its recovery are.
 */
#include "analyzer/track/congestion/slowing.h"

#include "analyzer/base/latency.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/congestion/mark_log.h"
#include "dissectors/packet.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { US = 1000, BYTES = 1000 };

static struct rda_flow flow;
static struct rda_meta meta;
static uint32_t psn;

static void begin(void)
{
	memset(&flow, 0, sizeof(flow));
	flow.packets = RDA_SLOWING_PACKETS;
	meta.time_ns = 1000 * US;
	psn = 0xfffff0; /* it wraps */
}

static void end(void)
{
	rda_flow_cleanup(&flow);
}

/* A packet so long after the one before. */
static void data(uint8_t opcode, int64_t gap_ns)
{
	const struct rda_frame frame = {.wire = BYTES};
	struct rda_packet packet = {.ecn = 2};

	packet.opcode = rda_opcode(opcode);
	packet.bth.psn = psn;
	psn = (psn + 1) & 0xffffff;
	meta.time_ns += gap_ns;
	rda_slowing_packet(&flow, &meta, &frame, &packet);
}

/* Inside of one message, for so long. */
static void stream(int64_t for_ns, int64_t gap_ns)
{
	for (int64_t until = meta.time_ns + for_ns; meta.time_ns < until;)
		data(RC_WRITE_MIDDLE, gap_ns);
}

static void notice(void)
{
	rda_slowing_notice(&flow, meta.time_ns, 7);
}

static const struct rda_slowdown *facts(void)
{
	return rda_slowing_facts(flow.slowing);
}

START_TEST(a_cut_and_its_recovery)
{
	const struct rda_cut *cut;

	begin();
	data(RC_WRITE_FIRST, 0);
	stream(300 * US, 1 * US);
	ck_assert_ptr_null(facts());
	notice();
	stream(100 * US, 2 * US);
	stream(200 * US, 1250);
	stream(200 * US, 1 * US);
	ck_assert_uint_eq(facts()->cuts, 1);
	ck_assert_uint_eq(facts()->measured_cnps, 1);
	cut = &facts()->list[0];
	ck_assert_uint_eq(cut->before, 8000000000);
	ck_assert_uint_eq(cut->after, 4000000000);
	ck_assert_uint_eq(cut->place, 7);
	ck_assert_uint_eq(cut->law, 0);
	ck_assert_uint_eq(facts()->first, cut->before);
	ck_assert_uint_eq(facts()->least, cut->after);
	ck_assert_uint_eq(facts()->half.count, 1);
	ck_assert(facts()->half.max >= 100 * US && facts()->half.max < 190 * US);
	ck_assert_uint_eq(facts()->back.count, 1);
	ck_assert(facts()->back.max >= 300 * US && facts()->back.max < 390 * US);
	end();
}
END_TEST

START_TEST(those_close_together_are_one)
{
	begin();
	data(RC_WRITE_FIRST, 0);
	stream(300 * US, 1 * US);
	for (unsigned i = 0; i < 4; i++) {
		notice();
		stream(5 * US, 1 * US);
	}
	stream(300 * US, 2 * US);
	ck_assert_uint_eq(facts()->cnps, 4);
	ck_assert_uint_eq(facts()->cuts, 1);
	ck_assert_uint_eq(facts()->measured_cnps, 4);
	ck_assert_uint_eq(facts()->list[0].cnps, 4);
	end();
}
END_TEST

START_TEST(nothing_is_told_where_there_may_be_nothing_to_send)
{
	static const struct {
		uint8_t opcodes[2];
		int64_t pause_ns; /* between messages */
		uint64_t cuts;
	} cases[] = {
		{{RC_WRITE_FIRST, RC_WRITE_LAST}, 1 * US, 1},
		{{RC_WRITE_FIRST, RC_WRITE_LAST}, 20 * US, 0},
		{{RC_WRITE_ONLY, RC_WRITE_ONLY}, 1 * US, 0},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		begin();
		for (unsigned j = 0; j < 600; j++) {
			data(cases[i].opcodes[0], cases[i].pause_ns);
			data(cases[i].opcodes[1], 1 * US);
			if (j == 300)
				notice();
		}
		ck_assert_uint_eq(facts()->cnps, 1);
		ck_assert_msg(facts()->cuts == cases[i].cuts, "case %u", i);
		end();
	}
}
END_TEST

START_TEST(against_the_law_is_what_stays_fast_for_long)
{
	static const struct {
		unsigned notices;
		int64_t gap_ns, later_gap_ns;
		bool against;
	} cases[] = {
		{160, 1000, 1000, true},
		{80, 1000, 1000, false}, /* a queue may have lasted so long */
		{160, 1000, 5000, false},
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
		begin();
		data(RC_WRITE_FIRST, 0);
		stream(300 * US, cases[i].gap_ns);
		for (unsigned j = 0; j < cases[i].notices; j++) {
			notice();
			stream(50 * US, j ? cases[i].later_gap_ns : cases[i].gap_ns);
		}
		stream(300 * US, cases[i].later_gap_ns);
		ck_assert_msg((facts()->against_law > 0) == cases[i].against, "case %u", i);
		ck_assert_uint_eq(facts()->kept, RDA_CUTS_KEPT);
		ck_assert_uint_gt(facts()->cuts, RDA_CUTS_KEPT);
		end();
	}
}
END_TEST

START_TEST(a_copy_is_its_own)
{
	struct rda_slowdown *copy;

	ck_assert_ptr_null(rda_slowdown_copy(NULL));
	ck_assert_uint_eq(rda_slowing_bytes(NULL), 0);
	rda_slowdown_free(NULL);
	begin();
	data(RC_WRITE_FIRST, 0);
	stream(300 * US, 1 * US);
	notice();
	stream(300 * US, 2 * US);
	copy = rda_slowdown_copy(facts());
	ck_assert_uint_gt(rda_slowing_bytes(flow.slowing), sizeof(*copy));
	end();
	ck_assert_uint_eq(copy->list[0].after, 4000000000);
	rda_slowdown_free(copy);
}
END_TEST

/* Times of any kind: nothing overflows, and slots that are gone are empty. */
START_TEST(clocks_that_jump)
{
	static const int64_t times[] = {INT64_MIN, INT64_MAX, 0, 1, INT64_MIN + 1, INT64_MAX - 1};

	begin();
	data(RC_WRITE_FIRST, 0);
	for (unsigned i = 0; i < 6 * G_N_ELEMENTS(times); i++) {
		meta.time_ns = times[i % G_N_ELEMENTS(times)];
		stream(0, 0);
		data(RC_WRITE_MIDDLE, 0);
		notice();
	}
	ck_assert_uint_eq(facts()->cuts, 0);
	end();
}
END_TEST

Suite *rda_suite_slowing(void)
{
	Suite *suite = suite_create("slowing");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, a_cut_and_its_recovery);
	tcase_add_test(tests, those_close_together_are_one);
	tcase_add_test(tests, nothing_is_told_where_there_may_be_nothing_to_send);
	tcase_add_test(tests, against_the_law_is_what_stays_fast_for_long);
	tcase_add_test(tests, a_copy_is_its_own);
	tcase_add_test(tests, clocks_that_jump);
	suite_add_tcase(suite, tests);
	return suite;
}
