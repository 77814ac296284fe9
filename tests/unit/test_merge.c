/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of disjoint connections as one: what is added, what is put in order, what follows.
 */
#include "analyzer/rda.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, C = 3, PORT = 0xc000 };

/* Frames 1 and 3 are between A and B, frames 2 and 4 between A and C. */
static struct rda_result *result_of(bool ab, bool ac)
{
	const uint8_t to[] = {B, C, B, C};
	const struct rda_share share = {.pair = 1, .rdma = true};
	const struct rda_frame frame = {.wire = 100};
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	for (uint32_t i = 0; i < 4; i++) {
		if (to[i] == B ? ab : ac) {
			rda_feed_send(&feed, A, to[i], to[i], PORT, i);
			continue;
		}
		feed.meta.number++;
		feed.meta.time_ns += RDA_FEED_STEP_NS;
		rda_engine_elsewhere(feed.engine, &feed.meta, &frame, &share);
	}
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	return result;
}

static void check_equal(const struct rda_result *one, const struct rda_result *two)
{
	const struct rda_capture *a = rda_result_capture(one, 0), *b = rda_result_capture(two, 0);

	ck_assert_uint_eq(a->packets, b->packets);
	ck_assert_int_eq(a->first_time_ns, b->first_time_ns);
	ck_assert_int_eq(a->last_time_ns, b->last_time_ns);
	ck_assert_uint_eq(rda_result_host_count(one), rda_result_host_count(two));
	for (unsigned i = 0; i < rda_result_host_count(one); i++)
		ck_assert_mem_eq(rda_result_host(one, i), rda_result_host(two, i),
				 sizeof(struct rda_host));
	ck_assert_uint_eq(rda_result_connection_count(one), rda_result_connection_count(two));
	for (unsigned i = 0; i < rda_result_connection_count(one); i++) {
		const struct rda_connection_facts *x = rda_result_connection(one, i);
		const struct rda_connection_facts *y = rda_result_connection(two, i);

		ck_assert_uint_eq(x->id, i);
		ck_assert_uint_eq(x->endpoints[1].qpn, y->endpoints[1].qpn);
		ck_assert_int_eq(x->flows[0], y->flows[0]);
		ck_assert_uint_eq(rda_result_flow(one, x, 0)->connection, i);
		ck_assert_uint_eq(rda_result_flow(one, x, 0)->packets,
				  rda_result_flow(two, y, 0)->packets);
	}
}

START_TEST(parts_make_the_whole)
{
	struct rda_result *whole = result_of(true, true), *ab = result_of(true, false),
			  *ac = result_of(false, true);
	struct rda_result *one = rda_result_merge(ab, ac), *two = rda_result_merge(ac, ab);

	ck_assert_uint_eq(rda_result_connection_count(whole), 2);
	check_equal(one, whole);
	check_equal(two, whole);
	rda_result_free(ab);
	rda_result_free(ac);
	rda_result_free(one);
	rda_result_free(two);
	rda_result_free(whole);
}
END_TEST

/* Frames that another engine has tell how long the capture was, and nothing else. */
START_TEST(elsewhere)
{
	struct rda_result *ac = result_of(false, true);

	ck_assert_uint_eq(rda_result_capture(ac, 0)->packets, 2);
	ck_assert_int_eq(rda_result_capture(ac, 0)->last_time_ns -
				 rda_result_capture(ac, 0)->first_time_ns,
			 3 * RDA_FEED_STEP_NS);
	rda_result_free(ac);
}
END_TEST

START_TEST(with_nothing)
{
	struct rda_engine *engine = rda_engine_new(NULL);
	struct rda_result *none = rda_engine_result(engine), *whole = result_of(true, true);
	struct rda_result *merged = rda_result_merge(none, whole);

	check_equal(merged, whole);
	rda_engine_free(engine);
	rda_result_free(none);
	rda_result_free(whole);
	rda_result_free(merged);
}
END_TEST

Suite *rda_suite_merge(void)
{
	Suite *suite = suite_create("merge");
	TCase *tcase = tcase_create("merge");

	tcase_add_test(tcase, parts_make_the_whole);
	tcase_add_test(tcase, elsewhere);
	tcase_add_test(tcase, with_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
