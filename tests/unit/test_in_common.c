/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each two of many have in common: against counting pair by pair, and that it is counted no
 * further than it matters.
 */
#include "analyzer/taps/in_common.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <stdbool.h>

enum { HOLDERS = 150, THINGS = 40, ENOUGH = 3 };

START_TEST(as_pair_by_pair)
{
	static bool has[THINGS][HOLDERS];
	GRand *random = g_rand_new_with_seed((guint32)_i);
	struct rda_in_common common;

	rda_in_common_init(&common, HOLDERS, ENOUGH);
	for (unsigned t = 0; t < THINGS; t++) {
		for (uint32_t h = 0; h < HOLDERS; h++) {
			has[t][h] = g_rand_int_range(random, 0, 6) == 0;
			if (has[t][h])
				rda_in_common_add(&common, h);
		}
		rda_in_common_next(&common);
	}
	for (uint32_t i = 0; i < HOLDERS; i++)
		for (uint32_t j = i + 1; j < HOLDERS; j++) {
			uint32_t both = 0;

			for (unsigned t = 0; t < THINGS; t++)
				both += has[t][i] && has[t][j];
			ck_assert_uint_eq(rda_in_common_of(&common, i, j), MIN(both, ENOUGH));
		}
	rda_in_common_cleanup(&common);
	g_rand_free(random);
}
END_TEST

/* All have all: after `enough` things no pair is open. */
START_TEST(enough)
{
	struct rda_in_common common;

	rda_in_common_init(&common, 70, ENOUGH);
	for (unsigned t = 0; t < ENOUGH; t++) {
		for (uint32_t h = 0; h < 70; h++)
			rda_in_common_add(&common, h);
		rda_in_common_next(&common);
	}
	ck_assert_uint_eq(common.open[69 * 2], 0);
	ck_assert_uint_eq(common.open[69 * 2 + 1] & 0x1f, 0);
	ck_assert_uint_eq(rda_in_common_of(&common, 0, 69), ENOUGH);
	rda_in_common_cleanup(&common);
	rda_in_common_init(&common, 0, ENOUGH);
	rda_in_common_cleanup(&common);
}
END_TEST

Suite *rda_suite_in_common(void)
{
	Suite *suite = suite_create("in_common");
	TCase *tcase = tcase_create("in_common");

	tcase_add_loop_test(tcase, as_pair_by_pair, 0, 5);
	tcase_add_test(tcase, enough);
	suite_add_tcase(suite, tcase);
	return suite;
}
