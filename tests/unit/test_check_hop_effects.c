/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the told tap says of packets that were lost, damaged or overtaken on a way between taps.
 */
#include "analyzer/checks/hop/state.h"

#include "tests/unit/hop_ways.h"
#include "tests/unit/suite.h"

/* A finding of the told tap, which weighs more than the hop's. */
static struct rda_finding *tell(enum rda_check check, enum rda_proof proof, uint32_t flow,
				uint64_t count)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, flow};
	struct rda_finding *effect =
		rda_finding_add_proof(&rda_way_judge.findings, check, proof, subject, 0);

	effect->count = count;
	effect->cost_ns = 1000;
	return effect;
}

/* What is lost behind the told tap is this, unless that is more. */
static bool explains(const struct rda_hop_way *way, const struct rda_finding *effect)
{
	rda_check_hop_way(&rda_way_judge, way);
	ck_assert_uint_eq(rda_way_ranked(0)->key.check == RDA_CHECK_H01, effect->explained);
	return effect->explained_by >= 0;
}

START_TEST(the_effect_at_the_told_tap)
{
	struct rda_hop_way way = rda_way_of(5, 5);

	ck_assert(explains(&way, tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 5)));
}
END_TEST

START_TEST(more_than_the_hop_lost)
{
	struct rda_hop_way way = rda_way_of(5, 5);

	ck_assert(!explains(&way, tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 6)));
}
END_TEST

START_TEST(segments_of_tcp)
{
	struct rda_hop_way way = rda_way_of(5, 0);

	struct rda_finding *effect = tell(RDA_CHECK_W27, RDA_PROOF_PROVEN, RDA_WAY_FLOW, 5);

	rda_finding_retell(effect, RDA_SAY_W27_SEGMENTS, RDA_ARG_NUMBER("segments", 9),
			   RDA_ARG_NUMBER("late", 5));
	ck_assert(explains(&way, effect));
}
END_TEST

START_TEST(a_window_that_was_closed)
{
	struct rda_hop_way way = rda_way_of(5, 5);
	struct rda_finding *effect = tell(RDA_CHECK_W27, RDA_PROOF_PROVEN, RDA_WAY_FLOW, 1);

	rda_finding_retell(effect, RDA_SAY_W27_SEGMENTS, RDA_ARG_NUMBER("segments", 9),
			   RDA_ARG_NUMBER("zero_windows", 1));
	ck_assert(!explains(&way, effect));
}
END_TEST

/* Each way has what it made, though they are of one direction. */
START_TEST(the_second_of_two_ways)
{
	struct rda_hop_way way = rda_way_of(0, 0);
	struct rda_finding *effect = tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 4);

	way.lost = rda_cases_of(1);
	rda_check_hop_way(&rda_way_judge, &way);
	way.number = 1;
	way.lost = rda_cases_of(5);
	way.certain = 5;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_uint_eq(rda_way_ranked(0)->count, 5);
	ck_assert_int_eq(rda_way_ranked(0)->cost_ns, 1000);
	ck_assert_int_eq(effect->explained_by, 0);
}
END_TEST

START_TEST(what_something_else_explains)
{
	struct rda_hop_way way = rda_way_of(5, 5);
	struct rda_finding *effect = tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 1);

	rda_finding_explain(effect, RDA_CHECK_M09,
			    (struct rda_subject){RDA_SUBJECT_FLOW, RDA_WAY_FLOW});
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(effect->cause_check, RDA_CHECK_M09);
}
END_TEST

START_TEST(before_or_behind_the_told_tap)
{
	struct rda_hop_way way = rda_way_of(5, 5);
	struct rda_finding *missing = tell(RDA_CHECK_S01, RDA_PROOF_PROVEN, RDA_WAY_FLOW, 1);
	struct rda_finding *behind = tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 1);

	way.is_before = way.is_behind = false;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert(!missing->explained && !behind->explained);
	way.is_before = true;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert(missing->explained && !behind->explained);
	way.is_behind = true;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert(behind->explained);
}
END_TEST

/* Requests or their answers were lost there, and of each run of resends one finding has the cost.
 */
START_TEST(timeouts)
{
	struct rda_hop_way way = rda_way_of(5, 5);

	tell(RDA_CHECK_S01, RDA_PROOF_PROVEN, RDA_WAY_FLOW, 1);
	tell(RDA_CHECK_S01, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 1); /* of the same runs */
	tell(RDA_CHECK_S02, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 2);
	tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 5);
	ck_assert(explains(&way, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, RDA_WAY_OTHER, 5)));
	ck_assert_int_eq(rda_way_ranked(0)->cost_ns, 4000);
}
END_TEST

START_TEST(timeouts_beside_a_hop_that_lost_more)
{
	struct rda_hop_way way = rda_way_of(5, 5);

	way.most_requests = false;
	ck_assert(!explains(&way, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 1)));
}
END_TEST

START_TEST(timeouts_where_the_told_tap_saw_one_direction)
{
	struct rda_hop_way way = rda_way_of(5, 5);

	way.other = -1;
	ck_assert(!explains(&way, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, RDA_WAY_OTHER, 1)));
}
END_TEST

START_TEST(most_of_the_timeouts)
{
	struct rda_hop_way way = rda_way_of(5, 5);
	struct rda_finding *effect = tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 8);

	way.all_requests = 4;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert(!effect->explained);
	way.all_requests = 6; /* others of them elsewhere */
	way.requests.lost_stalls = 4;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(effect->cause_check, RDA_CHECK_H01);
	ck_assert_int_eq(rda_way_ranked(0)->cost_ns, 500);
}
END_TEST

/* What is lost, and something stands for it at once, makes no timer fire. */
START_TEST(losses_without_a_stall)
{
	struct rda_hop_way way = rda_way_of(5, 5);

	way.all_answers = 0;
	ck_assert(!explains(&way, tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, RDA_WAY_OTHER, 1)));
}
END_TEST

/* A QP gave up, after so many transmissions of its last request. */
static bool explains_giving_up(uint32_t flow, uint64_t tries_lost)
{
	struct rda_hop_way way = rda_way_of(5, 5);
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, flow};
	struct rda_finding *effect =
		rda_finding_add_as(&rda_way_judge.findings, RDA_CHECK_M09, RDA_SEVERITY_ERROR,
				   RDA_PROOF_PROVEN, subject, 0);

	rda_finding_retell(effect, RDA_SAY_M09_SPENT, RDA_ARG_NUMBER("transmissions", 3));
	effect->cost_ns = 7000;
	way.all_requests = way.all_answers = 0;
	*(flow == RDA_WAY_FLOW ? &way.requests : &way.answers) =
		(struct rda_hop_missed){.lost_tries = tries_lost};
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(rda_way_ranked(0)->key.check,
			 effect->explained ? RDA_CHECK_H01 : RDA_CHECK_M09);
	ck_assert_int_eq(rda_way_ranked(!effect->explained)->cost_ns, effect->explained ? 7000 : 0);
	return effect->explained;
}

START_TEST(all_tries_were_lost)
{
	ck_assert(explains_giving_up(RDA_WAY_FLOW, 3));
}
END_TEST

START_TEST(all_answers_to_the_tries_were_lost)
{
	ck_assert(explains_giving_up(RDA_WAY_OTHER, 3));
}
END_TEST

START_TEST(a_try_had_come)
{
	ck_assert(!explains_giving_up(RDA_WAY_FLOW, 2));
}
END_TEST

/* What the told tap says of damage is this, if all of the host's was done here. */
START_TEST(damage_that_the_told_tap_sees)
{
	const struct rda_subject host = {RDA_SUBJECT_HOST, 9};
	struct rda_hop_way way = rda_way_of(0, 0);
	struct rda_finding *effect =
		rda_finding_add_as(&rda_way_judge.findings, RDA_CHECK_F01, RDA_SEVERITY_ERROR,
				   RDA_PROOF_PROVEN, host, 0);

	effect->count = 5;
	rda_finding_frame(effect, rda_way_places[1]);
	way.sender = 9;
	way.damaged = rda_cases_of(4);
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert(!effect->explained);
	way.damaged = (struct rda_hop_cases){5, rda_way_places + 1, 2}; /* other packets */
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert(!effect->explained);
	way.damaged = rda_cases_of(5);
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(effect->cause_check, RDA_CHECK_H02);
}
END_TEST

/* Of three tries two came damaged: more than were lost. */
START_TEST(most_tries_came_damaged)
{
	struct rda_hop_way way = rda_way_of(5, 5);
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, RDA_WAY_FLOW};
	struct rda_finding *effect =
		rda_finding_add(&rda_way_judge.findings, RDA_CHECK_M09, subject, 0);

	rda_finding_retell(effect, RDA_SAY_M09_SPENT, RDA_ARG_NUMBER("transmissions", 3));
	way.damaged = rda_cases_of(2);
	way.requests = (struct rda_hop_missed){.lost_tries = 1, .damaged_tries = 2};
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(effect->cause_check, RDA_CHECK_H02);
}
END_TEST

/* Who drops what came damaged is asked for it again: of more damaged packets than lost ones. */
START_TEST(damage_makes_timers_fire)
{
	struct rda_hop_way way = rda_way_of(1, 1);
	struct rda_finding *timeout = tell(RDA_CHECK_S04, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 3);

	way.damaged = rda_cases_of(2);
	way.requests = (struct rda_hop_missed){.lost_stalls = 1, .damaged_stalls = 2};
	way.all_requests = 3;
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(timeout->cause_check, RDA_CHECK_H02);
	ck_assert_int_eq(rda_way_ranked(0)->cost_ns, 1000);
}
END_TEST

static const struct rda_finding *overtaken(enum rda_check effect, enum rda_severity severity)
{
	struct rda_hop_way way = rda_way_of(0, 0);

	tell(effect, RDA_PROOF_SUSPECTED, RDA_WAY_FLOW, 3)->severity = severity;
	way.overtaken = rda_cases_of(3);
	rda_check_hop_way(&rda_way_judge, &way);
	ck_assert_int_eq(rda_way_ranked(0)->key.check, RDA_CHECK_H03);
	ck_assert_int_eq(rda_way_ranked(1)->explained_by, 0);
	return rda_way_ranked(0);
}

START_TEST(overtaken_and_tolerated)
{
	ck_assert_int_eq(overtaken(RDA_CHECK_Q10, RDA_SEVERITY_NOTE)->severity, RDA_SEVERITY_NOTE);
}
END_TEST

START_TEST(overtaken_and_sent_again)
{
	ck_assert_int_eq(overtaken(RDA_CHECK_S02, RDA_SEVERITY_WARNING)->severity,
			 RDA_SEVERITY_WARNING);
}
END_TEST

/* Q10 is a note that is a warning where it made packets come again. */
START_TEST(overtaken_before_the_told_tap)
{
	ck_assert_int_eq(overtaken(RDA_CHECK_Q10, RDA_SEVERITY_WARNING)->severity,
			 RDA_SEVERITY_WARNING);
}
END_TEST

/* Requests came again behind their answer, which passed the told tap and not the next one. */
static bool explains_answered(bool is_behind, enum rda_saying saying)
{
	struct rda_hop_way way = rda_way_of(5, 5);
	struct rda_finding *effect = tell(RDA_CHECK_S05, RDA_PROOF_PROVEN, RDA_WAY_OTHER, 2);

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

Suite *rda_suite_check_hop_effects(void)
{
	Suite *suite = suite_create("check_hop_effects");
	TCase *tcase = tcase_create("check_hop_effects");

	tcase_add_checked_fixture(tcase, rda_way_setup, rda_way_teardown);
	tcase_add_test(tcase, the_effect_at_the_told_tap);
	tcase_add_test(tcase, more_than_the_hop_lost);
	tcase_add_test(tcase, segments_of_tcp);
	tcase_add_test(tcase, a_window_that_was_closed);
	tcase_add_test(tcase, the_second_of_two_ways);
	tcase_add_test(tcase, what_something_else_explains);
	tcase_add_test(tcase, before_or_behind_the_told_tap);
	tcase_add_test(tcase, timeouts);
	tcase_add_test(tcase, timeouts_beside_a_hop_that_lost_more);
	tcase_add_test(tcase, timeouts_where_the_told_tap_saw_one_direction);
	tcase_add_test(tcase, losses_without_a_stall);
	tcase_add_test(tcase, most_of_the_timeouts);
	tcase_add_test(tcase, all_tries_were_lost);
	tcase_add_test(tcase, all_answers_to_the_tries_were_lost);
	tcase_add_test(tcase, a_try_had_come);
	tcase_add_test(tcase, damage_that_the_told_tap_sees);
	tcase_add_test(tcase, most_tries_came_damaged);
	tcase_add_test(tcase, damage_makes_timers_fire);
	tcase_add_test(tcase, overtaken_and_tolerated);
	tcase_add_test(tcase, overtaken_and_sent_again);
	tcase_add_test(tcase, overtaken_before_the_told_tap);
	tcase_add_test(tcase, answers_that_passed_the_told_tap);
	tcase_add_test(tcase, answers_lost_before_the_told_tap);
	tcase_add_test(tcase, timers_that_were_too_early);
	suite_add_tcase(suite, tcase);
	return suite;
}
