/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which findings are about a frame: those behind the frames that a finding lists, and all packets
 * of a kind.
 */
#include "analyzer/report/notes.h"

#include "analyzer/engine/trace.h"
#include "dissectors/icrc.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { A = 1, B = 2, C = 3, QP = 0x22, PORT = 0xc001, CASES = RDA_FINDING_FRAMES + 4 };

static struct rda_feed feed;
static struct rda_result *result;
static struct rda_notes notes;
static struct rda_address source_of_a;

static void setup(void)
{
	const struct rda_config config = {.trace = true};

	memset(&feed, 0, sizeof(feed));
	feed.engine = rda_engine_new(&config);
	rda_engine_begin_capture(feed.engine);
	result = NULL;
}

static void teardown(void)
{
	rda_notes_cleanup(&notes);
	rda_result_free(result);
	rda_engine_free(feed.engine);
}

static void finish(void)
{
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_notes_init(&notes, result);
}

/* Returns the frame's number. */
static uint64_t send(uint32_t psn, uint16_t port, bool damaged)
{
	struct rda_recipe recipe = rda_packet_of(A, B, QP, 0x04, psn);

	recipe.source_port = port;
	recipe.payload_length = 8;
	recipe.damaged = damaged;
	source_of_a = rda_feed(&feed, &recipe)->source;
	return feed.meta.number;
}

static struct rda_noted frame(uint64_t number)
{
	return (struct rda_noted){
		.place = rda_place_id(0, number),
		.verdict = {RDA_ICRC_GOOD, -1, -1},
		.standing = RDA_STANDING_NONE,
		.trigger = RDA_TRIGGER_NONE,
	};
}

static bool has(const struct rda_noted *noted, const char *code)
{
	const char *codes[8];
	unsigned count = rda_notes_codes(&notes, noted, codes, RDA_COUNT(codes));

	for (unsigned i = 0; i < count; i++)
		if (strcmp(codes[i], code) == 0)
			return true;
	return false;
}

START_TEST(frames_behind_those_that_are_listed)
{
	struct rda_noted noted;
	uint64_t first, last;

	for (uint32_t i = 0; i < CASES; i++) { /* G01: marked on the way */
		struct rda_recipe recipe = rda_packet_of(A, B, QP, 0x04, i);

		recipe.ecn = 3;
		recipe.payload_length = 8;
		rda_feed(&feed, &recipe);
		if (i == 0)
			first = feed.meta.number;
	}
	last = feed.meta.number;
	finish();
	for (uint64_t number = first; number <= last; number++) {
		noted = frame(number);
		ck_assert_msg(has(&noted, "G01"), "frame %" PRIu64, number);
	}
	noted = frame(last + 1);
	ck_assert(!has(&noted, "G01"));
}
END_TEST

START_TEST(all_that_came_damaged_from_a_host)
{
	struct rda_noted noted;
	struct rda_address other;

	for (uint32_t i = 0; i < CASES; i++) {
		send(2 * i, PORT, false);
		send(2 * i + 1, PORT, true);
	}
	finish();
	noted = frame(feed.meta.number);
	ck_assert(!has(&noted, "F01")); /* not known to be damaged */
	noted.verdict.icrc = RDA_ICRC_BAD;
	noted.source = &source_of_a;
	ck_assert(has(&noted, "F01"));
	other = source_of_a;
	other.bytes[15] ^= 1;
	noted.source = &other;
	ck_assert(!has(&noted, "F01")); /* of another host */
}
END_TEST

START_TEST(all_that_a_direction_sent_again)
{
	struct rda_noted noted;

	for (unsigned round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < 100; i++)
			send(i, PORT, false);
		feed.meta.time_ns += INT64_C(3000000); /* no copy comes so late */
	}
	finish();
	noted = frame(feed.meta.number);
	noted.verdict.connection = noted.verdict.flow = 0;
	ck_assert(!has(&noted, "S02"));
	noted.standing = RDA_STANDING_RESENT;
	ck_assert(has(&noted, "S02") && has(&noted, "S15") && !has(&noted, "S03"));
	noted.trigger = RDA_TRIGGER_RNR; /* no storm: the responder had asked for it */
	ck_assert(has(&noted, "S02") && !has(&noted, "S15"));
	noted.verdict.flow = 1;
	ck_assert(!has(&noted, "S02"));
}
END_TEST

static void nak(uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(0x60, 1);
	struct rda_recipe recipe = rda_with(rda_packet_of(B, A, 0x11, RC_ACKNOWLEDGE, psn), &aeth);

	recipe.source_port = PORT;
	rda_feed(&feed, &recipe);
}

/* S02, the warning, is about what passed this point and was sent again after a NAK; not about what
 * a timeout sends again later. */
START_TEST(only_what_the_warning_is_about)
{
	struct rda_noted noted;
	uint64_t repaired, other;

	rda_feed_send(&feed, A, B, QP, PORT, 0);
	rda_feed_acknowledge(&feed, B, A, 0x11, PORT, 0);
	for (uint32_t i = 1; i < 6; i++)
		rda_feed_send(&feed, A, B, QP, PORT, i);
	nak(1);
	rda_feed_send(&feed, A, B, QP, PORT, 1);
	repaired = feed.meta.number;
	for (uint32_t i = 2; i < 6; i++)
		rda_feed_send(&feed, A, B, QP, PORT, i);
	rda_feed_acknowledge(&feed, B, A, 0x11, PORT, 5);
	rda_feed_send(&feed, A, B, QP, PORT, 6);
	feed.meta.time_ns += INT64_C(500000000);
	rda_feed_send(&feed, A, B, QP, PORT, 6);
	other = feed.meta.number;
	rda_feed_acknowledge(&feed, B, A, 0x11, PORT, 6);
	finish();
	noted = frame(repaired);
	noted.standing = RDA_STANDING_RESENT;
	noted.trigger = RDA_TRIGGER_NAK;
	noted.verdict.connection = noted.verdict.flow = 0;
	ck_assert(has(&noted, "S02"));
	noted.place = rda_place_id(0, other);
	noted.trigger = RDA_TRIGGER_TIMEOUT;
	ck_assert(!has(&noted, "S02"));
}
END_TEST

Suite *rda_suite_notes(void)
{
	Suite *suite = suite_create("notes");
	TCase *tests = tcase_create("notes");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, frames_behind_those_that_are_listed);
	tcase_add_test(tests, all_that_came_damaged_from_a_host);
	tcase_add_test(tests, all_that_a_direction_sent_again);
	tcase_add_test(tests, only_what_the_warning_is_about);
	suite_add_tcase(suite, tests);
	return suite;
}
