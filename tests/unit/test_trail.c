/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets and the messages that they belong to.
 */
#include "analyzer/track/roce/trail.h"

#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

#include <stddef.h>

enum {
	FIRST = RDA_ROLE_REQUEST | RDA_ROLE_SEND | RDA_ROLE_FIRST,
	MIDDLE = RDA_ROLE_REQUEST | RDA_ROLE_SEND | RDA_ROLE_MIDDLE,
	LAST = RDA_ROLE_REQUEST | RDA_ROLE_SEND | RDA_ROLE_LAST,
	ONLY = FIRST | LAST,
	READ = RDA_ROLE_REQUEST | RDA_ROLE_READ | RDA_ROLE_ONLY,
	ANSWER = RDA_ROLE_RESPONSE | RDA_ROLE_READ | RDA_ROLE_MIDDLE,
	ACK = RDA_ROLE_RESPONSE | RDA_ROLE_ACK,
	NONE = -1,
};

static struct rda_trail *trail;
static struct rda_trail_packet packet;

static void setup(void)
{
	trail = NULL;
}

static void teardown(void)
{
	rda_trail_free(trail);
}

/* The number of the message that a packet belongs to, or NONE. */
static int span(uint16_t roles, int64_t begin, int64_t end, int64_t psn, uint32_t payload)
{
	const struct rda_trail_message *message;

	packet = (struct rda_trail_packet){psn, begin, end, (uint64_t)psn, roles, payload};
	message = rda_trail_packet(&trail, &packet);
	return message ? (int)message->number : NONE;
}

static int see(uint16_t roles, int64_t psn)
{
	return span(roles, psn, psn + 1, psn, 1024);
}

static int64_t bytes(uint16_t roles, int64_t begin, int64_t end, int64_t psn, uint32_t payload)
{
	const struct rda_trail_message *message;

	span(roles, begin, end, psn, payload);
	message = rda_trail_packet(&trail, &packet);
	return rda_trail_bytes(message, &packet);
}

START_TEST(a_packet_goes_on_with_the_message_before_it)
{
	ck_assert_int_eq(see(FIRST, 10), 0);
	ck_assert_int_eq(see(MIDDLE, 11), 0);
	ck_assert_int_eq(see(LAST, 12), 0);
	ck_assert_int_eq(see(ONLY, 13), 1);
	ck_assert_int_eq(see(ACK, 12), 0);
	ck_assert_int_eq(see(ACK, 13), 1);
	ck_assert_int_eq(see(MIDDLE, 11), 0); /* resent */
	ck_assert_int_eq(see(FIRST, 10), 0);
}
END_TEST

START_TEST(behind_a_hole_nothing_is_guessed)
{
	ck_assert_int_eq(see(MIDDLE, 5), NONE);
	ck_assert_int_eq(see(FIRST, 10), 0);
	ck_assert_int_eq(see(MIDDLE, 12), NONE); /* perhaps of another: 11 may have been a Last */
	ck_assert_int_eq(see(ACK, 12), NONE);
	ck_assert_int_eq(see(MIDDLE, 11), 0);
	ck_assert_int_eq(see(MIDDLE, 12), 0); /* now it is clear */
	ck_assert_int_eq(see(LAST, 13), 0);
	ck_assert_int_eq(see(MIDDLE, 14), NONE); /* its First was not seen */
}
END_TEST

START_TEST(a_first_packet_that_comes_late_has_the_next_number)
{
	ck_assert_int_eq(see(ONLY, 10), 0);
	ck_assert_int_eq(see(ONLY, 12), 1);
	ck_assert_int_eq(see(ONLY, 11), 2);
	ck_assert_int_eq(see(ACK, 11), 2);
	ck_assert_int_eq(see(ACK, 12), 1);
}
END_TEST

START_TEST(responses_belong_to_their_read)
{
	ck_assert_int_eq(span(READ, 10, 11, 10, 3000), 0); /* its span is not known */
	ck_assert_int_eq(span(READ, 13, 16, 13, 3000), 1);
	ck_assert_int_eq(span(ANSWER, 11, 12, 11, 1024), NONE);
	ck_assert_int_eq(span(ANSWER, 10, 13, 11, 1024), 0); /* now it is */
	ck_assert_int_eq(span(ANSWER, 10, 13, 12, 952), 0);
	ck_assert_int_eq(span(ANSWER, 13, 16, 15, 952), 1);
}
END_TEST

START_TEST(bytes_are_those_of_the_packets_before_and_its_own)
{
	ck_assert_int_eq(bytes(FIRST, 10, 11, 10, 1024), 1024);
	ck_assert_int_eq(bytes(MIDDLE, 11, 12, 11, 1024), 2048);
	ck_assert_int_eq(bytes(LAST, 12, 13, 12, 7), 2055);
	ck_assert_int_eq(bytes(ACK, 12, 13, 12, 0), -1);
	ck_assert_int_eq(bytes(READ, 13, 16, 13, 3000), -1);		      /* it carries none */
	ck_assert_int_eq(bytes(ANSWER | RDA_ROLE_LAST, 13, 16, 15, 952), -1); /* of how many? */
	ck_assert_int_eq(bytes(ANSWER, 13, 16, 14, 1024), 2048);
	ck_assert_int_eq(bytes(ANSWER | RDA_ROLE_LAST, 13, 16, 15, 952), 3000);
}
END_TEST

START_TEST(the_cap_forgets_the_older_half)
{
	for (int psn = 0; psn < RDA_TRAIL_CAP; psn++)
		ck_assert_int_eq(see(ONLY, psn), psn);
	ck_assert_int_eq(see(ACK, 0), 0);
	ck_assert_int_eq(see(ONLY, RDA_TRAIL_CAP), RDA_TRAIL_CAP);
	ck_assert_int_eq(see(ACK, RDA_TRAIL_CAP / 2 - 1), NONE);
	ck_assert_int_eq(see(ACK, 0), NONE);
	ck_assert_int_eq(see(ACK, RDA_TRAIL_CAP / 2), RDA_TRAIL_CAP / 2);
}
END_TEST

Suite *rda_suite_trail(void)
{
	Suite *suite = suite_create("trail");
	TCase *tcase = tcase_create("trail");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_packet_goes_on_with_the_message_before_it);
	tcase_add_test(tcase, behind_a_hole_nothing_is_guessed);
	tcase_add_test(tcase, a_first_packet_that_comes_late_has_the_next_number);
	tcase_add_test(tcase, responses_belong_to_their_read);
	tcase_add_test(tcase, bytes_are_those_of_the_packets_before_and_its_own);
	tcase_add_test(tcase, the_cap_forgets_the_older_half);
	suite_add_tcase(suite, tcase);
	return suite;
}
