/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings: gathered by check and subject, ranked, capped.
 */
#include "analyzer/checks/finding.h"

#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <glib.h>

static const struct rda_subject flow = {RDA_SUBJECT_FLOW, 3}, other = {RDA_SUBJECT_FLOW, 4};
static struct rda_findings findings;

static void setup(void)
{
	rda_findings_init(&findings, 1);
}

static void teardown(void)
{
	rda_findings_cleanup(&findings);
}

START_TEST(cases_of_one_subject_are_one_finding)
{
	struct rda_finding *finding = rda_finding_add(&findings, RDA_CHECK_F05, flow, 7);

	ck_assert(!rda_finding_is_said(finding));
	ck_assert_ptr_null(rda_finding_text(finding));
	rda_finding_say(finding, RDA_SAY_F05_FULL, RDA_ARG_WORD("opcode", "SEND Middle"),
			RDA_ARG_NUMBER("pad", 2));
	ck_assert_ptr_eq(rda_finding_add(&findings, RDA_CHECK_F05, flow, 9), finding);
	rda_finding_say(finding, RDA_SAY_F05_PAD_EXCEEDS, RDA_ARG_NONE);
	rda_finding_frame(finding, 7);
	ck_assert_uint_eq(finding->count, 2);
	ck_assert_uint_eq(finding->place_count, 2);
	ck_assert(g_str_has_prefix(rda_said_by(finding), "SEND Middle has a pad count of 2:"));
	rda_finding_retell(finding, RDA_SAY_F05_FULL, RDA_ARG_WORD("opcode", "WRITE Middle"),
			   RDA_ARG_NUMBER("pad", 3));
	ck_assert(g_str_has_prefix(rda_said_by(finding), "WRITE Middle has a pad count of 3:"));
	ck_assert_ptr_ne(rda_finding_add(&findings, RDA_CHECK_F05, other, 9), finding);
	ck_assert_ptr_ne(rda_finding_add(&findings, RDA_CHECK_F06, flow, 9), finding);
	ck_assert_ptr_eq(rda_finding_find(&findings, RDA_CHECK_F05, flow), finding);
	ck_assert_ptr_null(rda_finding_find(&findings, RDA_CHECK_F07, flow));
}
END_TEST

START_TEST(only_the_first_frames_are_kept)
{
	struct rda_finding *finding = NULL;

	for (unsigned i = 1; i <= RDA_FINDING_FRAMES + 5; i++)
		finding = rda_finding_add(&findings, RDA_CHECK_F05, flow, i);
	ck_assert_uint_eq(finding->count, RDA_FINDING_FRAMES + 5);
	ck_assert_uint_eq(finding->place_count, RDA_FINDING_FRAMES);
	ck_assert_uint_eq(finding->places[RDA_FINDING_FRAMES - 1], RDA_FINDING_FRAMES);
	ck_assert_uint_eq(finding->more_count, 0);
}
END_TEST

START_TEST(all_frames_are_kept_where_they_are_asked_for)
{
	struct rda_finding *finding = NULL;
	struct rda_findings copy;

	findings.keep_all = true;
	for (unsigned i = 1; i <= 3 * RDA_FINDING_FRAMES; i++) {
		finding = rda_finding_add(&findings, RDA_CHECK_F05, flow, i);
		rda_finding_frame(finding, i);
	}
	rda_findings_copy(&copy, &findings);
	rda_finding_frame(finding, 1000);
	finding = rda_finding_find(&copy, RDA_CHECK_F05, flow);
	ck_assert_uint_eq(finding->place_count, RDA_FINDING_FRAMES);
	ck_assert_uint_eq(finding->more_count, 2 * RDA_FINDING_FRAMES);
	for (unsigned i = 0; i < finding->more_count; i++)
		ck_assert_uint_eq(finding->more[i], RDA_FINDING_FRAMES + 1 + i);
	rda_finding_frame(finding, 1001); /* a copy may grow */
	ck_assert_uint_eq(finding->more[2 * RDA_FINDING_FRAMES], 1001);
	rda_findings_cleanup(&copy);
}
END_TEST

/* severity, then proof of errors and cost of others, then count; what is withheld is not told */
START_TEST(the_weightiest_is_first)
{
	struct rda_finding *note, *cheap, *dear, *dearer, *error, *unsure, *withheld;

	note = rda_finding_add(&findings, RDA_CHECK_F02, flow, 1);
	cheap = rda_finding_add(&findings, RDA_CHECK_F06, flow, 1);
	rda_finding_add(&findings, RDA_CHECK_F06, flow, 2);
	dear = rda_finding_add(&findings, RDA_CHECK_F06, other, 3);
	dear->cost_ns = 5;
	dearer = rda_finding_add_as(&findings, RDA_CHECK_F06, RDA_SEVERITY_WARNING,
				    RDA_PROOF_SUSPECTED, other, 3);
	dearer->cost_ns = 6;
	error = rda_finding_add(&findings, RDA_CHECK_F01, flow, 4);
	unsure = rda_finding_add_as(&findings, RDA_CHECK_F01, RDA_SEVERITY_ERROR,
				    RDA_PROOF_SUSPECTED, flow, 4);
	unsure->cost_ns = 7;
	withheld = rda_finding_add(&findings, RDA_CHECK_F01, other, 4);
	withheld->withheld = true;
	rda_findings_rank(&findings);
	ck_assert_uint_eq(findings.ranked_count, 6);
	ck_assert_ptr_eq(findings.ranked[0], error);
	ck_assert_ptr_eq(findings.ranked[1], unsure);
	ck_assert_ptr_eq(findings.ranked[2], dearer);
	ck_assert_ptr_eq(findings.ranked[3], dear);
	ck_assert_ptr_eq(findings.ranked[4], cheap);
	ck_assert_ptr_eq(findings.ranked[5], note);
}
END_TEST

/* The weightiest are told, whenever they were found; what is not told explains nothing. */
START_TEST(their_number_is_capped)
{
	struct rda_subject subject = {RDA_SUBJECT_FLOW, 0};
	struct rda_finding *light, *error;

	for (; subject.index < RDA_FINDINGS_MAX + 3; subject.index++)
		rda_finding_add(&findings, RDA_CHECK_F05, subject, 1)->cost_ns = 1;
	light = rda_finding_add(&findings, RDA_CHECK_F05, subject, 1);
	rda_finding_add(&findings, RDA_CHECK_F05, subject, 2);
	error = rda_finding_add(&findings, RDA_CHECK_F01, flow, 4);
	error->cost_ns = 9;
	rda_finding_explain(error, RDA_CHECK_F05, subject);
	rda_findings_rank(&findings);
	ck_assert_uint_eq(findings.ranked_count, RDA_FINDINGS_MAX);
	ck_assert_uint_eq(findings.not_told, 4 + light->count);
	ck_assert_ptr_eq(findings.ranked[0], error);
	ck_assert_int_eq(error->explained_by, -1);
	ck_assert_int_eq(light->rank, -1);
}
END_TEST

/* While they are gathered too: the lightest go, but for the latest; their cases are counted. */
START_TEST(their_number_is_capped_while_they_are_gathered)
{
	struct rda_subject subject = {RDA_SUBJECT_FLOW, 0};
	struct rda_finding *latest = NULL, *error;
	struct rda_findings copy;

	ck_assert_uint_eq(findings.most, 4 * RDA_FINDINGS_MAX);
	findings.most = 1000;
	error = rda_finding_add(&findings, RDA_CHECK_F01, flow, 4);
	error->cost_ns = 5000;
	for (uint64_t i = 1; i <= 1000; i++, subject.index++) {
		latest = rda_finding_add(&findings, RDA_CHECK_F05, subject, i);
		latest->cost_ns = (int64_t)(2000 - i);
	}
	/* 936 were old: the lighter half went */
	ck_assert_uint_eq(findings.table.count, 468 + RDA_FINDINGS_LATEST + 1);
	ck_assert_uint_eq(findings.not_kept, 468);
	ck_assert_ptr_eq(rda_finding_find(&findings, RDA_CHECK_F01, flow), error);
	ck_assert_ptr_eq(rda_finding_find(&findings, RDA_CHECK_F05, (struct rda_subject){0}), NULL);
	subject.index = 466;
	ck_assert_ptr_nonnull(rda_finding_find(&findings, RDA_CHECK_F05, subject));
	subject.index = 467;
	ck_assert_ptr_null(rda_finding_find(&findings, RDA_CHECK_F05, subject));
	subject.index = 935;
	ck_assert_ptr_nonnull(rda_finding_find(&findings, RDA_CHECK_F05, subject));
	subject.index = 999;
	ck_assert_ptr_eq(rda_finding_find(&findings, RDA_CHECK_F05, subject), latest);
	rda_findings_copy(&copy, &findings);
	rda_findings_rank(&copy);
	ck_assert_uint_eq(copy.ranked_count, 468 + RDA_FINDINGS_LATEST + 1);
	ck_assert_uint_eq(copy.not_told, 468);
	ck_assert_uint_eq(copy.most, 1000);
	rda_findings_cleanup(&copy);
}
END_TEST

/* by the weightiest of the finding's check and subject that is told; not by itself */
START_TEST(one_explains_another)
{
	struct rda_finding *timeouts = rda_finding_add(&findings, RDA_CHECK_S04, flow, 1);
	struct rda_finding *gave_up, *unsure, *withheld;

	rda_finding_explain(timeouts, RDA_CHECK_M09, flow);
	gave_up = rda_finding_add(&findings, RDA_CHECK_M09, other, 1);
	rda_findings_rank(&findings);
	ck_assert_int_eq(timeouts->explained_by, -1);
	ck_assert_int_eq(gave_up->explained_by, -1);
	unsure = rda_finding_add_as(&findings, RDA_CHECK_M09, RDA_SEVERITY_ERROR,
				    RDA_PROOF_SUSPECTED, flow, 2);
	withheld = rda_finding_add_proof(&findings, RDA_CHECK_M09, RDA_PROOF_PROVEN, flow, 2);
	rda_findings_rank(&findings);
	ck_assert_int_eq(timeouts->explained_by, withheld->rank);
	withheld->withheld = true;
	rda_findings_rank(&findings);
	ck_assert_int_eq(timeouts->explained_by, unsure->rank);
	ck_assert_ptr_eq(findings.ranked[timeouts->explained_by], unsure);
	rda_finding_explain(timeouts, RDA_CHECK_S04, flow);
	rda_findings_rank(&findings);
	ck_assert_int_eq(timeouts->explained_by, -1);
}
END_TEST

/* a note that explains an error goes before it; two that explain each other stay as they weigh */
START_TEST(a_cause_goes_before_its_effects)
{
	struct rda_finding *gave_up = rda_finding_add(&findings, RDA_CHECK_M09, flow, 1);
	struct rda_finding *storm = rda_finding_add(&findings, RDA_CHECK_S15, flow, 1);
	struct rda_finding *amplified = rda_finding_add(&findings, RDA_CHECK_S16, flow, 1);
	struct rda_finding *lost = rda_finding_add(&findings, RDA_CHECK_S01, flow, 1);

	rda_finding_explain(gave_up, RDA_CHECK_S15, flow);
	rda_finding_explain(storm, RDA_CHECK_S16, flow);
	rda_findings_rank(&findings);
	ck_assert_ptr_eq(findings.ranked[0], amplified);
	ck_assert_ptr_eq(findings.ranked[1], storm);
	ck_assert_ptr_eq(findings.ranked[2], gave_up);
	ck_assert_ptr_eq(findings.ranked[3], lost);
	ck_assert_int_eq(gave_up->explained_by, 1);
	ck_assert_int_eq(storm->explained_by, 0);
	rda_finding_explain(amplified, RDA_CHECK_M09, flow);
	rda_findings_rank(&findings);
	for (unsigned i = 0; i < findings.ranked_count; i++)
		ck_assert_int_eq(findings.ranked[i]->rank, i);
	ck_assert_ptr_eq(findings.ranked[3], lost);
}
END_TEST

START_TEST(a_case_may_have_advice_of_its_own)
{
	struct rda_finding *acks = rda_finding_add(&findings, RDA_CHECK_S01, flow, 1);

	ck_assert_ptr_null(rda_finding_advice(acks));
	rda_finding_say(acks, RDA_SAY_S01_UC, RDA_ARG_NUMBER("missing", 2),
			RDA_ARG_NUMBER("torn", 1));
	ck_assert_ptr_nonnull(strstr(rda_finding_advice(acks), "stays lost"));
	rda_finding_retell(acks, RDA_SAY_S01_AT_END, RDA_ARG_NUMBER("missing", 2));
	ck_assert_ptr_null(rda_finding_advice(acks));
}
END_TEST

START_TEST(a_copy_has_its_own_words)
{
	struct rda_finding *finding = rda_finding_add(&findings, RDA_CHECK_F12, flow, 1), copy;

	rda_finding_copy(&copy, finding);
	ck_assert(!rda_finding_is_said(&copy));
	rda_finding_cleanup(&copy);
	rda_finding_say(finding, RDA_SAY_F12_NO_PAYLOAD, RDA_ARG_TEXT("opcode", "SEND Last"),
			RDA_ARG_PSN("psn", 7));
	rda_finding_copy(&copy, finding);
	rda_finding_retell(finding, RDA_SAY_F12_NO_PAYLOAD, RDA_ARG_TEXT("opcode", "WRITE Last"),
			   RDA_ARG_PSN("psn", 8));
	ck_assert_str_eq(rda_said_by(&copy), "SEND Last (PSN 7) has no payload.");
	ck_assert_uint_eq(copy.count, 1);
	rda_finding_cleanup(&copy);
}
END_TEST

/* Of several findings of a check about one subject it is this one. */
START_TEST(one_of_several_explains_another)
{
	struct rda_finding *effect = rda_finding_add(&findings, RDA_CHECK_S02, flow, 1);
	struct rda_finding *cause[2];

	for (uint32_t i = 0; i < 2; i++) {
		findings.overall = i ? RDA_FINDING_HOP + i : 0;
		cause[i] = rda_finding_add(&findings, RDA_CHECK_H01, flow, 2);
	}
	findings.overall = 0;
	rda_finding_explain_by(effect, cause[1]);
	rda_findings_rank(&findings);
	ck_assert_int_eq(effect->explained_by, cause[1]->rank);
	rda_finding_explain_by(effect, cause[0]);
	rda_findings_rank(&findings);
	ck_assert_int_eq(effect->explained_by, cause[0]->rank);
}
END_TEST

Suite *rda_suite_finding(void)
{
	Suite *suite = suite_create("finding");
	TCase *tcase = tcase_create("finding");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, cases_of_one_subject_are_one_finding);
	tcase_add_test(tcase, only_the_first_frames_are_kept);
	tcase_add_test(tcase, all_frames_are_kept_where_they_are_asked_for);
	tcase_add_test(tcase, the_weightiest_is_first);
	tcase_add_test(tcase, one_explains_another);
	tcase_add_test(tcase, a_cause_goes_before_its_effects);
	tcase_add_test(tcase, one_of_several_explains_another);
	tcase_add_test(tcase, a_case_may_have_advice_of_its_own);
	tcase_add_test(tcase, a_copy_has_its_own_words);
	tcase_add_test(tcase, their_number_is_capped);
	tcase_add_test(tcase, their_number_is_capped_while_they_are_gathered);
	suite_add_tcase(suite, tcase);
	return suite;
}
