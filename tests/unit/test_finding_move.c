/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that change what they are about: they stay, go, or become one.
 */
#include "analyzer/checks/finding.h"

#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <glib.h>

static struct rda_findings findings;

static void setup(void)
{
	rda_findings_init(&findings, 1);
}

static void teardown(void)
{
	rda_findings_cleanup(&findings);
}

/* Flows 0 and 1 become the capture, 2 goes, the others follow each other. */
static bool move(struct rda_finding *finding, void *context)
{
	struct rda_subject *subject = &finding->key.subject;

	(*(unsigned *)context)++;
	if (subject->index < 2)
		*subject = (struct rda_subject){RDA_SUBJECT_CAPTURE, 0};
	else if (subject->index == 2)
		return false;
	else
		subject->index -= 3;
	return true;
}

static struct rda_finding *add(uint32_t flow, uint64_t place, int64_t cost_ns, uint64_t pad)
{
	struct rda_finding *finding = rda_finding_add(
		&findings, RDA_CHECK_F05, (struct rda_subject){RDA_SUBJECT_FLOW, flow}, place);

	finding->cost_ns = cost_ns;
	rda_finding_say(finding, RDA_SAY_F05_FULL, RDA_ARG_WORD("opcode", "SEND Middle"),
			RDA_ARG_NUMBER("pad", pad));
	return finding;
}

START_TEST(two_become_one)
{
	unsigned moved = 0;
	struct rda_finding *both, *other;

	add(0, 9, 5, 1)->proof = RDA_PROOF_SUSPECTED;
	add(1, 7, 6, 2);
	add(1, 9, 6, 2);
	add(2, 8, 0, 3);
	add(4, 6, 0, 0);
	rda_findings_move(&findings, move, &moved);
	ck_assert_uint_eq(moved, 4);
	ck_assert_uint_eq(findings.table.count, 2);
	both = rda_finding_find(&findings, RDA_CHECK_F05,
				(struct rda_subject){RDA_SUBJECT_CAPTURE, 0});
	ck_assert_uint_eq(both->count, 3);
	ck_assert_int_eq(both->cost_ns, 11);
	ck_assert_int_eq(both->proof, RDA_PROOF_SUSPECTED);
	ck_assert_uint_eq(both->place_count, 2);
	ck_assert_uint_eq(both->places[0], 7);
	ck_assert_uint_eq(both->places[1], 9);
	ck_assert(g_str_has_prefix(rda_said_by(both), "SEND Middle has a pad count of 2:"));
	other = rda_finding_find(&findings, RDA_CHECK_F05,
				 (struct rda_subject){RDA_SUBJECT_FLOW, 1});
	ck_assert_uint_eq(other->places[0], 6);
	ck_assert_ptr_eq(findings.table.items[1], other);
}
END_TEST

/* Of one that is withheld nothing is told, and none of its cases. */
START_TEST(what_is_withheld_stays_so)
{
	const struct rda_subject capture = {RDA_SUBJECT_CAPTURE, 0};
	unsigned moved = 0;

	for (unsigned first = 0; first < 2; first++) {
		struct rda_finding *both;

		teardown();
		setup();
		add(0, 7, 5, 1)->withheld = first == 0;
		add(1, 9, 6, 2)->withheld = first == 1;
		rda_findings_move(&findings, move, &moved);
		both = rda_finding_find(&findings, RDA_CHECK_F05, capture);
		ck_assert(!both->withheld);
		ck_assert_uint_eq(both->count, 1);
		ck_assert_uint_eq(both->place_count, 1);
		ck_assert_uint_eq(both->places[0], first == 0 ? 9 : 7);
		ck_assert_int_eq(both->key.subject.kind, RDA_SUBJECT_CAPTURE);
	}
}
END_TEST

/* Where all frames are kept those of both are. */
START_TEST(all_frames_of_both)
{
	struct rda_finding *both;
	unsigned moved = 0;

	findings.keep_all = true;
	for (uint64_t place = 1; place <= 40; place++)
		add(place % 2, place, 0, 1);
	rda_findings_move(&findings, move, &moved);
	both = rda_finding_find(&findings, RDA_CHECK_F05,
				(struct rda_subject){RDA_SUBJECT_CAPTURE, 0});
	ck_assert_uint_eq(both->count, 40);
	ck_assert_uint_eq(both->place_count, RDA_FINDING_FRAMES);
	ck_assert_uint_eq(both->more_count, 40 - RDA_FINDING_FRAMES);
	for (unsigned i = 0; i < 40; i++)
		ck_assert_uint_eq(i < RDA_FINDING_FRAMES ? both->places[i]
							 : both->more[i - RDA_FINDING_FRAMES],
				  i + 1);
}
END_TEST

START_TEST(subjects_move)
{
	const uint32_t flows[] = {1, RDA_GONE}, hosts[] = {5};
	const struct rda_moved moved = {.flows = flows, .hosts = hosts};
	struct rda_subject capture = {RDA_SUBJECT_CAPTURE, 3}, host = {RDA_SUBJECT_HOST, 0},
			   one = {RDA_SUBJECT_FLOW, 0}, gone = {RDA_SUBJECT_FLOW, 1},
			   connection = {RDA_SUBJECT_CONNECTION, 7};

	ck_assert(rda_subject_move(&capture, &moved) && capture.index == 3);
	ck_assert(rda_subject_move(&host, &moved) && host.index == 5);
	ck_assert(rda_subject_move(&one, &moved) && one.index == 1);
	ck_assert(rda_subject_move(&connection, &moved) && connection.index == 7);
	ck_assert(!rda_subject_move(&gone, &moved));
}
END_TEST

static unsigned told(void)
{
	rda_findings_rank(&findings);
	return findings.ranked_count;
}

START_TEST(what_is_taken_back_was_never_found)
{
	struct rda_finding *finding = add(3, 7, 5, 2);
	const struct rda_subject subject = finding->key.subject;
	const enum rda_check check = (enum rda_check)finding->key.check;
	struct rda_finding *suspected = rda_finding_add_as(&findings, check, RDA_SEVERITY_NOTE,
							   RDA_PROOF_SUSPECTED, subject, 8);

	rda_finding_say(suspected, RDA_SAY_F05_PAD_EXCEEDS, RDA_ARG_NONE);
	add(4, 7, 5, 2);
	ck_assert_uint_eq(told(), 3);
	rda_findings_take_back(&findings, check, subject);
	ck_assert_int_eq(finding->cost_ns, 0);
	ck_assert_uint_eq(told(), 1);
	ck_assert_ptr_eq(add(3, 9, 1, 3), finding);
	ck_assert_uint_eq(told(), 2);
	ck_assert_uint_eq(finding->count, 1);
	ck_assert_uint_eq(finding->place_count, 1);
	ck_assert_uint_eq(finding->places[0], 9);
	ck_assert_ptr_nonnull(strstr(rda_said_by(finding), "a pad count of 3"));
}
END_TEST

Suite *rda_suite_finding_move(void)
{
	Suite *suite = suite_create("finding_move");
	TCase *tcase = tcase_create("move");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, two_become_one);
	tcase_add_test(tcase, what_is_withheld_stays_so);
	tcase_add_test(tcase, all_frames_of_both);
	tcase_add_test(tcase, subjects_move);
	tcase_add_test(tcase, what_is_taken_back_was_never_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
