/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows, errors, the slowest and the time under way, and what is more than there is room for.
 */
#include "analyzer/track/ulp/ulp_tally.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

#include <string.h>

struct bench {
	struct rda_flow flow;
	struct rda_ulps ulps;
	struct rda_ulp *ulp;
};

static void begin(struct bench *b)
{
	struct rda_build capsule = {0};

	memset(b, 0, sizeof(*b));
	rda_ulps_init(&b->ulps, 0);
	rda_nvme_capsule(&capsule, 0x18, 1, 0, 0, 0, (uint32_t[]){0, 0, 0});
	rda_ulps_look(&b->ulps, &b->flow, NULL, capsule.bytes, capsule.length);
	b->ulp = b->flow.ulp;
}

static struct rda_ulp_message at(int64_t ns)
{
	return (struct rda_ulp_message){.place = (uint64_t)ns + 1,
					.last_place = (uint64_t)ns + 1,
					.first_ns = ns,
					.last_ns = ns};
}

static struct rda_ulp_command *ask(struct bench *b, uint32_t id, uint32_t code, int64_t ns)
{
	const struct rda_ulp_asked asked = {id, code, "Test", false, 10, false};
	const struct rda_ulp_message message = at(ns);

	return rda_ulp_ask(b->ulp, &asked, &message);
}

static void answer(struct bench *b, uint32_t id, uint32_t status, int64_t ns)
{
	const struct rda_ulp_message message = at(ns);

	rda_ulp_answer(b->ulp, rda_ulp_commands_find(&b->ulp->commands, id), status, NULL,
		       &message);
}

START_TEST(time_under_way)
{
	struct rda_ulp_facts facts;
	struct bench b;

	begin(&b);
	ask(&b, 1, 7, 100);
	ask(&b, 2, 7, 200);
	answer(&b, 1, 0, 300);
	answer(&b, 2, 0, 400); /* nothing until 1000 */
	ask(&b, 3, 7, 1000);
	rda_ulp_facts_of(&facts, b.ulp, 1500);
	ck_assert_int_eq(facts.busy_ns, 300 + 500);
	ck_assert_int_eq(facts.waited_ns, 200 + 200 + 500);
	ck_assert_uint_eq(facts.depth_most, 2);
	ck_assert_uint_eq(facts.unanswered, 1);
	ck_assert_uint_eq(facts.operation_count, 1);
	ck_assert_int_eq(facts.operations[0].latency.max, 200);
	rda_ulp_facts_cleanup(&facts);
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

/* The parts are told where all of the data was seen, and in order. */
START_TEST(parts)
{
	static const struct {
		int64_t begin, end;
		uint64_t moved;
		bool broken, known;
	} cases[] = {
		{20, 30, 10, false, true}, {20, 30, 9, false, false},  {20, 30, 10, true, false},
		{5, 30, 10, false, false}, {20, 50, 10, false, false}, {0, 0, 0, false, false},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_ulp_command *command;
		struct bench b;

		begin(&b);
		command = ask(&b, 1, 7, 10);
		command->data_ns = cases[i].begin;
		command->data_end_ns = cases[i].end;
		command->moved = cases[i].moved;
		command->broken = cases[i].broken;
		answer(&b, 1, 0, 40);
		ck_assert_msg(b.ulps.slowest[0].has_parts == cases[i].known, "case %u", i);
		ck_assert_uint_eq(b.ulp->facts.operations[0].data.count, cases[i].known);
		rda_ulps_cleanup(&b.ulps);
	}
}
END_TEST

START_TEST(the_slowest)
{
	struct bench b;

	begin(&b);
	for (uint32_t i = 0; i < 20; i++) {
		ask(&b, i, 7, 0);
		answer(&b, i, 0, 100 + 7 * i % 20);
	}
	ck_assert_uint_eq(b.ulps.slowest_count, RDA_SLOWEST_KEPT);
	for (uint32_t i = 0; i < RDA_SLOWEST_KEPT; i++)
		ck_assert_int_eq(b.ulps.slowest[i].latency_ns, 119 - (int64_t)i);
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

START_TEST(more_than_there_is_room_for)
{
	struct bench b;

	begin(&b);
	for (uint32_t i = 0; i < 2 * RDA_ULP_OPERATIONS_MAX; i++) {
		ask(&b, i, i, i);
		answer(&b, i, 1 + i, i);
	}
	ck_assert_uint_eq(b.ulp->facts.operation_count, RDA_ULP_OPERATIONS_MAX);
	ck_assert_uint_eq(b.ulp->facts.operations[RDA_ULP_OPERATIONS_MAX - 1].asked,
			  RDA_ULP_OPERATIONS_MAX + 1);
	ck_assert_uint_eq(b.ulp->facts.status_count, RDA_ULP_STATUSES_MAX);
	ck_assert_uint_eq(b.ulp->facts.failed, 2 * RDA_ULP_OPERATIONS_MAX);
	b.ulps.operations = RDA_ULP_OPERATIONS_TOTAL;
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

/* Those that wait for events make place too, and are then not under way. */
START_TEST(a_million_never_answered)
{
	struct bench b;

	begin(&b);
	for (uint32_t i = 0; i < 1000000; i++) {
		const struct rda_ulp_asked asked = {i, 7, "Test", i % 2 == 0, 0, false};
		const struct rda_ulp_message message = at(i);

		rda_ulp_ask(b.ulp, &asked, &message);
	}
	ck_assert_uint_eq(b.ulp->commands.count, RDA_ULP_COMMANDS_MAX);
	ck_assert_uint_eq(b.ulp->waiting, RDA_ULP_COMMANDS_MAX / 2);
	ck_assert_uint_eq(b.ulp->facts.asked, 1000000);
	ck_assert_uint_eq(b.ulp->facts.depth_most, RDA_ULP_COMMANDS_MAX / 2);
	rda_ulps_cleanup(&b.ulps);
}
END_TEST

Suite *rda_suite_ulp_tally(void)
{
	Suite *suite = suite_create("ulp_tally");
	TCase *tcase = tcase_create("ulp_tally");

	tcase_add_test(tcase, time_under_way);
	tcase_add_test(tcase, parts);
	tcase_add_test(tcase, the_slowest);
	tcase_add_test(tcase, more_than_there_is_room_for);
	tcase_add_test(tcase, a_million_never_answered);
	suite_add_tcase(suite, tcase);
	return suite;
}
