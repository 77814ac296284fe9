/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hops that lost packets become findings: each direction its own, as certain as its second tap is.
 */
#include "analyzer/taps/loss.h"

#include "analyzer/engine/result.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { CLIENT = 1, SERVER = 2, TIMES = 10, PORT = 0xc000, HOPS = 4 };

static struct rda_result *result;

static void setup(void)
{
	struct rda_feed feed;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < TIMES; i++) {
		rda_feed_send(&feed, CLIENT, SERVER, 0x11, PORT, i);
		rda_feed_acknowledge(&feed, SERVER, CLIENT, 0x22, PORT, i);
	}
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
}

static void teardown(void)
{
	rda_result_free(result);
}

/* Its finding; NULL: none. `index`: of those of the check, in their order. */
static const struct rda_finding *lost(uint32_t index)
{
	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (finding->key.check == RDA_CHECK_H01 && !index--)
			return finding;
	}
	return NULL;
}

START_TEST(hops_become_findings)
{
	char left[] = "left", middle[] = "middle", right[] = "right";
	struct rda_tap three[] = {{.name = left}, {.name = middle}, {.name = right}};
	struct rda_hop hops[HOPS] = {
		{.flow = 0,
		 .from = 0,
		 .to = 1,
		 .ordered = true,
		 .packets = 10,
		 .lost = 3,
		 .lost_new = 2,
		 .watched = true},
		{.flow = 0,
		 .from = 1,
		 .to = 2,
		 .ordered = true,
		 .packets = 7,
		 .lost = 1,
		 .lost_new = 1,
		 .watched = false},
		{.flow = 1, .from = 1, .to = 0, .ordered = true, .packets = 10},
		{.flow = 1, .from = 2, .to = 1, .ordered = false, .packets = 10, .lost = 9},
	};
	const struct rda_taps taps = {
		.taps = three, .count = 3, .group_count = 1, .hops = hops, .hop_count = HOPS};

	rda_taps_loss(&taps, result);
	ck_assert_ptr_nonnull(lost(0));
	ck_assert_uint_eq(lost(0)->count, 2);
	ck_assert_int_eq(lost(0)->proof, RDA_PROOF_PROVEN);
	ck_assert_int_eq(lost(0)->flow, 0);
	ck_assert_ptr_nonnull(lost(1));
	ck_assert_uint_eq(lost(1)->count, 1);
	ck_assert_int_eq(lost(1)->proof, RDA_PROOF_SUSPECTED); /* the last tap may have missed it */
	ck_assert_ptr_null(lost(2)); /* nothing was lost, or nobody knows which tap comes first */
}
END_TEST

Suite *rda_suite_loss(void)
{
	Suite *suite = suite_create("loss");
	TCase *tcase = tcase_create("loss");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, hops_become_findings);
	suite_add_tcase(suite, tcase);
	return suite;
}
