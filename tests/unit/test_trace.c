/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of a packet when it passes, and what of it is settled later.
 */
#include "analyzer/engine/trace.h"

#include "analyzer/track/roce/source_port.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum {
	A = 1,
	B = 2,
	QP_A = 0x11,
	QP_B = 0x22,
	POSITIVE = 0x1f,
	NAK = 0x60,
};

static struct rda_feed feed;

static void setup(void)
{
	struct rda_config config = {.trace = true};

	feed = (struct rda_feed){.engine = rda_engine_new(&config)};
}

static void teardown(void)
{
	rda_engine_drop(feed.engine);
}

static struct rda_trace give(struct rda_recipe recipe)
{
	recipe.source_port = rda_source_port_of_qps(QP_A, QP_B);
	feed.meta.time_ns += 200000; /* no two packets are a mirror's copies */
	rda_feed(&feed, &recipe);
	return rda_engine_trace(feed.engine);
}

static struct rda_trace ask(uint8_t opcode, uint32_t psn, uint32_t bytes)
{
	struct rda_recipe recipe = rda_packet_of(A, B, QP_B, opcode, psn);

	recipe.payload_length = bytes;
	return give(recipe);
}

static struct rda_trace answer(uint8_t syndrome, uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(syndrome, 0);

	return give(rda_with(rda_packet_of(B, A, QP_A, RC_ACKNOWLEDGE, psn), &aeth));
}

static struct rda_trace name_key(uint8_t opcode, uint32_t psn, uint32_t key)
{
	struct rda_extended reth = rda_reth(0x1000, key, 0);

	return give(rda_with(rda_packet_of(A, B, QP_B, opcode, psn), &reth));
}

/* What the latest packet settled of earlier ones: *frame is the first of those. */
static unsigned settled(enum rda_standing *standing, uint64_t *frame)
{
	unsigned count, found = 0;
	const struct rda_event *events = rda_engine_events(feed.engine, &count);

	for (unsigned i = 0; i < count; i++) {
		uint64_t place;
		enum rda_standing as = rda_event_settles(&events[i], &place);

		if (as != RDA_STANDING_NONE && found++ == 0) {
			*standing = as;
			*frame = rda_place_number(place);
		}
	}
	return found;
}

START_TEST(a_run_of_resends_names_what_it_follows)
{
	struct rda_trace trace;
	uint64_t nak;

	ask(RC_SEND_ONLY, 5, 0);
	answer(POSITIVE, 5);
	ck_assert_uint_eq(ask(RC_SEND_ONLY, 6, 0).standing, RDA_STANDING_NEW);
	ask(RC_SEND_ONLY, 7, 0);
	answer(NAK, 6);
	nak = feed.meta.number;
	for (uint32_t psn = 6; psn < 8; psn++) {
		trace = ask(RC_SEND_ONLY, psn, 0);
		ck_assert_uint_eq(trace.standing, RDA_STANDING_RESENT);
		ck_assert_uint_eq(trace.trigger, RDA_TRIGGER_NAK);
		ck_assert_uint_eq(trace.cause, nak);
		ck_assert_uint_eq(trace.retransmission_of, psn - 3);
	}
	trace = ask(RC_SEND_ONLY, 8, 0);
	ck_assert_uint_eq(trace.standing, RDA_STANDING_NEW);
	ck_assert_uint_eq(trace.trigger, RDA_TRIGGER_NONE);
	ck_assert_uint_eq(trace.cause, 0);
}
END_TEST

/* 7 was lost before the tap; when it comes after the NAK it may be late, until the run goes on */
START_TEST(what_fills_a_hole_is_settled_by_what_follows)
{
	enum rda_standing standing = RDA_STANDING_NONE;
	uint64_t frame = 0, filler;

	ask(RC_SEND_ONLY, 5, 0);
	answer(POSITIVE, 5);
	ask(RC_SEND_ONLY, 6, 0);
	ask(RC_SEND_ONLY, 8, 0);
	answer(NAK, 7);
	ck_assert_uint_eq(ask(RC_SEND_ONLY, 7, 0).standing, RDA_STANDING_NONE);
	filler = feed.meta.number;
	ck_assert_uint_eq(settled(&standing, &frame), 0);
	ck_assert_uint_eq(ask(RC_SEND_ONLY, 8, 0).standing, RDA_STANDING_RESENT);
	ck_assert_uint_eq(settled(&standing, &frame), 1);
	ck_assert_uint_eq(standing, RDA_STANDING_RESENT);
	ck_assert_uint_eq(frame, filler);
}
END_TEST

START_TEST(bytes_in_flight_are_sent_and_not_acknowledged)
{
	struct rda_trace trace;

	ck_assert(!ask(RC_SEND_FIRST, 5, 1024).flight_known); /* nobody answered yet */
	answer(POSITIVE, 5);
	trace = ask(RC_SEND_LAST, 6, 100);
	ck_assert(trace.flight_known);
	ck_assert_uint_eq(trace.bytes_in_flight, 100);
	ck_assert_uint_eq(trace.psns_in_flight, 1);
	trace = ask(RC_SEND_ONLY, 7, 32);
	ck_assert_uint_eq(trace.bytes_in_flight, 132);
	ck_assert_uint_eq(trace.psns_in_flight, 2);
	ask(RC_SEND_LAST, 6, 100); /* resent: counted once */
	trace = ask(RC_SEND_ONLY, 7, 32);
	ck_assert_uint_eq(trace.bytes_in_flight, 132);
	trace = answer(POSITIVE, 6);
	ck_assert_uint_eq(trace.bytes_in_flight, 32);
	trace = answer(POSITIVE, 7);
	ck_assert_uint_eq(trace.bytes_in_flight, 0);
	ck_assert_uint_eq(trace.psns_in_flight, 0);
}
END_TEST

START_TEST(packets_know_their_message)
{
	struct rda_trace trace;

	ask(RC_SEND_ONLY, 4, 0);
	answer(POSITIVE, 4);
	ask(RC_SEND_FIRST, 5, 1024);
	trace = ask(RC_SEND_LAST, 6, 100);
	ck_assert(trace.message_known);
	ck_assert_uint_eq(trace.message, 1);
	ck_assert_uint_eq(trace.message_frame, 3);
	ck_assert_int_eq(trace.message_bytes, 1124);
	trace = answer(POSITIVE, 6);
	ck_assert(trace.message_known);
	ck_assert_uint_eq(trace.message, 1);
}
END_TEST

START_TEST(reads_wait_and_keys_are_counted)
{
	struct rda_trace trace;

	ask(RC_SEND_ONLY, 4, 0);
	answer(POSITIVE, 4);
	trace = name_key(RC_READ_REQUEST, 5, 0x55);
	ck_assert_uint_eq(trace.reads_outstanding, 1);
	ck_assert(trace.key_known);
	ck_assert_uint_eq(trace.key_uses, 1);
	trace = name_key(RC_WRITE_ONLY, 6, 0x55);
	ck_assert_uint_eq(trace.key_uses, 2);
	trace = name_key(RC_WRITE_ONLY, 6, 0x55); /* resent: no other use */
	ck_assert_uint_eq(trace.key_uses, 2);
	trace = name_key(RC_WRITE_ONLY, 7, 0x56);
	ck_assert_uint_eq(trace.key, 1);
	ck_assert_uint_eq(trace.key_uses, 1);
}
END_TEST

/* A READ(10) of SRP, which its contents tell, and its answer. */
START_TEST(commands_are_told_as_they_pass)
{
	struct rda_recipe recipe = rda_packet_of(A, B, QP_B, RC_SEND_ONLY, 100);
	struct rda_build command = {0}, response = {0};
	const struct rda_command_told *told;
	unsigned count;

	rda_put_hex(&command, "02 00 000000 01 0000 0000000000000007 00000000 0000000000000000"
			      "00000000 28000000000000000100000000000000"
			      "0000000000007000 00001000 00000200");
	rda_put_hex(&response, "c1000000 00000001 0000000000000007 0000 00 08 0000000000000000"
			       "0000000000000000");
	recipe.payload = command.bytes;
	recipe.payload_length = command.length;
	give(recipe);
	told = rda_engine_commands(feed.engine, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert(!told->answered && told->protocol == RDA_ULP_SRP);
	ck_assert_str_eq(told->operation, "READ(10)");
	ck_assert_uint_eq(told->bytes, 512);
	ck_assert_uint_eq(rda_place_number(told->place), feed.meta.number);
	answer(POSITIVE, 100);
	rda_engine_commands(feed.engine, &count);
	ck_assert_uint_eq(count, 0);
	recipe = rda_packet_of(B, A, QP_A, RC_SEND_ONLY, 500);
	recipe.payload = response.bytes;
	recipe.payload_length = response.length;
	give(recipe);
	told = rda_engine_commands(feed.engine, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert(told->answered && told->serial == 0);
	ck_assert_uint_eq(told->status, 8);
	ck_assert_str_eq(told->words, "BUSY");
	ck_assert_int_eq(told->latency_ns, 402000);
	ck_assert_uint_eq(rda_place_number(told->answer_place), feed.meta.number);
}
END_TEST

START_TEST(names_are_those_of_the_output)
{
	ck_assert_str_eq(rda_standing_name(RDA_STANDING_MIRRORED), "mirrored");
	ck_assert_ptr_null(rda_standing_name(RDA_STANDING_NONE));
	ck_assert_str_eq(rda_trigger_name(RDA_TRIGGER_IMPLIED), "after_implied_nak");
	ck_assert_ptr_null(rda_trigger_name(RDA_TRIGGER_NONE));
	ck_assert_str_eq(rda_trace_trigger_words(RDA_TRIGGER_IMPLIED), "after an implied NAK");
	ck_assert_ptr_null(rda_trace_trigger_words(RDA_TRIGGER_NONE));
}
END_TEST

Suite *rda_suite_trace(void)
{
	Suite *suite = suite_create("trace");
	TCase *tcase = tcase_create("trace");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_run_of_resends_names_what_it_follows);
	tcase_add_test(tcase, what_fills_a_hole_is_settled_by_what_follows);
	tcase_add_test(tcase, bytes_in_flight_are_sent_and_not_acknowledged);
	tcase_add_test(tcase, packets_know_their_message);
	tcase_add_test(tcase, reads_wait_and_keys_are_counted);
	tcase_add_test(tcase, commands_are_told_as_they_pass);
	tcase_add_test(tcase, names_are_those_of_the_output);
	suite_add_tcase(suite, tcase);
	return suite;
}
