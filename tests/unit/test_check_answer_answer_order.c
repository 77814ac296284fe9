/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers that came late, as nothing but their identifications tells.
 */
#include "analyzer/checks/answer/answer_order.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

enum { A = 1, B = 2, QP_A = 0x11, QP_B = 0x12, FIRST = 100, COUNT = 12 };

/* Those at odd places are READs of one response, the others SENDs. */
static void ask(struct rda_feed *feed, uint32_t place)
{
	struct rda_recipe packet = rda_packet_of(
		A, B, QP_B, place % 2 ? RC_READ_REQUEST : RC_SEND_ONLY, FIRST + place);
	struct rda_extended reth = rda_reth(0x1000, 1, 8);

	packet.ip_id_by = (uint16_t)(2 * place);
	if (place % 2)
		packet = rda_with(packet, &reth);
	rda_feed(feed, &packet);
}

static void answer(struct rda_feed *feed, uint32_t place, uint16_t ip_id)
{
	struct rda_recipe packet = rda_packet_of(
		B, A, QP_A, place % 2 ? RC_READ_RESPONSE_ONLY : RC_ACKNOWLEDGE, FIRST + place);
	struct rda_extended aeth = rda_aeth(0x1f, place + 1);

	packet.ip_id_by = ip_id;
	packet = rda_with(packet, &aeth);
	rda_feed(feed, &packet);
}

/* The ACK of place 4 comes behind the response to the READ at place 5, or where it was sent; the
 * identifications go on by so much from one answer to the next. */
static unsigned count(bool late, unsigned step)
{
	const struct rda_finding *finding;
	struct rda_feed feed;
	unsigned found;

	rda_feed_begin(&feed);
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, FIRST, 0);
	for (uint32_t place = 0; place < COUNT; place++)
		ask(&feed, place);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t place = late && (i == 4 || i == 5) ? 9 - i : i;

		answer(&feed, place, (uint16_t)(step * place));
	}
	rda_engine_finish(feed.engine);
	found = (unsigned)rda_feed_cases(&feed, RDA_CHECK_Q10);
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	if (finding)
		ck_assert_uint_eq(finding->said->sayings[0], RDA_SAY_Q10_ANSWERS);
	rda_feed_end(&feed);
	return found;
}

START_TEST(behind_another)
{
	ck_assert_uint_eq(count(true, 2), 1);
	ck_assert_uint_eq(count(false, 2), 0);
}
END_TEST

/* One identification for all of them, or one that goes on as the PSN does: it may be made of it. */
START_TEST(untold)
{
	ck_assert_uint_eq(count(true, 0), 0);
	ck_assert_uint_eq(count(true, 1), 0);
}
END_TEST

Suite *rda_suite_check_answer_answer_order(void)
{
	Suite *suite = suite_create("check_answer_answer_order");
	TCase *tcase = tcase_create("check_answer_answer_order");

	tcase_add_test(tcase, behind_another);
	tcase_add_test(tcase, untold);
	suite_add_tcase(suite, tcase);
	return suite;
}
