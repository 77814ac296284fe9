/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is remembered of hosts stays while more of them come, and begins with nothing.
 */
#include "analyzer/checks/keys/state.h"

#include "tests/unit/suite.h"

#include <glib.h>

enum { HOSTS = 20 };

/* They come in any order, and not all of them. */
START_TEST(hosts_keep_what_they_have)
{
	struct rda_keys_state *keys = rda_keys_state_new(1);

	for (unsigned i = 0; i < HOSTS; i++) {
		uint32_t host = i * 7 % HOSTS;

		ck_assert_uint_eq(rda_keys_host(keys, host)->number_place, 0);
		rda_keys_host(keys, host)->number_place = host + 1;
	}
	for (uint32_t host = 0; host < HOSTS; host++)
		ck_assert_uint_eq(rda_keys_host(keys, host)->number_place, host + 1);
	rda_keys_state_free(keys);
}
END_TEST

START_TEST(a_host_far_behind_is_new)
{
	struct rda_keys_state *keys = rda_keys_state_new(1);

	rda_keys_host(keys, 0)->number_count = 5;
	ck_assert_uint_eq(rda_keys_host(keys, 99)->number_count, 0);
	ck_assert_ptr_null(rda_keys_host(keys, 50)->scan);
	ck_assert_uint_eq(rda_keys_host(keys, 0)->number_count, 5);
	rda_keys_state_free(keys);
}
END_TEST

/* The sanitizer looks whether all of it goes. */
START_TEST(what_hosts_own_is_freed)
{
	struct rda_keys_state *keys = rda_keys_state_new(1);

	rda_keys_host(keys, 3)->scan = g_new0(struct rda_key_scan, 1);
	rda_keys_host(keys, 3)->numbers = g_new0(struct rda_key_number, 4);
	rda_keys_state_free(keys);
}
END_TEST

Suite *rda_suite_check_keys_state(void)
{
	Suite *suite = suite_create("keys_state");
	TCase *tcase = tcase_create("keys_state");

	tcase_add_test(tcase, hosts_keep_what_they_have);
	tcase_add_test(tcase, a_host_far_behind_is_new);
	tcase_add_test(tcase, what_hosts_own_is_freed);
	suite_add_tcase(suite, tcase);
	return suite;
}
