/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long after its original a packet may be a copy, by what those have that were sent again.
 */
#include "analyzer/track/roce/own_ids.h"

#include "analyzer/track/roce/copies.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, PACKETS = 20, QPN = 0x11 };

#define MS INT64_C(1000000)

static struct rda_feed feed;

static void send(uint32_t psn, uint32_t id, int64_t later_ns)
{
	struct rda_recipe recipe = rda_packet_of(A, B, QPN, RC_SEND_ONLY, psn);

	recipe.ip_id_by = (uint16_t)id;
	feed.meta.time_ns += later_ns - RDA_FEED_STEP_NS;
	rda_feed(&feed, &recipe);
}

/* A numbers its packets, and others that are not here; then the last is sent again so. */
static int64_t told_of_the_last(uint32_t id, int64_t later_ns)
{
	static const struct rda_opcode send_only = {.roles = RDA_ROLE_REQUEST};
	const struct rda_packet packet = {.opcode = &send_only};
	int64_t ns;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < PACKETS; i++)
		send(i, 2 * i, RDA_FEED_STEP_NS);
	send(PACKETS - 1, id, later_ns);
	rda_engine_finish(feed.engine);
	ns = rda_own_ids_copy_ns(rda_engine_connection(feed.engine, 0)->flows[0], &packet);
	rda_feed_end(&feed);
	return ns;
}

START_TEST(longer_where_resends_have_their_own)
{
	ck_assert_int_gt(told_of_the_last(2 * PACKETS, 70 * MS), 100 * MS);
	ck_assert_int_eq(told_of_the_last(2 * PACKETS - 2, 70 * MS), RDA_COPY_NS);
	ck_assert_int_eq(told_of_the_last(2 * PACKETS - 2, 1000), RDA_COPY_NS);
}
END_TEST

static void acknowledge(uint32_t psn, uint32_t id)
{
	struct rda_extended aeth = rda_aeth(0x1f, 1);
	struct rda_recipe recipe =
		rda_with(rda_packet_of(B, A, QPN + 1, RC_ACKNOWLEDGE, psn), &aeth);

	recipe.source_port = 0xc000;
	recipe.ip_id_by = (uint16_t)id;
	rda_feed(&feed, &recipe);
}

/* B numbers its answers, and others that are not here; then it answers one before the last so. */
static int64_t told_of_an_answer(uint32_t id)
{
	static const struct rda_opcode ack = {.roles = RDA_ROLE_RESPONSE | RDA_ROLE_ACK};
	const struct rda_packet packet = {.opcode = &ack};
	const struct rda_connection *connection;
	int64_t ns;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < PACKETS; i++) {
		send(i, 2 * i, RDA_FEED_STEP_NS);
		acknowledge(i, 2 * i);
	}
	acknowledge(PACKETS - 2, id);
	rda_engine_finish(feed.engine);
	connection = rda_engine_connection(feed.engine, 0);
	ns = rda_own_ids_copy_ns(connection->flows[1], &packet);
	rda_feed_end(&feed);
	return ns;
}

START_TEST(longer_where_answers_have_their_own)
{
	ck_assert_int_gt(told_of_an_answer(2 * PACKETS), 100 * MS);
	ck_assert_int_eq(told_of_an_answer(2 * PACKETS - 4), RDA_COPY_NS);
}
END_TEST

/* A copy that comes so long after the first request, which is answered or not. */
static uint64_t copies_of_the_first(int64_t later_ns, bool answered)
{
	uint64_t copies;

	rda_feed_begin(&feed);
	send(0, 0, RDA_FEED_STEP_NS);
	if (answered)
		rda_feed_acknowledge(&feed, B, A, QPN + 1, 0xc000, 0);
	send(0, 0, later_ns);
	rda_engine_finish(feed.engine);
	copies = rda_flow_rare(rda_engine_connection(feed.engine, 0)->flows[0])->copies.packets;
	rda_feed_end(&feed);
	return copies;
}

START_TEST(longer_of_the_first_when_it_was_answered)
{
	ck_assert_uint_eq(copies_of_the_first(9 * MS, true), 1);
	ck_assert_uint_eq(copies_of_the_first(11 * MS, true), 0);
	ck_assert_uint_eq(copies_of_the_first(9 * MS, false), 0);
	ck_assert_uint_eq(copies_of_the_first(1 * MS, false), 1);
}
END_TEST

Suite *rda_suite_own_ids(void)
{
	Suite *suite = suite_create("own_ids");
	TCase *tcase = tcase_create("own_ids");

	tcase_add_test(tcase, longer_where_resends_have_their_own);
	tcase_add_test(tcase, longer_where_answers_have_their_own);
	tcase_add_test(tcase, longer_of_the_first_when_it_was_answered);
	suite_add_tcase(suite, tcase);
	return suite;
}
