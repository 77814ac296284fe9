/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is remembered of hosts and flows stays while more of them come, and begins with nothing.
 */
#include "analyzer/checks/keys/state.h"

#include "tests/unit/suite.h"

#include <glib.h>

enum { HOSTS = 20 };

/* They come in any order, and not all of them. */
START_TEST(hosts_keep_what_they_have)
{
	struct rda_keys_state *keys = rda_keys_state_new(1);
	struct rda_host host = {.index = 0};

	for (unsigned i = 0; i < HOSTS; i++) {
		host.index = i * 7 % HOSTS;
		ck_assert_uint_eq(rda_keys_host(keys, &host)->key_count, 0);
		rda_keys_host(keys, &host)->key_count = host.index + 1;
	}
	for (host.index = 0; host.index < HOSTS; host.index++)
		ck_assert_uint_eq(rda_keys_host(keys, &host)->key_count, host.index + 1);
	rda_keys_state_free(keys);
}
END_TEST

START_TEST(a_host_far_behind_is_new)
{
	struct rda_keys_state *keys = rda_keys_state_new(1);
	struct rda_host first = {.index = 0}, between = {.index = 50}, last = {.index = 99};

	rda_keys_host(keys, &first)->number_count = 5;
	ck_assert_uint_eq(rda_keys_host(keys, &last)->number_count, 0);
	ck_assert_ptr_null(rda_keys_host(keys, &between)->scan);
	ck_assert_ptr_null(rda_keys_host(keys, &between)->first_key);
	ck_assert_uint_eq(rda_keys_host(keys, &first)->number_count, 5);
	rda_keys_state_free(keys);
}
END_TEST

/* The sanitizer looks whether all of it goes. */
START_TEST(what_hosts_own_is_freed)
{
	struct rda_keys_state *keys = rda_keys_state_new(1);
	struct rda_host host = {.index = 3};

	rda_keys_host(keys, &host)->scan = g_new0(struct rda_key_scan, 1);
	rda_keys_host(keys, &host)->numbers = g_new0(struct rda_key_number, 4);
	rda_keys_state_free(keys);
}
END_TEST

/* PSN 0 may be the first that is refused. */
START_TEST(a_flow_begins_with_nothing_refused)
{
	struct rda_flow flow = {.index = 1};
	struct rda_keys_watch *watch = rda_keys_watch(&flow);

	ck_assert_int_eq(watch->refused_psn, -1);
	watch->refused_psn = 0;
	ck_assert_ptr_eq(rda_keys_watch(&flow), watch);
	ck_assert_int_eq(watch->refused_psn, 0);
	rda_keys_watch_free(&flow);
	ck_assert_ptr_null(flow.watch.keys);
	rda_keys_watch_free(&flow);
}
END_TEST

Suite *rda_suite_check_keys_state(void)
{
	Suite *suite = suite_create("keys_state");
	TCase *tcase = tcase_create("keys_state");

	tcase_add_test(tcase, hosts_keep_what_they_have);
	tcase_add_test(tcase, a_host_far_behind_is_new);
	tcase_add_test(tcase, what_hosts_own_is_freed);
	tcase_add_test(tcase, a_flow_begins_with_nothing_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
