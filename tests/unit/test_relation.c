/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What captures are to each other, told of samples that are written by hand.
 */
#include "analyzer/taps/relation.h"

#include "tests/unit/suite.h"

#include <glib.h>

#define SECOND INT64_C(1000000000)

enum { MOST = 8 };

struct captures {
	struct rda_sketch sketch[MOST];
	struct rda_relation_input inputs[MOST];
	uint32_t count;
};

/* One more, of packets with these numbers, a millisecond apart. */
static void add(struct captures *c, const char *file, int64_t begin_ns, uint64_t from, uint64_t to)
{
	struct rda_sketch *sketch = &c->sketch[c->count];

	rda_sketch_init(sketch);
	for (uint64_t i = from; i < to; i++)
		sketch->sample[sketch->sample_count++] = (struct rda_sketch_packet){
			.hash = i + 1, .time_ns = begin_ns + (int64_t)(i - from) * 1000000};
	sketch->frames = sketch->packets = to - from;
	sketch->first_ns = begin_ns;
	sketch->last_ns = begin_ns + (int64_t)(to - from - 1) * 1000000;
	sketch->longest_gap_ns = 1000000;
	sketch->links[0] = 1;
	sketch->link_count = 1;
	c->inputs[c->count] = (struct rda_relation_input){file, NULL, sketch};
	c->count++;
}

static void carry(struct captures *c, uint32_t capture, uint64_t flow, uint32_t first,
		  uint32_t last)
{
	struct rda_sketch_flow *one = rda_table_get(&c->sketch[capture].flows, &flow, NULL);

	one->first = first;
	one->last = last;
}

static void cleanup(struct captures *c, struct rda_relation *relation)
{
	for (uint32_t i = 0; i < c->count; i++)
		rda_sketch_cleanup(&c->sketch[i]);
	rda_relation_free(relation);
}

START_TEST(nothing_in_common)
{
	struct captures c = {.count = 0};
	struct rda_relation *relation;

	add(&c, "one.pcap", 0, 0, 10);
	add(&c, "two.pcap", 100 * SECOND, 100, 110);
	add(&c, "three.pcap", 5 * SECOND, 200, 210);
	relation = rda_relation_find(c.inputs, c.count);
	ck_assert_uint_eq(relation->group_count, 3);
	ck_assert_uint_eq(relation->tap_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(relation->seats[i].input, i);
		ck_assert_int_eq(rda_relation_of(relation, i), RDA_RELATION_ALONE);
	}
	cleanup(&c, relation);
}
END_TEST

START_TEST(taps_of_one_traffic)
{
	struct captures c = {.count = 0};
	struct rda_relation *relation;

	add(&c, "a.pcap", 0, 0, 10);
	add(&c, "other.pcap", 0, 500, 510);
	add(&c, "b.pcap", 1000 * SECOND, 2, 12); /* its clock is far ahead */
	relation = rda_relation_find(c.inputs, c.count);
	ck_assert_uint_eq(relation->group_count, 2);
	ck_assert_uint_eq(relation->tap_count, 3);
	ck_assert_uint_eq(relation->seats[1].input, 2);
	ck_assert_uint_eq(relation->seats[1].group, 0);
	ck_assert_int_eq(rda_relation_of(relation, 0), RDA_RELATION_SAME);
	ck_assert_int_eq(rda_relation_of(relation, 1), RDA_RELATION_SAME);
	ck_assert_int_eq(rda_relation_of(relation, 2), RDA_RELATION_ALONE);
	cleanup(&c, relation);
}
END_TEST

/* By a flow that goes on, in order of time whatever the order in which they are given. */
START_TEST(a_flow_carries_on)
{
	struct captures c = {.count = 0};
	struct rda_relation *relation;

	add(&c, "late.pcap", 20 * SECOND, 20, 30);
	add(&c, "early.pcap", 0, 0, 10);
	add(&c, "between.pcap", 10 * SECOND, 10, 20);
	carry(&c, 1, 7, 100, 109);
	carry(&c, 2, 7, 110, 119);
	carry(&c, 0, 7, 120, 129);
	relation = rda_relation_find(c.inputs, c.count);
	ck_assert_uint_eq(relation->group_count, 1);
	ck_assert_uint_eq(relation->tap_count, 1);
	ck_assert_uint_eq(relation->seats[0].input, 1);
	ck_assert_uint_eq(relation->seats[1].input, 2);
	ck_assert_uint_eq(relation->seats[2].input, 0);
	ck_assert_int_eq(rda_relation_of(relation, 0), RDA_RELATION_CONTINUED);
	cleanup(&c, relation);
}
END_TEST

static uint32_t taps_when(const char *one, const char *two, int64_t gap_ns, uint16_t link)
{
	struct captures c = {.count = 0};
	struct rda_relation *relation;
	uint32_t taps;

	add(&c, one, 0, 0, 10);
	add(&c, two, 9 * 1000000 + gap_ns, 10, 20);
	c.sketch[1].links[0] = link;
	relation = rda_relation_find(c.inputs, c.count);
	taps = relation->tap_count;
	cleanup(&c, relation);
	return taps;
}

START_TEST(names_and_pauses)
{
	const int64_t hour = 3600 * SECOND;

	ck_assert_uint_eq(
		taps_when("x_00000_20261120234410.pcap", "x_00001_20261121004410.pcap", hour, 1),
		1);
	ck_assert_uint_eq(
		taps_when("x_00000_20261120234410.pcap", "y_00001_20261121004410.pcap", hour, 1),
		2);
	ck_assert_uint_eq(
		taps_when("x_00000_20261120234410.pcap", "x_00002_20261121004410.pcap", hour, 1),
		2);
	ck_assert_uint_eq(taps_when("d/x.pcap1", "x.pcap2", SECOND, 1), 1);
	ck_assert_uint_eq(taps_when("x.pcap1", "x.pcap2", 2 * SECOND, 1), 2);
	ck_assert_uint_eq(taps_when("x.pcap", "y.pcap", 1000000, 1), 1);
	ck_assert_uint_eq(taps_when("x.pcap", "y.pcap", 1000001, 1), 2);
	ck_assert_uint_eq(taps_when("x.pcap", "y.pcap", 1000000, 113), 2); /* another link */
}
END_TEST

static void send(struct captures *c, uint32_t capture, uint64_t way, uint64_t back)
{
	struct rda_sketch_way *one = rda_table_get(&c->sketch[capture].ways, &way, NULL);

	one->back = back;
}

/* What each of two hosts sent, in files that are named alike: two clocks may have stamped them. Two
 * of a ring that are named as such are one capture all the same. */
/* Files of one ring have what was sent again in common; of two rings in two folders it is the same
 * traffic, by clocks that differ. */
START_TEST(sent_again_in_the_next_file)
{
	struct captures ring = {.count = 0}, taps = {.count = 0};
	struct rda_relation *relation;

	add(&ring, "x_00001_20261120234410.pcap", 0, 0, 100);
	add(&ring, "x_00002_20261120234410.pcap", SECOND, 95, 200);
	relation = rda_relation_find(ring.inputs, ring.count);
	ck_assert_uint_eq(relation->tap_count, 1);
	cleanup(&ring, relation);
	add(&taps, "a/x_00001_20261120234410.pcap", 0, 0, 100);
	add(&taps, "b/x_00001_20261120234411.pcap", SECOND, 0, 100);
	relation = rda_relation_find(taps.inputs, taps.count);
	ck_assert_uint_eq(relation->tap_count, 2);
	ck_assert_uint_eq(relation->group_count, 1);
	cleanup(&taps, relation);
}
END_TEST

START_TEST(what_each_host_sent_does_not_go_on)
{
	static const char *const names[][2] = {
		{"host1.pcap", "host2.pcap"},
		{"x_00000_20261120234410.pcap", "x_00001_20261120234410.pcap"}};

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		struct captures c = {.count = 0};
		struct rda_relation *relation;

		add(&c, names[i][0], 0, 0, 10);
		add(&c, names[i][1], 9 * 1000000 + 1000, 10, 20);
		send(&c, 0, 5, 6);
		send(&c, 1, 6, 5);
		relation = rda_relation_find(c.inputs, c.count);
		ck_assert_uint_eq(relation->tap_count, i == 0 ? 2 : 1);
		cleanup(&c, relation);
	}
}
END_TEST

/* Two taps, two files each: flows go on from either to either; names say whose is whose. */
static struct rda_relation *two_rings(struct captures *c, const char *const names[4])
{
	add(c, names[0], 0, 0, 10);
	add(c, names[1], 500, 0, 10);
	add(c, names[2], SECOND, 10, 20);
	add(c, names[3], SECOND + 500, 10, 20);
	for (uint32_t i = 0; i < 4; i++)
		carry(c, i, 7, i < 2 ? 100 : 110, i < 2 ? 109 : 119);
	return rda_relation_find(c->inputs, c->count);
}

START_TEST(two_taps_of_several_files)
{
	struct captures c = {.count = 0};
	struct rda_relation *relation =
		two_rings(&c, (const char *const[]){"a1.pcap", "b1.pcap", "a2.pcap", "b2.pcap"});

	ck_assert_uint_eq(relation->group_count, 1);
	ck_assert_uint_eq(relation->tap_count, 2);
	ck_assert_uint_eq(relation->seats[0].input, 0);
	ck_assert_uint_eq(relation->seats[1].input, 2);
	ck_assert_uint_eq(relation->seats[2].input, 1);
	ck_assert_uint_eq(relation->seats[3].input, 3);
	cleanup(&c, relation);
	c.count = 0;
	/* nothing says which of the later ones goes on where which of the earlier ones ends */
	relation = two_rings(&c, (const char *const[]){"k.pcap", "l.pcap", "m.pcap", "n.pcap"});
	ck_assert_uint_eq(relation->tap_count, 4);
	cleanup(&c, relation);
}
END_TEST

/* Numbered in two places, of which one tells the taps: whosever clock is ahead. */
START_TEST(two_taps_of_numbered_files)
{
	static const char *const names[][4] = {
		{"node1.pcap0", "node2.pcap0", "node1.pcap1", "node2.pcap1"},
		{"node2.pcap0", "node1.pcap0", "node2.pcap1", "node1.pcap1"},
		{"a/node.pcap0", "b/node.pcap0", "a/node.pcap1", "b/node.pcap1"},
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct captures c = {.count = 0};
		struct rda_relation *relation = two_rings(&c, names[i]);

		ck_assert_uint_eq(relation->group_count, 1);
		ck_assert_uint_eq(relation->tap_count, 2);
		ck_assert_uint_eq(relation->seats[0].input, 0);
		ck_assert_uint_eq(relation->seats[1].input, 2);
		ck_assert_uint_eq(relation->seats[2].input, 1);
		ck_assert_uint_eq(relation->seats[3].input, 3);
		cleanup(&c, relation);
	}
}
END_TEST

/* One that has no frames has no time either: it stands behind the others of its tap. */
START_TEST(an_empty_one_between)
{
	struct captures c = {.count = 0};
	struct rda_relation *relation;

	add(&c, "late.pcap", 5 * SECOND, 50, 60);
	add(&c, "empty.pcap", 0, 0, 0);
	add(&c, "early.pcap", 3 * SECOND, 30, 40);
	for (uint32_t i = 0; i < 3; i++)
		c.inputs[i].tap = "one";
	relation = rda_relation_find(c.inputs, c.count);
	ck_assert_uint_eq(relation->tap_count, 1);
	ck_assert_uint_eq(relation->seats[0].input, 2);
	ck_assert_uint_eq(relation->seats[1].input, 0);
	ck_assert_uint_eq(relation->seats[2].input, 1);
	cleanup(&c, relation);
}
END_TEST

START_TEST(the_user_says_so)
{
	struct captures c = {.count = 0};
	struct rda_relation *relation;

	add(&c, "one.pcap", 0, 0, 10);
	add(&c, "two.pcap", 100 * SECOND, 100, 110);
	add(&c, "three.pcap", 200 * SECOND, 200, 210);
	c.inputs[0].tap = c.inputs[1].tap = "left";
	c.inputs[2].tap = "right";
	relation = rda_relation_find(c.inputs, c.count);
	ck_assert_uint_eq(relation->group_count, 1);
	ck_assert_uint_eq(relation->tap_count, 2);
	ck_assert_uint_eq(relation->seats[1].tap, 0);
	ck_assert_uint_eq(relation->seats[2].tap, 1);
	cleanup(&c, relation);
}
END_TEST

/* Of how many packets interfaces have in common, ten at each. */
static bool are_taps(uint64_t second, uint64_t third)
{
	struct captures c = {.count = 0};
	bool are;

	add(&c, "", 0, 0, 10);
	add(&c, "", 0, second, second + 10);
	add(&c, "", 0, third, third + 10);
	are = rda_relation_of_interfaces(c.sketch, c.count);
	cleanup(&c, NULL);
	return are;
}

START_TEST(interfaces_of_one_file)
{
	struct captures c = {.count = 0};

	ck_assert(are_taps(0, 5));
	ck_assert(are_taps(5, 10));   /* a chain */
	ck_assert(!are_taps(0, 6));   /* fewer than half */
	ck_assert(!are_taps(0, 100)); /* one has traffic of its own */
	ck_assert(!are_taps(100, 200));
	add(&c, "", 0, 0, 10);
	ck_assert(!rda_relation_of_interfaces(c.sketch, 1));
	add(&c, "", 0, 0, 2); /* too few to tell */
	ck_assert(!rda_relation_of_interfaces(c.sketch, 2));
	cleanup(&c, NULL);
}
END_TEST

Suite *rda_suite_relation(void)
{
	Suite *suite = suite_create("relation");
	TCase *tcase = tcase_create("relation");

	tcase_add_test(tcase, nothing_in_common);
	tcase_add_test(tcase, taps_of_one_traffic);
	tcase_add_test(tcase, a_flow_carries_on);
	tcase_add_test(tcase, names_and_pauses);
	tcase_add_test(tcase, sent_again_in_the_next_file);
	tcase_add_test(tcase, what_each_host_sent_does_not_go_on);
	tcase_add_test(tcase, two_taps_of_several_files);
	tcase_add_test(tcase, two_taps_of_numbered_files);
	tcase_add_test(tcase, an_empty_one_between);
	tcase_add_test(tcase, the_user_says_so);
	tcase_add_test(tcase, interfaces_of_one_file);
	suite_add_tcase(suite, tcase);
	return suite;
}
