/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who asked and who left: each by all that tells it from others, and what is not known.
 */
#include "analyzer/checks/management/state.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { SERVICE = 0x1234 };

static struct rda_judge judge;
static struct rda_address one, two;

static void setup(void)
{
	memset(&judge, 0, sizeof(judge));
	memset(&one, 0, sizeof(one));
	one.kind = RDA_ADDRESS_IP4;
	one.bytes[12] = 10;
	two = one;
	two.bytes[15] = 2;
	judge.management = rda_management_state_new(1);
}

static void teardown(void)
{
	rda_management_state_free(judge.management);
}

static struct rda_at at_place(struct rda_packet *packet, const struct rda_address *from,
			      const struct rda_address *to, uint64_t place)
{
	static struct rda_flow flow;

	*packet = (struct rda_packet){.source = *from, .destination = *to};
	return (struct rda_at){.judge = &judge, .packet = packet, .flow = &flow, .place = place};
}

static void ask(const struct rda_address *from, uint32_t id, uint64_t place)
{
	struct rda_packet packet;
	struct rda_at at = at_place(&packet, from, from == &one ? &two : &one, place);

	rda_management_sidr_ask(&at, id);
}

/* Whether it is told that `to` did not ask for this. */
static bool is_told(const struct rda_address *to, uint32_t id, uint64_t place)
{
	struct rda_packet packet;
	struct rda_at at = at_place(&packet, to == &one ? &two : &one, to, place);
	struct rda_overall overall = {0};
	bool told;

	rda_findings_init(&judge.findings, 0);
	judge.overall = &overall;
	rda_management_sidr_answered(&at, id);
	rda_management_state_overall(judge.management, &judge);
	told = judge.findings.table.count > 0;
	rda_findings_cleanup(&judge.findings);
	teardown();
	judge.management = rda_management_state_new(1);
	return told;
}

START_TEST(a_sidr_request_is_of_its_asker_and_id)
{
	ck_assert(is_told(&one, 7, 9));
	ask(&one, 7, 5);
	ask(&one, 7, 6);
	ck_assert(!is_told(&one, 7, 9));
	ask(&one, 7, 5);
	ck_assert(is_told(&one, 8, 9));
	ask(&one, 7, 5);
	ck_assert(is_told(&two, 7, 9));
	ask(&one, 7, 15);
	ck_assert_msg(is_told(&one, 7, 9), "it was asked later");
}
END_TEST

/* The request may be in another part than the answer. */
START_TEST(asked_in_another_part)
{
	struct rda_management_state *other = rda_management_state_new(2), *both;
	struct rda_moved nothing = {0};
	struct rda_packet packet;
	struct rda_at at = at_place(&packet, &two, &one, 9);
	struct rda_overall overall = {0};

	for (unsigned asked = 0; asked < 2; asked++) {
		both = rda_management_state_new(3);
		if (asked)
			ask(&one, 7, 5);
		at.judge = &(struct rda_judge){.management = other};
		if (!asked)
			rda_management_sidr_answered(&at, 7);
		rda_management_state_join(both, other, &nothing);
		rda_management_state_join(both, judge.management, &nothing);
		rda_findings_init(&judge.findings, 0);
		judge.overall = &overall;
		rda_management_state_overall(both, &judge);
		ck_assert_uint_eq(judge.findings.table.count, !asked);
		rda_findings_cleanup(&judge.findings);
		rda_management_state_free(both);
	}
	rda_management_state_free(other);
}
END_TEST

/* Past the limit nobody knows who asked, so nobody is blamed for an answer to no question. */
START_TEST(a_flood_of_sidr_requests)
{
	for (uint32_t id = 0; id < RDA_SIDR_MAX; id++)
		ask(&one, id, 1);
	ck_assert(!is_told(&two, 7, 9));
	for (uint32_t id = 0; id < RDA_SIDR_MAX - 1; id++)
		ask(&one, id, 1);
	ck_assert(is_told(&two, 7, 9));
}
END_TEST

/* A DREQ of host 1 (side 0) or host 2 (side 1). */
static void leave(struct rda_cm_pair *pair, uint8_t side, bool fresh)
{
	struct rda_packet packet = {.source = side ? two : one, .destination = side ? one : two};
	struct rda_cm_step step = {.pair = pair, .sender = side, .fresh = fresh};
	struct rda_at at = {.judge = &judge, .packet = &packet, .step = &step};

	rda_management_leave(&at);
}

START_TEST(who_left_a_service)
{
	struct rda_cm_pair pair = {.begun = true, .service_id = SERVICE};

	leave(&pair, 1, true);
	ck_assert_ptr_eq(rda_management_left_before(&judge, &two, &one, SERVICE),
			 &pair.sides[1].dreq);
	ck_assert_ptr_null(rda_management_left_before(&judge, &one, &two, SERVICE));
	ck_assert_ptr_null(rda_management_left_before(&judge, &two, &one, SERVICE + 1));
	leave(&pair, 0, true);
	ck_assert_ptr_eq(rda_management_left_before(&judge, &one, &two, SERVICE),
			 &pair.sides[0].dreq);
}
END_TEST

/* The latest connection to the service counts. */
START_TEST(left_twice)
{
	struct rda_cm_pair first = {.begun = true, .service_id = SERVICE};
	struct rda_cm_pair second = first;

	leave(&first, 0, true);
	leave(&second, 0, true);
	ck_assert_ptr_eq(rda_management_left_before(&judge, &one, &two, SERVICE),
			 &second.sides[0].dreq);
}
END_TEST

START_TEST(dreqs_that_end_nothing)
{
	struct rda_cm_pair begun = {.begun = true, .service_id = SERVICE};
	struct rda_cm_pair joined = {.begun = false, .service_id = SERVICE};

	leave(NULL, 0, true);
	leave(&begun, 0, false); /* a copy */
	leave(&joined, 0, true); /* nobody saw what service it was of */
	ck_assert_ptr_null(rda_management_left_before(&judge, &one, &two, SERVICE));
}
END_TEST

START_TEST(a_flow_is_watched_once)
{
	struct rda_flow flow = {.index = 1};
	struct rda_management_watch *watch = rda_management_watch(&flow);

	ck_assert_uint_eq(watch->left_place, 0);
	watch->left_place = 5;
	ck_assert_ptr_eq(rda_management_watch(&flow), watch);
	ck_assert_uint_eq(watch->left_place, 5);
	rda_management_watch_free(&flow);
	ck_assert_ptr_null(flow.watch.management);
	rda_management_watch_free(&flow);
}
END_TEST

Suite *rda_suite_check_management_state(void)
{
	Suite *suite = suite_create("management_state");
	TCase *tcase = tcase_create("management_state");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_sidr_request_is_of_its_asker_and_id);
	tcase_add_test(tcase, asked_in_another_part);
	tcase_add_test(tcase, a_flood_of_sidr_requests);
	tcase_add_test(tcase, who_left_a_service);
	tcase_add_test(tcase, left_twice);
	tcase_add_test(tcase, dreqs_that_end_nothing);
	tcase_add_test(tcase, a_flow_is_watched_once);
	suite_add_tcase(suite, tcase);
	return suite;
}
