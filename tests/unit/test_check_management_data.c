/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections against what was agreed: what fires each check, and what just does not.
 */
#include "analyzer/checks/management/state.h"

#include "dissectors/values.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum {
	A = 1,
	B = 2,
	QP_A = 0x11,
	QP_B = 0x22,
	PORT = 0xc000,
	AGREED = 1000,
	DREQ = 0x15,
	DREP = 0x16
};

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static uint64_t count_of(enum rda_check check)
{
	uint64_t count = 0;

	rda_engine_finish(feed.engine);
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(feed.engine, i);

		if (finding->key.check == check)
			count += finding->count;
	}
	return count;
}

static void agree(void)
{
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, AGREED, 5000);
}

static void answer(uint8_t syndrome, uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(syndrome, 0);
	struct rda_recipe recipe = rda_packet_of(B, A, QP_A, 0x11, psn);

	recipe = rda_with(recipe, &aeth);
	rda_feed(&feed, &recipe);
}

static void leave(uint16_t attribute)
{
	rda_feed_cm(&feed, &(struct rda_cm_message){.from = attribute == DREQ ? A : B,
						    .to = attribute == DREQ ? B : A,
						    .attribute = attribute,
						    .local_id = attribute == DREQ ? 1 : 2,
						    .remote_id = attribute == DREQ ? 2 : 1});
}

START_TEST(traffic_after_the_end)
{
	agree();
	rda_feed_send(&feed, A, B, QP_B, PORT, AGREED);
	answer(0x1f, AGREED);
	leave(DREQ);
	leave(DREP);
	feed.meta.time_ns += RDA_AFTER_DREP_NS - (_i ? 0 : RDA_FEED_STEP_NS);
	rda_feed_send(&feed, A, B, QP_B, PORT, AGREED + 1);
	ck_assert_uint_eq(count_of(RDA_CHECK_M12), (uint64_t)_i);
}
END_TEST

Suite *rda_suite_check_management_data(void)
{
	Suite *suite = suite_create("check_management_data");
	TCase *tcase = tcase_create("check_management_data");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, traffic_after_the_end, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
