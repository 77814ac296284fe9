/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of the BTH, one wrong at a time; and how sure a packet makes us that cannot be
 * checked.
 */
#include "analyzer/checks/frame/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

static const struct rda_case {
	enum rda_check check;
	uint8_t opcode, byte, value; /* of the BTH; byte 0 is the opcode again */
	uint32_t qp;
	bool told;
} CASES[] = {
	{RDA_CHECK_F07, RC_SEND_ONLY, 1, 0x01, 0x11, true},
	{RDA_CHECK_F07, RC_SEND_ONLY, 1, 0x40, 0x11, false}, /* MigReq */
	{RDA_CHECK_F08, 0x1f, 0, 0x1f, 0x11, true},
	{RDA_CHECK_F08, 0xc0, 0, 0xc0, 0x11, false}, /* a vendor's */
	{RDA_CHECK_F09, RC_SEND_ONLY, 2, 0x80, 0x11, true},
	{RDA_CHECK_F09, RC_SEND_ONLY, 2, 0x7f, 0x11, false}, /* a limited member */
	{RDA_CHECK_F10, RC_SEND_ONLY, 4, 0x01, 0x11, true},
	{RDA_CHECK_F10, RC_SEND_ONLY, 4, 0xc0, 0x11, false}, /* FECN, BECN */
	{RDA_CHECK_F10, RC_SEND_ONLY, 8, 0x01, 0x11, true},
	{RDA_CHECK_F10, RC_SEND_ONLY, 8, 0x80, 0x11, false}, /* AckReq */
	{RDA_CHECK_F17, RC_SEND_ONLY, 0, RC_SEND_ONLY, 0, true},
	{RDA_CHECK_F17, RC_SEND_ONLY, 0, RC_SEND_ONLY, 2, false},
	{RDA_CHECK_F17, RC_SEND_ONLY, 0, RC_SEND_ONLY, 0xffffff, true},
	{RDA_CHECK_F17, UD_SEND_ONLY, 0, UD_SEND_ONLY, 1, false},
	{RDA_CHECK_F17, UD_SEND_ONLY, 0, UD_SEND_ONLY, 0xffffff, true},
	{RDA_CHECK_F17, 0x81, 0, 0x81, 1, false}, /* a CNP */
	{RDA_CHECK_F18, UD_SEND_ONLY, 0, UD_SEND_ONLY, 1, false},
	{RDA_CHECK_F19, RC_ACKNOWLEDGE, 8, 0x80, 0x11, true},
	{RDA_CHECK_F19, RC_ACKNOWLEDGE, 1, 0x80, 0x11, true},
	{RDA_CHECK_F19, RC_ACKNOWLEDGE, 0, RC_ACKNOWLEDGE, 0x11, false},
	{RDA_CHECK_F19, RC_SEND_ONLY, 8, 0x80, 0x11, false},
	{RDA_CHECK_F25, RC_SEND_ONLY, 1, 0x80, 0x11, false},
	{RDA_CHECK_F25, 0x00, 1, 0x80, 0x11, true},  /* SEND First */
	{RDA_CHECK_F25, 0x0a, 1, 0x80, 0x11, true},  /* WRITE Only */
	{RDA_CHECK_F25, 0x0b, 1, 0x80, 0x11, false}, /* with Immediate */
};

/* Feeds the packet; `cut`: without its last byte, so that its ICRC is not known. */
static void feed_case(const struct rda_case *c, bool cut)
{
	static const uint8_t headers[64] = {0x80, 0x01}; /* Q_Key 0x80010000, or any other */
	struct rda_recipe recipe = rda_packet_of(1, 2, c->qp, c->opcode, 1);
	struct rda_built built;
	uint32_t crc;

	recipe.extended = headers;
	recipe.extended_length = rda_opcode(c->opcode)->extension;
	rda_build_packet(&built, &recipe);
	built.b.bytes[built.bth + c->byte] = c->value;
	crc = rda_reference_icrc(built.route, built.b.bytes + built.l3, built.bth - built.l3,
				 built.end - 4 - built.l3);
	for (uint32_t i = 0; i < 4; i++)
		built.b.bytes[built.end - 4 + i] = (uint8_t)(crc >> 8 * i);
	rda_feed_begin(&feed);
	rda_feed_frame(&feed, &built.b, built.b.length - cut, built.link);
	rda_engine_finish(feed.engine);
}

START_TEST(one_field_at_a_time)
{
	for (unsigned i = 0; i < RDA_COUNT(CASES); i++) {
		feed_case(&CASES[i], false);
		ck_assert_msg(rda_feed_cases(&feed, CASES[i].check) == CASES[i].told, "case %u", i);
		ck_assert_msg(rda_feed_cases(&feed, RDA_CHECK_F02) == 0, "case %u: ICRC", i);
		rda_feed_end(&feed);
	}
}
END_TEST

/* Something else may use the port: only an ICRC that fits says that it is RoCE. */
START_TEST(without_an_icrc_it_is_suspected)
{
	for (unsigned cut = 0; cut <= 1; cut++) {
		const struct rda_finding *finding;

		feed_case(&CASES[0], cut);
		for (unsigned i = 0;; i++) {
			finding = rda_engine_finding(feed.engine, i);
			if (finding->key.check == RDA_CHECK_F07)
				break;
		}
		ck_assert_int_eq(finding->proof, cut ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN);
		ck_assert_int_eq(finding->severity,
				 cut ? RDA_SEVERITY_WARNING : RDA_SEVERITY_ERROR);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_frame_fields(void)
{
	Suite *suite = suite_create("check_frame_fields");
	TCase *tcase = tcase_create("check_frame_fields");

	tcase_add_test(tcase, one_field_at_a_time);
	tcase_add_test(tcase, without_an_icrc_it_is_suspected);
	suite_add_tcase(suite, tcase);
	return suite;
}
