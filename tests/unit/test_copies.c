/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is a copy, by IP identification: and what is none, where that tells nothing.
 */
#include "analyzer/track/roce/copies.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, OTHERS = 3 };

#define MS INT64_C(1000000)

static struct rda_feed feed;
static uint32_t next_id;

/* Of A, with an identification that is so much more than usual, so long after the one before. */
static void send_to(uint32_t qpn, uint32_t psn, uint32_t id, int64_t later_ns)
{
	struct rda_recipe recipe = rda_packet_of(A, B, qpn, RC_SEND_ONLY, psn);

	recipe.ip_id_by = (uint16_t)id;
	feed.meta.time_ns += later_ns - RDA_FEED_STEP_NS;
	rda_feed(&feed, &recipe);
}

static void send(uint32_t psn, uint32_t id, int64_t later_ns)
{
	send_to(0x11, psn, id, later_ns);
}

static void begin(void)
{
	rda_feed_begin(&feed);
	next_id = 0;
	for (; next_id < OTHERS; next_id++)
		send(next_id, next_id, RDA_FEED_STEP_NS);
}

/* Once all has passed: of the packets to B's QP. */
static uint64_t copies(void)
{
	uint64_t count;

	rda_engine_finish(feed.engine);
	count = rda_flow_rare(rda_engine_connection(feed.engine, 0)->flows[0])->copies.packets;
	rda_feed_end(&feed);
	return count;
}

START_TEST(an_equal_identification_tells_for_a_while)
{
	static const struct {
		int64_t later_ns;
		uint64_t copies;
	} cases[] = {{0, 1}, {1000, 1}, {-1000, 1}, {RDA_COPY_NS - 1, 1}, {RDA_COPY_NS, 0}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		begin();
		send(7, next_id, RDA_FEED_STEP_NS);
		send(7, next_id, cases[i].later_ns);
		ck_assert_uint_eq(copies(), cases[i].copies);
	}
}
END_TEST

START_TEST(every_copy_of_one_packet_is_one)
{
	begin();
	for (unsigned i = 0; i < 4; i++)
		send(7, next_id, 1000);
	ck_assert_uint_eq(copies(), 3);
}
END_TEST

START_TEST(another_identification_or_another_packet_is_none)
{
	begin();
	send(7, next_id, 1000);
	send(7, next_id + 1, 1000);
	send(8, next_id, 1000);
	ck_assert_uint_eq(copies(), 0);
}
END_TEST

/* What is damaged in its bytes, or in its ICRC, is the same packet. */
START_TEST(a_damaged_one_is_told_by_its_headers)
{
	struct rda_recipe recipe = rda_packet_of(A, B, 0x11, RC_SEND_ONLY, 7);

	begin();
	recipe.ip_id_by = (uint16_t)next_id;
	recipe.damaged = true;
	rda_feed(&feed, &recipe);
	send(7, next_id, 1000);
	ck_assert_uint_eq(copies(), 1);
}
END_TEST

/* After one that came again much later, the same sender's tell nothing more. */
START_TEST(who_sends_again_with_the_same_tells_nothing)
{
	begin();
	send(7, next_id, 1000);
	send(7, next_id, 10 * MS);
	send(8, next_id + 1, 1000);
	send(8, next_id + 1, 1000);
	ck_assert_uint_eq(copies(), 0);
}
END_TEST

/* The first two packets differ; then they do not. */
START_TEST(few_identifications_tell_nothing)
{
	begin();
	for (uint32_t psn = 10; psn < 20; psn++)
		send(psn, 0x100, 1000);
	send(19, 0x100, 1000);
	ck_assert_uint_eq(copies(), 0);
}
END_TEST

START_TEST(one_repetition_in_many_is_chance)
{
	begin();
	for (uint32_t psn = 10; psn < 300; psn++)
		send(psn, psn == 11 ? 10 : psn, 1000);
	send(299, 299, 1000);
	ck_assert_uint_eq(copies(), 1);
}
END_TEST

/* Behind so many others it is not known any more. */
START_TEST(the_latest_are_kept)
{
	for (unsigned between = RDA_COPIES_KEPT - 2; between <= RDA_COPIES_KEPT; between++) {
		begin();
		send(7, 0, 10);
		for (uint32_t i = 0; i < between; i++) /* none has so many that it is quiet */
			send_to(0x12 + i / (RDA_COPIES_QUIET / 2), 100 + i, 1 + i, 10);
		send(7, 0, 10);
		ck_assert_uint_eq(copies(), between < RDA_COPIES_KEPT);
	}
}
END_TEST

/* Where none was found for long none is looked for; until time tells of one. */
START_TEST(a_quiet_flow_costs_nothing)
{
	uint32_t psn;

	begin();
	for (psn = OTHERS; psn < RDA_COPIES_QUIET; psn++)
		send(psn, psn, 1000);
	send(psn - 1, psn - 1, 1000);
	ck_assert_uint_eq(rda_flow_rare(rda_engine_flow(feed.engine))->copies.packets, 0);
	send(psn, psn, 1000);
	send(psn, psn, 1000);
	ck_assert_uint_eq(copies(), 1);

	begin();
	for (psn = OTHERS; psn < RDA_COPIES_QUIET - 1; psn++)
		send(psn, psn, 1000);
	send(psn - 1, psn - 1, 1000);
	ck_assert_uint_eq(copies(), 1);
}
END_TEST

START_TEST(the_first_packet_may_be_copied)
{
	rda_feed_begin(&feed);
	send(7, 0, 1000);
	send(7, 0, 1000);
	ck_assert_uint_eq(copies(), 1);
}
END_TEST

/* What never gets a second packet must not be said to be sent again, on a service that does not. */
START_TEST(a_lone_datagram_too)
{
	struct rda_extended deth = rda_deth(0x22);
	struct rda_recipe recipe = rda_with(rda_packet_of(A, B, 0x11, UD_SEND_ONLY, 1), &deth);

	rda_feed_begin(&feed);
	rda_feed(&feed, &recipe);
	rda_feed(&feed, &recipe);
	ck_assert_uint_eq(copies(), 1);
}
END_TEST

Suite *rda_suite_copies(void)
{
	Suite *suite = suite_create("copies");
	TCase *tcase = tcase_create("copies");

	tcase_add_test(tcase, an_equal_identification_tells_for_a_while);
	tcase_add_test(tcase, every_copy_of_one_packet_is_one);
	tcase_add_test(tcase, another_identification_or_another_packet_is_none);
	tcase_add_test(tcase, a_damaged_one_is_told_by_its_headers);
	tcase_add_test(tcase, who_sends_again_with_the_same_tells_nothing);
	tcase_add_test(tcase, few_identifications_tell_nothing);
	tcase_add_test(tcase, one_repetition_in_many_is_chance);
	tcase_add_test(tcase, the_latest_are_kept);
	tcase_add_test(tcase, a_quiet_flow_costs_nothing);
	tcase_add_test(tcase, the_first_packet_may_be_copied);
	tcase_add_test(tcase, a_lone_datagram_too);
	suite_add_tcase(suite, tcase);
	return suite;
}
