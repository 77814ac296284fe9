/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of some names a mistyped word is nearest to.
 */
#include "analyzer/report/nearest.h"
#include "tests/unit/suite.h"

#include <stddef.h>

static const char *const names[] = {"connections", "hosts", "findings", "flows", "Flow"};

/* word, the name that it is nearest to */
static const struct {
	const char *word, *name;
} cases[] = {
	{"connection", "connections"},
	{"conections", "connections"},
	{"host", "hosts"},
	{"FINDINGS", "findings"},
	{"flwos", "flows"},
	{"flow", "Flow"},
	{"xyzzy", NULL},
	{"", NULL},
	{"0123456789012345678901234567890123456789012345678901234567890123456789", NULL},
};

START_TEST(the_nearest_is_named)
{
	struct rda_nearest nearest = {.word = cases[_i].word};

	for (unsigned i = 0; i < RDA_COUNT(names); i++)
		rda_nearest_try(&nearest, names[i]);
	ck_assert_pstr_eq(nearest.name, cases[_i].name);
}
END_TEST

Suite *rda_suite_nearest(void)
{
	Suite *suite = suite_create("nearest");
	TCase *tc = tcase_create("nearest");

	tcase_add_loop_test(tc, the_nearest_is_named, 0, RDA_COUNT(cases));
	suite_add_tcase(suite, tc);
	return suite;
}
