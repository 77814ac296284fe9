/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of a result.
 */
#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

START_TEST(keys_in_order_of_first_use)
{
	struct rda_keys_feed keys;

	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 0, 1);
	for (uint32_t i = 0; i < 50; i++)
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, 0x5000 - 7 * i, 8);
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_engine_key_count(keys.feed.engine), 50);
	ck_assert_uint_eq(rda_engine_keys_not_kept(keys.feed.engine), 0);
	for (uint32_t i = 0; i < 50; i++)
		ck_assert_uint_eq(rda_engine_key(keys.feed.engine, i)->id.key, 0x5000 - 7 * i);
	rda_keys_end(&keys);
}
END_TEST

/* Without CM or answers the user's QPN is not known. */
START_TEST(a_user_without_a_peer)
{
	struct rda_extended reth = rda_reth(0x1000, 5, 8);
	struct rda_recipe recipe = rda_with(rda_packet_of(1, 2, 0x12, RC_WRITE_ONLY, 10), &reth);
	struct rda_feed feed;
	struct rda_endpoint user;

	recipe.payload_length = 8;
	rda_feed_begin(&feed);
	rda_feed(&feed, &recipe);
	rda_engine_finish(feed.engine);
	user = rda_engine_key_user(feed.engine, rda_engine_key(feed.engine, 0), 0);
	ck_assert_uint_eq(user.address.bytes[15], 1);
	ck_assert_uint_eq(user.qpn, RDA_QPN_UNKNOWN);
	rda_feed_end(&feed);
}
END_TEST

/* Of two directions, the second of which ends first. */
START_TEST(times_of_a_connection)
{
	struct rda_connection_times times;
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, 1, 2, 0x11, 0x22, 1);
	rda_feed_send(&feed, 1, 2, 0x22, 0xc000, 7);
	rda_feed_acknowledge(&feed, 2, 1, 0x11, 0xc000, 7);
	rda_feed_send(&feed, 1, 2, 0x22, 0xc000, 8);
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	for (unsigned i = 0; i < rda_result_connection_count(result); i++) {
		const struct rda_connection_facts *facts = rda_result_connection(result, i);

		if (facts->service != RDA_SERVICE_RC)
			continue;
		times = rda_result_connection_times(result, facts);
		ck_assert_int_eq(times.first_ns, rda_result_flow(result, facts, 0)->first_time_ns);
		ck_assert_int_eq(times.last_ns - times.first_ns, 2 * RDA_FEED_STEP_NS);
		ck_assert_ptr_nonnull(rda_result_flow(result, facts, 1));
	}
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(hosts_by_their_addresses)
{
	const struct rda_address nobody = {.kind = RDA_ADDRESS_IP6};
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	for (uint8_t host = 200; host > 100; host--)
		rda_feed_send(&feed, host, 1, 0x11, 0xc000, host);
	result = rda_engine_result(feed.engine);
	ck_assert_uint_eq(rda_result_host_count(result), 101);
	for (unsigned i = 0; i < 101; i++) {
		const struct rda_host *host = rda_result_host(result, i);

		ck_assert_ptr_eq(rda_result_find_host(result, &host->address), host);
	}
	ck_assert_ptr_null(rda_result_find_host(result, &nobody));
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_result_views(void)
{
	Suite *suite = suite_create("result_views");
	TCase *tcase = tcase_create("result_views");

	tcase_add_test(tcase, keys_in_order_of_first_use);
	tcase_add_test(tcase, a_user_without_a_peer);
	tcase_add_test(tcase, times_of_a_connection);
	tcase_add_test(tcase, hosts_by_their_addresses);
	suite_add_tcase(suite, tcase);
	return suite;
}
