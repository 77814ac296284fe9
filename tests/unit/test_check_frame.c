/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which packets the checks of group F believe, and the source ports. What each check says is in
 * tests/scenarios/frame.
 */
#include "analyzer/checks/judge.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

START_TEST(nothing_is_found_in_nothing)
{
	rda_feed_begin(&feed);
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_finding_count(feed.engine), 0);
	rda_feed_end(&feed);
}
END_TEST

/* A wrong QP (F17) in a packet whose ICRC does not fit: damage, or the sender's doing? */
START_TEST(what_may_be_damaged_is_not_judged)
{
	static const struct {
		unsigned good, bad; /* packets of the sender before */
		bool damaged;
		bool told;
	} cases[] = {
		{0, 0, false, true},  /* the ICRC vouches for it */
		{0, 0, true, false},  /* nothing is known of its sender */
		{1, 0, true, false},  /* its sender sends good ones */
		{0, 18, true, false}, /* it is the 19th: perhaps all were damaged */
		{0, 19, true, true},  /* of this sender no ICRC was captured */
		{1, 19, true, false},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_recipe packet = rda_packet_of(1, 2, 0x11, RC_SEND_ONLY, 1);

		rda_feed_begin(&feed);
		for (unsigned j = 0; j < cases[i].good + cases[i].bad; j++) {
			packet.damaged = j >= cases[i].good;
			packet.psn++;
			rda_feed(&feed, &packet);
		}
		packet.dest_qp = 1;
		packet.damaged = cases[i].damaged;
		rda_feed(&feed, &packet);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F17) == cases[i].told, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

START_TEST(source_ports_below_the_range)
{
	static const struct {
		uint16_t port;
		uint8_t opcode;
		bool told;
	} cases[] = {
		{0xc000, RC_SEND_ONLY, false},
		{0xbfff, RC_SEND_ONLY, true},
		{0, RC_SEND_ONLY, true},
		{0, 0x81, false}, /* a CNP: any port */
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_recipe packet = rda_packet_of(1, 2, 0x11, cases[i].opcode, 1);

		packet.source_port = cases[i].port;
		rda_feed_begin(&feed);
		rda_feed(&feed, &packet);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F16) == cases[i].told, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_frame(void)
{
	Suite *suite = suite_create("check_frame");
	TCase *tcase = tcase_create("check_frame");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	tcase_add_test(tcase, what_may_be_damaged_is_not_judged);
	tcase_add_test(tcase, source_ports_below_the_range);
	suite_add_tcase(suite, tcase);
	return suite;
}
