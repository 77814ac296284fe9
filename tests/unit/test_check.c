/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of checks.def: each whole, each once.
 */
#include "analyzer/checks/check.h"

#include <ctype.h>
#include <string.h>

#include "tests/unit/suite.h"

/* "F05", in the order of the catalogue's groups, counted from 1 in each */
START_TEST(codes_are_counted_in_their_groups)
{
	char group = 0;
	int number = 0;

	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)i);

		number = row->code[0] == group ? number + 1 : 1;
		group = row->code[0];
		ck_assert_ptr_nonnull(strchr("FSATKGMQHWUN", group));
		ck_assert_int_eq((row->code[1] - '0') * 10 + row->code[2] - '0', number);
	}
}
END_TEST

START_TEST(names_are_kebab_case_and_differ)
{
	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const char *name = rda_check_row((enum rda_check)i)->name;

		for (const char *c = name; *c; c++)
			RDA_CHECK(islower((unsigned char)*c) || isdigit((unsigned char)*c) ||
					  *c == '-',
				  "%s", name);
		for (int j = 0; j < i; j++)
			RDA_CHECK(strcmp(rda_check_row((enum rda_check)j)->name, name) != 0, "%s",
				  name);
	}
}
END_TEST

START_TEST(severities_and_proofs_have_names)
{
	ck_assert_str_eq(rda_severity_name(RDA_SEVERITY_ERROR), "error");
	ck_assert_str_eq(rda_severity_name(RDA_SEVERITY_NOTE), "note");
	ck_assert_str_eq(rda_proof_name(RDA_PROOF_PROVEN), "proven");
	ck_assert_str_eq(rda_proof_name(RDA_PROOF_SUSPECTED), "suspected");
}
END_TEST

Suite *rda_suite_check(void)
{
	Suite *suite = suite_create("check");
	TCase *tcase = tcase_create("check");

	tcase_add_test(tcase, codes_are_counted_in_their_groups);
	tcase_add_test(tcase, names_are_kebab_case_and_differ);
	tcase_add_test(tcase, severities_and_proofs_have_names);
	suite_add_tcase(suite, tcase);
	return suite;
}
