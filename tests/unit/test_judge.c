/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the capture lacks weakens or silences a finding.
 */
#include "analyzer/checks/judge.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

/* One flow from host 1 to host 2, whose peer is not there. */
static void judge_one_way(enum rda_check check, struct rda_finding *told, uint64_t *withheld)
{
	struct rda_findings *findings;
	struct rda_judge *judge;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5);
	judge = (struct rda_judge *)(void *)rda_engine_judge(feed.engine);
	findings = &judge->findings;
	rda_finding_add(findings, check, (struct rda_subject){RDA_SUBJECT_FLOW, 0}, 1);
	rda_engine_finish(feed.engine);
	judge = (struct rda_judge *)(void *)rda_engine_judge(feed.engine);
	*told = *(struct rda_finding *)rda_finding_find(&judge->findings, check,
							(struct rda_subject){RDA_SUBJECT_FLOW, 0});
	*withheld = judge->withheld[check];
	rda_feed_end(&feed);
}

START_TEST(what_needs_more_is_suspected)
{
	struct rda_finding told;
	uint64_t withheld;

	judge_one_way(RDA_CHECK_S03, &told, &withheld);
	ck_assert(!told.withheld);
	ck_assert_uint_eq(told.proof, RDA_PROOF_SUSPECTED);
	ck_assert_int_eq(told.connection, 0);
	ck_assert_int_eq(told.flow, 0);
}
END_TEST

START_TEST(what_requires_more_is_withheld)
{
	struct rda_finding told;
	uint64_t withheld;

	judge_one_way(RDA_CHECK_A06, &told, &withheld);
	ck_assert(told.withheld);
	ck_assert_uint_eq(withheld, 1);
}
END_TEST

START_TEST(what_is_switched_off_is_not_told)
{
	for (unsigned off = 0; off < 2; off++) {
		struct rda_config config = {.checks_off[RDA_CHECK_S03] = off};
		struct rda_feed feed = {.engine = rda_engine_new(&config)};
		struct rda_judge *judge = (struct rda_judge *)(void *)rda_engine_judge(feed.engine);

		rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5);
		rda_finding_add(&judge->findings, RDA_CHECK_S03,
				(struct rda_subject){RDA_SUBJECT_FLOW, 0}, 1);
		rda_engine_finish(feed.engine);
		ck_assert_uint_eq(rda_engine_finding_count(feed.engine), !off);
		/* the capture lacks nothing */
		ck_assert_uint_eq(rda_engine_judge(feed.engine)->withheld[RDA_CHECK_S03], 0);
		rda_engine_drop(feed.engine);
	}
}
END_TEST

START_TEST(what_is_weighed_anew_is_told_so)
{
	for (unsigned weight = 0; weight <= RDA_SEVERITY_ERROR + 1; weight++) {
		struct rda_config config = {.checks_severity[RDA_CHECK_S03] = (uint8_t)weight};
		struct rda_feed feed = {.engine = rda_engine_new(&config)};
		struct rda_judge *judge = (struct rda_judge *)(void *)rda_engine_judge(feed.engine);
		int own = rda_check_row(RDA_CHECK_S03)->severity;

		rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5);
		rda_finding_add(&judge->findings, RDA_CHECK_S03,
				(struct rda_subject){RDA_SUBJECT_FLOW, 0}, 1);
		rda_engine_finish(feed.engine);
		ck_assert_int_eq(rda_engine_finding(feed.engine, 0)->severity,
				 weight ? (int)weight - 1 : own);
		rda_engine_drop(feed.engine);
	}
}
END_TEST

START_TEST(keys_are_kept_up_to_the_cap)
{
	struct rda_config config = {.keys_cap = 1};
	struct rda_feed feed = {.engine = rda_engine_new(&config)};

	for (uint32_t key = 0x55; key < 0x57; key++) {
		struct rda_extended reth = rda_reth(0x1000, key, 0);
		struct rda_recipe recipe = rda_with(rda_packet_of(1, 2, 0x11, 0x0a, key), &reth);

		rda_feed(&feed, &recipe);
	}
	rda_engine_finish(feed.engine);
	ck_assert_uint_eq(rda_engine_key_count(feed.engine), 1);
	ck_assert_uint_eq(rda_engine_keys_not_kept(feed.engine), 1);
	rda_engine_drop(feed.engine);
}
END_TEST

Suite *rda_suite_judge(void)
{
	Suite *suite = suite_create("judge");
	TCase *tcase = tcase_create("judge");

	tcase_add_test(tcase, what_needs_more_is_suspected);
	tcase_add_test(tcase, what_requires_more_is_withheld);
	tcase_add_test(tcase, what_is_switched_off_is_not_told);
	tcase_add_test(tcase, what_is_weighed_anew_is_told_so);
	tcase_add_test(tcase, keys_are_kept_up_to_the_cap);
	suite_add_tcase(suite, tcase);
	return suite;
}
