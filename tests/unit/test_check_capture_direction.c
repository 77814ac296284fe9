/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When one direction is said to be missing. tests/scenarios/capture tells what is said of it.
 */
#include "analyzer/checks/judge.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

static const struct rda_finding *missing_direction(void)
{
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++)
		if (rda_engine_finding(feed.engine, i)->key.check == RDA_CHECK_Q03)
			return rda_engine_finding(feed.engine, i);
	return NULL;
}

/* A capture that ends behind a request is no proof of silence: two must be unanswered. */
START_TEST(one_unanswered_request_is_no_missing_direction)
{
	for (unsigned packets = 1; packets <= 2; packets++) {
		rda_feed_begin(&feed);
		for (unsigned i = 0; i < packets; i++) {
			struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, RC_SEND_ONLY, 5 + i);

			recipe.ack_req = true;
			rda_feed(&feed, &recipe);
		}
		rda_engine_finish(feed.engine);
		ck_assert_int_eq(missing_direction() != NULL, packets == 2);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_capture_direction(void)
{
	Suite *suite = suite_create("check_capture_direction");
	TCase *tcase = tcase_create("check_capture_direction");

	tcase_add_test(tcase, one_unanswered_request_is_no_missing_direction);
	suite_add_tcase(suite, tcase);
	return suite;
}
