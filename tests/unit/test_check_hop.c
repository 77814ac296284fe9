/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is judged of a hop that lost packets: certain, perhaps, several hops of one direction, and
 * what it explains.
 */
#include "analyzer/checks/hop/hop.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { FLOW = 4, CONNECTION = 2, SIDE = 1 };

static struct rda_judge judge;
static uint64_t places[3];

static void setup(void)
{
	memset(&judge, 0, sizeof(judge));
	rda_findings_init(&judge.findings, 0);
}

static void teardown(void)
{
	rda_findings_cleanup(&judge.findings);
}

static struct rda_hop_loss loss_of(uint64_t lost, uint64_t certain)
{
	places[0] = rda_place_id(0, 17);
	places[1] = rda_place_id(1, 3);
	places[2] = rda_place_id(0, 19);
	return (struct rda_hop_loss){
		.connection = CONNECTION,
		.side = SIDE,
		.flow = FLOW,
		.from = "left",
		.to = "right",
		.packets = 100,
		.lost = lost,
		.certain = certain,
		.places = places,
		.place_count = RDA_COUNT(places),
	};
}

static const struct rda_finding *ranked(uint32_t index)
{
	rda_findings_rank(&judge.findings);
	ck_assert_uint_lt(index, judge.findings.ranked_count);
	return judge.findings.ranked[index];
}

static void expect_words(const struct rda_finding *finding, const char *words)
{
	char *text = rda_finding_text(finding);

	ck_assert_str_eq(text, words);
	g_free(text);
}

START_TEST(certain_and_perhaps)
{
	struct rda_hop_loss loss = loss_of(5, 4);
	const struct rda_finding *finding;

	rda_check_hop_lost(&judge, &loss);
	finding = ranked(0);
	ck_assert_uint_eq(judge.findings.ranked_count, 1);
	ck_assert_int_eq(finding->proof, RDA_PROOF_PROVEN);
	ck_assert_int_eq(finding->severity, RDA_SEVERITY_WARNING);
	ck_assert_uint_eq(finding->count, 4);
	ck_assert_int_eq(finding->connection, CONNECTION);
	ck_assert_int_eq(finding->flow, SIDE);
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
	struct rda_hop_loss loss = loss_of(1, 0);

	rda_check_hop_lost(&judge, &loss);
	ck_assert_int_eq(ranked(0)->proof, RDA_PROOF_SUSPECTED);
	expect_words(ranked(0), "1 of 100 packets that passed left is not in the capture at right: "
				"lost on the way between these two taps, unless that capture "
				"missed it.");
}
END_TEST

START_TEST(two_hops_of_one_direction)
{
	struct rda_hop_loss loss = loss_of(5, 5);

	rda_check_hop_lost(&judge, &loss);
	loss.number = 1;
	loss.lost = loss.certain = 2;
	rda_check_hop_lost(&judge, &loss);
	ck_assert_uint_eq(ranked(0)->count, 5);
	ck_assert_uint_eq(ranked(1)->count, 2);
}
END_TEST

START_TEST(switched_off_or_weighed_otherwise)
{
	struct rda_hop_loss loss = loss_of(5, 5);

	judge.severity[RDA_CHECK_H01] = 1 + RDA_SEVERITY_ERROR;
	rda_check_hop_lost(&judge, &loss);
	ck_assert_int_eq(ranked(0)->severity, RDA_SEVERITY_ERROR);
	judge.off[RDA_CHECK_H01] = true;
	rda_check_hop_lost(&judge, &loss);
	rda_findings_rank(&judge.findings);
	ck_assert_uint_eq(judge.findings.ranked_count, 0);
}
END_TEST

/* What is lost behind the told tap is this, unless that is more. */
static bool explains(uint64_t lost_behind)
{
	const struct rda_subject flow = {RDA_SUBJECT_FLOW, FLOW};
	struct rda_hop_loss loss = loss_of(5, 5);
	struct rda_finding *effect = rda_finding_add_as(
		&judge.findings, RDA_CHECK_S02, RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED, flow, 0);

	effect->count = lost_behind;
	effect->cost_ns = 1000;
	rda_check_hop_lost(&judge, &loss);
	ck_assert_uint_eq(ranked(0)->key.check, lost_behind > 5 ? RDA_CHECK_S02 : RDA_CHECK_H01);
	return effect->explained_by >= 0;
}

START_TEST(the_effect_at_the_told_tap)
{
	ck_assert(explains(5));
}
END_TEST

START_TEST(more_than_the_hop_lost)
{
	ck_assert(!explains(6));
}
END_TEST

Suite *rda_suite_check_hop(void)
{
	Suite *suite = suite_create("check_hop");
	TCase *tcase = tcase_create("check_hop");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, certain_and_perhaps);
	tcase_add_test(tcase, nothing_is_certain);
	tcase_add_test(tcase, two_hops_of_one_direction);
	tcase_add_test(tcase, switched_off_or_weighed_otherwise);
	tcase_add_test(tcase, the_effect_at_the_told_tap);
	tcase_add_test(tcase, more_than_the_hop_lost);
	suite_add_tcase(suite, tcase);
	return suite;
}
