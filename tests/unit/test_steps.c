/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which messages are steps.
 */
#include "analyzer/track/steps.h"

#include "tests/unit/suite.h"

#include <glib.h>

static void message(struct rda_flow *flow, uint8_t kind, bool notifies, int64_t at)
{
	const struct rda_exchange exchange = {.start_ns = at,
					      .sent_ns = at + 5,
					      .latency_ns = 9,
					      .first_frame = (uint64_t)at,
					      .kind = kind,
					      .notifies = notifies};

	rda_steps_take(flow, &exchange);
}

START_TEST(sends_and_writes_until_one_has_immediate_data)
{
	struct rda_flow flow = {0};

	message(&flow, RDA_MESSAGE_SEND, true, 1);
	message(&flow, RDA_MESSAGE_WRITE, false, 20);
	message(&flow, RDA_MESSAGE_READ, false, 30);
	ck_assert_uint_eq(flow.steps->count, 2);
	message(&flow, RDA_MESSAGE_WRITE, true, 40);
	ck_assert_uint_eq(flow.steps->count, 1);
	ck_assert(flow.steps->immediate);
	message(&flow, RDA_MESSAGE_SEND, true, 50);
	message(&flow, RDA_MESSAGE_WRITE, false, 60);
	message(&flow, RDA_MESSAGE_WRITE, false, 70);
	message(&flow, RDA_MESSAGE_WRITE, true, 80);
	ck_assert_uint_eq(flow.steps->count, 2);
	ck_assert_int_eq(flow.steps->list[1].start_ns, 60);
	ck_assert_uint_eq(flow.steps->list[1].place, 60);
	ck_assert_int_eq(flow.steps->list[1].sent_ns, 85);
	ck_assert_int_eq(flow.steps->list[1].done_ns, 89);
	message(&flow, RDA_MESSAGE_WRITE, true, 90);
	ck_assert_int_eq(flow.steps->list[2].start_ns, 90);
	rda_steps_free(flow.steps);
}
END_TEST

START_TEST(the_first_are_kept)
{
	struct rda_flow flow = {0};
	struct rda_steps *copy;

	for (int64_t i = 0; i < RDA_STEPS_KEPT + 3; i++)
		message(&flow, RDA_MESSAGE_SEND, true, i);
	ck_assert_uint_eq(flow.steps->count, RDA_STEPS_KEPT);
	ck_assert_uint_eq(flow.steps->more, 3);
	copy = rda_steps_copy(flow.steps);
	ck_assert_int_eq(copy->list[RDA_STEPS_KEPT - 1].start_ns, RDA_STEPS_KEPT - 1);
	rda_steps_free(copy);
	rda_steps_free(flow.steps);
	ck_assert_ptr_null(rda_steps_copy(NULL));
}
END_TEST

Suite *rda_suite_steps(void)
{
	Suite *suite = suite_create("steps");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, sends_and_writes_until_one_has_immediate_data);
	tcase_add_test(tests, the_first_are_kept);
	suite_add_tcase(suite, tests);
	return suite;
}
