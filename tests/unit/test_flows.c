/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a flow's life ends and another begins.
 */
#include "analyzer/track/flows.h"

#include "analyzer/track/roce/account.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum {
	A = 1,
	B = 2,
	QP_A = 0x11,
	QP_B = 0x22,
	PORT = 0xc000,
	FAR = 0x400000,
	REJ = 0x12,
	DREQ = 0x15
};

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static const struct rda_connection *connection(unsigned index)
{
	for (unsigned i = 0; i < rda_engine_connection_count(feed.engine); i++)
		if (rda_engine_connection(feed.engine, i)->service == RDA_SERVICE_RC && !index--)
			return rda_engine_connection(feed.engine, i);
	ck_abort_msg("too few connections");
}

static void send_and_ack(uint32_t psn)
{
	rda_feed_send(&feed, A, B, QP_B, PORT, psn);
	rda_feed_acknowledge(&feed, B, A, QP_A, PORT, psn);
}

static void disconnect(void)
{
	rda_feed_cm(&feed,
		    &(struct rda_cm_message){
			    .from = A, .to = B, .attribute = DREQ, .local_id = 1, .remote_id = 2});
}

static void refuse(uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(0x62, 1);
	struct rda_recipe recipe = rda_packet_of(B, A, QP_A, 0x11, psn);

	recipe = rda_with(recipe, &aeth);
	rda_feed(&feed, &recipe);
}

START_TEST(named_anew)
{
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, 10, 0);
	send_and_ack(10);
	feed.meta.time_ns += 2 * RDA_FLOWS_SWAPPED_NS;
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 5, 12, 0);
	send_and_ack(12);
	ck_assert_uint_eq(rda_feed_connections(&feed), 2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(connection(i)->paired_by, RDA_PAIRED_BY_CM);
		ck_assert_uint_eq(connection(i)->flows[0]->packets, 1);
		ck_assert_uint_eq(connection(i)->flows[1]->packets, 1);
		ck_assert_uint_eq(connection(i)->flows[0]->first_psn, 10 + 2 * i);
		ck_assert_ptr_eq(connection(i)->flows[0]->peer, connection(i)->flows[1]);
	}
	ck_assert_ptr_ne(connection(0)->flows[0]->pair, connection(1)->flows[0]->pair);
}
END_TEST

/* The same REQ and REP again, of another tap or a mirror, name nothing anew. */
START_TEST(named_twice)
{
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, 10, 0);
	send_and_ack(10);
	feed.meta.time_ns += 2 * RDA_FLOWS_SWAPPED_NS;
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, 10, 0);
	send_and_ack(11);
	ck_assert_uint_eq(rda_feed_connections(&feed), 1);
}
END_TEST

/* The capture begins with an earlier connection of the QP. */
START_TEST(named_first)
{
	send_and_ack(900);
	feed.meta.time_ns += 2 * RDA_FLOWS_SWAPPED_NS;
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, 10, 0);
	send_and_ack(10);
	ck_assert_uint_eq(rda_feed_connections(&feed), 2);
	ck_assert_ptr_null(connection(0)->flows[0]->pair);
	ck_assert_int_eq(connection(1)->paired_by, RDA_PAIRED_BY_CM);
}
END_TEST

/* The first packets came just before the REP, by another queue. */
START_TEST(named_a_little_late)
{
	send_and_ack(10);
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, 10, 0);
	send_and_ack(11);
	ck_assert_uint_eq(rda_feed_connections(&feed), 1);
	ck_assert_ptr_nonnull(connection(0)->flows[0]->pair);
	ck_assert_ptr_nonnull(connection(0)->flows[1]->pair);
}
END_TEST

/* What ends the connection, where requests go on, and whether that is another connection. */
static const struct {
	enum { NOTHING, DISCONNECT, REFUSE } end;
	uint32_t next;
	unsigned connections;
} ends[] = {
	{NOTHING, FAR, 1},
	{DISCONNECT, 12, 1},
	{DISCONNECT, 11 + RDA_RESET_PSNS, 1},
	{DISCONNECT, 12 + RDA_RESET_PSNS, 2},
	{DISCONNECT, FAR, 2},
	{REFUSE, 12, 1},
	{REFUSE, FAR, 2},
};

START_TEST(restarted)
{
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, 10, 0);
	send_and_ack(10);
	if (ends[_i].end == DISCONNECT) {
		disconnect();
	} else if (ends[_i].end == REFUSE) {
		rda_feed_send(&feed, A, B, QP_B, PORT, 11);
		refuse(11);
	} else {
		rda_feed_send(&feed, A, B, QP_B, PORT, 11);
	}
	send_and_ack(ends[_i].next);
	ck_assert_uint_eq(rda_feed_connections(&feed), ends[_i].connections);
	ck_assert_ptr_nonnull(connection(ends[_i].connections - 1)->flows[1]);
}
END_TEST

/* What is asked afterwards finds the life that a frame belongs to. */
START_TEST(lives_by_place)
{
	struct rda_flow_key key;
	struct rda_flows flows;
	struct rda_meta meta = {.number = 1};
	struct rda_packet packet = {0};
	struct rda_posting posting = {.meta = &meta, .packet = &packet};
	struct rda_flow *lives[5];
	bool made;

	rda_flows_init(&flows, 1);
	packet.carrier = RDA_CARRIER_ROCEV2;
	packet.opcode = rda_opcode(0x04);
	rda_flow_key_of(&key, &meta, &packet);
	ck_assert_ptr_null(rda_flows_latest(&flows, &key));
	for (unsigned i = 0; i < RDA_COUNT(lives); i++) {
		posting.place = 10 * i + 5;
		lives[i] = rda_flows_of(&flows, &posting, &made);
		ck_assert(made);
		posting.place++;
		ck_assert_ptr_eq(rda_flows_of(&flows, &posting, &made), lives[i]);
		ck_assert(!made);
		rda_flow_make_rare(lives[i])->closed_place = 10 * i + 9;
		flows.latest = flows.recent[0] = NULL;
		for (unsigned slot = 0; slot <= flows.recent_mask; slot++)
			flows.recent[slot] = NULL;
		ck_assert_ptr_eq(rda_flows_find(&flows, &meta, &packet), lives[i]);
	}
	for (unsigned i = 1; i < RDA_COUNT(lives); i++) {
		ck_assert_ptr_eq(rda_flow_rare(lives[i])->before, lives[i - 1]);
		ck_assert_ptr_eq(rda_flow_rare(lives[i])->first, lives[0]);
	}
	ck_assert_ptr_null(rda_flow_rare(lives[0])->first);
	ck_assert_ptr_eq(rda_flows_latest(&flows, &key), lives[RDA_COUNT(lives) - 1]);
	rda_flows_cleanup(&flows);
}
END_TEST

/* More flows than the places have room for at first: each is found again, wherever it is kept. */
START_TEST(many)
{
	enum { FLOWS = 20000 };
	static struct rda_flow *made[FLOWS];
	struct rda_packet packet = {.carrier = RDA_CARRIER_ROCEV2, .opcode = rda_opcode(0x04)};
	struct rda_meta meta = {.number = 1};
	struct rda_posting posting = {.meta = &meta, .packet = &packet};
	struct rda_flows flows;
	bool is_new;

	rda_flows_init(&flows, 0);
	packet.source.kind = packet.destination.kind = RDA_ADDRESS_IP4;
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < FLOWS; i++) {
			struct rda_flow *flow;

			packet.source.bytes[15] = (uint8_t)(i % 7);
			packet.destination.bytes[12] = (uint8_t)(i % 5);
			packet.bth.dest_qp = i / 35;
			posting.place = i + 1;
			flow = rda_flows_of(&flows, &posting, &is_new);
			ck_assert_msg(is_new == (round == 0), "flow %u, round %u", i, round);
			made[i] = round ? made[i] : flow;
			ck_assert_ptr_eq(flow, made[i]);
		}
	ck_assert_uint_eq(flows.table.count, FLOWS);
	ck_assert_uint_ge(flows.recent_mask + 1, FLOWS);
	rda_flows_cleanup(&flows);
}
END_TEST

Suite *rda_suite_flows(void)
{
	Suite *suite = suite_create("flows");
	TCase *tcase = tcase_create("flows");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, named_anew);
	tcase_add_test(tcase, named_twice);
	tcase_add_test(tcase, named_first);
	tcase_add_test(tcase, named_a_little_late);
	tcase_add_loop_test(tcase, restarted, 0, RDA_COUNT(ends));
	tcase_add_test(tcase, lives_by_place);
	tcase_add_test(tcase, many);
	suite_add_tcase(suite, tcase);
	return suite;
}
