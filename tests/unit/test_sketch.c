/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of captures: what two have in common, and which flows go on.
 */
#include "analyzer/taps/sketch.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

/* What PSNs do not tell; and the time between two packets. */
static uint8_t payload[8];
static int64_t step_ns = 1000;

/* Packets of one host to another with these PSNs, from this time on, so far apart. */
static void add(struct rda_sketch *sketch, uint8_t sender, uint8_t receiver, uint32_t from,
		uint32_t to, int64_t time_ns)
{
	for (uint32_t psn = from; psn < to; psn++) {
		struct rda_recipe recipe = rda_packet_of(sender, receiver, 0x11, 0x04, psn);
		struct rda_meta meta = {.number = psn, .time_ns = time_ns};
		struct rda_packet packet;
		struct rda_built built;
		struct rda_frame frame;

		recipe.payload = payload;
		recipe.payload_length = sizeof(payload);
		rda_build_packet(&built, &recipe);
		frame = (struct rda_frame){built.b.bytes, built.b.length, built.b.length,
					   built.link};
		rda_dissect(&packet, &frame, NULL);
		rda_sketch_frame(sketch, &meta, &frame, &packet);
		time_ns += step_ns;
	}
}

/* Requests of host 1. */
static void take(struct rda_sketch *sketch, uint32_t from, uint32_t to, int64_t time_ns)
{
	add(sketch, 1, 2, from, to, time_ns);
	rda_sketch_settle(sketch);
}

START_TEST(the_same_packets_are_found)
{
	struct rda_sketch a, b;

	rda_sketch_init(&a);
	rda_sketch_init(&b);
	take(&a, 0, 100, 5000);
	take(&b, 40, 120, 9000000);
	ck_assert_uint_eq(rda_sketch_common(&a, &b), 60);
	ck_assert_uint_eq(a.frames, 100);
	ck_assert_int_eq(a.first_ns, 5000);
	ck_assert_int_eq(a.last_ns, 5000 + 99 * 1000);
	ck_assert_int_eq(a.longest_gap_ns, 1000);
	ck_assert(rda_sketch_same_links(&a, &b));
	rda_sketch_cleanup(&a);
	rda_sketch_cleanup(&b);
}
END_TEST

/* PSNs from 40 to 100 are in both; the second run has another payload, begins later, or takes its
 * time. */
static bool is_another_run(uint8_t other, int64_t later_ns, int64_t other_step_ns)
{
	struct rda_sketch a, b;
	bool another;

	rda_sketch_init(&a);
	rda_sketch_init(&b);
	take(&a, 0, 100, 5000);
	payload[0] = other;
	step_ns = other_step_ns;
	take(&b, 40, 120, 5000 + later_ns);
	payload[0] = 0;
	step_ns = 1000;
	ck_assert_uint_eq(rda_sketch_common(&a, &b), 60);
	another = rda_sketch_is_another_run(&a, &b);
	ck_assert(rda_sketch_is_another_run(&b, &a) == another);
	rda_sketch_cleanup(&a);
	rda_sketch_cleanup(&b);
	return another;
}

START_TEST(another_run)
{
	const int64_t hour = INT64_C(3600000000000);

	ck_assert(!is_another_run(0, 0, 1000));
	ck_assert(!is_another_run(0, 100 * hour, 1000));     /* a clock that is ahead */
	ck_assert(!is_another_run(0, hour / 2, 1000000000)); /* not that long */
	ck_assert(is_another_run(0, 2 * hour, 1000000000));  /* another pace */
	ck_assert(is_another_run(1, 0, 1000));
}
END_TEST

/* More packets than are kept: both keep the same ones. */
START_TEST(large_ones_are_sampled_alike)
{
	struct rda_sketch a, b;

	rda_sketch_init(&a);
	rda_sketch_init(&b);
	take(&a, 0, 40000, 0);
	take(&b, 20000, 60000, 0);
	ck_assert_uint_eq(a.sample_count, RDA_SKETCH_PACKETS);
	ck_assert_uint_eq(a.packets, 40000);
	/* half of what is kept, as half of all */
	ck_assert_uint_ge(rda_sketch_common(&a, &b), RDA_SKETCH_PACKETS * 45 / 100);
	ck_assert_uint_le(rda_sketch_common(&a, &b), RDA_SKETCH_PACKETS * 55 / 100);
	rda_sketch_cleanup(&a);
	rda_sketch_cleanup(&b);
}
END_TEST

static bool carried(uint32_t a_from, uint32_t a_to, uint32_t b_from, uint32_t b_to)
{
	struct rda_sketch a, b;
	bool count;

	rda_sketch_init(&a);
	rda_sketch_init(&b);
	take(&a, a_from, a_to, 0);
	take(&b, b_from, b_to, 1000000);
	count = rda_sketch_carried(&a, &b);
	rda_sketch_cleanup(&a);
	rda_sketch_cleanup(&b);
	return count;
}

START_TEST(a_flow_goes_on)
{
	ck_assert(carried(100, 200, 200, 300));
	ck_assert(carried(0xffff00, 0x1000000, 0x1000000, 0x1000100));
	ck_assert(!carried(100, 200, 210, 300)); /* a part is missing */
	ck_assert(!carried(100, 200, 150, 300)); /* another tap, or sent again */
	ck_assert(!carried(100, 200, 100, 200)); /* it began anew */
	ck_assert(!carried(100, 200, 50000, 50010));
}
END_TEST

/* Whether one of a's packets, from host 1 to host 2, and b's are halves: of b these ways, each from
 * a host to another. */
static bool opposite(const uint8_t (*ways)[2], unsigned count)
{
	struct rda_sketch a, b;
	bool halves;

	rda_sketch_init(&a);
	rda_sketch_init(&b);
	add(&a, 1, 2, 10, 20, 0);
	for (unsigned i = 0; i < count; i++)
		add(&b, ways[i][0], ways[i][1], 10, 20, 100000);
	halves = rda_sketch_opposite(&a, &b);
	ck_assert(rda_sketch_opposite(&b, &a) == halves);
	rda_sketch_cleanup(&a);
	rda_sketch_cleanup(&b);
	return halves;
}

START_TEST(what_each_host_sent_is_no_whole)
{
	ck_assert(opposite((const uint8_t[][2]){{2, 1}}, 1));
	ck_assert(opposite((const uint8_t[][2]){{2, 1}, {2, 3}}, 2));
	ck_assert(!opposite((const uint8_t[][2]){{1, 2}}, 1));
	ck_assert(!opposite((const uint8_t[][2]){{1, 2}, {2, 1}}, 2));
	ck_assert(!opposite((const uint8_t[][2]){{3, 4}}, 1)); /* others */
	ck_assert(!opposite((const uint8_t[][2]){{2, 1}, {3, 4}, {4, 3}}, 3));
	ck_assert(!opposite(NULL, 0));
}
END_TEST

Suite *rda_suite_sketch(void)
{
	Suite *suite = suite_create("sketch");
	TCase *tcase = tcase_create("sketch");

	tcase_add_test(tcase, the_same_packets_are_found);
	tcase_add_test(tcase, another_run);
	tcase_add_test(tcase, large_ones_are_sampled_alike);
	tcase_add_test(tcase, a_flow_goes_on);
	tcase_add_test(tcase, what_each_host_sent_is_no_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}
