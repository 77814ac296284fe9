/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judgement on ICRCs that do not fit: damage, where the sender's others are good, and absent,
 * where (nearly) none is.
 */
#include "analyzer/track/roce/icrc_source.h"
#include "tests/unit/build.h"
#include "tests/unit/suite.h"

#include <string.h>

static enum rda_icrc_verdict judge(uint64_t good, uint64_t mismatched)
{
	const struct rda_icrc_source source = {.good = good, .mismatched = mismatched};

	return rda_icrc_judge(&source, RDA_ICRC_CHECK_MISMATCH);
}

START_TEST(a_mismatch_is_judged_by_its_source)
{
	ck_assert_int_eq(judge(1, 1), RDA_ICRC_BAD);
	ck_assert_int_eq(judge(1000000, 1), RDA_ICRC_BAD);
	ck_assert_int_eq(judge(0, 1), RDA_ICRC_ABSENT);
	ck_assert_int_eq(judge(0, 1000000), RDA_ICRC_ABSENT);
	ck_assert_int_eq(rda_icrc_judge(NULL, RDA_ICRC_CHECK_MISMATCH), RDA_ICRC_ABSENT);
}
END_TEST

/* Absent: 95 of 100 or more, but only from 20 packets on. */
START_TEST(the_share_that_may_fail)
{
	ck_assert_int_eq(judge(1, 18), RDA_ICRC_BAD); /* 19 packets are too few to tell */
	ck_assert_int_eq(judge(1, 19), RDA_ICRC_ABSENT);
	ck_assert_int_eq(judge(2, 18), RDA_ICRC_BAD); /* 90 of 100 */
	ck_assert_int_eq(judge(5, 95), RDA_ICRC_ABSENT);
	ck_assert_int_eq(judge(6, 95), RDA_ICRC_BAD);
	ck_assert_int_eq(judge(5, 1000), RDA_ICRC_ABSENT);
}
END_TEST

START_TEST(other_checks_need_no_source)
{
	const struct rda_icrc_source none = {.mismatched = 1000};

	ck_assert_int_eq(rda_icrc_judge(&none, RDA_ICRC_CHECK_NONE), RDA_ICRC_NOT_CHECKABLE);
	ck_assert_int_eq(rda_icrc_judge(&none, RDA_ICRC_CHECK_MATCH), RDA_ICRC_GOOD);
	ck_assert_int_eq(rda_icrc_judge(&none, RDA_ICRC_CHECK_DAMAGED), RDA_ICRC_BAD);
	ck_assert_int_eq(rda_icrc_judge(NULL, RDA_ICRC_CHECK_DAMAGED), RDA_ICRC_BAD);
}
END_TEST

START_TEST(only_matches_and_mismatches_count_for_a_source)
{
	struct rda_icrc_source source = {.good = 0};

	rda_icrc_note(&source, RDA_ICRC_CHECK_NONE, 1);
	ck_assert_uint_eq(source.damaged, 0);
	rda_icrc_note(&source, RDA_ICRC_CHECK_DAMAGED, 1);
	ck_assert_uint_eq(source.good + source.mismatched, 0);
	ck_assert_uint_eq(source.damaged, 1);
	rda_icrc_note(&source, RDA_ICRC_CHECK_MATCH, 1);
	rda_icrc_note(&source, RDA_ICRC_CHECK_MISMATCH, 1);
	rda_icrc_note(&source, RDA_ICRC_CHECK_MISMATCH, 1);
	ck_assert_uint_eq(source.good, 1);
	ck_assert_uint_eq(source.mismatched, 2);
}
END_TEST

/* What came before the first good ICRC is damage once there are good ones, and only that. */
START_TEST(what_was_followed_and_is_damaged_after_all)
{
	struct rda_icrc_source source = {.good = 0};

	rda_icrc_note(&source, RDA_ICRC_CHECK_MISMATCH, 7);
	rda_icrc_note(&source, RDA_ICRC_CHECK_NONE, 8);
	ck_assert_msg(!rda_icrc_was_damaged(&source, 7),
		      "no good ICRC so far: perhaps it has none");
	rda_icrc_note(&source, RDA_ICRC_CHECK_MATCH, 9);
	ck_assert(rda_icrc_was_damaged(&source, 7));
	ck_assert(!rda_icrc_was_damaged(&source, 8));
	ck_assert(!rda_icrc_was_damaged(&source, 9));
	rda_icrc_note(&source, RDA_ICRC_CHECK_MISMATCH, 10);
	ck_assert_msg(!rda_icrc_was_damaged(&source, 10), "it was known at once");
	for (unsigned i = 0; i < 100; i++)
		rda_icrc_note(&source, RDA_ICRC_CHECK_MISMATCH, 11 + i);
	ck_assert_msg(!rda_icrc_was_damaged(&source, 7), "nearly all fail: it has no ICRC");
	ck_assert(!rda_icrc_was_damaged(NULL, 7));
}
END_TEST

/* What came before, and was taken, had a good ICRC: not where so many had none that the sender may
 * have put in none at that time. */
START_TEST(what_has_icrcs_from_the_first)
{
	struct rda_icrc_source source = {.good = 0}, late = {.good = 0};

	ck_assert(!rda_icrc_from_the_first(NULL));
	ck_assert(!rda_icrc_from_the_first(&source));
	rda_icrc_note(&source, RDA_ICRC_CHECK_MISMATCH, 1);
	ck_assert(!rda_icrc_from_the_first(&source));
	rda_icrc_note(&source, RDA_ICRC_CHECK_MATCH, 2);
	ck_assert(rda_icrc_from_the_first(&source));
	for (unsigned i = 0; i < RDA_ICRC_ABSENT_PACKETS; i++)
		rda_icrc_note(&late, RDA_ICRC_CHECK_MISMATCH, 1 + i);
	for (unsigned i = 0; i < 100; i++)
		rda_icrc_note(&late, RDA_ICRC_CHECK_MATCH, 100 + i);
	ck_assert(!rda_icrc_from_the_first(&late));
}
END_TEST

/* What a sender sends to one receiver and to another one is judged together at the end. */
START_TEST(a_sender_is_the_sum_of_its_ways)
{
	struct rda_packet packet = {.carrier = RDA_CARRIER_ROCEV2,
				    .source = {.bytes = {1}, .kind = 1}};
	struct rda_table ways, senders, joined;
	const struct rda_meta meta = {0};
	const struct rda_icrc_source *sender;
	struct rda_icrc_key key;

	rda_table_init(&ways, sizeof(key), sizeof(struct rda_icrc_source), 0);
	rda_table_init(&joined, sizeof(key), sizeof(struct rda_icrc_source), 7);
	for (uint8_t receiver = 2; receiver < 4; receiver++) {
		packet.destination = (struct rda_address){{receiver}, 1};
		rda_icrc_key_of(&key, 0, &meta, &packet);
		rda_icrc_note(rda_table_get(&ways, &key, NULL),
			      receiver == 2 ? RDA_ICRC_CHECK_MATCH : RDA_ICRC_CHECK_MISMATCH, 1);
	}
	ck_assert_int_eq(rda_icrc_judge(rda_table_find(&ways, &key), RDA_ICRC_CHECK_MISMATCH),
			 RDA_ICRC_ABSENT);
	rda_icrc_join(&joined, &ways);
	rda_icrc_join(&joined, &ways);
	ck_assert_uint_eq(joined.count, 2);
	rda_icrc_senders(&senders, &joined);
	ck_assert_uint_eq(senders.count, 1);
	sender = rda_icrc_sender(&senders, &key);
	ck_assert_uint_eq(sender->good, 2);
	ck_assert_uint_eq(sender->mismatched, 2);
	ck_assert_int_eq(rda_icrc_judge(sender, RDA_ICRC_CHECK_MISMATCH), RDA_ICRC_BAD);
	rda_table_cleanup(&ways, NULL);
	rda_table_cleanup(&joined, NULL);
	rda_table_cleanup(&senders, NULL);
}
END_TEST

static enum rda_icrc_check check(const struct rda_build *b, uint32_t captured, uint16_t link)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, captured, b->length, link);
	enum rda_icrc_check result;
	struct rda_packet packet;

	rda_dissect(&packet, &frame, NULL);
	result = rda_icrc_check(&frame, &packet);
	rda_frame_free(&frame);
	return result;
}

START_TEST(one_packets_check)
{
	struct rda_built built;
	struct rda_build *b = &built.b;

	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04, .payload_length = 8});
	ck_assert_int_eq(check(b, b->length, built.link), RDA_ICRC_CHECK_MATCH);
	ck_assert_int_eq(check(b, b->length - 1, built.link), RDA_ICRC_CHECK_NONE);
	b->bytes[built.payload] ^= 1;
	ck_assert_int_eq(check(b, b->length, built.link), RDA_ICRC_CHECK_MISMATCH);
	b->bytes[built.l3 + 15] ^= 1; /* the source address, which IPv4's checksum protects too */
	ck_assert_int_eq(check(b, b->length, built.link), RDA_ICRC_CHECK_DAMAGED);
	b->bytes[built.l3 + 10] ^= 1;
	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04, .payload_length = 8});
	b->bytes[built.l3 + 10] ^= 1; /* a wrong checksum alone is no damage to the packet */
	ck_assert_int_eq(check(b, b->length, built.link), RDA_ICRC_CHECK_MATCH);
}
END_TEST

START_TEST(a_way_is_of_two_hosts_in_one_carrier_at_one_tap_of_one_capture)
{
	struct rda_packet packet = {.carrier = RDA_CARRIER_ROCEV2,
				    .source = {.bytes = {1}, .kind = 1}};
	const struct rda_meta tap0 = {.tap = 0}, tap1 = {.tap = 1};
	struct rda_icrc_key key, other, sender, other_sender;

	memset(&key, 0xa5, sizeof(key)); /* padding must not matter */
	memset(&other, 0x5a, sizeof(other));
	rda_icrc_key_of(&key, 0, &tap0, &packet);
	rda_icrc_key_of(&other, 0, &tap0, &packet);
	ck_assert_mem_eq(&key, &other, sizeof(key));
	packet.destination.bytes[3] = 9;
	rda_icrc_key_of(&other, 0, &tap0, &packet);
	ck_assert_mem_ne(&key, &other, sizeof(key));
	sender = rda_icrc_sender_key(&key);
	other_sender = rda_icrc_sender_key(&other);
	ck_assert_mem_eq(&sender, &other_sender, sizeof(sender));
	packet.destination.bytes[3] = 0;
	rda_icrc_key_of(&other, 1, &tap0, &packet);
	ck_assert_mem_ne(&key, &other, sizeof(key));
	rda_icrc_key_of(&other, 0, &tap1, &packet);
	ck_assert_mem_ne(&key, &other, sizeof(key));
	packet.carrier = RDA_CARRIER_ROCEV1;
	rda_icrc_key_of(&other, 0, &tap0, &packet);
	ck_assert_mem_ne(&key, &other, sizeof(key));
	packet.carrier = RDA_CARRIER_ROCEV2;
	packet.source.bytes[15] = 1;
	rda_icrc_key_of(&other, 0, &tap0, &packet);
	ck_assert_mem_ne(&key, &other, sizeof(key));
}
END_TEST

/* Each of more than are remembered is the one of its key, whoever was asked for before. */
START_TEST(ways_are_those_of_their_keys)
{
	const struct rda_meta taps[] = {{.tap = 0}, {.tap = 1}};
	struct rda_icrc_ways ways;

	rda_icrc_ways_init(&ways, 5);
	for (unsigned i = 0; i < 4096; i++) {
		struct rda_packet packet = {
			.carrier = i & 1 ? RDA_CARRIER_ROCEV2 : RDA_CARRIER_ROCEV1,
			.source = {.bytes = {[0] = i >> 10 & 1, [15] = i >> 4 & 7}, .kind = 1},
			.destination = {.bytes = {[7] = i >> 11 & 1, [15] = i >> 7 & 7},
					.kind = 1 + (i >> 3 & 1)}};
		const struct rda_meta *meta = &taps[i >> 1 & 1];
		struct rda_icrc_source *way = rda_icrc_way(&ways, i >> 2 & 1, meta, &packet);
		struct rda_icrc_key key;

		rda_icrc_key_of(&key, i >> 2 & 1, meta, &packet);
		ck_assert_mem_eq(&way->key, &key, sizeof(key));
		ck_assert_ptr_eq(way, rda_table_find(&ways.table, &key));
		ck_assert_ptr_eq(way, rda_icrc_way(&ways, i >> 2 & 1, meta, &packet));
	}
	ck_assert_uint_eq(ways.table.count, 4096);
	rda_icrc_ways_went(&ways);
	for (unsigned i = 0; i < RDA_ICRC_LATEST; i++)
		ck_assert_ptr_null(ways.latest[i]);
	rda_icrc_ways_cleanup(&ways);
}
END_TEST

static const struct rda_icrc_source *way_of(const struct rda_table *ways, uint8_t from, uint8_t to)
{
	struct rda_icrc_key key;

	memset(&key, 0, sizeof(key));
	key.source.kind = from ? RDA_ADDRESS_IP4 : RDA_ADDRESS_NONE;
	key.source.bytes[15] = from;
	key.receiver.kind = to ? RDA_ADDRESS_IP4 : RDA_ADDRESS_NONE;
	key.receiver.bytes[15] = to;
	return rda_table_find(ways, &key);
}

/* 1 sends good ICRCs, and 2 none: what failed counts on, for who is left of sender and receiver. */
START_TEST(ways_that_go)
{
	struct rda_table ways, senders, left;
	struct rda_icrc_source *way;
	struct rda_icrc_key key;

	rda_table_init(&ways, sizeof(key), sizeof(*way), 1);
	rda_table_init(&left, sizeof(key), sizeof(*way), 1);
	for (uint8_t from = 1; from <= 2; from++) {
		memset(&key, 0, sizeof(key));
		key.source.kind = key.receiver.kind = RDA_ADDRESS_IP4;
		key.source.bytes[15] = from;
		key.receiver.bytes[15] = 9;
		way = rda_table_get(&ways, &key, NULL);
		way->good = from == 1 ? 50 : 0;
		way->mismatched = 3;
		way->mismatched_copies = 2;
		way->damaged = 1;
	}
	rda_icrc_senders(&senders, &ways);
	rda_icrc_leave(&left, ways.items[0], &senders, true, false); /* the sender stays */
	rda_icrc_leave(&left, ways.items[0], &senders, false, true); /* the receiver does */
	rda_icrc_leave(&left, ways.items[1], &senders, false, false);
	ck_assert_uint_eq(left.count, 3);
	ck_assert_uint_eq(way_of(&left, 1, 0)->good, 50);
	ck_assert_uint_eq(way_of(&left, 1, 0)->mismatched_copies, 2);
	ck_assert_uint_eq(way_of(&left, 0, 9)->damaged, 3 + 1);
	ck_assert_uint_eq(way_of(&left, 0, 9)->mismatched, 0);
	ck_assert_uint_eq(way_of(&left, 0, 0)->damaged, 2 + 1);
	ck_assert_uint_eq(way_of(&left, 0, 0)->mismatched, 3 + 2);
	ck_assert_uint_eq(way_of(&left, 0, 0)->good, 0);
	rda_table_cleanup(&ways, NULL);
	rda_table_cleanup(&senders, NULL);
	rda_table_cleanup(&left, NULL);
}
END_TEST

/* The way of a flow is that of its packets, at its tap, and of no other capture or direction. */
START_TEST(the_way_of_a_flow)
{
	struct rda_packet packet = {.carrier = RDA_CARRIER_ROCEV2,
				    .source = {.bytes = {1}, .kind = 1},
				    .destination = {.bytes = {2}, .kind = 1}};
	const struct rda_meta meta = {.tap = 1};
	struct rda_flow_key flow = {.carrier = RDA_CARRIER_ROCEV2, .dest_qp = 17, .tap = 1};
	struct rda_icrc_ways ways;
	const struct rda_icrc_source *way;

	flow.source = packet.source;
	flow.destination = packet.destination;
	rda_icrc_ways_init(&ways, 5);
	way = rda_icrc_way(&ways, 3, &meta, &packet);
	ck_assert_ptr_eq(rda_icrc_way_of(&ways, 3, &flow), way);
	ck_assert_ptr_null(rda_icrc_way_of(&ways, 2, &flow));
	flow.tap = 0;
	ck_assert_ptr_null(rda_icrc_way_of(&ways, 3, &flow));
	flow.tap = 1;
	flow.source = packet.destination;
	flow.destination = packet.source;
	ck_assert_ptr_null(rda_icrc_way_of(&ways, 3, &flow));
	rda_icrc_ways_cleanup(&ways);
}
END_TEST

Suite *rda_suite_icrc_source(void)
{
	Suite *suite = suite_create("icrc_source");
	TCase *tcase = tcase_create("icrc_source");

	tcase_add_test(tcase, a_mismatch_is_judged_by_its_source);
	tcase_add_test(tcase, the_share_that_may_fail);
	tcase_add_test(tcase, other_checks_need_no_source);
	tcase_add_test(tcase, only_matches_and_mismatches_count_for_a_source);
	tcase_add_test(tcase, what_was_followed_and_is_damaged_after_all);
	tcase_add_test(tcase, what_has_icrcs_from_the_first);
	tcase_add_test(tcase, a_sender_is_the_sum_of_its_ways);
	tcase_add_test(tcase, one_packets_check);
	tcase_add_test(tcase, ways_are_those_of_their_keys);
	tcase_add_test(tcase, a_way_is_of_two_hosts_in_one_carrier_at_one_tap_of_one_capture);
	tcase_add_test(tcase, the_way_of_a_flow);
	tcase_add_test(tcase, ways_that_go);
	suite_add_tcase(suite, tcase);
	return suite;
}
