/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose line answers whose.
 */
#include "analyzer/track/setup/state.h"

#include "analyzer/track/connection.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { A = 1, B = 2, CLIENT_PORT = 40000, SERVER_PORT = 18515 };

static struct rda_cm_track *track;
static struct rda_exchanges *exchanges;
static struct rda_meta meta;
static struct rda_address hosts[4];
static uint32_t sequence[4]; /* of each host's next segment */

static void setup(void)
{
	track = rda_cm_track_new(1);
	exchanges = rda_exchanges_new(1);
	memset(&meta, 0, sizeof(meta));
	for (uint8_t host = 0; host < RDA_COUNT(hosts); host++) {
		hosts[host] = (struct rda_address){
			.bytes = {[10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2, [15] = host},
			.kind = RDA_ADDRESS_IP4};
		sequence[host] = 0xffffff00u + host; /* they wrap soon */
	}
}

static void teardown(void)
{
	rda_exchanges_free(exchanges);
	rda_cm_track_free(track);
}

/* A segment of one stream, at its sender's latest sequence number. */
static const struct rda_cm_pair *segment(uint8_t from, const char *text)
{
	uint32_t length = (uint32_t)strlen(text);
	struct rda_packet packet = {
		.present = RDA_HAS(TCP), .payload_known = true, .payload_length = length};
	struct rda_frame frame = {(const uint8_t *)text, length, length, 1};
	struct rda_cm_said said[2];

	packet.source = hosts[from];
	packet.destination = hosts[A + B - from];
	packet.tcp.source_port = from == A ? CLIENT_PORT : SERVER_PORT;
	packet.tcp.destination_port = from == A ? SERVER_PORT : CLIENT_PORT;
	packet.tcp.sequence = sequence[from];
	packet.tcp.ack = true;
	packet.tcp.acknowledgment = sequence[A + B - from];
	meta.number++;
	meta.time_ns += 1000;
	return rda_exchanges_packet(exchanges, &meta, meta.number, &frame, &packet, said)
		       ? rda_cm_track_told(track, said, meta.tap)
		       : NULL;
}

static const struct rda_cm_pair *say(uint8_t from, const char *text)
{
	const struct rda_cm_pair *pair = segment(from, text);

	sequence[from] += (uint32_t)strlen(text);
	return pair;
}

static void check_tied(const struct rda_cm_pair *pair, uint32_t a_qpn, uint32_t b_qpn)
{
	const struct rda_cm_end *a = rda_cm_track_find(track, &hosts[A], &hosts[B], a_qpn);
	const struct rda_cm_end *b = rda_cm_track_find(track, &hosts[B], &hosts[A], b_qpn);

	ck_assert_ptr_nonnull(pair);
	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_nonnull(b);
	ck_assert_ptr_eq(a->pair, pair);
	ck_assert_ptr_eq(b->pair, pair);
	ck_assert_uint_eq(pair->sides[a->side].qpn, a_qpn);
	ck_assert_uint_eq(pair->sides[b->side].qpn, b_qpn);
	ck_assert_uint_eq(pair->by, RDA_PAIRED_BY_EXCHANGE);
}

START_TEST(two_lines_are_a_pair)
{
	const struct rda_cm_pair *pair;

	ck_assert_ptr_null(say(A, "6.06"));
	ck_assert_ptr_null(say(B, "6.06"));
	ck_assert_ptr_null(say(A, "0000:000011:23b79a"));
	pair = say(B, "0000:000022:ecf8ea");
	check_tied(pair, 0x11, 0x22);
	ck_assert_int_eq(pair->sides[0].first_psn, 0x23b79a); /* each one's own */
	ck_assert_int_eq(pair->sides[1].first_psn, 0xecf8ea);
	ck_assert_uint_eq(pair->req.first_place, 3);
	ck_assert_uint_eq(pair->rep.first_place, 4);
	ck_assert_ptr_null(say(A, "done"));
}
END_TEST

START_TEST(several_qps_in_order)
{
	check_tied((say(A, "qp 11 1"), say(B, "qp 21 5")), 0x11, 0x21);
	check_tied((say(A, "qp 12 2"), say(B, "qp 22 6")), 0x12, 0x22);
	ck_assert_ptr_null(say(A, "qp 11 1")); /* they wait for each other so */
	ck_assert_ptr_null(say(B, "qp 21 5"));
	check_tied((say(A, "qp 13 3"), say(B, "qp 23 7")), 0x13, 0x23);
	say(A, "qp 14 3"); /* both before either answer */
	say(A, "qp 15 4");
	check_tied(say(B, "qp 24 7"), 0x14, 0x24);
	check_tied(say(B, "qp 25 8"), 0x15, 0x25);
}
END_TEST

/* The same QP with another PSN is another connection. */
START_TEST(a_qp_told_anew)
{
	const struct rda_cm_pair *first = (say(A, "qp 11 1"), say(B, "qp 21 5"));
	const struct rda_cm_pair *second = (say(A, "qp 11 9"), say(B, "qp 21 8"));

	check_tied(second, 0x11, 0x21);
	ck_assert_ptr_ne(first, second);
	ck_assert_int_eq(first->sides[0].first_psn, 1);
}
END_TEST

START_TEST(retransmitted)
{
	segment(A, "qp 11 1");
	say(A, "qp 11 1");
	segment(A, "qp 12 2");
	segment(A, "qp 12 2");
	sequence[A] += 7;
	check_tied(say(B, "qp 21 5"), 0x11, 0x21);
	check_tied(say(B, "qp 22 6"), 0x12, 0x22);
}
END_TEST

/* Behind a segment that is missing nobody knows how many lines were told. */
START_TEST(a_gap)
{
	check_tied((say(A, "qp 11 1"), say(B, "qp 21 5")), 0x11, 0x21);
	sequence[A] += 7;
	say(A, "qp 13 3");
	ck_assert_ptr_null(say(B, "qp 22 5"));
	ck_assert_ptr_null(say(B, "qp 23 5"));
}
END_TEST

/* The client has read all that the server said before, and acknowledges it. */
START_TEST(the_first_answer_is_missing)
{
	ck_assert_ptr_null(say(A, "6.06"));
	ck_assert_ptr_null(say(B, "6.06"));
	ck_assert_ptr_null(say(A, "qp 11 1"));
	sequence[B] += 7;
	ck_assert_ptr_null(say(A, "qp 12 2"));
	ck_assert_ptr_null(say(B, "qp 22 6"));
	ck_assert_ptr_null(say(A, "qp 13 3"));
	ck_assert_ptr_null(say(B, "qp 23 7"));
}
END_TEST

/* The server's port is the higher one, and its line stands before that which it answers, as where
 * two clocks stamped the two. */
START_TEST(an_answer_stands_first)
{
	const uint32_t client = sequence[B];

	sequence[B] += 7;
	ck_assert_ptr_null(say(A, "qp 21 5"));
	sequence[B] = client;
	check_tied(say(B, "qp 11 1"), 0x21, 0x11);
	check_tied((say(B, "qp 12 2"), say(A, "qp 22 6")), 0x22, 0x12);
}
END_TEST

/* A server does not speak first: the capture began between the client's line and its answer. */
START_TEST(begun_in_the_middle)
{
	ck_assert_ptr_null(say(B, "qp 21 5"));
	ck_assert_ptr_null(say(A, "qp 12 1"));
	ck_assert_ptr_null(say(B, "qp 22 5"));
}
END_TEST

/* What connection management said of the same QPs stands. */
START_TEST(management_counts_for_more)
{
	struct rda_cm_said said[2] = {{.address = hosts[A], .qpn = 0x11, .first_psn = 1},
				      {.address = hosts[B], .qpn = 0x21, .first_psn = 5}};
	struct rda_cm_pair *pair = (struct rda_cm_pair *)rda_cm_track_told(track, said, 0);

	pair->by = RDA_PAIRED_BY_CM;
	say(A, "qp 11 7");
	ck_assert_ptr_null(say(B, "qp 21 8"));
	pair->sides[0].dreq.count = 1; /* and what it said of an earlier connection does not */
	say(A, "qp 11 8");
	check_tied(say(B, "qp 21 9"), 0x11, 0x21);
}
END_TEST

/* A QP is where its line says, whatever network carries the line. */
START_TEST(the_address_told)
{
	struct rda_address there = {.bytes = {[10] = 0xff, [11] = 0xff, 10, 0, 0, 9},
				    .kind = RDA_ADDRESS_IP4};
	const struct rda_cm_pair *pair;

	say(A, "0000:000011:23b79a:00000000000000000000ffff0a000009");
	pair = say(B, "0000:000022:ecf8ea");
	ck_assert_mem_eq(&pair->sides[0].address, &there, sizeof(there));
	ck_assert_mem_eq(&pair->sides[1].address, &hosts[B], sizeof(hosts[B]));
}
END_TEST

START_TEST(no_more_than_so_many)
{
	exchanges->told.count = RDA_EXCHANGE_LINES_MAX; /* as good as told */
	say(A, "qp 11 1");
	ck_assert_ptr_null(say(B, "qp 21 5"));
	ck_assert_uint_eq(rda_exchanges_not_kept(exchanges), 2);
	exchanges->told.count = 0;
}
END_TEST

Suite *rda_suite_exchange(void)
{
	Suite *suite = suite_create("exchange");
	TCase *tcase = tcase_create("exchange");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, two_lines_are_a_pair);
	tcase_add_test(tcase, several_qps_in_order);
	tcase_add_test(tcase, a_qp_told_anew);
	tcase_add_test(tcase, retransmitted);
	tcase_add_test(tcase, a_gap);
	tcase_add_test(tcase, the_first_answer_is_missing);
	tcase_add_test(tcase, an_answer_stands_first);
	tcase_add_test(tcase, begun_in_the_middle);
	tcase_add_test(tcase, management_counts_for_more);
	tcase_add_test(tcase, the_address_told);
	tcase_add_test(tcase, no_more_than_so_many);
	suite_add_tcase(suite, tcase);
	return suite;
}
