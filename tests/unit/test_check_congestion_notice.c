/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks and CNPs on a time line: which belong together, and which are missing.
 */
#include "analyzer/checks/congestion/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { US = 1000, MS = 1000 * US };

#define SECOND INT64_C(1000000000)

static struct rda_feed feed;

struct rda_moment {
	/* 'd' data, 'm' marked data, 'a' marked ACK, 'c' CNP, 'o' CNP for another QP, 'f' the next
	 * file begins; 0: the end */
	char what;
	int64_t ns;
};

static const struct rda_timeline {
	struct rda_moment moments[8];
	uint64_t missing; /* G02 */
	enum rda_severity severity;
	uint64_t latency, close, unprompted; /* G03, G04, G05 */
} CASES[] = {
	{.moments = {{'d', 0}, {'m', 20 * MS}, {'c', 20 * MS + 30 * US}}, .latency = 1},
	/* the CNP comes too late; no other is due */
	{.moments = {{'m', 0}, {'c', 2 * MS}}, .missing = 1, .severity = RDA_SEVERITY_NOTE},
	/* none comes: too few marks to be sure, enough, and the end of the capture before it is due
	 */
	{.moments = {{'m', 0}, {'m', US}, {'d', 2 * MS}},
	 .missing = 2,
	 .severity = RDA_SEVERITY_NOTE},
	{.moments = {{'m', 0}, {'m', US}, {'m', 2 * US}, {'d', 2 * MS}},
	 .missing = 3,
	 .severity = RDA_SEVERITY_WARNING},
	{.moments = {{'m', 0}, {'m', US}, {'m', 2 * US}, {'d', 900 * US}}},
	/* two episodes without: all marks count */
	{.moments = {{'m', 0}, {'m', 2 * MS}, {'m', 3 * MS}, {'d', 9 * MS}},
	 .missing = 3,
	 .severity = RDA_SEVERITY_WARNING},
	/* CNPs for another QP: perhaps they are counted by host */
	{.moments = {{'m', 0}, {'m', US}, {'m', 2 * US}, {'o', 3 * US}, {'d', 2 * MS}},
	 .missing = 3,
	 .severity = RDA_SEVERITY_NOTE},
	/* a mark shortly behind a CNP waits for the pacing: that is no latency */
	{.moments = {{'m', 0}, {'c', 10 * US}, {'m', 20 * US}, {'c', 60 * US}}, .latency = 1},
	{.moments = {{'m', 0}, {'c', 10 * US}, {'m', 70 * US}, {'c', 80 * US}}, .latency = 2},
	{.moments = {{'m', 0}, {'c', 10 * US}, {'c', 13 * US}}, .latency = 1, .close = 1},
	{.moments = {{'m', 0}, {'c', 10 * US}, {'c', 14 * US}}, .latency = 1},
	/* no mark within 10 ms before */
	{.moments = {{'m', 0}, {'c', 10 * US}, {'c', 9 * MS}}, .latency = 1},
	{.moments = {{'m', 0}, {'c', 10 * US}, {'c', 11 * MS}}, .latency = 1, .unprompted = 1},
	/* the mark may have been made before the capture began */
	{.moments = {{'d', 0}, {'c', 9 * MS}}},
	{.moments = {{'d', 0}, {'c', 11 * MS}}, .unprompted = 1},
	/* a file that goes on where one ended begins nothing and ends nothing */
	{.moments = {{'d', 0}, {'d', 4 * MS}, {'f', 0}, {'d', 5 * MS}, {'c', 11 * MS}},
	 .unprompted = 1},
	{.moments = {{'d', 0}, {'f', 0}, {'d', 2 * SECOND}, {'c', 2 * SECOND + 5 * MS}}},
	{.moments = {{'m', 0}, {'f', 0}, {'d', 2 * MS}},
	 .missing = 1,
	 .severity = RDA_SEVERITY_NOTE},
	{.moments = {{'m', 0}, {'f', 0}, {'d', 2 * SECOND}}},
	/* an ACK is owed no CNP, and may have had one */
	{.moments = {{'d', 0}, {'a', 20 * MS}, {'d', 22 * MS}}},
	{.moments = {{'d', 0}, {'a', 20 * MS}, {'c', 20 * MS + 5 * US}}},
	{.moments = {{'d', 0}, {'a', 20 * MS}, {'c', 31 * MS}}, .unprompted = 1},
};

static void feed_moment(const struct rda_moment *moment, int64_t start_ns, uint32_t number)
{
	bool cnp = moment->what == 'c' || moment->what == 'o';
	struct rda_recipe recipe =
		cnp ? rda_packet_of(2, 1, moment->what == 'c' ? 0x11 : 0x77, ROCE_CNP, 0)
		    : rda_packet_of(1, 2, 0x12, RC_SEND_ONLY, number);
	struct rda_built built;

	recipe.becn = cnp;
	if (moment->what == 'a')
		recipe = rda_packet_of(1, 2, 0x12, RC_ACKNOWLEDGE, 0);
	recipe.payload_length = cnp ? 16 : moment->what == 'a' ? 0 : 64;
	recipe.ecn = moment->what == 'm' || moment->what == 'a' ? 3 : 2;
	rda_build_packet(&built, &recipe);
	rda_set16(&built.b, built.l3 + 4, (uint16_t)number); /* IP identification */
	rda_close_ip4(&built.b, built.l3);
	for (uint32_t i = 0; i < 4; i++)
		built.b.bytes[built.end - 4 + i] =
			(uint8_t)(rda_reference_icrc(built.route, built.b.bytes + built.l3,
						     built.bth - built.l3,
						     built.end - 4 - built.l3) >>
				  8 * i);
	feed.meta.time_ns = start_ns + moment->ns - RDA_FEED_STEP_NS;
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
}

static const struct rda_finding *finding_of(enum rda_check check)
{
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++)
		if (rda_engine_finding(feed.engine, i)->key.check == check)
			return rda_engine_finding(feed.engine, i);
	return NULL;
}

START_TEST(time_lines)
{
	for (unsigned i = 0; i < RDA_COUNT(CASES); i++) {
		const struct rda_timeline *c = &CASES[i];
		const struct rda_finding *missing;
		int64_t start_ns;

		rda_feed_begin(&feed);
		rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 7);
		rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 0);
		start_ns = feed.meta.time_ns + US;
		for (unsigned j = 0; j < RDA_COUNT(c->moments) && c->moments[j].what; j++)
			if (c->moments[j].what == 'f')
				rda_engine_begin_capture(feed.engine);
			else
				feed_moment(&c->moments[j], start_ns, j + 1);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G02) == c->missing, "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G03) == c->latency, "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G04) == c->close, "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G05) == c->unprompted, "case %u", i);
		missing = finding_of(RDA_CHECK_G02);
		ck_assert_msg(!missing || missing->severity == c->severity, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_congestion_notice(void)
{
	Suite *suite = suite_create("check_congestion_notice");
	TCase *tcase = tcase_create("check_congestion_notice");

	tcase_add_test(tcase, time_lines);
	suite_add_tcase(suite, tcase);
	return suite;
}
