/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes of traffic of two directions, and the form of CNPs.
 */
#include "analyzer/checks/congestion/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { TOS = 1 };

static struct rda_feed feed;

static void feed_classed(const struct rda_recipe *recipe, uint8_t dscp)
{
	struct rda_built built;

	rda_build_packet(&built, recipe);
	built.b.bytes[built.l3 + TOS] = (uint8_t)(dscp << 2);
	rda_close_ip4(&built.b, built.l3);
	rda_feed_frame(&feed, &built.b, built.b.length, built.link);
}

START_TEST(both_directions_and_their_cnps)
{
	static const struct {
		uint8_t data, answer, cnp;
		uint64_t split, same;
	} cases[] = {
		{0, 0, 48, 0, 0},  {26, 26, 48, 0, 0}, {26, 26, 26, 0, 1}, {26, 0, 48, 1, 0},
		{0, 26, 48, 1, 0}, {26, 24, 24, 1, 1}, {0, 0, 0, 0, 1},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_extended aeth = rda_aeth(0x1f, 1);
		struct rda_recipe data = rda_packet_of(1, 2, 0x12, RC_SEND_ONLY, 1);
		struct rda_recipe ack =
			rda_with(rda_packet_of(2, 1, 0x11, RC_ACKNOWLEDGE, 1), &aeth);
		struct rda_recipe cnp = rda_packet_of(2, 1, 0x11, ROCE_CNP, 0);

		rda_feed_begin(&feed);
		rda_feed_exchange(&feed, 1, 2, 0x11, 0x12, 7);
		feed_classed(&data, cases[i].data);
		feed_classed(&ack, cases[i].answer);
		feed_classed(&cnp, cases[i].cnp);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G09) == cases[i].split, "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G10) == cases[i].same, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

START_TEST(the_form_of_cnps)
{
	static const uint8_t zeros[20], one[16] = {[15] = 1};
	static const struct {
		const uint8_t *reserved;
		uint32_t length;
		bool becn;
		uint64_t told;
	} cases[] = {
		{zeros, 16, true, 0}, {zeros, 16, false, 1}, {zeros, 12, true, 1},
		{zeros, 20, true, 1}, {one, 16, true, 1},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_recipe cnp = rda_packet_of(2, 1, 0x11, ROCE_CNP, 0);

		cnp.becn = cases[i].becn;
		cnp.payload = cases[i].reserved;
		cnp.payload_length = cases[i].length;
		rda_feed_begin(&feed);
		rda_feed(&feed, &cnp);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G07) == cases[i].told, "case %u", i);
		ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_G16), 0);
		rda_feed_end(&feed);
	}
}
END_TEST

/* One bad flow of a host; others that none can mark are no fault where none of its flows can be. */
START_TEST(capable_by_host)
{
	static const struct {
		uint8_t first, second; /* ECN of two flows */
		uint8_t from;	       /* host of the second */
		uint64_t told;
	} cases[] = {
		{2, 2, 1, 0}, {2, 0, 1, 1}, {0, 2, 1, 1}, {0, 0, 1, 0}, {2, 0, 3, 0}, {3, 0, 1, 1},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_recipe packet = rda_packet_of(1, 2, 0x11, RC_SEND_ONLY, 1);

		packet.payload_length = 8;
		packet.ecn = cases[i].first;
		rda_feed_begin(&feed);
		rda_feed(&feed, &packet);
		packet.from = cases[i].from;
		packet.dest_qp = 0x99;
		packet.ecn = cases[i].second;
		rda_feed(&feed, &packet);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_G08) == cases[i].told, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_congestion_class(void)
{
	Suite *suite = suite_create("check_congestion_class");
	TCase *tcase = tcase_create("check_congestion_class");

	tcase_add_test(tcase, both_directions_and_their_cnps);
	tcase_add_test(tcase, the_form_of_cnps);
	tcase_add_test(tcase, capable_by_host);
	suite_add_tcase(suite, tcase);
	return suite;
}
