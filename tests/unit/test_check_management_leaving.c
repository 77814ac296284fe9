/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A side leaves: what is outstanding then, and what is not.
 */
#include "analyzer/checks/management/state.h"

#include "dissectors/values.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, QP_A = 0x11, QP_B = 0x22, PORT = 0xc000, AGREED = 1000, DREQ = 0x15 };

enum { ACK = 0x1f, NAK_ACCESS = 0x62 };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, AGREED, 5000);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static uint64_t left_behind(void)
{
	uint64_t count = 0;

	rda_engine_finish(feed.engine);
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(feed.engine, i);

		count += finding->key.check == RDA_CHECK_M10 ? finding->count : 0;
	}
	return count;
}

static void answer(uint8_t syndrome, uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(syndrome, 0);
	struct rda_recipe recipe = rda_packet_of(B, A, QP_A, 0x11, psn);

	recipe = rda_with(recipe, &aeth);
	rda_feed(&feed, &recipe);
}

static void leave(void)
{
	rda_feed_cm(&feed,
		    &(struct rda_cm_message){
			    .from = A, .to = B, .attribute = DREQ, .local_id = 1, .remote_id = 2});
}

/* What A has not got an answer to when it leaves, and whether it gets one after. */
static const struct {
	bool answered_before, answered_after;
	uint64_t count;
} leaves[] = {
	{true, false, 0},
	{false, true, 0},
	{false, false, 1},
};

START_TEST(work_at_the_end)
{
	rda_feed_send(&feed, A, B, QP_B, PORT, AGREED);
	answer(ACK, AGREED);
	rda_feed_send(&feed, A, B, QP_B, PORT, AGREED + 1);
	if (leaves[_i].answered_before)
		answer(ACK, AGREED + 1);
	leave();
	if (leaves[_i].answered_after)
		answer(ACK, AGREED + 1);
	ck_assert_uint_eq(left_behind(), leaves[_i].count);
}
END_TEST

/* A refusal before A leaves ended the QP. */
START_TEST(refused)
{
	rda_feed_send(&feed, A, B, QP_B, PORT, AGREED);
	answer(ACK, AGREED);
	rda_feed_send(&feed, A, B, QP_B, PORT, AGREED + 1);
	if (_i)
		answer(NAK_ACCESS, AGREED + 1);
	leave();
	ck_assert_uint_eq(left_behind(), _i ? 0 : 1);
}
END_TEST

Suite *rda_suite_check_management_leaving(void)
{
	Suite *suite = suite_create("check_management_leaving");
	TCase *tcase = tcase_create("check_management_leaving");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, work_at_the_end, 0, RDA_COUNT(leaves));
	tcase_add_loop_test(tcase, refused, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
