/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a conversation tells: when it ties two QPs, when it is over, and whose a flow is.
 */
#include "analyzer/track/flow.h"
#include "analyzer/track/setup/cm_track.h"

#include "tests/unit/suite.h"

static struct rda_cm_pair pair;
static struct rda_flow flow;

static void setup(void)
{
	pair = (struct rda_cm_pair){.begun = true, .by = RDA_PAIRED_BY_CM};
	pair.sides[RDA_CM_ACTIVE].qpn = 0x11;
	pair.sides[RDA_CM_PASSIVE].qpn = 0x22;
	pair.sides[RDA_CM_ACTIVE].address.bytes[15] = 1;
	pair.sides[RDA_CM_PASSIVE].address.bytes[15] = 2;
	flow = (struct rda_flow){.pair = &pair, .first_time_ns = 1000};
	flow.key.destination = pair.sides[RDA_CM_PASSIVE].address;
	flow.key.dest_qp = 0x22;
}

START_TEST(two_qps)
{
	ck_assert(rda_cm_is_tied(&pair));
	pair.sides[RDA_CM_PASSIVE].qpn = RDA_CM_QPN_UNKNOWN;
	ck_assert(!rda_cm_is_tied(&pair));
}
END_TEST

START_TEST(sides_of_a_flow)
{
	ck_assert_ptr_eq(rda_cm_receiver(&pair, &flow), &pair.sides[RDA_CM_PASSIVE]);
	ck_assert_ptr_eq(rda_cm_sender(&pair, &flow), &pair.sides[RDA_CM_ACTIVE]);
	ck_assert_ptr_eq(rda_cm_limits_of(&flow), &pair.sides[RDA_CM_ACTIVE].limits);
	flow.pair = NULL;
	ck_assert_ptr_null(rda_cm_limits_of(&flow));
}
END_TEST

/* A DREQ of either side, or a REJ, at the flow's tap and not behind its first packet. */
START_TEST(over)
{
	struct rda_cm_moment *ends[] = {&pair.rej, &pair.sides[0].dreq, &pair.sides[1].dreq};

	ck_assert(!rda_cm_is_over(&pair));
	ck_assert(!rda_cm_was_over(&pair, &flow));
	ends[_i]->count = 1;
	ends[_i]->first_ns = 1000;
	ck_assert(rda_cm_is_over(&pair));
	ck_assert(rda_cm_was_over(&pair, &flow));
	ends[_i]->first_ns = 1001;
	ck_assert(!rda_cm_was_over(&pair, &flow));
	ends[_i]->first_ns = 1000;
	ends[_i]->tap = 1;
	ck_assert(!rda_cm_was_over(&pair, &flow));
}
END_TEST

Suite *rda_suite_cm_pair(void)
{
	Suite *suite = suite_create("cm_pair");
	TCase *tcase = tcase_create("cm_pair");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, two_qps);
	tcase_add_test(tcase, sides_of_a_flow);
	tcase_add_loop_test(tcase, over, 0, 3);
	suite_add_tcase(suite, tcase);
	return suite;
}
