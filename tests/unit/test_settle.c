/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which hosts get counters from accounts, and from whose.
 */
#include "analyzer/engine/settle.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, C = 3, RESENT_PSN = 5 };

static const struct rda_host *host_of(const struct rda_feed *feed, uint8_t number)
{
	for (unsigned i = 0; i < rda_engine_host_count(feed->engine); i++)
		if (rda_engine_host(feed->engine, i)->address.bytes[15] == number)
			return rda_engine_host(feed->engine, i);
	ck_abort_msg("host %u is not there", number);
}

START_TEST(requester_and_responder)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange_at(&feed, A, B, 0x11, 0x22, 1, RESENT_PSN, 0);
	rda_feed_send(&feed, A, B, 0x22, 0xc000, RESENT_PSN);
	feed.meta.time_ns += INT64_C(3000000000);
	rda_feed_send(&feed, A, B, 0x22, 0xc000, RESENT_PSN);
	rda_feed_acknowledge(&feed, B, A, 0x11, 0xc000, RESENT_PSN);
	rda_feed_send(&feed, A, C, 0x33, 0xc001, RESENT_PSN); /* C says nothing */
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(host_of(&feed, A)->local_ack_timeout_err, 1);
	ck_assert_uint_eq(host_of(&feed, A)->retry_exceeded, 0);
	ck_assert_uint_eq(host_of(&feed, B)->duplicate_request, 0);
	ck_assert_uint_eq(host_of(&feed, B)->retry_exceeded, RDA_UNKNOWN);
	ck_assert_uint_eq(host_of(&feed, C)->duplicate_request, RDA_UNKNOWN);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_settle(void)
{
	Suite *suite = suite_create("settle");
	TCase *tcase = tcase_create("settle");

	tcase_add_test(tcase, requester_and_responder);
	suite_add_tcase(suite, tcase);
	return suite;
}
