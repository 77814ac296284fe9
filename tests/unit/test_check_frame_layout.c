/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lengths that contradict each other, and pads.
 */
#include "analyzer/checks/frame/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

static void build(struct rda_built *built, enum rda_route route, uint8_t opcode, uint32_t payload)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, opcode, 1);

	recipe.route = route;
	recipe.payload_length = payload;
	rda_build_packet(built, &recipe);
}

/* The ICRC that fits what the packet now says. */
static void mend(struct rda_built *built)
{
	uint32_t crc = rda_reference_icrc(built->route, built->b.bytes + built->l3,
					  built->bth - built->l3, built->end - 4 - built->l3);

	for (uint32_t i = 0; i < 4; i++)
		built->b.bytes[built->end - 4 + i] = (uint8_t)(crc >> 8 * i);
}

static void feed_built(const struct rda_built *built)
{
	rda_feed_begin(&feed);
	rda_feed_frame(&feed, &built->b, built->b.length, built->link);
	rda_engine_finish(feed.engine);
}

START_TEST(pads)
{
	static const struct {
		uint8_t opcode;
		uint32_t payload;
		uint8_t pad_field; /* PadCnt, << 4 */
		uint8_t pad_byte;
		uint64_t inconsistent, not_zero;
	} cases[] = {
		{RC_SEND_ONLY, 61, 0x30, 0, 0, 0}, {RC_SEND_ONLY, 61, 0x30, 1, 0, 1},
		{RC_SEND_ONLY, 64, 0x30, 0, 0, 1}, /* the pattern's bytes are taken for a pad */
		{RC_SEND_ONLY, 0, 0x10, 0, 1, 0},  {RC_SEND_FIRST, 253, 0x30, 0, 1, 0},
		{RC_SEND_FIRST, 256, 0, 0, 0, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_built built;

		build(&built, RDA_ROUTE_IP4, cases[i].opcode, cases[i].payload);
		built.b.bytes[built.bth + 1] = cases[i].pad_field;
		if (cases[i].pad_byte)
			built.b.bytes[built.end - 5] = cases[i].pad_byte;
		mend(&built);
		feed_built(&built);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F05) == cases[i].inconsistent,
			      "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F06) == cases[i].not_zero, "case %u",
			      i);
		rda_feed_end(&feed);
	}
}
END_TEST

/* Every length that a packet's routing can say: one finding for the one fact. */
START_TEST(lengths_of_the_routing)
{
	static const struct {
		enum rda_route route;
		int32_t more; /* than the packet has */
		enum rda_check told;
	} cases[] = {
		{RDA_ROUTE_IP4, 4, RDA_CHECK_F04},
		{RDA_ROUTE_IP6, 4, RDA_CHECK_F04},
		{RDA_ROUTE_ROCEV1, 4, RDA_CHECK_F04},
		{RDA_ROUTE_IP4, -12, RDA_CHECK_F04},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_built built;

		build(&built, cases[i].route, RC_SEND_ONLY, 0);
		rda_build_set_end(&built, (uint32_t)((int32_t)built.end + cases[i].more));
		feed_built(&built);
		ck_assert_msg(rda_feed_cases(&feed, cases[i].told) == 1, "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F14) == 0, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

START_TEST(udp_against_ip)
{
	for (int off = -4; off <= 4; off += 4) {
		struct rda_built built;

		build(&built, RDA_ROUTE_IP4, RC_SEND_ONLY, 8);
		rda_set16(&built.b, built.udp + 4, (uint16_t)((int)(built.end - built.udp) + off));
		mend(&built);
		feed_built(&built);
		ck_assert_uint_eq(rda_feed_cases(&feed, RDA_CHECK_F14), off != 0);
		rda_feed_end(&feed);
	}
}
END_TEST

/* InfiniBand has the length twice; it also has the next header and the version. */
START_TEST(grhs)
{
	static const struct {
		uint32_t byte;
		uint8_t value;
		uint64_t told;
	} cases[] = {{6, 0x1b, 0}, {6, 0x11, 1}, {0, 0x40, 1}, {5, 0x00, 1}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_built built;

		build(&built, RDA_ROUTE_GLOBAL, RC_SEND_ONLY, 8);
		built.b.bytes[built.grh + cases[i].byte] = cases[i].value;
		mend(&built);
		feed_built(&built);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F20) == cases[i].told, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_frame_layout(void)
{
	Suite *suite = suite_create("check_frame_layout");
	TCase *tcase = tcase_create("check_frame_layout");

	tcase_add_test(tcase, pads);
	tcase_add_test(tcase, lengths_of_the_routing);
	tcase_add_test(tcase, udp_against_ip);
	tcase_add_test(tcase, grhs);
	suite_add_tcase(suite, tcase);
	return suite;
}
