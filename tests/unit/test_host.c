/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a NIC would have counted: for the sender and the receiver of each kind of answer.
 */
#include "analyzer/track/host.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

#include <stddef.h>

static struct rda_host sender, receiver;

static void setup(void)
{
	rda_host_init(&sender);
	rda_host_init(&receiver);
}

static void count(const struct rda_recipe *recipe)
{
	struct rda_packet packet;
	struct rda_built built;
	struct rda_frame frame;

	rda_build_packet(&built, recipe);
	frame = rda_exact_frame(built.b.bytes, built.b.length, built.b.length, built.link);
	memset(&packet, 0x60, sizeof(packet)); /* what the last packet left, as if it were a NAK */
	rda_dissect(&packet, &frame, NULL);
	rda_host_packet(&sender, &receiver, &frame, &packet);
	rda_frame_free(&frame);
}

static void count_answer(uint8_t opcode, uint8_t syndrome)
{
	struct rda_extended aeth = rda_aeth(syndrome, 1);
	struct rda_recipe recipe = rda_with(rda_packet_of(1, 2, 0x11, opcode, 1), &aeth);

	count(&recipe);
}

/* The sum of all counters that are kept. */
static uint64_t all(const struct rda_host *host)
{
	uint64_t sum = 0;

#define RDA_C(name) sum += host->name == RDA_UNKNOWN ? 0 : host->name;
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
	return sum;
}

START_TEST(answers_count_at_both_ends)
{
	static const struct {
		uint8_t syndrome;
		size_t sent, received; /* offsets of the counters */
	} cases[] = {
		{0x20, offsetof(struct rda_host, rnr_nak_sent),
		 offsetof(struct rda_host, rnr_nak_received)},
		{0x3f, offsetof(struct rda_host, rnr_nak_sent),
		 offsetof(struct rda_host, rnr_nak_received)},
		{0x60, offsetof(struct rda_host, nak_seq_sent),
		 offsetof(struct rda_host, packet_seq_err)},
		{0x61, offsetof(struct rda_host, remote_invalid_request_sent),
		 offsetof(struct rda_host, remote_invalid_request_received)},
		{0x62, offsetof(struct rda_host, remote_access_errors_sent),
		 offsetof(struct rda_host, remote_access_errors_received)},
		{0x63, offsetof(struct rda_host, remote_op_errors_sent),
		 offsetof(struct rda_host, remote_op_errors_received)},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		setup();
		count_answer(RC_ACKNOWLEDGE, cases[i].syndrome);
		ck_assert_uint_eq(*(uint64_t *)((char *)&sender + cases[i].sent), 1);
		ck_assert_uint_eq(*(uint64_t *)((char *)&receiver + cases[i].received), 1);
		ck_assert_uint_eq(all(&sender), 1);
		ck_assert_uint_eq(all(&receiver), 1);
	}
}
END_TEST

START_TEST(good_and_unknown_answers_count_nowhere)
{
	static const uint8_t syndromes[] = {0x00, 0x1f, 0x40, 0x5f, 0x64, 0x7f};

	for (unsigned i = 0; i < RDA_COUNT(syndromes); i++)
		count_answer(RC_ACKNOWLEDGE, syndromes[i]);
	ck_assert_uint_eq(all(&sender) + all(&receiver), 0);
}
END_TEST

/* A request has no AETH, whatever stands where it would be. */
START_TEST(requests_count_nowhere)
{
	static const uint8_t payload[8] = {0x60};
	struct rda_recipe send = rda_packet_of(1, 2, 0x11, 0x04, 1);

	send.payload = payload;
	send.payload_length = 8;
	count(&send);
	ck_assert_uint_eq(all(&sender) + all(&receiver), 0);
}
END_TEST

START_TEST(congestion)
{
	struct rda_recipe send = rda_packet_of(1, 2, 0x11, 0x04, 1);
	struct rda_recipe cnp = rda_packet_of(1, 2, 0x11, 0x81, 0);

	for (send.ecn = 0; send.ecn < 4; send.ecn++)
		count(&send);
	ck_assert_uint_eq(receiver.ecn_marked_received, 1);
	ck_assert_uint_eq(all(&sender), 0);
	cnp.payload_length = 16;
	cnp.ecn = 2;
	count(&cnp);
	ck_assert_uint_eq(sender.cnp_sent, 1);
	ck_assert_uint_eq(receiver.cnp_received, 1);
	ck_assert_uint_eq(receiver.ecn_marked_received, 1);
	ck_assert_uint_eq(sender.cnp_received + receiver.cnp_sent, 0);
}
END_TEST

/* Counters that one packet cannot tell are unknown, and not 0. */
START_TEST(what_is_not_computed_is_unknown)
{
	ck_assert_uint_eq(sender.duplicate_request, RDA_UNKNOWN);
	ck_assert_uint_eq(sender.local_ack_timeout_err, RDA_UNKNOWN);
	ck_assert_uint_eq(sender.retry_exceeded, RDA_UNKNOWN);
	ck_assert_uint_eq(sender.nak_seq_sent, 0);
	ck_assert_uint_eq(sender.icrc_errors_received, 0);
}
END_TEST

Suite *rda_suite_host(void)
{
	Suite *suite = suite_create("host");
	TCase *tcase = tcase_create("host");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, answers_count_at_both_ends);
	tcase_add_test(tcase, good_and_unknown_answers_count_nowhere);
	tcase_add_test(tcase, requests_count_nowhere);
	tcase_add_test(tcase, congestion);
	tcase_add_test(tcase, what_is_not_computed_is_unknown);
	suite_add_tcase(suite, tcase);
	return suite;
}
