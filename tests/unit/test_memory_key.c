/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A memory key's record: what it takes before anything worked or was odd, and what each event adds.
 */
#include "analyzer/track/keys/memory_key.h"

#include "tests/unit/suite.h"

static struct rda_key_event access_by(uint32_t flow, uint64_t va, uint64_t place)
{
	return (struct rda_key_event){
		.flow = flow,
		.requester = flow / 2,
		.va = va,
		.length = 16,
		.use = RDA_KEY_USE_WRITE,
		.asked_place = place,
		.answers = true,
	};
}

START_TEST(blocks_come_when_they_are_needed)
{
	struct rda_memory_key key = {0}, other = {0};
	struct rda_key_event event = access_by(1, 100, 5);

	rda_memory_key_init(&key, 3);
	rda_memory_key_init(&other, 4);
	rda_memory_key_asked(&key, &event, event.flow);
	rda_memory_key_at_once(&key, &event);
	rda_memory_key_passed(&key, &event);
	ck_assert_ptr_eq(key.worked, other.worked);
	ck_assert_ptr_eq(key.rare, other.rare);
	rda_memory_key_worked(&key, &event);
	ck_assert_ptr_ne(key.worked, other.worked);
	ck_assert_ptr_eq(key.rare, other.rare);
	ck_assert_uint_eq(key.worked->count[RDA_KEY_USE_WRITE], 1);
	ck_assert_uint_eq(key.worked->place, 5);
	ck_assert_uint_eq(other.worked->place, 0);
	rda_memory_key_cleanup(&key);
	rda_memory_key_cleanup(&other);
}
END_TEST

START_TEST(users_up_to_the_cap)
{
	struct rda_memory_key key = {0};
	struct rda_key_event event = {0};

	rda_memory_key_init(&key, 0);
	for (unsigned round = 0; round < 2; round++)
		for (uint32_t flow = 0; flow < RDA_KEY_USERS_MAX; flow++) {
			event = access_by(flow, 0, flow + 1);
			rda_memory_key_asked(&key, &event, flow);
		}
	ck_assert_uint_eq(key.user_count, RDA_KEY_USERS_MAX);
	ck_assert(!key.more_users_seen);
	ck_assert_uint_eq(key.rare->second_user_place, 2);
	for (uint32_t i = 0; i < RDA_KEY_USERS_MAX; i++) {
		ck_assert_uint_eq(rda_key_user(&key, i)->flow, i);
		ck_assert_uint_eq(rda_key_user(&key, i)->host, i / 2);
	}
	event.flow = RDA_KEY_USERS_MAX;
	rda_memory_key_asked(&key, &event, event.flow);
	ck_assert_uint_eq(key.user_count, RDA_KEY_USERS_MAX);
	ck_assert(key.more_users_seen);
	rda_memory_key_cleanup(&key);
}
END_TEST

START_TEST(lives_of_a_qp_are_one)
{
	struct rda_memory_key key = {0};
	const uint32_t qps[] = {0, 0, 2, 0, 2};

	rda_memory_key_init(&key, 0);
	for (uint32_t flow = 0; flow < 5; flow++) {
		struct rda_key_event event = access_by(flow, 0, flow + 1);

		rda_memory_key_asked(&key, &event, qps[flow]);
		ck_assert_uint_eq(key.rare->second_user_place, flow < 2 ? 0 : 3);
	}
	ck_assert_uint_eq(key.user_count, 5);
	ck_assert_uint_eq(rda_memory_key_qps(&key), 2);
	rda_memory_key_cleanup(&key);
}
END_TEST

START_TEST(what_worked_goes_with_an_invalidation)
{
	struct rda_memory_key key = {0};
	struct rda_key_event event = access_by(1, 100, 5), gone = {.asked_place = 7, .flow = 1};

	gone.place = 8;
	gone.psn = 30;
	rda_memory_key_init(&key, 0);
	rda_memory_key_worked(&key, &event);
	ck_assert_uint_eq(key.worked->ranges.count, 1);
	rda_memory_key_invalidate(&key, &gone);
	ck_assert(key.invalid);
	ck_assert_uint_eq(key.worked->ranges.count, 0);
	ck_assert_uint_eq(key.worked->place, 5);
	ck_assert_uint_eq(key.rare->invalidated.place, 7);
	ck_assert_uint_eq(key.rare->invalidated.acked, 8);
	ck_assert_int_eq(key.rare->invalidated.psn, 30);
	rda_memory_key_cleanup(&key);
}
END_TEST

START_TEST(refusals_by_address)
{
	struct rda_memory_key key = {0};
	struct rda_key_event event = access_by(1, 100, 5);

	rda_memory_key_init(&key, 0);
	ck_assert(rda_memory_key_refused(&key, &event));
	ck_assert(!rda_memory_key_refused(&key, &event));
	event.va = 200;
	ck_assert(rda_memory_key_refused(&key, &event));
	ck_assert_uint_eq(key.rare->refused, 3);
	ck_assert_uint_eq(key.rare->refusals->count, 2);
	rda_memory_key_cleanup(&key);
}
END_TEST

Suite *rda_suite_memory_key(void)
{
	Suite *suite = suite_create("memory_key");
	TCase *tcase = tcase_create("memory_key");

	tcase_add_test(tcase, blocks_come_when_they_are_needed);
	tcase_add_test(tcase, users_up_to_the_cap);
	tcase_add_test(tcase, lives_of_a_qp_are_one);
	tcase_add_test(tcase, what_worked_goes_with_an_invalidation);
	tcase_add_test(tcase, refusals_by_address);
	suite_add_tcase(suite, tcase);
	return suite;
}
