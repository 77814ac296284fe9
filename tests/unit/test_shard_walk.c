/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A follower reads what the leader read, to the same frame, closes its source, and notices another
 * file.
 */
#include "analyzer/rdma-analyze/shard_walk.h"

#include "tests/unit/seen_frames.h"
#include "tests/unit/suite.h"

enum { FRAMES = 3 * RDA_SHARD_PACE_FRAMES + 77, BEFORE = 1000 };

struct other {
	struct rda_shard_walk *walk;
	struct rda_shard_worker worker;
	struct rda_shard_view view;
};

static void *follow(void *data)
{
	struct other *other = data;

	rda_shard_walk_follow(other->walk, &other->worker, &other->view);
	return NULL;
}

/* The leader comes to FRAMES frames; how many the follower saw. */
static uint64_t walk(uint32_t frames, int64_t late_ns, bool *lost)
{
	const struct rda_config config = {.hash_seed = 1, .part = true, .part_number = 1};
	struct rda_shard_keys keys = {.every = 512};
	struct rda_source *source = rda_seen_source(frames);
	struct other other = {.walk = rda_shard_walk_new(&source, 1, BEFORE),
			      .worker = {1, rda_engine_new(&config), &keys}};
	bool closed = false;
	GThread *thread;
	uint64_t seen;

	((struct rda_seen_source *)source)->late_ns = late_ns;
	((struct rda_seen_source *)source)->closed = &closed;
	rda_shard_view_init(&other.view, rda_splitter_of_hosts(&config), 16, 512);
	other.view.count = 2;
	thread = g_thread_new("follower", follow, &other);
	for (uint32_t i = 0; i < FRAMES; i++) {
		struct rda_meta meta = rda_seen_meta(i);

		meta.number += BEFORE;
		rda_shard_walk_lead(other.walk, &meta);
	}
	rda_shard_walk_end(other.walk);
	g_thread_join(thread);
	ck_assert(closed);
	*lost = rda_shard_walk_is_lost(other.walk);
	seen = other.view.read;
	rda_shard_walk_free(other.walk);
	rda_shard_view_cleanup(&other.view);
	rda_engine_free(other.worker.engine);
	return seen;
}

START_TEST(to_the_same_frame)
{
	bool lost;

	ck_assert_uint_eq(walk(FRAMES, 0, &lost), FRAMES);
	ck_assert(!lost);
	ck_assert_uint_eq(walk(FRAMES + 100, 0, &lost), FRAMES); /* it has grown */
	ck_assert(!lost);
}
END_TEST

START_TEST(another_file)
{
	bool lost;

	ck_assert_uint_eq(walk(FRAMES - 1, 0, &lost), FRAMES - 1); /* it was cut */
	ck_assert(lost);
	walk(FRAMES, 1, &lost); /* it has other times */
	ck_assert(lost);
}
END_TEST

Suite *rda_suite_shard_walk(void)
{
	Suite *suite = suite_create("shard_walk");
	TCase *tcase = tcase_create("shard_walk");

	tcase_add_test(tcase, to_the_same_frame);
	tcase_add_test(tcase, another_file);
	suite_add_tcase(suite, tcase);
	return suite;
}
