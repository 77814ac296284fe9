/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is judged of a hop: lost packets, certain or perhaps, of several hops of one direction; what
 * else became of packets; and what all that explains.
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

static struct rda_hop_way way_of(uint64_t lost, uint64_t certain)
{
	places[0] = rda_place_id(0, 17);
	places[1] = rda_place_id(1, 3);
	places[2] = rda_place_id(0, 19);
	return (struct rda_hop_way){
		.connection = CONNECTION,
		.side = SIDE,
		.flow = FLOW,
		.other = OTHER,
		.is_most = true,
		.is_behind = true,
		.from = "left",
		.to = "right",
		.packets = 100,
		.sender = -1,
		.lost = {lost, places, RDA_COUNT(places)},
		.certain = certain,
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
	struct rda_hop_way way = way_of(5, 4);
	const struct rda_finding *finding;

	rda_check_hop_way(&judge, &way);
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
	struct rda_hop_way way = way_of(1, 0);

	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(ranked(0)->proof, RDA_PROOF_SUSPECTED);
	expect_words(ranked(0), "1 of 100 packets that passed left is not in the capture at right: "
				"lost on the way between these two taps, unless that capture "
				"missed it.");
}
END_TEST

START_TEST(two_hops_of_one_direction)
{
	struct rda_hop_way way = way_of(5, 5);

	rda_check_hop_way(&judge, &way);
	way.number = 1;
	way.lost.count = way.certain = 2;
	rda_check_hop_way(&judge, &way);
	ck_assert_uint_eq(ranked(0)->count, 5);
	ck_assert_uint_eq(ranked(1)->count, 2);
}
END_TEST

START_TEST(switched_off_or_weighed_otherwise)
{
	struct rda_hop_way way = way_of(5, 5);

	judge.severity[RDA_CHECK_H01] = 1 + RDA_SEVERITY_ERROR;
	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(ranked(0)->severity, RDA_SEVERITY_ERROR);
	judge.off[RDA_CHECK_H01] = true;
	rda_check_hop_way(&judge, &way);
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
static bool explains(const struct rda_hop_way *way, const struct rda_finding *effect)
{
	rda_check_hop_way(&judge, way);
	ck_assert_uint_eq(ranked(0)->key.check == RDA_CHECK_H01, effect->explained);
	return effect->explained_by >= 0;
}

START_TEST(the_effect_at_the_told_tap)
{
	struct rda_hop_way way = way_of(5, 5);

	ck_assert(explains(&way, tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, FLOW, 5)));
}
END_TEST

START_TEST(more_than_the_hop_lost)
{
	struct rda_hop_way way = way_of(5, 5);

	ck_assert(!explains(&way, tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, FLOW, 6)));
}
END_TEST

/* Requests or their answers were lost there, and of each run of resends one finding has the cost.
 */
START_TEST(timeouts)
{
	struct rda_hop_way way = way_of(5, 5);

	tell(RDA_CHECK_S01, RDA_PROOF_PROVEN, FLOW, 1);
	tell(RDA_CHECK_S01, RDA_PROOF_SUSPECTED, FLOW, 1); /* of the same runs */
	tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, FLOW, 2);
	tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, FLOW, 5);
	ck_assert(explains(&way, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, OTHER, 5)));
	ck_assert_int_eq(ranked(0)->cost_ns, 4000);
}
END_TEST

START_TEST(segments_of_tcp)
{
	struct rda_hop_way way = way_of(5, 0);

	ck_assert(explains(&way, tell(RDA_CHECK_W27, RDA_PROOF_PROVEN, FLOW, 5)));
}
END_TEST

START_TEST(timeouts_beside_a_hop_that_lost_more)
{
	struct rda_hop_way way = way_of(5, 5);

	way.is_most = false;
	ck_assert(!explains(&way, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, FLOW, 1)));
}
END_TEST

START_TEST(timeouts_where_the_told_tap_saw_one_direction)
{
	struct rda_hop_way way = way_of(5, 5);

	way.other = -1;
	ck_assert(!explains(&way, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, OTHER, 1)));
}
END_TEST

/* A QP gave up, after so many transmissions of its last request. */
static bool explains_giving_up(uint32_t flow, uint64_t lost_last)
{
	struct rda_hop_way way = way_of(5, 5);
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, flow};
	struct rda_finding *effect = rda_finding_add_as(
		&judge.findings, RDA_CHECK_M09, RDA_SEVERITY_ERROR, RDA_PROOF_PROVEN, subject, 0);

	rda_finding_retell(effect, RDA_SAY_M09_SPENT, RDA_ARG_NUMBER("transmissions", 3));
	effect->cost_ns = 7000;
	way.lost_last = lost_last;
	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(ranked(0)->key.check, effect->explained ? RDA_CHECK_H01 : RDA_CHECK_M09);
	ck_assert_int_eq(ranked(!effect->explained)->cost_ns, effect->explained ? 7000 : 0);
	return effect->explained;
}

START_TEST(all_tries_were_lost)
{
	ck_assert(explains_giving_up(FLOW, 3));
}
END_TEST

START_TEST(all_answers_to_the_tries_were_lost)
{
	ck_assert(explains_giving_up(OTHER, 3));
}
END_TEST

START_TEST(a_try_had_come)
{
	ck_assert(!explains_giving_up(FLOW, 2));
}
END_TEST

/* ---- other fates ----------------------------------------------------------------------------- */

static struct rda_hop_cases cases(uint64_t count)
{
	return (struct rda_hop_cases){count, places, RDA_COUNT(places)};
}

START_TEST(damaged)
{
	struct rda_hop_way way = way_of(0, 0);

	way.damaged = cases(5);
	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(ranked(0)->key.check, RDA_CHECK_H02);
	ck_assert_int_eq(ranked(0)->proof, RDA_PROOF_PROVEN);
	ck_assert_int_eq(ranked(0)->severity, RDA_SEVERITY_ERROR);
	expect_words(ranked(0), "5 of 100 packets that passed left came damaged to right: their "
				"checksum (ICRC, or TCP's) fits at the first and does not fit at "
				"the second of these two taps.");
}
END_TEST

START_TEST(damaged_where_others_were_before)
{
	struct rda_hop_way way = way_of(0, 0);

	way.damaged = cases(5);
	way.broken_before = true;
	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(ranked(0)->proof, RDA_PROOF_SUSPECTED);
}
END_TEST

/* What the told tap says of damage is this, if all of the host's was done here. */
START_TEST(damage_that_the_told_tap_sees)
{
	const struct rda_subject host = {RDA_SUBJECT_HOST, 9};
	struct rda_hop_way way = way_of(0, 0);
	struct rda_finding *effect = rda_finding_add_as(
		&judge.findings, RDA_CHECK_F01, RDA_SEVERITY_ERROR, RDA_PROOF_PROVEN, host, 0);

	effect->count = 5;
	way.sender = 9;
	way.damaged = cases(4);
	rda_check_hop_way(&judge, &way);
	ck_assert(!effect->explained);
	way.damaged = cases(5);
	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(effect->cause_check, RDA_CHECK_H02);
}
END_TEST

/* Who drops what came damaged is asked for it again: of more damaged packets than lost ones. */
START_TEST(damage_makes_timers_fire)
{
	struct rda_hop_way way = way_of(1, 1);
	struct rda_finding *timeout = tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, FLOW, 3);

	way.damaged = cases(2);
	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(timeout->cause_check, RDA_CHECK_H02);
	ck_assert_int_eq(ranked(0)->cost_ns, 1000);
}
END_TEST

static const struct rda_finding *overtaken(enum rda_check effect, bool is_told)
{
	struct rda_hop_way way = way_of(0, 0);

	if (is_told)
		tell(effect, RDA_PROOF_SUSPECTED, FLOW, 3);
	way.overtaken = cases(3);
	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(ranked(0)->key.check, RDA_CHECK_H03);
	return ranked(0);
}

START_TEST(overtaken_and_tolerated)
{
	ck_assert_int_eq(overtaken(RDA_CHECK_S02, false)->severity, RDA_SEVERITY_NOTE);
}
END_TEST

START_TEST(overtaken_and_sent_again)
{
	ck_assert_int_eq(overtaken(RDA_CHECK_S02, true)->severity, RDA_SEVERITY_WARNING);
}
END_TEST

START_TEST(overtaken_before_the_told_tap)
{
	ck_assert_int_eq(overtaken(RDA_CHECK_Q10, true)->severity, RDA_SEVERITY_WARNING);
}
END_TEST

START_TEST(changed_marked_and_doubled)
{
	struct rda_hop_way way = way_of(0, 0);

	way.reclassed = cases(4);
	way.dscp = 26;
	way.other_dscp = 0;
	way.marked = cases(3);
	way.doubled = cases(1);
	rda_check_hop_way(&judge, &way);
	ck_assert_int_eq(ranked(0)->key.check, RDA_CHECK_H04);
	expect_words(ranked(0), "4 of 100 packets that passed left came to right with another "
				"DSCP: the first with 0 instead of 26.");
	ck_assert_int_eq(ranked(1)->key.check, RDA_CHECK_H05);
	ck_assert_int_eq(ranked(2)->key.check, RDA_CHECK_H06);
	expect_words(ranked(2), "1 packet that passed left is in the capture at right once more: "
				"copied between these two taps, or by the mirror that feeds the "
				"second.");
}
END_TEST

/* ---- answers that passed --------------------------------------------------------------------- */

/* Requests came again behind their answer, which passed the told tap and not the next one. */
static bool explains_answered(bool is_behind, enum rda_saying saying)
{
	struct rda_hop_way way = way_of(5, 5);
	struct rda_finding *effect = tell(RDA_CHECK_S05, RDA_PROOF_PROVEN, OTHER, 2);

	rda_finding_retell(effect, saying, RDA_ARG_NUMBER("answered", 2),
			   RDA_ARG_TIME("answer_ns", 5000));
	way.is_behind = is_behind;
	return explains(&way, effect);
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
	tcase_add_test(tcase, all_tries_were_lost);
	tcase_add_test(tcase, all_answers_to_the_tries_were_lost);
	tcase_add_test(tcase, a_try_had_come);
	tcase_add_test(tcase, damaged);
	tcase_add_test(tcase, damaged_where_others_were_before);
	tcase_add_test(tcase, damage_that_the_told_tap_sees);
	tcase_add_test(tcase, damage_makes_timers_fire);
	tcase_add_test(tcase, overtaken_and_tolerated);
	tcase_add_test(tcase, overtaken_and_sent_again);
	tcase_add_test(tcase, overtaken_before_the_told_tap);
	tcase_add_test(tcase, changed_marked_and_doubled);
	suite_add_tcase(suite, tcase);
	return suite;
}
