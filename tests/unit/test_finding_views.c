/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of a finding.
 */
#include "analyzer/checks/finding.h"

#include "tests/unit/suite.h"

static const struct rda_subject flow = {RDA_SUBJECT_FLOW, 3};
static struct rda_findings findings;

static void setup(void)
{
	rda_findings_init(&findings, 1);
}

static void teardown(void)
{
	rda_findings_cleanup(&findings);
}

START_TEST(a_finding_is_asked)
{
	struct rda_finding *finding = rda_finding_add(&findings, RDA_CHECK_F12,
						      (struct rda_subject){RDA_SUBJECT_HOST, 4}, 9);
	struct rda_argument_value value;
	unsigned count;

	finding->cost_ns = 6;
	ck_assert_str_eq(rda_finding_check(finding)->code, "F12");
	ck_assert_int_eq(rda_finding_host(finding), 4);
	ck_assert_int_eq(rda_finding_host(rda_finding_add(&findings, RDA_CHECK_F12, flow, 9)), -1);
	ck_assert_int_eq(rda_finding_severity(finding), finding->severity);
	ck_assert_int_eq(rda_finding_proof(finding), finding->proof);
	ck_assert_int_eq(rda_finding_connection(finding), -1);
	ck_assert_int_eq(rda_finding_flow(finding), -1);
	ck_assert_uint_eq(rda_finding_count(finding), 1);
	ck_assert_int_eq(rda_finding_cost_ns(finding), 6);
	ck_assert_uint_eq(rda_finding_places(finding, &count)[0], 9);
	ck_assert_uint_eq(count, 1);
	ck_assert(!rda_finding_argument(finding, 0, &value));
	rda_finding_say(finding, RDA_SAY_F12_NO_PAYLOAD, RDA_ARG_TEXT("opcode", "SEND Last"),
			RDA_ARG_PSN("psn", 7), RDA_ARG_BYTES("data", (const uint8_t *)"ab", 2));
	ck_assert(rda_finding_argument(finding, 0, &value));
	ck_assert_str_eq(value.name, "opcode");
	ck_assert_str_eq(value.text, "SEND Last");
	ck_assert(rda_finding_argument(finding, 1, &value));
	ck_assert_uint_eq(value.number, 7);
	ck_assert_ptr_null(value.text);
	ck_assert(rda_finding_argument(finding, 2, &value));
	ck_assert_uint_eq(value.digits, 2);
	ck_assert_mem_eq(value.bytes, "ab", 2);
	ck_assert(!rda_finding_argument(finding, 3, &value));
}
END_TEST

Suite *rda_suite_finding_views(void)
{
	Suite *suite = suite_create("finding_views");
	TCase *tcase = tcase_create("finding_views");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_finding_is_asked);
	suite_add_tcase(suite, tcase);
	return suite;
}
