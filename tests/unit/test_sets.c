/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets that become one, against a table that names the set of each number.
 */
#include "analyzer/base/sets.h"

#include "tests/unit/suite.h"

enum { NUMBERS = 64, JOINS = 60, ROUNDS = 50 };

static void rename_all(uint32_t *named, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < NUMBERS; i++)
		if (named[i] == from)
			named[i] = to;
}

START_TEST(against_names)
{
	uint32_t seed = 1;

	for (unsigned round = 0; round < ROUNDS; round++) {
		uint32_t sets[NUMBERS], named[NUMBERS];

		rda_sets_init(sets, NUMBERS);
		rda_sets_init(named, NUMBERS);
		for (unsigned i = 0; i < JOINS; i++) {
			uint32_t a = (seed = seed * 1103515245 + 12345) >> 16;
			uint32_t b = (seed = seed * 1103515245 + 12345) >> 16;
			uint32_t one, two;

			a %= NUMBERS;
			b %= NUMBERS;
			one = named[a];
			two = named[b];
			rda_sets_join(sets, a, b);
			rename_all(named, one < two ? two : one, one < two ? one : two);
			for (uint32_t k = 0; k < NUMBERS; k++)
				RDA_CHECK_SAME(rda_sets_of(sets, k), named[k],
					       "of number %u after %u joins of round %u", k, i + 1,
					       round);
		}
	}
}
END_TEST

Suite *rda_suite_sets(void)
{
	Suite *suite = suite_create("sets");
	TCase *tcase = tcase_create("sets");

	tcase_add_test(tcase, against_names);
	suite_add_tcase(suite, tcase);
	return suite;
}
