/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pause frames on a time line: how long a link is stopped, whose priority it is, and how many
 * senders are remembered.
 */
#include "analyzer/checks/congestion/state.h"

#include "dissectors/link.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

enum { US = 1000, MS = 1000 * US, FULL = 0xffff };

static struct rda_feed feed;

static void feed_control(uint32_t sender, const struct rda_build *body)
{
	struct rda_build b = {0};

	rda_put_hex(&b, "0180c2000001 0200");
	rda_put32(&b, sender);
	rda_put16(&b, 0x8808);
	rda_put(&b, body->bytes, body->length);
	rda_feed_frame(&feed, &b, b.length, RDA_LINK_ETHERNET);
}

static void pfc(uint32_t sender, uint8_t enabled, uint16_t quanta)
{
	struct rda_build body = {0};

	rda_put16(&body, 0x0101);
	rda_put16(&body, enabled);
	for (unsigned i = 0; i < 8; i++)
		rda_put16(&body, enabled & 1u << i ? quanta : 0);
	feed_control(sender, &body);
}

static void plain_pause(uint16_t quanta)
{
	struct rda_build body = {0};

	rda_put16(&body, 0x0001);
	rda_put16(&body, quanta);
	feed_control(1, &body);
}

static void send(uint8_t dscp)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x12, RC_SEND_ONLY, 1);
	struct rda_built built;

	rda_build_packet(&built, &recipe);
	built.b.bytes[built.l3 + 1] = (uint8_t)(dscp << 2);
	rda_close_ip4(&built.b, built.l3);
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
}

static const struct rda_finding *finding_of(enum rda_check check)
{
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++)
		if (rda_engine_finding(feed.engine, i)->key.check == check)
			return rda_engine_finding(feed.engine, i);
	return NULL;
}

/* 1000 quanta are 5.12 us at 100 Gbit/s. */
START_TEST(time_that_was_stopped)
{
	static const struct {
		uint16_t quanta[3]; /* each 10 us behind the one before */
		const char *words;
	} cases[] = {
		{{1000, 0, 0}, "for 5.12 us (25.6 % of the capture)"},
		{{5000, 0, 0}, "for 10 us (50 % of the capture)"}, /* ended by an XON */
		{{5000, 1000, 0},
		 "for 15.1 us (75.6 % of the capture)"}, /* asked again, for less */
		{{FULL, FULL, FULL}, "for 20 us (100 % of the capture)"}, /* to its end */
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_feed_begin(&feed);
		for (unsigned j = 0; j < 3; j++) {
			feed.meta.time_ns += 10 * US - RDA_FEED_STEP_NS;
			pfc(1, 1 << 3, cases[i].quanta[j]);
		}
		rda_engine_finish(feed.engine);
		ck_assert_ptr_nonnull(finding_of(RDA_CHECK_G11));
		ck_assert_msg(strstr(rda_said_by(finding_of(RDA_CHECK_G11)), cases[i].words) !=
				      NULL,
			      "case %u: %s", i, rda_said_by(finding_of(RDA_CHECK_G11)));
		ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G11), 3);
		ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G12), 0);
		rda_feed_end(&feed);
	}
}
END_TEST

START_TEST(storms)
{
	static const struct {
		unsigned count;
		int64_t off_ns, on_ns; /* until the XON, then until the next XOFF; no XON: 0 */
		uint16_t quanta;
		uint64_t told;
		enum rda_severity severity;
	} cases[] = {
		{3000, 80 * US, 0, FULL, 1, RDA_SEVERITY_ERROR}, /* all the time, on any link */
		{3000, 80 * US, 76 * US, FULL, 1, RDA_SEVERITY_ERROR},	   /* 51 % of any */
		{1000, 300 * US, 0, FULL, 1, RDA_SEVERITY_WARNING},	   /* all the time */
		{100, 300 * US, 0, FULL, 0, 0},				   /* but for 30 ms only */
		{1000, 300 * US, 290 * US, FULL, 1, RDA_SEVERITY_WARNING}, /* 51 % */
		{1000, 290 * US, 310 * US, FULL, 0, 0},			   /* 48 % */
		{100, 3 * MS, 0, FULL, 1, RDA_SEVERITY_WARNING}, /* on a slow link all the time */
		{100, 3 * MS, 0, 1000, 0, 0},			 /* nowhere */
		{100, 4 * MS, 0, FULL, 0, 0},			 /* not even on a slow one */
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_feed_begin(&feed);
		for (unsigned j = 0; j < cases[i].count; j++) {
			pfc(1, 1 << 3, cases[i].quanta);
			feed.meta.time_ns += cases[i].off_ns - RDA_FEED_STEP_NS;
			if (cases[i].on_ns)
				pfc(1, 1 << 3, 0);
			feed.meta.time_ns += cases[i].on_ns;
		}
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G12) == cases[i].told, "case %u", i);
		ck_assert_msg(!cases[i].told ||
				      finding_of(RDA_CHECK_G12)->severity == cases[i].severity,
			      "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

START_TEST(whose_priority)
{
	static const struct {
		uint8_t dscp, paused;
		uint64_t told;
		enum rda_severity severity;
	} cases[] = {
		{26, 1 << 3, 0, RDA_SEVERITY_NOTE},
		{26, 1 << 4, 1, RDA_SEVERITY_WARNING},
		{26, 1 << 3 | 1 << 4, 1, RDA_SEVERITY_NOTE}, /* one of them somebody else's */
		{0, 1 << 0, 0, RDA_SEVERITY_NOTE},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_feed_begin(&feed);
		pfc(1, cases[i].paused, 100);
		send(cases[i].dscp);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G13) == cases[i].told, "case %u", i);
		ck_assert(!cases[i].told ||
			  finding_of(RDA_CHECK_G13)->severity == cases[i].severity);
		rda_feed_end(&feed);
	}
}
END_TEST

START_TEST(plain_pauses_with_and_without_rdma)
{
	for (unsigned rdma = 0; rdma <= 1; rdma++) {
		rda_feed_begin(&feed);
		plain_pause(FULL);
		if (rdma)
			send(0);
		rda_engine_finish(feed.engine);
		ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G14), 1);
		ck_assert_int_eq(finding_of(RDA_CHECK_G14)->severity,
				 rdma ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE);
		ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G11), 0);
		rda_feed_end(&feed);
	}
}
END_TEST

/* Made-up senders without end: the memory has one. Each frame still counts where it can. */
START_TEST(more_senders_than_are_kept)
{
	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < RDA_PAUSERS_MAX + 10; i++)
		pfc(i, 1 << 3, 100);
	pfc(0, 1 << 3, 100);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G11), RDA_PAUSERS_MAX + 1);
	ck_assert_ptr_nonnull(strstr(rda_said_by(finding_of(RDA_CHECK_G11)), "10 more"));
	rda_feed_end(&feed);
}
END_TEST

/* A frame that ends inside its quanta says nothing. */
START_TEST(cut_short)
{
	struct rda_build body = {0};

	rda_feed_begin(&feed);
	rda_put_hex(&body, "0101 00ff ffff");
	feed_control(1, &body);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_finding_count(feed.engine), 0);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_congestion_pause(void)
{
	Suite *suite = suite_create("check_congestion_pause");
	TCase *tcase = tcase_create("check_congestion_pause");

	tcase_add_test(tcase, time_that_was_stopped);
	tcase_add_test(tcase, storms);
	tcase_add_test(tcase, whose_priority);
	tcase_add_test(tcase, plain_pauses_with_and_without_rdma);
	tcase_add_test(tcase, more_senders_than_are_kept);
	tcase_add_test(tcase, cut_short);
	suite_add_tcase(suite, tcase);
	return suite;
}
