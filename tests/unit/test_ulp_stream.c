/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of several packets, with packets missing; transfers that end, and that do not.
 */
#include "analyzer/track/ulp/ulp_stream.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

#include <string.h>

/* A stream of the asker's; what it hands on shows in the facts: commands, or capsules cut. */
struct bench {
	struct rda_flow flow;
	struct rda_ulps ulps;
	struct rda_ulp_stream *stream;
	struct rda_build capsule;
};

static void begin(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	rda_ulps_init(&b->ulps, 0);
	rda_nvme_capsule(&b->capsule, 0x02, 1, 1, 0x1000, 4096, (uint32_t[]){0, 0, 7});
	rda_ulps_look(&b->ulps, &b->flow, NULL, b->capsule.bytes, b->capsule.length);
	b->stream = rda_ulp_stream_of(&b->flow);
}

static void put(struct bench *b, int64_t at, uint32_t from, uint32_t length, bool first, bool last)
{
	const struct rda_ulp_piece piece = {
		.bytes = b->capsule.bytes + from,
		.have = length,
		.length = length,
		.place = (uint64_t)at,
		.last_place = (uint64_t)at,
		.first_ns = at,
		.last_ns = at,
		.at = at,
		.next = at + 1,
		.begins = first,
		.ends = last,
	};

	rda_ulp_stream_send(&b->flow, b->stream, &piece);
}

static const struct rda_ulp_facts *facts(const struct bench *b)
{
	return &b->flow.ulp->facts;
}

START_TEST(put_together)
{
	struct bench b;

	begin(&b);
	put(&b, 1, 0, 30, true, false);
	put(&b, 2, 30, 30, false, false);
	ck_assert_uint_eq(facts(&b)->asked, 0);
	put(&b, 3, 60, 4, false, true);
	ck_assert_uint_eq(facts(&b)->asked, 1);
	ck_assert_uint_eq(rda_ulp_commands_first(&b.flow.ulp->commands)->place, 1);
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

START_TEST(a_packet_is_missing)
{
	struct bench b;

	begin(&b);
	put(&b, 1, 0, 30, true, false);
	put(&b, 3, 60, 4, false, true); /* the end, without the middle */
	ck_assert_uint_eq(facts(&b)->cut, 1);
	put(&b, 4, 0, 30, true, false); /* what is missing comes late */
	put(&b, 6, 60, 4, false, false);
	put(&b, 5, 30, 30, false, false);
	put(&b, 6, 60, 4, false, true);
	ck_assert_uint_eq(facts(&b)->asked, 1);
	put(&b, 7, 0, 30, true, false); /* another begins before the end */
	put(&b, 9, 0, 64, true, true);
	ck_assert_uint_eq(facts(&b)->cut, 2);
	ck_assert_uint_eq(facts(&b)->asked, 2);
	put(&b, 20, 60, 4, false, true); /* the beginning was not captured */
	ck_assert_uint_eq(facts(&b)->asked + facts(&b)->cut, 4);
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

/* Bytes are kept up to a limit, and none behind ones that were not captured. */
START_TEST(what_is_kept)
{
	static uint8_t bytes[4096];
	struct rda_ulp_piece piece = {
		.bytes = bytes, .have = 700, .length = 700, .at = 1, .next = 2, .begins = true};
	struct bench b;

	begin(&b);
	rda_ulp_stream_send(&b.flow, b.stream, &piece);
	piece.begins = false;
	piece.at = 2;
	piece.next = 3;
	rda_ulp_stream_send(&b.flow, b.stream, &piece);
	ck_assert_uint_eq(b.stream->message.have, RDA_ULP_BYTES);
	ck_assert_uint_eq(b.stream->message.length, 1400);
	piece.begins = true;
	piece.have = 500;
	rda_ulp_stream_send(&b.flow, b.stream, &piece);
	piece.begins = false;
	piece.at = 3;
	piece.have = 700;
	rda_ulp_stream_send(&b.flow, b.stream, &piece);
	ck_assert_uint_eq(b.stream->message.have, 500);
	ck_assert_uint_eq(b.stream->message.length, 1400);
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

START_TEST(writes)
{
	const struct rda_ulp_range range = {RDA_NVME_ADDRESS, 0x1000, 4096};
	const struct rda_ulp_command *command;
	struct bench b;

	begin(&b);
	put(&b, 1, 0, 64, true, true);
	command = rda_ulp_commands_first(&b.flow.ulp->commands);
	rda_ulp_stream_write(&b.flow, b.stream, &range, 10);
	rda_ulp_stream_written(&b.flow, b.stream, true, 20);
	ck_assert(!command->broken);
	ck_assert_int_eq(command->data_end_ns, 20);
	rda_ulp_stream_write(&b.flow, b.stream, &range, 30);
	rda_ulp_stream_write(&b.flow, b.stream, &range, 40);
	ck_assert(command->broken);
	rda_ulp_stream_lost(&b.flow, b.stream);
	ck_assert(!b.stream->writing);
	ck_assert_uint_eq(command->moved, 3 * 4096);
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

START_TEST(reads)
{
	struct rda_ulp_read read = {.range = {RDA_NVME_ADDRESS, 0x1000, 16}};
	const struct rda_ulp_command *command;
	struct bench b;

	begin(&b);
	put(&b, 1, 0, 64, true, true);
	command = rda_ulp_commands_first(&b.flow.ulp->commands);
	for (read.number = 0; read.number < 2 * RDA_ULP_READS; read.number++)
		rda_ulp_stream_read(b.stream, &read);
	rda_ulp_stream_read_done(&b.flow, b.stream, 0, 5); /* made place */
	ck_assert_uint_eq(command->moved, 0);
	rda_ulp_stream_read_done(&b.flow, b.stream, RDA_ULP_READS + 2, 5);
	rda_ulp_stream_read_done(&b.flow, b.stream, RDA_ULP_READS + 2, 6);
	rda_ulp_stream_read_done(&b.flow, b.stream, RDA_ULP_READS + 1, 6);
	ck_assert_uint_eq(command->moved, 16);
	ck_assert_int_eq(command->data_end_ns, 5);
	ck_assert_uint_eq(b.stream->read_count, RDA_ULP_READS - 3);
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

Suite *rda_suite_ulp_stream(void)
{
	Suite *suite = suite_create("ulp_stream");
	TCase *tcase = tcase_create("ulp_stream");

	tcase_add_test(tcase, put_together);
	tcase_add_test(tcase, a_packet_is_missing);
	tcase_add_test(tcase, what_is_kept);
	tcase_add_test(tcase, writes);
	tcase_add_test(tcase, reads);
	suite_add_tcase(suite, tcase);
	return suite;
}
