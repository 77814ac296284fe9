/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader tells comes out in order, in batches, and their end.
 */
#include "analyzer/rdma-analyze/shard_steps.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { STEPS = 3 * RDA_STEPS + 7, LONG = 1 << 20 };

/* Bytes of the step with this number. */
static uint32_t length_of(uint32_t number)
{
	return number == 5 ? LONG : number % 200;
}

static void give(struct rda_shard_feed *feed, uint32_t number)
{
	static uint8_t bytes[LONG];
	struct rda_shard_step *step;

	memset(bytes, (int)(number & 0xff), length_of(number));
	step = rda_shard_feed_step(feed, bytes, length_of(number));
	step->meta.number = number;
}

/* All of a batch, the first of which has this number; how many there are. */
static uint32_t check_batch(const struct rda_batch *batch, uint32_t number)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		const uint8_t *bytes = batch->bytes + batch->steps[i].offset;

		rda_batch_fetch(batch, i);
		ck_assert_uint_eq(batch->steps[i].meta.number, number + i);
		for (uint32_t k = 0; k < length_of(number + i); k += 61)
			ck_assert_uint_eq(bytes[k], (number + i) & 0xff);
		ck_assert_uint_le(batch->steps[i].offset + length_of(number + i), batch->room);
	}
	return batch->count;
}

START_TEST(in_order)
{
	GAsyncQueue *unused = g_async_queue_new_full(rda_batch_free);
	struct rda_shard_feed feed;
	uint32_t number = 0, batches = 0;
	bool last = false;

	for (unsigned i = 0; i < 2 * STEPS / RDA_STEPS; i++)
		g_async_queue_push(unused, rda_batch_new());
	rda_shard_feed_begin(&feed, unused);
	for (uint32_t i = 0; i < STEPS; i++)
		give(&feed, i);
	rda_shard_feed_end(&feed);
	while (!last) {
		struct rda_batch *batch = g_async_queue_try_pop(feed.work);

		ck_assert_ptr_nonnull(batch);
		number += check_batch(batch, number);
		last = batch->last;
		batches++;
		rda_batch_free(batch);
	}
	ck_assert_uint_eq(number, STEPS);
	ck_assert_uint_gt(batches, STEPS / RDA_STEPS);
	ck_assert_ptr_null(g_async_queue_try_pop(feed.work));
	rda_shard_feed_cleanup(&feed);
	g_async_queue_unref(unused);
}
END_TEST

Suite *rda_suite_shard_steps(void)
{
	Suite *suite = suite_create("shard_steps");
	TCase *tcase = tcase_create("shard_steps");

	tcase_add_test(tcase, in_order);
	suite_add_tcase(suite, tcase);
	return suite;
}
