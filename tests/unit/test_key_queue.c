/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses under way: order, what acknowledgments take out, the cap.
 */
#include "analyzer/track/keys/key_queue.h"

#include "tests/unit/suite.h"

static void add(struct rda_key_queue *queue, int64_t begin, int64_t end, uint32_t cap)
{
	struct rda_key_pending item = {.begin = begin, .psns = (uint32_t)(end - begin)};

	rda_key_queue_add(queue, &item, cap);
}

static int64_t found(const struct rda_key_queue *queue, int64_t psn)
{
	const struct rda_key_pending *item = rda_key_queue_find(queue, psn);

	return item ? item->begin : -1;
}

/* Takes out all below, and returns how many. */
static uint32_t take_below(struct rda_key_queue *queue, int64_t psn)
{
	uint32_t count = 0;

	for (; rda_key_queue_below(queue, psn); count++)
		rda_key_queue_pop(queue);
	return count;
}

START_TEST(acknowledgments_take_out_what_they_pass)
{
	struct rda_key_queue queue = {0};

	ck_assert_int_eq(found(&queue, 10), -1);
	ck_assert_uint_eq(take_below(&queue, 100), 0);
	add(&queue, 10, 13, 8);
	add(&queue, 13, 14, 8);
	add(&queue, 20, 21, 8);
	ck_assert_int_eq(found(&queue, 9), -1);
	ck_assert_int_eq(found(&queue, 12), 10);
	ck_assert_int_eq(found(&queue, 13), 13);
	ck_assert_int_eq(found(&queue, 14), -1);
	ck_assert_int_eq(found(&queue, 20), 20);
	ck_assert_uint_eq(take_below(&queue, 12), 0); /* not all of its PSNs */
	ck_assert_uint_eq(take_below(&queue, 14), 2);
	ck_assert_int_eq(found(&queue, 12), -1);
	ck_assert_int_eq(found(&queue, 20), 20);
	ck_assert_uint_eq(take_below(&queue, 21), 1);
	rda_key_queue_cleanup(&queue);
}
END_TEST

/* What a hole held up comes late and takes its place. */
START_TEST(late_ones_are_put_in_order)
{
	static const int64_t order[] = {10, 13, 11, 14, 12};
	struct rda_key_queue queue = {0};

	for (unsigned i = 0; i < RDA_COUNT(order); i++)
		add(&queue, order[i], order[i] + 1, 8);
	for (int64_t psn = 10; psn < 15; psn++) {
		ck_assert_int_eq(found(&queue, psn), psn);
		ck_assert_uint_eq(take_below(&queue, psn + 1), 1);
	}
	rda_key_queue_cleanup(&queue);
}
END_TEST

START_TEST(the_cap_drops_the_oldest)
{
	struct rda_key_queue queue = {0};

	for (int64_t psn = 0; psn < 100; psn++)
		add(&queue, psn, psn + 1, 16);
	ck_assert_uint_eq(queue.count, 16);
	ck_assert_uint_eq(queue.dropped, 84);
	ck_assert_int_eq(found(&queue, 83), -1);
	ck_assert_int_eq(found(&queue, 84), 84);
	rda_key_queue_cleanup(&queue);
}
END_TEST

/* However many pass, the room is that of those under way. */
START_TEST(memory_is_that_of_what_is_under_way)
{
	struct rda_key_queue queue = {0};

	for (int64_t psn = 0; psn < 10000; psn++) {
		add(&queue, psn, psn + 1, 2048);
		take_below(&queue, psn - 20);
	}
	ck_assert_uint_le(queue.allocated, 128);
	ck_assert_int_eq(found(&queue, 9990), 9990);
	rda_key_queue_cleanup(&queue);
}
END_TEST

static void again(struct rda_key_queue *queue, struct rda_key_pending item, uint64_t place)
{
	item.place = place;
	rda_key_queue_again(queue, &item);
}

START_TEST(what_is_asked_for_again_may_differ)
{
	struct rda_key_queue queue = {0};
	struct rda_key_pending item = {
		.begin = 10, .psns = 4, .key = 5, .va = 64, .length = 9, .place = 1};
	const struct rda_key_pending *kept;

	rda_key_queue_add(&queue, &item, 8);
	kept = rda_key_queue_find(&queue, 10);
	again(&queue, item, 2);
	ck_assert_uint_eq(kept->changed_place, 0);
	item.begin = 12; /* a READ, from a packet inside it */
	item.va = 96;
	again(&queue, item, 3);
	ck_assert_uint_eq(kept->changed_place, 0);
	item.begin = 10;
	again(&queue, item, 4);
	ck_assert_uint_eq(kept->changed_place, 4);
	item.va = 64;
	item.key = 6;
	again(&queue, item, 5);
	ck_assert_uint_eq(kept->changed_place, 5);
	item.begin = 20; /* nothing is under way there */
	again(&queue, item, 6);
	ck_assert_uint_eq(kept->changed_place, 5);
	rda_key_queue_cleanup(&queue);
}
END_TEST

Suite *rda_suite_key_queue(void)
{
	Suite *suite = suite_create("key_queue");
	TCase *tcase = tcase_create("key_queue");

	tcase_add_test(tcase, acknowledgments_take_out_what_they_pass);
	tcase_add_test(tcase, late_ones_are_put_in_order);
	tcase_add_test(tcase, the_cap_drops_the_oldest);
	tcase_add_test(tcase, memory_is_that_of_what_is_under_way);
	tcase_add_test(tcase, what_is_asked_for_again_may_differ);
	suite_add_tcase(suite, tcase);
	return suite;
}
