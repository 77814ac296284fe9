/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shapes of who sends to whom.
 */
#include "analyzer/facts/collective.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { MOST = 16 };

/* "01 12 20": who to whom, in order. */
static uint8_t shape_of(const char *edges, uint32_t hosts, uint32_t *order)
{
	struct rda_edge list[MOST];
	uint32_t count = 0;

	for (size_t i = 0; i < strlen(edges); i += 3)
		list[count++] = (struct rda_edge){.from = (uint32_t)(edges[i] - '0'),
						  .to = (uint32_t)(edges[i + 1] - '0')};
	return rda_shape_of(list, count, hosts, order);
}

START_TEST(shapes)
{
	static const struct {
		const char *edges;
		uint32_t hosts;
		uint8_t shape;
	} cases[] = {
		{"01 10", 2, RDA_SHAPE_COUNT},
		{"01 12 20", 3, RDA_SHAPE_RING},
		{"01 12 23 30", 4, RDA_SHAPE_RING},
		{"01 10 23 32", 4, RDA_SHAPE_COUNT},
		{"01 02 10 20", 3, RDA_SHAPE_TREE},
		{"01 02 13", 4, RDA_SHAPE_TREE},
		{"01 02 13 31", 4, RDA_SHAPE_COUNT},
		{"01 02 10 12 20 21", 3, RDA_SHAPE_ALL_TO_ALL},
		{"01 02 10 12 20", 3, RDA_SHAPE_COUNT},
		{"01 12 13 20", 4, RDA_SHAPE_COUNT},
		{"01 12 21", 3, RDA_SHAPE_COUNT},
	};
	uint32_t order[MOST];

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(shape_of(cases[i].edges, cases[i].hosts, order) == cases[i].shape,
			      "%s", cases[i].edges);
}
END_TEST

START_TEST(a_ring_in_its_order)
{
	uint32_t order[MOST];

	ck_assert_uint_eq(shape_of("02 10 21", 3, order), RDA_SHAPE_RING);
	ck_assert_uint_eq(order[0], 0);
	ck_assert_uint_eq(order[1], 2);
	ck_assert_uint_eq(order[2], 1);
}
END_TEST

Suite *rda_suite_shape(void)
{
	Suite *suite = suite_create("shape");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, shapes);
	tcase_add_test(tests, a_ring_in_its_order);
	suite_add_tcase(suite, tests);
	return suite;
}
