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

Suite *rda_suite_finding_move(void)
{
	Suite *suite = suite_create("finding_move");
	TCase *tcase = tcase_create("move");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, two_become_one);
	suite_add_tcase(suite, tcase);
	return suite;
}
