/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UDP source ports by pair of hosts: who counts, in which order, and what shares a port.
 */
#include "analyzer/facts/ways.h"

#include "tests/unit/flow_list.h"
#include "tests/unit/suite.h"

enum { MOST = 8 };

struct scene {
	struct rda_flow_facts flows[MOST];
	struct rda_connection_facts connections[MOST];
	uint32_t count;
	struct rda_ways ways;
};

static struct rda_address host(uint8_t number)
{
	return (struct rda_address){.bytes = {[15] = number}, .kind = RDA_ADDRESS_IP4};
}

static struct rda_flow_facts *sends(struct scene *scene, uint8_t from, uint8_t to, uint32_t qp,
				    uint16_t port)
{
	struct rda_flow_facts *flow = &scene->flows[scene->count];

	*flow = (struct rda_flow_facts){
		.key = {.source = host(from),
			.destination = host(to),
			.carrier = RDA_CARRIER_ROCEV2,
			.dest_qp = qp},
		.connection = scene->count,
		.source_port = port,
		.source_port_known = true,
		.payload_bytes = 1,
		.bytes = 100,
	};
	scene->connections[scene->count++].service = RDA_SERVICE_RC;
	return flow;
}

static void look(struct scene *scene)
{
	rda_ways_of(&scene->ways, rda_flow_list(scene->flows, scene->count), scene->count,
		    scene->connections);
}

START_TEST(by_pair_and_port)
{
	struct scene scene = {0};
	const struct rda_way *way;

	sends(&scene, 2, 1, 7, 500);
	sends(&scene, 1, 2, 3, 501);
	sends(&scene, 1, 2, 4, 500);
	sends(&scene, 1, 2, 5, 501);
	look(&scene);
	ck_assert_uint_eq(scene.ways.count, 2);
	way = &scene.ways.ways[0];
	ck_assert_uint_eq(way->source.bytes[15], 1);
	ck_assert_uint_eq(way->qps, 3);
	ck_assert_uint_eq(way->port_count, 2);
	ck_assert_uint_eq(way->bytes, 300);
	ck_assert_uint_eq(way->ports[0].port, 500);
	ck_assert_uint_eq(way->ports[0].flows[0], 2);
	ck_assert_uint_eq(way->ports[1].qps, 2);
	ck_assert_uint_eq(way->ports[1].flows[0], 1);
	ck_assert_uint_eq(way->ports[1].flows[1], 3);
	ck_assert_ptr_eq(rda_way_most_shared(way), &way->ports[1]);
	ck_assert_uint_eq(scene.ways.ways[1].qps, 1);
	rda_ways_cleanup(&scene.ways);
}
END_TEST

/* A QP that is set up anew is one, with the same port and with another. */
START_TEST(lives_of_a_qp)
{
	struct scene scene = {0};

	sends(&scene, 1, 2, 3, 500)->key.life = 0;
	sends(&scene, 1, 2, 3, 500)->key.life = 1;
	sends(&scene, 1, 2, 3, 501)->key.life = 2;
	look(&scene);
	ck_assert_uint_eq(scene.ways.ways[0].qps, 1);
	ck_assert_uint_eq(scene.ways.ways[0].ports[0].qps, 1);
	ck_assert_uint_eq(scene.ways.ways[0].ports[0].flow_count, 2);
	rda_ways_cleanup(&scene.ways);
}
END_TEST

START_TEST(who_does_not_count)
{
	struct scene scene = {0};

	sends(&scene, 1, 2, 1, 500)->payload_bytes = 0;
	sends(&scene, 1, 2, 2, 500)->source_port_known = false;
	sends(&scene, 1, 2, 3, 500)->key.carrier = RDA_CARRIER_ROCEV1;
	sends(&scene, 1, 2, 4, 500)->management = true;
	sends(&scene, 1, 2, 5, 500);
	scene.connections[4].service = RDA_SERVICE_UD;
	look(&scene);
	ck_assert_uint_eq(scene.ways.count, 0);
	rda_ways_cleanup(&scene.ways);
}
END_TEST

Suite *rda_suite_ways(void)
{
	Suite *suite = suite_create("ways");
	TCase *tests = tcase_create("all");

	tcase_add_test(tests, by_pair_and_port);
	tcase_add_test(tests, lives_of_a_qp);
	tcase_add_test(tests, who_does_not_count);
	suite_add_tcase(suite, tests);
	return suite;
}
