/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way of requests through the ledger, and the checks of single ones. tests/scenarios/keys tells
 * the stories.
 */
#include "analyzer/checks/judge.h"

#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

static struct rda_keys_feed keys;

START_TEST(nothing_is_found_in_nothing)
{
	rda_keys_begin(&keys);
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_engine_finding_count(keys.feed.engine), 0);
	ck_assert_uint_eq(rda_engine_key_count(keys.feed.engine), 0);
	rda_keys_end(&keys);
}
END_TEST

START_TEST(a_request_counts_once_and_works_when_acknowledged)
{
	const struct rda_memory_key *key;
	struct rda_endpoint user;

	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 0, 1);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, 0x77, 64);
	rda_keys_ack(&keys);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x2000, 0x77, 64);
	keys.psn--; /* the same again, after a while */
	keys.feed.meta.time_ns += 2000000000;
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x2000, 0x77, 64);
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_engine_key_count(keys.feed.engine), 1);
	key = rda_engine_key(keys.feed.engine, 0);
	ck_assert_uint_eq(key->asked[RDA_KEY_USE_WRITE], 2);
	ck_assert_uint_eq(key->worked->count[RDA_KEY_USE_WRITE], 1);
	ck_assert_uint_eq(key->bytes, 128);
	ck_assert_uint_eq(key->low, 0x1000);
	ck_assert_uint_eq(key->last, 0x103f);
	user = rda_engine_key_user(keys.feed.engine, key, 0);
	ck_assert_uint_eq(user.address.bytes[15], 1);
	ck_assert_uint_eq(user.qpn, 0x100);
	rda_keys_end(&keys);
}
END_TEST

START_TEST(an_atomic_must_be_aligned)
{
	for (uint64_t va = 0x1000; va < 0x1010; va++) {
		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		rda_keys_access(&keys, RC_FETCH_ADD, va, 0x77, 8);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K16), va % 8 != 0);
		rda_keys_end(&keys);
	}
}
END_TEST

/* Of no bytes, the key is not looked at. */
START_TEST(reserved_keys)
{
	static const struct {
		uint32_t key, length, cases;
	} cases[] = {{0, 8, 1}, {UINT32_MAX, 8, 1}, {0, 0, 0}, {1, 8, 0}, {UINT32_MAX - 1, 8, 0}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, cases[i].key, cases[i].length);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K20), cases[i].cases);
		rda_keys_end(&keys);
	}
}
END_TEST

Suite *rda_suite_check_keys(void)
{
	Suite *suite = suite_create("check_keys");
	TCase *tcase = tcase_create("check_keys");

	tcase_add_test(tcase, nothing_is_found_in_nothing);
	tcase_add_test(tcase, a_request_counts_once_and_works_when_acknowledged);
	tcase_add_test(tcase, an_atomic_must_be_aligned);
	tcase_add_test(tcase, reserved_keys);
	suite_add_tcase(suite, tcase);
	return suite;
}
