/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collectives of flows: which directions are edges, and which shapes are sure.
 */
#include "analyzer/facts/collective.h"

#include "tests/unit/flow_list.h"
#include "tests/unit/suite.h"

enum { MOST = 12, STEPS = 4 };

struct scene {
	struct rda_flow_facts flows[MOST];
	struct rda_connection_facts connections[MOST];
	struct rda_steps steps[MOST];
	struct rda_step lists[MOST][STEPS];
	uint32_t count;
	struct rda_collectives told;
};

/* One host sends another STEPS messages, at times of their own. */
static void sends(struct scene *scene, uint8_t from, uint8_t to, bool immediate)
{
	uint32_t i = scene->count++;

	scene->flows[i] = (struct rda_flow_facts){.connection = i, .steps = &scene->steps[i]};
	scene->flows[i].key.source = (struct rda_address){{[15] = from}, RDA_ADDRESS_IP4};
	scene->flows[i].key.destination = (struct rda_address){{[15] = to}, RDA_ADDRESS_IP4};
	scene->connections[i] = (struct rda_connection_facts){.flows = {(int32_t)i, -1}};
	scene->steps[i] =
		(struct rda_steps){.count = STEPS, .immediate = immediate, .list = scene->lists[i]};
	for (int k = 0; k < STEPS; k++) /* those of odd hosts half a step later, out of step */
		scene->lists[i][k].start_ns = scene->lists[i][k].sent_ns =
			immediate ? 0 : k * 1000 + from;
}

static void look(struct scene *scene)
{
	rda_collectives_of(&scene->told, rda_flow_list(scene->flows, scene->count), scene->count,
			   scene->connections);
}

START_TEST(a_ring_and_a_pair)
{
	struct scene scene = {0};

	sends(&scene, 1, 3, true);
	sends(&scene, 3, 2, true);
	sends(&scene, 2, 1, true);
	sends(&scene, 7, 8, true);
	look(&scene);
	ck_assert_uint_eq(scene.told.count, 1);
	ck_assert_uint_eq(scene.told.list[0].shape, RDA_SHAPE_RING);
	ck_assert_uint_eq(scene.told.list[0].rank_count, 3);
	ck_assert_uint_eq(scene.told.list[0].ranks[1].address.bytes[15], 3);
	rda_collectives_cleanup(&scene.told);
}
END_TEST

/* What a tap at one host of a ring sees of it, and a row of hosts, is nothing to be sure of. */
START_TEST(pieces_are_not_told)
{
	struct scene scene = {0};

	sends(&scene, 1, 2, true);
	sends(&scene, 2, 3, true);
	look(&scene);
	ck_assert_uint_eq(scene.told.count, 0);
	rda_collectives_cleanup(&scene.told);
	sends(&scene, 3, 4, true);
	look(&scene);
	ck_assert_uint_eq(scene.told.count, 0);
	rda_collectives_cleanup(&scene.told);
}
END_TEST

/* WRITEs that answer immediate data only give out buffers. */
START_TEST(buffers_are_no_edges)
{
	struct scene scene = {0};

	sends(&scene, 1, 2, true);
	sends(&scene, 2, 3, true);
	sends(&scene, 3, 1, true);
	sends(&scene, 2, 1, false);
	scene.connections[0].flows[1] = 3;
	scene.connections[3] = scene.connections[0];
	scene.flows[3].connection = 0;
	scene.flows[3].side = 1;
	look(&scene);
	ck_assert_uint_eq(scene.told.count, 1);
	ck_assert_uint_eq(scene.told.list[0].shape, RDA_SHAPE_RING);
	rda_collectives_cleanup(&scene.told);
}
END_TEST

/* Without immediate data three clients of a server are nothing, unless they are in step. */
START_TEST(clients_are_no_tree)
{
	struct scene scene = {0};

	for (uint8_t client = 2; client < 5; client++) {
		sends(&scene, client, 1, false);
		sends(&scene, 1, client, false);
	}
	scene.lists[1][1].start_ns = 0; /* answered before another has asked */
	look(&scene);
	ck_assert_uint_eq(scene.told.count, 0);
	rda_collectives_cleanup(&scene.told);
}
END_TEST

Suite *rda_suite_collective(void)
{
	Suite *suite = suite_create("collective");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, a_ring_and_a_pair);
	tcase_add_test(tests, pieces_are_not_told);
	tcase_add_test(tests, buffers_are_no_edges);
	tcase_add_test(tests, clients_are_no_tree);
	suite_add_tcase(suite, tests);
	return suite;
}
