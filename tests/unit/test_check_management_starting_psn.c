/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M05: what a direction begins with, and what its responder says to it.
 */
#include "analyzer/checks/management/state.h"

#include "dissectors/values.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, QP_A = 0x11, QP_B = 0x22, PORT = 0xc000, AGREED = 1000 };

static struct rda_feed feed;

static void setup(void)
{
	rda_feed_begin(&feed);
}

static void teardown(void)
{
	rda_feed_end(&feed);
}

static uint64_t count_of(uint8_t *proof)
{
	uint64_t count = 0;

	rda_engine_finish(feed.engine);
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(feed.engine, i);

		if (finding->key.check != RDA_CHECK_M05)
			continue;
		*proof = finding->proof;
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

/* The first PSN that A sends, and what B says to it. */
static const struct {
	uint32_t first;
	uint8_t syndrome; /* 0xff: nothing */
	uint32_t psn;
	bool again; /* A sends the same once more */
	uint64_t count;
	uint8_t proof;
} starts[] = {
	{AGREED, 0x1f, AGREED, false, 0, 0},
	{AGREED - 1, 0x1f, AGREED - 1, false, 1, RDA_PROOF_PROVEN},
	{AGREED - 3, 0x1f, AGREED - 3, false, 0, 0},		  /* PSNs went round, unseen */
	{AGREED + 3, 0x1f, AGREED + 3, false, 0, 0},		  /* the capture missed three */
	{AGREED + 3, 0x60, AGREED, true, 1, RDA_PROOF_SUSPECTED}, /* or three are lost each time */
	{AGREED + 3, 0x60, AGREED, false, 0, 0},		  /* the capture ends too soon */
	{AGREED + 3, 0x60, AGREED + 1, true, 0, 0},		  /* it has the agreed one */
	{AGREED + 3, 0xff, 0, true, 1, RDA_PROOF_SUSPECTED},
	{AGREED - 1, 0x61, AGREED, false, 1, RDA_PROOF_PROVEN},
};

START_TEST(starting_psn)
{
	uint8_t proof = 0;

	agree();
	rda_feed_send(&feed, A, B, QP_B, PORT, starts[_i].first);
	if (starts[_i].syndrome != 0xff)
		answer(starts[_i].syndrome, starts[_i].psn);
	feed.meta.time_ns += 30000000;
	if (starts[_i].again)
		rda_feed_send(&feed, A, B, QP_B, PORT, starts[_i].first);
	ck_assert_uint_eq(count_of(&proof), starts[_i].count);
	ck_assert_uint_eq(proof, starts[_i].proof);
}
END_TEST

Suite *rda_suite_check_management_starting_psn(void)
{
	Suite *suite = suite_create("check_management_starting_psn");
	TCase *tcase = tcase_create("check_management_starting_psn");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, starting_psn, 0, RDA_COUNT(starts));
	suite_add_tcase(suite, tcase);
	return suite;
}
