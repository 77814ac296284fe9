/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Payload against the path MTU and the RETH: sequences of packets, and what they break.
 */
#include "analyzer/checks/frame/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

struct rda_part {
	uint8_t opcode;
	uint32_t psn, payload;
	uint32_t length; /* of the RETH */
};

struct rda_sequence {
	struct rda_part parts[4]; /* up to the first with PSN 0 */
	uint64_t f11, f12, f13, f21, f22, f23, f24;
};

static const struct rda_sequence CASES[] = {
	{.parts = {{RC_SEND_FIRST, 1, 256, 0},
		   {RC_SEND_MIDDLE, 2, 256, 0},
		   {RC_SEND_LAST, 3, 1, 0}}},
	{.parts = {{RC_SEND_FIRST, 1, 256, 0}, {RC_SEND_MIDDLE, 2, 512, 0}}, .f11 = 1},
	{.parts = {{RC_SEND_FIRST, 1, 300, 0}}, .f11 = 1},
	/* near each other in the PSNs, or set up anew */
	{.parts = {{RC_SEND_FIRST, 1, 256, 0}, {RC_SEND_FIRST, 4096, 512, 0}}, .f11 = 1},
	{.parts = {{RC_SEND_FIRST, 1, 256, 0}, {RC_SEND_FIRST, 4097, 512, 0}}},
	{.parts = {{RC_SEND_FIRST, 0xffffff, 256, 0}, {RC_SEND_MIDDLE, 0x1000000, 512, 0}},
	 .f11 = 1},
	{.parts = {{RC_SEND_LAST, 1, 0, 0}}, .f12 = 1},
	{.parts = {{RC_SEND_ONLY, 1, 0, 0}}},
	{.parts = {{RC_SEND_ONLY, 1, 4096, 0}}},
	{.parts = {{RC_SEND_ONLY, 1, 4097, 0}}, .f13 = 1},
	{.parts = {{RC_SEND_FIRST, 1, 4100, 0}}, .f13 = 1}, /* and not F11: one fact */
	{.parts = {{RC_READ_REQUEST, 1, 0, 0x80000000}}},
	{.parts = {{RC_READ_REQUEST, 1, 0, 0x80000001}}, .f21 = 1},
	{.parts = {{RC_WRITE_ONLY, 1, 64, 64}}},
	{.parts = {{RC_WRITE_ONLY, 1, 64, 65}}, .f22 = 1},
	{.parts = {{RC_ATOMIC_WRITE, 1, 8, 8}}},
	{.parts = {{RC_ATOMIC_WRITE, 1, 8, 9}}, .f24 = 1},
	{.parts = {{RC_ATOMIC_WRITE, 1, 4, 8}}, .f24 = 1},
	{.parts = {{RC_WRITE_FIRST, 1, 256, 300}, {RC_WRITE_LAST, 2, 44, 0}}},
	{.parts = {{RC_WRITE_FIRST, 1, 256, 300}, {RC_WRITE_LAST, 2, 45, 0}}, .f23 = 1},
	/* a PSN is missing: nothing can be said */
	{.parts = {{RC_WRITE_FIRST, 1, 256, 300}, {RC_WRITE_LAST, 3, 45, 0}}},
	/* the beginning was not captured */
	{.parts = {{RC_WRITE_MIDDLE, 1, 256, 0}, {RC_WRITE_LAST, 2, 45, 0}}},
	/* sent twice, counted once */
	{.parts = {{RC_WRITE_FIRST, 1, 256, 556},
		   {RC_WRITE_MIDDLE, 2, 256, 0},
		   {RC_WRITE_MIDDLE, 2, 256, 0},
		   {RC_WRITE_LAST, 3, 44, 0}}},
	{.parts = {{UC_WRITE_FIRST, 1, 256, 300}, {UC_WRITE_LAST, 2, 45, 0}}, .f23 = 1},
};

static void feed_part(const struct rda_part *part)
{
	struct rda_extended reth = rda_reth(0x1000, 0x1242, part->length);
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, part->opcode, part->psn);

	if (rda_opcode(part->opcode)->headers & RDA_HAS(RETH))
		recipe = rda_with(recipe, &reth);
	recipe.payload_length = part->payload;
	rda_feed(&feed, &recipe);
}

START_TEST(sequences)
{
	for (unsigned i = 0; i < RDA_COUNT(CASES); i++) {
		const struct rda_sequence *c = &CASES[i];
		const struct {
			enum rda_check check;
			uint64_t count;
		} expected[] = {{RDA_CHECK_F11, c->f11}, {RDA_CHECK_F12, c->f12},
				{RDA_CHECK_F13, c->f13}, {RDA_CHECK_F21, c->f21},
				{RDA_CHECK_F22, c->f22}, {RDA_CHECK_F23, c->f23},
				{RDA_CHECK_F24, c->f24}};

		rda_feed_begin(&feed);
		for (unsigned j = 0; j < RDA_COUNT(c->parts) && c->parts[j].psn; j++)
			feed_part(&c->parts[j]);
		rda_engine_finish(feed.engine);
		for (unsigned j = 0; j < RDA_COUNT(expected); j++)
			ck_assert_msg(rda_feed_cases(&feed, expected[j].check) == expected[j].count,
				      "case %u: %s", i, rda_check_row(expected[j].check)->code);
		rda_feed_end(&feed);
	}
}
END_TEST

/* REQ agreed on 1024. */
START_TEST(agreed_path_mtu)
{
	static const struct {
		struct rda_part part;
		uint64_t f11, f13;
	} cases[] = {
		{{RC_SEND_ONLY, 1, 1024, 0}, 0, 0},  {{RC_SEND_ONLY, 1, 1025, 0}, 0, 1},
		{{RC_SEND_FIRST, 1, 1024, 0}, 0, 0}, {{RC_SEND_FIRST, 1, 2048, 0}, 0, 1},
		{{RC_SEND_FIRST, 1, 512, 0}, 1, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_feed_begin(&feed);
		rda_feed_exchange(&feed, 1, 2, 0x12, 0x11, 7);
		feed_part(&cases[i].part);
		rda_engine_finish(feed.engine);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F11) == cases[i].f11, "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F13) == cases[i].f13, "case %u", i);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_frame_payload(void)
{
	Suite *suite = suite_create("check_frame_payload");
	TCase *tcase = tcase_create("check_frame_payload");

	tcase_add_test(tcase, sequences);
	tcase_add_test(tcase, agreed_path_mtu);
	suite_add_tcase(suite, tcase);
	return suite;
}
