/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is judged of a way between two taps: lost packets, certain or perhaps, on several ways of
 * one direction; and what else became of packets.
 */
#include "analyzer/checks/hop/hop.h"

#include "tests/unit/hop_ways.h"
#include "tests/unit/suite.h"

#include <glib.h>

static void expect_words(const struct rda_finding *finding, const char *words)
{
	char *text = rda_finding_text(finding);

	ck_assert_str_eq(text, words);
	g_free(text);
}

START_TEST(certain_and_perhaps)
{
	struct rda_hop_way way = rda_way_of(5, 4);
	const struct rda_finding *finding;

	rda_check_hop_way(&rda_way_judge, &way);
	finding = rda_way_ranked(0);
	ck_assert_uint_eq(rda_way_judge.findings.ranked_count, 1);
	ck_assert_int_eq(finding->proof, RDA_PROOF_PROVEN);
	ck_assert_int_eq(finding->severity, RDA_SEVERITY_WARNING);
	ck_assert_uint_eq(finding->count, 4);
	ck_assert_int_eq(finding->connection, RDA_WAY_CONNECTION);
	ck_assert_int_eq(finding->flow, RDA_WAY_SIDE);
	ck_assert_uint_eq(finding->place_count, 3);
	ck_assert_uint_eq(finding->places[1], rda_place_id(1, 3));
	expect_words(finding,
		     "4 of 100 packets that passed left did not come to right: lost on the "
		     "way between these two taps. 1 more is missing at right, sent again "
		     "or unanswered: lost there too, unless the capture at right missed "
		     "it.");
}
END_TEST

START_TEST(nothing_is_certain)
{
	struct rda_hop_way way = rda_way_of(1, 0);

	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(rda_way_ranked(0)->proof, RDA_PROOF_SUSPECTED);
	expect_words(rda_way_ranked(0),
		     "1 of 100 packets that passed left is not in the capture at right: "
		     "lost on the way between these two taps, unless that capture "
		     "missed it.");
}
END_TEST

/* It came whole to its receiver: nothing is wrong with the way. */
START_TEST(misread)
{
	struct rda_hop_way way = rda_way_of(0, 0);

	way.misread = rda_cases_of(2);
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(rda_way_ranked(0)->severity, RDA_SEVERITY_NOTE);
	ck_assert_int_eq(rda_way_ranked(0)->proof, RDA_PROOF_SUSPECTED);
	expect_words(rda_way_ranked(0),
		     "2 of 100 packets that passed left are damaged in the capture at right, but "
		     "were acknowledged and not sent again: they came whole, and what captures at "
		     "right damaged them, as it seems.");
}
END_TEST

START_TEST(two_hops_of_one_direction)
{
	struct rda_hop_way way = rda_way_of(5, 5);

	rda_check_hop_way(&rda_way_judge, &way);
	way.number = 1;
	way.lost.count = way.certain = 2;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_uint_eq(rda_way_ranked(0)->count, 5);
	ck_assert_uint_eq(rda_way_ranked(1)->count, 2);
}
END_TEST

START_TEST(switched_off_or_weighed_otherwise)
{
	struct rda_hop_way way = rda_way_of(5, 5);

	rda_way_judge.severity[RDA_CHECK_H01] = 1 + RDA_SEVERITY_ERROR;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(rda_way_ranked(0)->severity, RDA_SEVERITY_ERROR);
	rda_way_judge.off[RDA_CHECK_H01] = true;
	rda_check_hop_way(&rda_way_judge, &way);
	rda_findings_rank(&rda_way_judge.findings);
	ck_assert_uint_eq(rda_way_judge.findings.ranked_count, 0);
}
END_TEST

START_TEST(damaged)
{
	struct rda_hop_way way = rda_way_of(0, 0);

	way.damaged = rda_cases_of(5);
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(rda_way_ranked(0)->key.check, RDA_CHECK_H02);
	ck_assert_int_eq(rda_way_ranked(0)->proof, RDA_PROOF_PROVEN);
	ck_assert_int_eq(rda_way_ranked(0)->severity, RDA_SEVERITY_ERROR);
	expect_words(rda_way_ranked(0),
		     "5 of 100 packets that passed left came damaged to right: their "
		     "checksums fit at the first and do not fit at the second of these "
		     "two taps.");
}
END_TEST

START_TEST(damaged_perhaps)
{
	struct rda_hop_way way = rda_way_of(0, 0);

	way.damaged = rda_cases_of(5);
	way.damaged_is_sure = false;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(rda_way_ranked(0)->proof, RDA_PROOF_SUSPECTED);
}
END_TEST

START_TEST(changed_marked_and_doubled)
{
	struct rda_hop_way way = rda_way_of(0, 0);

	way.reclassed = rda_cases_of(4);
	way.dscp = 26;
	way.other_dscp = 0;
	way.marked = rda_cases_of(3);
	way.doubled = rda_cases_of(1);
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(rda_way_ranked(0)->key.check, RDA_CHECK_H04);
	expect_words(rda_way_ranked(0),
		     "4 of 100 packets that passed left came to right with another "
		     "DSCP: the first with 0 instead of 26.");
	ck_assert_int_eq(rda_way_ranked(1)->key.check, RDA_CHECK_H05);
	ck_assert_int_eq(rda_way_ranked(2)->key.check, RDA_CHECK_H06);
	expect_words(rda_way_ranked(2),
		     "1 packet that passed left is in the capture at right once more: "
		     "copied between these two taps or by the mirror that feeds the "
		     "second, or sent again with the same identification and missed by "
		     "the capture at left.");
}
END_TEST

Suite *rda_suite_check_hop(void)
{
	Suite *suite = suite_create("check_hop");
	TCase *tcase = tcase_create("check_hop");

	tcase_add_checked_fixture(tcase, rda_way_setup, rda_way_teardown);
	tcase_add_test(tcase, certain_and_perhaps);
	tcase_add_test(tcase, nothing_is_certain);
	tcase_add_test(tcase, misread);
	tcase_add_test(tcase, two_hops_of_one_direction);
	tcase_add_test(tcase, switched_off_or_weighed_otherwise);
	tcase_add_test(tcase, damaged);
	tcase_add_test(tcase, damaged_perhaps);
	tcase_add_test(tcase, changed_marked_and_doubled);
	suite_add_tcase(suite, tcase);
	return suite;
}
