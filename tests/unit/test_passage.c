/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which packets of two taps are the same.
 */
#include "analyzer/taps/passage.h"

#include "tests/unit/suite.h"

#include <glib.h>

static void add(struct rda_passages *to, uint64_t hash, uint32_t icrc, int64_t time_ns)
{
	rda_passages_add(to, &(struct rda_passage){.hash = hash, .icrc = icrc, .time_ns = time_ns});
}

START_TEST(packets_find_each_other)
{
	struct rda_passages x, y;
	uint32_t *to_y, *to_x;

	rda_passages_init(&x);
	rda_passages_init(&y);
	add(&x, 1, 9, 1000);
	add(&x, 2, 9, 2000); /* lost */
	add(&x, 3, 9, 3000);
	add(&y, 3, 9, 53001); /* overtaken */
	add(&y, 1, 9, 53002);
	add(&y, 4, 9, 54000);	       /* of another way */
	add(&y, 3, 8, 55000);	       /* another ICRC */
	rda_passages_put_in_order(&x); /* of one, and not of the other */
	ck_assert_uint_eq(rda_passages_match(&x, &y, &to_y, &to_x, NULL), 2);
	ck_assert_uint_eq(to_y[0], 1);
	ck_assert_uint_eq(to_y[1], RDA_PASSAGE_NONE);
	ck_assert_uint_eq(to_y[2], 0);
	ck_assert_uint_eq(to_x[2], RDA_PASSAGE_NONE);
	ck_assert_uint_eq(to_x[3], RDA_PASSAGE_NONE);
	ck_assert(x.coarse);
	ck_assert(!y.coarse);
	g_free(to_y);
	g_free(to_x);
	rda_passages_cleanup(&x);
	rda_passages_cleanup(&y);
}
END_TEST

/* A sender that does not number its packets sends one three times; the second is lost. */
START_TEST(equal_packets_go_by_time)
{
	struct rda_passages x, y;
	uint32_t *to_y, *to_x;

	rda_passages_init(&x);
	rda_passages_init(&y);
	for (uint32_t i = 0; i < 5; i++) {
		add(&x, 100 + i, 9, 1000 * i);
		add(&y, 100 + i, 9, 1000 * i + 500007);
	}
	add(&x, 7, 9, 10000000);
	add(&x, 7, 9, 20000000);
	add(&x, 7, 9, 30000000);
	add(&y, 7, 9, 10500007);
	add(&y, 7, 9, 30500007);
	ck_assert_uint_eq(rda_passages_match(&x, &y, &to_y, &to_x, NULL), 7);
	ck_assert_uint_eq(to_y[5], 5);
	ck_assert_uint_eq(to_y[6], RDA_PASSAGE_COPY); /* one too many, and lost */
	ck_assert_uint_eq(to_y[7], 6);
	g_free(to_y);
	g_free(to_x);
	rda_passages_cleanup(&x);
	rda_passages_cleanup(&y);
}
END_TEST

/* A tap saw one twice that the other saw once: one of the two is a copy; and one that the other did
 * not see at all. */
START_TEST(a_copy_is_marked)
{
	struct rda_passages x, y;
	uint32_t *to_y, *to_x;

	rda_passages_init(&x);
	rda_passages_init(&y);
	add(&x, 1, 9, 1000);
	add(&x, 2, 9, 2000);
	add(&y, 1, 9, 1500);
	add(&y, 2, 9, 2500);
	add(&y, 2, 9, 2900);
	add(&y, 2, 8, 2950); /* it only looks like that one */
	add(&y, 3, 9, 3000);
	add(&y, 3, 9, 3100);
	add(&y, 2, 9, 5000000); /* too late for a mirror */
	ck_assert_uint_eq(rda_passages_match(&x, &y, &to_y, &to_x, NULL), 2);
	ck_assert_uint_eq(to_x[1], 1);
	ck_assert_uint_eq(to_x[2], RDA_PASSAGE_TWIN);
	ck_assert_uint_eq(to_x[3], RDA_PASSAGE_NONE);
	ck_assert_uint_eq(to_x[4], RDA_PASSAGE_NONE);
	ck_assert_uint_eq(to_x[5], RDA_PASSAGE_TWIN);
	ck_assert_uint_eq(to_x[6], RDA_PASSAGE_COPY);
	g_free(to_y);
	g_free(to_x);
	rda_passages_cleanup(&x);
	rda_passages_cleanup(&y);
}
END_TEST

/* Damage gave it another ICRC: it is the one that would else have none. Of two that have none
 * nothing tells which it is; and what is not damaged is another packet. */
START_TEST(damage_of_the_icrc)
{
	struct rda_passages x, y;
	uint32_t *to_y, *to_x;
	bool *sure;

	rda_passages_init(&x);
	rda_passages_init(&y);
	for (uint32_t i = 1; i <= 4; i++)
		add(&x, i, 9, 1000 * i);
	add(&x, 3, 7, 3500);
	add(&x, 4, 7, 4500); /* sent again, with another bit */
	add(&y, 1, 8, 1500);
	add(&y, 2, 8, 2500);
	add(&y, 3, 8, 3500);
	add(&y, 4, 8, 4500);
	add(&y, 4, 7, 4600);
	y.packets[0].damaged = y.packets[2].damaged = y.packets[3].damaged = true;
	ck_assert_uint_eq(rda_passages_match(&x, &y, &to_y, &to_x, &sure), 3);
	ck_assert_uint_eq(to_y[0], 0);
	ck_assert(sure[0]);
	ck_assert_uint_eq(to_x[1], RDA_PASSAGE_NONE);
	ck_assert_uint_eq(to_x[2], RDA_PASSAGE_NONE);
	ck_assert_uint_eq(to_y[3], 3);
	ck_assert(!sure[3]); /* another one has its fingerprint */
	g_free(to_y);
	g_free(to_x);
	g_free(sure);
	rda_passages_cleanup(&x);
	rda_passages_cleanup(&y);
}
END_TEST

/* By their numbers, of which those in between are no more. */
START_TEST(flows_by_number)
{
	const uint32_t numbers[] = {3, 4, 90000};
	const uint32_t of[] = {4, 90000, 0, 5, 90001, RDA_PASSAGE_NO_FLOW, 3};
	const uint32_t become[] = {1,
				   2,
				   RDA_PASSAGE_NO_FLOW,
				   RDA_PASSAGE_NO_FLOW,
				   RDA_PASSAGE_NO_FLOW,
				   RDA_PASSAGE_NO_FLOW,
				   0};
	struct rda_passages passages;

	rda_passages_init(&passages);
	for (unsigned i = 0; i < 7; i++)
		rda_passages_add(&passages, &(struct rda_passage){.flow = of[i]});
	rda_passages_settle(&passages, numbers, 3);
	for (unsigned i = 0; i < 7; i++)
		ck_assert_uint_eq(passages.packets[i].flow, become[i]);
	rda_passages_settle(&passages, NULL, 0);
	ck_assert_uint_eq(passages.packets[0].flow, RDA_PASSAGE_NO_FLOW);
	rda_passages_cleanup(&passages);
}
END_TEST

Suite *rda_suite_passage(void)
{
	Suite *suite = suite_create("passage");
	TCase *tcase = tcase_create("passage");

	tcase_add_test(tcase, packets_find_each_other);
	tcase_add_test(tcase, equal_packets_go_by_time);
	tcase_add_test(tcase, a_copy_is_marked);
	tcase_add_test(tcase, damage_of_the_icrc);
	tcase_add_test(tcase, flows_by_number);
	suite_add_tcase(suite, tcase);
	return suite;
}
