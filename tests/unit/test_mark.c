/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks of the page's chart: of each kind of packet, of losses, and the table for the script.
 */
#include "analyzer/report/page/mark.h"
#include "tests/unit/suite.h"

#include <string.h>

static enum rda_mark mark_of(uint8_t opcode, uint8_t standing, uint8_t syndrome)
{
	struct rda_packet packet = {.opcode = rda_opcode(opcode)};
	struct rda_sight sight = {.packet = &packet, .trace = rda_trace_of_none()};

	packet.present = RDA_HAS(BTH) | packet.opcode->headers;
	packet.aeth.syndrome = syndrome;
	sight.trace.standing = standing;
	return rda_mark_of(&sight);
}

enum { ACK = 0x1f, NAK_SEQUENCE = 0x60, RNR = 0x2a };

START_TEST(requests_are_what_they_stand_for)
{
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, SEND_ONLY), RDA_STANDING_NEW, 0), RDA_MARK_NEW);
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, SEND_ONLY), RDA_STANDING_RESENT, 0),
			 RDA_MARK_RESENT);
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, SEND_ONLY), RDA_STANDING_REORDERED, 0),
			 RDA_MARK_LATE);
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, SEND_ONLY), RDA_STANDING_MIRRORED, 0),
			 RDA_MARK_MIRRORED);
	/* not known: the packet is there, and that is all there is to see */
	ck_assert_int_eq(mark_of(RDA_OPCODE(UD, SEND_ONLY), RDA_STANDING_NONE, 0), RDA_MARK_NEW);
}
END_TEST

START_TEST(answers_are_what_their_aeth_says)
{
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, ACKNOWLEDGE), RDA_STANDING_NONE, ACK),
			 RDA_MARK_ACK);
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, ACKNOWLEDGE), RDA_STANDING_NONE, NAK_SEQUENCE),
			 RDA_MARK_NAK);
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, ACKNOWLEDGE), RDA_STANDING_NONE, RNR),
			 RDA_MARK_RNR);
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, READ_RESPONSE_MIDDLE), RDA_STANDING_NONE, 0),
			 RDA_MARK_RESPONSE);
	ck_assert_int_eq(mark_of(RDA_OPCODE(RC, READ_RESPONSE_ONLY), RDA_STANDING_NONE, ACK),
			 RDA_MARK_RESPONSE);
	ck_assert_int_eq(mark_of(RDA_OPCODE_CNP, RDA_STANDING_NONE, 0), RDA_MARK_CNP);
}
END_TEST

START_TEST(losses_are_marks_and_other_events_are_not)
{
	for (unsigned kind = 0; kind < RDA_EVENT_COUNT; kind++) {
		struct rda_event event = {.kind = (uint8_t)kind};
		enum rda_mark mark = rda_mark_of_event(&event);
		bool lost = kind == RDA_EVENT_LOST_BEFORE || kind == RDA_EVENT_LOST_AFTER ||
			    kind == RDA_EVENT_ACKED_UNSEEN;

		ck_assert_msg(lost == (mark != RDA_MARK_NONE), "event %u is mark %d", kind, mark);
		ck_assert(!rda_mark_is_common(mark));
	}
}
END_TEST

/* On each ground no two marks look alike: shape and colour. */
START_TEST(no_two_marks_look_alike)
{
	static const char *const looks[][3] = {
#define RDA_M(ID, name, words, SHAPE, light, dark) {#SHAPE, light, dark},
		RDA_MARKS(RDA_M)
#undef RDA_M
	};

	for (unsigned i = 0; i < RDA_COUNT(looks); i++)
		for (unsigned j = 0; j < i; j++)
			for (unsigned ground = 1; ground < 3; ground++)
				ck_assert_msg(strcmp(looks[i][0], looks[j][0]) != 0 ||
						      strcmp(looks[i][ground], looks[j][ground]) !=
							      0,
					      "marks %u and %u look alike", j, i);
}
END_TEST

Suite *rda_suite_mark(void)
{
	Suite *suite = suite_create("mark");
	TCase *marks = tcase_create("mark");

	tcase_add_test(marks, requests_are_what_they_stand_for);
	tcase_add_test(marks, answers_are_what_their_aeth_says);
	tcase_add_test(marks, losses_are_marks_and_other_events_are_not);
	tcase_add_test(marks, no_two_marks_look_alike);
	suite_add_tcase(suite, marks);
	return suite;
}
