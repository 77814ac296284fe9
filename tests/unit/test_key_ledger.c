/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger of memory keys: whose key it is, who used it, what worked, and the limits.
 */
#include "analyzer/track/keys/key_ledger.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

/* A flow to the host `to`, at a tap. */
static struct rda_flow flow_to(uint8_t to, uint32_t tap)
{
	struct rda_flow flow;

	memset(&flow, 0, sizeof(flow));
	flow.key.destination.kind = RDA_ADDRESS_IP4;
	flow.key.destination.bytes[15] = to;
	flow.key.tap = tap;
	return flow;
}

static struct rda_memory_key *get(struct rda_key_ledger *ledger, const struct rda_flow *flow,
				  uint32_t key)
{
	bool made;

	return rda_key_ledger_get(ledger, flow, key, &made);
}

START_TEST(a_key_is_its_responders)
{
	struct rda_flow one = flow_to(1, 0), again = flow_to(1, 0), two = flow_to(2, 0),
			tap = flow_to(1, 7);
	struct rda_key_ledger ledger;

	rda_key_ledger_init(&ledger, 1, 0);
	ck_assert_ptr_null(rda_key_ledger_find(&ledger, &one, 5));
	ck_assert_ptr_eq(get(&ledger, &one, 5), get(&ledger, &again, 5));
	ck_assert_ptr_ne(get(&ledger, &one, 5), get(&ledger, &two, 5));
	ck_assert_ptr_ne(get(&ledger, &one, 5), get(&ledger, &tap, 5));
	ck_assert_ptr_ne(get(&ledger, &one, 5), get(&ledger, &one, 6));
	ck_assert_uint_eq(ledger.keys.count, 4);
	ck_assert_uint_eq(get(&ledger, &one, 6)->index, 3);
	rda_key_ledger_cleanup(&ledger);
}
END_TEST

START_TEST(what_was_asked_gives_way_to_what_worked)
{
	struct rda_flow flow = flow_to(1, 0);
	struct rda_key_access inside = {0x1000, 0x100, RDA_KEY_USE_WRITE, 1},
			      outside = {0x9000, 0x100, RDA_KEY_USE_READ, 2},
			      nothing = {0x1, 0, RDA_KEY_USE_READ, 3};
	struct rda_key_ledger ledger;
	struct rda_memory_key *key;

	rda_key_ledger_init(&ledger, 1, 0);
	key = get(&ledger, &flow, 5);
	rda_key_asked(key, &flow, &nothing);
	ck_assert(!key->has_range); /* C9-88: of no bytes, the key is not looked at */
	rda_key_asked(key, &flow, &inside);
	rda_key_asked(key, &flow, &outside);
	ck_assert_uint_eq(key->low, 0x1000);
	ck_assert_uint_eq(key->last, 0x90ff);
	rda_key_worked(key, &nothing);
	ck_assert_uint_eq(rda_key_worked_count(key), 0);
	rda_key_worked(key, &inside);
	ck_assert_uint_eq(key->low, 0x1000);
	ck_assert_uint_eq(key->last, 0x10ff);
	ck_assert(rda_key_refused(key, &outside));
	ck_assert(!rda_key_refused(key, &outside));
	ck_assert_uint_eq(key->refused, 2);
	ck_assert_uint_eq(key->refusals->count, 1);
	ck_assert_uint_eq(key->asked[RDA_KEY_USE_READ], 2);
	ck_assert_uint_eq(key->asked[RDA_KEY_USE_WRITE], 1);
	ck_assert_uint_eq(key->bytes, 0x200);
	ck_assert_uint_eq(key->worked_place, 1);
	ck_assert_uint_eq(key->latest_place, 2);
	rda_key_ledger_cleanup(&ledger);
}
END_TEST

/* One more than are kept: said, not forgotten. */
START_TEST(users_are_kept_once_and_capped)
{
	struct rda_flow flows[RDA_KEY_USERS_MAX + 1];
	struct rda_key_ledger ledger;
	struct rda_memory_key *key;

	rda_key_ledger_init(&ledger, 1, 0);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < RDA_COUNT(flows); i++) {
			struct rda_key_access access = {0, 1, RDA_KEY_USE_READ, i + 1};

			if (!round)
				flows[i] = flow_to(1, 0);
			key = get(&ledger, &flows[i], 5);
			rda_key_asked(key, &flows[i], &access);
			ck_assert(key->more_users_seen == (round || i >= RDA_KEY_USERS_MAX));
		}
	ck_assert_uint_eq(key->user_count, RDA_KEY_USERS_MAX);
	ck_assert_uint_eq(key->second_user_place, 2);
	for (uint32_t i = 0; i < RDA_KEY_USERS_MAX; i++)
		ck_assert_ptr_eq(rda_key_user(key, i), &flows[i]);
	rda_key_ledger_cleanup(&ledger);
}
END_TEST

START_TEST(keys_past_the_cap_are_counted)
{
	struct rda_flow flow = flow_to(1, 0);
	struct rda_key_ledger ledger;

	rda_key_ledger_init(&ledger, 1, 2);
	ck_assert_ptr_nonnull(get(&ledger, &flow, 1));
	ck_assert_ptr_nonnull(get(&ledger, &flow, 2));
	ck_assert_ptr_null(get(&ledger, &flow, 3));
	ck_assert_ptr_null(get(&ledger, &flow, 3));
	ck_assert_ptr_nonnull(get(&ledger, &flow, 1));
	ck_assert_uint_eq(ledger.not_kept, 2);
	ck_assert_uint_eq(ledger.keys.count, 2);
	rda_key_ledger_cleanup(&ledger);
}
END_TEST

START_TEST(a_hundred_thousand_keys)
{
	struct rda_flow flow = flow_to(1, 0);
	struct rda_key_ledger ledger;

	rda_key_ledger_init(&ledger, 1, 0);
	for (uint32_t i = 0; i < 100000; i++)
		RDA_CHECK(get(&ledger, &flow, i * 0x101)->index == i, "key %u", i);
	ck_assert_uint_eq(ledger.not_kept, 0);
	for (uint32_t i = 0; i < 100000; i++)
		RDA_CHECK(get(&ledger, &flow, i * 0x101)->index == i, "key %u", i);
	rda_key_ledger_cleanup(&ledger);
}
END_TEST

Suite *rda_suite_key_ledger(void)
{
	Suite *suite = suite_create("key_ledger");
	TCase *tcase = tcase_create("key_ledger");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_key_is_its_responders);
	tcase_add_test(tcase, what_was_asked_gives_way_to_what_worked);
	tcase_add_test(tcase, users_are_kept_once_and_capped);
	tcase_add_test(tcase, keys_past_the_cap_are_counted);
	tcase_add_test(tcase, a_hundred_thousand_keys);
	suite_add_tcase(suite, tcase);
	return suite;
}
