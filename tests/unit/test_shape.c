/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shapes of who sends to whom.
 */
#include "analyzer/facts/collective.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { MOST = 16 };

/* "01 12 20": who to whom, in order. */
static uint32_t edges_of(const char *edges, struct rda_edge list[MOST])
{
	uint32_t count = 0;

	for (size_t i = 0; i < strlen(edges); i += 3)
		list[count++] = (struct rda_edge){.from = (uint32_t)(edges[i] - '0'),
						  .to = (uint32_t)(edges[i + 1] - '0')};
	return count;
}

static uint8_t shape_of(const char *edges, uint32_t hosts, uint32_t *order)
{
	struct rda_edge list[MOST];
	uint32_t count = edges_of(edges, list);

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

START_TEST(two_rings)
{
	static const struct {
		const char *edges;
		uint32_t hosts;
		const char *second; /* the edges of the second ring; NULL: not told */
	} cases[] = {
		{"01 03 10 12 21 23 30 32", 4, "03 10 21 32"},		/* the way back */
		{"01 02 12 14 23 20 34 31 40 43", 5, NULL},		/* one of it is none */
		{"01 02 12 13 23 24 34 30 40 41", 5, "02 13 24 30 41"}, /* each second host */
		{"01 12 23 30", 4, NULL},				/* one ring */
		{"01 02 03 12 13 20 23 30", 4, NULL},			/* three out of one */
		{"01 02 10 12 20 21", 3, "02 10 21"},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rda_edge list[MOST];
		bool second[MOST], told;
		uint32_t count = edges_of(cases[i].edges, list);
		char said[3 * MOST + 1] = "";

		told = rda_shape_two_rings(list, count, cases[i].hosts, second);
		ck_assert_msg(told == (cases[i].second != NULL), "%s", cases[i].edges);
		for (uint32_t k = 0; told && k < count; k++)
			if (second[k]) {
				char edge[4] = {(char)('0' + list[k].from),
						(char)('0' + list[k].to), ' ', 0};

				strcat(said, edge);
			}
		ck_assert_msg(!told || strncmp(said, cases[i].second, strlen(cases[i].second)) == 0,
			      "%s: %s", cases[i].edges, said);
	}
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
	tcase_add_test(tests, two_rings);
	tcase_add_test(tests, a_ring_in_its_order);
	suite_add_tcase(suite, tests);
	return suite;
}
