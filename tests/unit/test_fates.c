/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hops on which something happened to packets become findings: each direction its own, as certain
 * as its second tap is.
 */
#include "analyzer/taps/fates.h"

#include "analyzer/engine/result_state.h"
#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { CLIENT = 1, SERVER = 2, TIMES = 10, PORT = 0xc000, HOPS = 4 };

static struct rda_result *result;
static struct rda_hop_shown shown; /* frames of none */

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
		 .proven = 5,
		 .shown = &shown},
		{.flow = 0,
		 .from = 1,
		 .to = 2,
		 .ordered = true,
		 .packets = 7,
		 .lost = 1,
		 .lost_new = 1,
		 .shown = &shown},
		{.flow = 1, .from = 1, .to = 0, .ordered = true, .packets = 10},
		{.flow = 1,
		 .from = 2,
		 .to = 1,
		 .ordered = false,
		 .packets = 10,
		 .lost = 9,
		 .shown = &shown},
	};
	uint32_t tap_of[] = {0};
	const struct rda_taps taps = {.tap_of = tap_of,
				      .taps = three,
				      .count = 3,
				      .group_count = 1,
				      .hops = hops,
				      .hop_count = HOPS};

	rda_taps_fates(&taps, result);
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

/* The direction whose hop explains a timeout of flow 0's requests; of each `lost` is what it lost.
 */
static unsigned explains_timeout(const uint64_t lost[2])
{
	const int32_t *flows = rda_result_connection(result, 0)->flows;
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, (uint32_t)flows[0]};
	struct rda_finding *timeout =
		rda_finding_add_as(&result->judge.findings, RDA_CHECK_S04, RDA_SEVERITY_WARNING,
				   RDA_PROOF_SUSPECTED, subject, 0);
	char left[] = "left", right[] = "right";
	uint32_t tap_of[] = {0};
	struct rda_tap two[] = {{.name = left}, {.name = right}};
	struct rda_hop hops[] = {
		{.from = 0,
		 .to = 1,
		 .ordered = true,
		 .packets = TIMES,
		 .lost = lost[0],
		 .stalls = {[RDA_GAP_REQUESTS] = {lost[0]}},
		 .shown = &shown},
		{.flow = 1,
		 .from = 1,
		 .to = 0,
		 .ordered = true,
		 .packets = TIMES,
		 .lost = lost[1],
		 .stalls = {[RDA_GAP_ANSWERS] = {lost[1]}},
		 .shown = &shown},
	};
	const struct rda_taps taps = {.tap_of = tap_of,
				      .taps = two,
				      .count = 2,
				      .group_count = 1,
				      .hops = hops,
				      .hop_count = RDA_COUNT(hops)};

	timeout->count = 1;
	rda_taps_fates(&taps, result);
	ck_assert_uint_eq(timeout->cause_check, RDA_CHECK_H01);
	return timeout->cause_subject.index == (uint32_t)flows[1];
}

START_TEST(timeouts_are_told_of_the_hop_that_lost_the_most)
{
	ck_assert_uint_eq(explains_timeout((uint64_t[]){3, 2}), 0);
}
END_TEST

START_TEST(of_the_answers_hop_too)
{
	ck_assert_uint_eq(explains_timeout((uint64_t[]){3, 4}), 1);
}
END_TEST

START_TEST(of_the_first_of_two_that_lost_alike)
{
	ck_assert_uint_eq(explains_timeout((uint64_t[]){3, 3}), 0);
}
END_TEST

/* One way on which packets came damaged; their finding, or NULL. */
static const struct rda_finding *damaged(struct rda_hop hop)
{
	char left[] = "left", right[] = "right";
	uint32_t tap_of[] = {0};
	struct rda_tap two[] = {{.name = left}, {.name = right}};
	const struct rda_taps taps = {.tap_of = tap_of,
				      .taps = two,
				      .count = 2,
				      .group_count = 1,
				      .hops = &hop,
				      .hop_count = 1};

	hop.to = 1;
	hop.ordered = true;
	hop.shown = &shown;
	rda_taps_fates(&taps, result);
	for (unsigned i = 0; i < rda_result_finding_count(result); i++)
		if (rda_result_finding(result, i)->key.check == RDA_CHECK_H02)
			return rda_result_finding(result, i);
	return NULL;
}

START_TEST(some_came_damaged)
{
	const struct rda_finding *finding =
		damaged((struct rda_hop){.packets = 100, .order_is_sure = true, .icrc_broken = 85});

	ck_assert_uint_eq(finding->count, 85);
	ck_assert_int_eq(finding->proof, RDA_PROOF_PROVEN);
}
END_TEST

START_TEST(some_were_damaged_before)
{
	ck_assert_int_eq(damaged((struct rda_hop){.packets = 100,
						  .order_is_sure = true,
						  .icrc_broken = 5,
						  .broken_before = 1})
				 ->proof,
			 RDA_PROOF_SUSPECTED);
}
END_TEST

START_TEST(some_damaged_ones_may_be_others)
{
	ck_assert_int_eq(damaged((struct rda_hop){.packets = 100,
						  .order_is_sure = true,
						  .icrc_broken = 5,
						  .unsure = 1u << RDA_HOP_DAMAGED})
				 ->proof,
			 RDA_PROOF_SUSPECTED);
}
END_TEST

/* It may have been damaged before both, on the other way round. */
START_TEST(the_order_is_as_it_seems)
{
	ck_assert_int_eq(damaged((struct rda_hop){.packets = 100, .icrc_broken = 5})->proof,
			 RDA_PROOF_SUSPECTED);
}
END_TEST

Suite *rda_suite_fates(void)
{
	Suite *suite = suite_create("fates");
	TCase *tcase = tcase_create("fates");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, hops_become_findings);
	tcase_add_test(tcase, timeouts_are_told_of_the_hop_that_lost_the_most);
	tcase_add_test(tcase, of_the_answers_hop_too);
	tcase_add_test(tcase, some_came_damaged);
	tcase_add_test(tcase, some_were_damaged_before);
	tcase_add_test(tcase, the_order_is_as_it_seems);
	tcase_add_test(tcase, some_damaged_ones_may_be_others);
	tcase_add_test(tcase, of_the_first_of_two_that_lost_alike);
	suite_add_tcase(suite, tcase);
	return suite;
}
