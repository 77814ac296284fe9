/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is judged of a hop that lost packets: certain, perhaps, several hops of one direction, and
 * what it explains.
 */
#include "analyzer/checks/hop/hop.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { FLOW = 4, OTHER = 7, CONNECTION = 2, SIDE = 1 };

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
		.other = OTHER,
		.is_most = true,
		.is_behind = true,
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

/* A finding of the told tap, which weighs more than the hop's. */
static struct rda_finding *tell(enum rda_check check, enum rda_proof proof, uint32_t flow,
				uint64_t count)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, flow};
	struct rda_finding *effect =
		rda_finding_add_as(&judge.findings, check, RDA_SEVERITY_WARNING, proof, subject, 0);

	effect->count = count;
	effect->cost_ns = 1000;
	return effect;
}

/* What is lost behind the told tap is this, unless that is more. */
static bool explains(const struct rda_hop_loss *loss, const struct rda_finding *effect)
{
	rda_check_hop_lost(&judge, loss);
	ck_assert_uint_eq(ranked(0)->key.check == RDA_CHECK_H01, effect->explained);
	return effect->explained_by >= 0;
}

START_TEST(the_effect_at_the_told_tap)
{
	struct rda_hop_loss loss = loss_of(5, 5);

	ck_assert(explains(&loss, tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, FLOW, 5)));
}
END_TEST

START_TEST(more_than_the_hop_lost)
{
	struct rda_hop_loss loss = loss_of(5, 5);

	ck_assert(!explains(&loss, tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, FLOW, 6)));
}
END_TEST

/* Requests or their answers were lost there, and of each run of resends one finding has the cost.
 */
START_TEST(timeouts)
{
	struct rda_hop_loss loss = loss_of(5, 5);

	tell(RDA_CHECK_S01, RDA_PROOF_PROVEN, FLOW, 1);
	tell(RDA_CHECK_S01, RDA_PROOF_SUSPECTED, FLOW, 1); /* of the same runs */
	tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, FLOW, 2);
	tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, FLOW, 5);
	ck_assert(explains(&loss, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, OTHER, 5)));
	ck_assert_int_eq(ranked(0)->cost_ns, 4000);
}
END_TEST

START_TEST(segments_of_tcp)
{
	struct rda_hop_loss loss = loss_of(5, 0);

	ck_assert(explains(&loss, tell(RDA_CHECK_W27, RDA_PROOF_PROVEN, FLOW, 5)));
}
END_TEST

START_TEST(timeouts_beside_a_hop_that_lost_more)
{
	struct rda_hop_loss loss = loss_of(5, 5);

	loss.is_most = false;
	ck_assert(!explains(&loss, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, FLOW, 1)));
}
END_TEST

START_TEST(timeouts_where_the_told_tap_saw_one_direction)
{
	struct rda_hop_loss loss = loss_of(5, 5);

	loss.other = -1;
	ck_assert(!explains(&loss, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, OTHER, 1)));
}
END_TEST

/* Requests came again behind their answer, which passed the told tap and not the next one. */
static bool explains_answered(bool is_behind, enum rda_saying saying)
{
	struct rda_hop_loss loss = loss_of(5, 5);
	struct rda_finding *effect = tell(RDA_CHECK_S05, RDA_PROOF_PROVEN, OTHER, 2);

	rda_finding_retell(effect, saying, RDA_ARG_NUMBER("answered", 2),
			   RDA_ARG_TIME("answer_ns", 5000));
	loss.is_behind = is_behind;
	return explains(&loss, effect);
}

START_TEST(answers_that_passed_the_told_tap)
{
	ck_assert(explains_answered(true, RDA_SAY_S05_ANSWERED));
}
END_TEST

START_TEST(answers_lost_before_the_told_tap)
{
	ck_assert(!explains_answered(false, RDA_SAY_S05_ANSWERED));
}
END_TEST

START_TEST(timers_that_were_too_early)
{
	ck_assert(!explains_answered(true, RDA_SAY_S05_EARLY));
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
	tcase_add_test(tcase, timeouts);
	tcase_add_test(tcase, segments_of_tcp);
	tcase_add_test(tcase, timeouts_beside_a_hop_that_lost_more);
	tcase_add_test(tcase, timeouts_where_the_told_tap_saw_one_direction);
	tcase_add_test(tcase, answers_that_passed_the_told_tap);
	tcase_add_test(tcase, answers_lost_before_the_told_tap);
	tcase_add_test(tcase, timers_that_were_too_early);
	suite_add_tcase(suite, tcase);
	return suite;
}
