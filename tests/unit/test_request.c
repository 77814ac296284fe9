/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a request asks for as values, and what sets it apart from the one that had its PSN before.
 */
#include "analyzer/track/roce/request.h"

#include "dissectors/opcode.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { SEND = 0x04, WRITE = 0x0a, READ = 0x0c, ATOMIC = 0x13, MTU = 1024 };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static const struct {
	uint32_t bytes, mtu;
	int64_t psns;
	bool unknown;
} reads[] = {
	{0, MTU, 1, false}, {1024, MTU, 1, false}, {1025, MTU, 2, false},
	{5000, 0, 1, true}, {256, 0, 1, false},
};

START_TEST(reads_take_psns)
{
	struct rda_extended reth = rda_reth(0x1000, 7, reads[_i].bytes);
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x22, READ, 10);
	struct rda_request q = {.begin = 10, .end = 11};

	recipe = rda_with(recipe, &reth);
	rda_request_headers(&q, rda_feed(&feed, &recipe), reads[_i].mtu);
	ck_assert_uint_eq(q.va, 0x1000);
	ck_assert_uint_eq(q.rkey, 7);
	ck_assert_uint_eq(q.payload, reads[_i].bytes);
	ck_assert_int_eq(q.end - q.begin, reads[_i].psns);
	ck_assert_int_eq(q.span_unknown, reads[_i].unknown);
}
END_TEST

/* A READ of 10-13 at 0x1000, 4000 bytes, or a SEND of 100 bytes at 10. */
static const struct {
	uint8_t old, opcode;
	int64_t begin;
	uint64_t va;
	uint32_t rkey, length, payload;
	enum rda_differs differs;
	const char *field;
} again[] = {
	{SEND, SEND, 10, 0, 0, 0, 100, RDA_DIFFERS_NOT, NULL},
	{SEND, SEND, 10, 0, 0, 0, 99, RDA_DIFFERS_FIELD, "payload length"},
	{SEND, WRITE, 10, 0x1000, 7, 100, 100, RDA_DIFFERS_FIELD, "opcode"},
	{SEND, READ, 10, 0x1000, 7, 100, 100, RDA_DIFFERS_FIELD, "opcode"},
	{READ, READ, 10, 0x1000, 7, 4000, 4000, RDA_DIFFERS_NOT, NULL},
	{READ, READ, 12, 0x1800, 7, 1952, 1952, RDA_DIFFERS_NOT, NULL},
	{READ, READ, 12, 0x1800, 8, 1952, 1952, RDA_DIFFERS_FIELD, "r_key"},
	{READ, READ, 12, 0x1400, 7, 1952, 1952, RDA_DIFFERS_PART_OF_READ, NULL},
	{READ, READ, 12, 0x1800, 7, 4000, 4000, RDA_DIFFERS_PART_OF_READ, NULL},
	{READ, SEND, 10, 0, 0, 0, 100, RDA_DIFFERS_FIELD, "opcode"},
	{READ, SEND, 12, 0, 0, 0, 100, RDA_DIFFERS_INSIDE_READ, NULL},
};

START_TEST(compared)
{
	bool read = again[_i].old == READ;
	struct rda_sent old = {
		.begin = 10,
		.end = read ? 14 : 11,
		.psn = 10,
		.va = read ? 0x1000 : 0,
		.rkey = read ? 7 : 0,
		.length = read ? 4000 : 0,
		.opcode = again[_i].old,
		.payload = read ? 4000 : 100,
		.roles = rda_opcode_roles[again[_i].old],
	};
	struct rda_request q = {
		.begin = again[_i].begin,
		.end = again[_i].begin + (again[_i].payload + MTU - 1) / MTU,
		.va = again[_i].va,
		.rkey = again[_i].rkey,
		.length = again[_i].length,
		.payload = again[_i].payload,
		.opcode = again[_i].opcode,
		.roles = rda_opcode_roles[again[_i].opcode],
	};
	struct rda_request_difference difference;

	ck_assert_int_eq(rda_request_compare(&q, &old, MTU, &difference), again[_i].differs);
	if (again[_i].field)
		ck_assert_str_eq(difference.field, again[_i].field);
	old.span_unknown = true;
	if (again[_i].differs == RDA_DIFFERS_INSIDE_READ)
		ck_assert_int_eq(rda_request_compare(&q, &old, MTU, &difference),
				 RDA_DIFFERS_PERHAPS);
}
END_TEST

Suite *rda_suite_request(void)
{
	Suite *suite = suite_create("request");
	TCase *tcase = tcase_create("request");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, reads_take_psns, 0, RDA_COUNT(reads));
	tcase_add_loop_test(tcase, compared, 0, RDA_COUNT(again));
	suite_add_tcase(suite, tcase);
	return suite;
}
