/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Followers go as far as the leader, not further, and it not too far ahead of them.
 */
#include "analyzer/rdma-analyze/shard_pace.h"

#include "tests/unit/suite.h"

#include <glib.h>

enum { FOLLOWERS = 3, FRAMES = 1000003, STEP = 997 };

struct follower {
	struct rda_shard_pace *pace;
	unsigned number;
	uint64_t leaves_at; /* 0: never */
	uint64_t frames;    /* that it came to */
};

static uint64_t leader_at; /* atomic */

static void *follow(void *data)
{
	struct follower *f = data;
	struct rda_shard_pace_mark mark;

	while (rda_shard_pace_follow(f->pace, f->number, f->frames, &mark)) {
		ck_assert_uint_gt(mark.frames, f->frames);
		ck_assert_uint_le(mark.frames, __atomic_load_n(&leader_at, __ATOMIC_SEQ_CST));
		ck_assert_uint_eq(mark.number, mark.frames + 5);
		ck_assert_int_eq(mark.time_ns, (int64_t)mark.frames * 7);
		f->frames = MIN(mark.frames, f->frames + STEP * (f->number + 1));
		if (f->leaves_at && f->frames >= f->leaves_at) {
			rda_shard_pace_leave(f->pace, f->number);
			break;
		}
	}
	return NULL;
}

static struct rda_shard_pace_mark mark_of(uint64_t frames)
{
	return (struct rda_shard_pace_mark){frames, frames + 5, (int64_t)frames * 7};
}

static void lead(struct rda_shard_pace *pace)
{
	for (uint64_t at = 1; at <= FRAMES; at++) {
		const struct rda_shard_pace_mark mark = mark_of(at);

		__atomic_store_n(&leader_at, at, __ATOMIC_SEQ_CST);
		if (at == FRAMES)
			rda_shard_pace_end(pace, &mark);
		else if (at % RDA_SHARD_PACE_FRAMES == 0)
			rda_shard_pace_lead(pace, &mark);
	}
}

START_TEST(all_end_with_the_same_frame)
{
	for (uint64_t leaves = 0; leaves < 2; leaves++) {
		struct rda_shard_pace *pace = rda_shard_pace_new(FOLLOWERS);
		struct follower followers[FOLLOWERS];
		GThread *threads[FOLLOWERS];

		for (unsigned i = 0; i < FOLLOWERS; i++) {
			followers[i] = (struct follower){pace, i, i == 1 ? leaves * 5000 : 0, 0};
			threads[i] = g_thread_new("follower", follow, &followers[i]);
		}
		lead(pace);
		for (unsigned i = 0; i < FOLLOWERS; i++)
			g_thread_join(threads[i]);
		for (unsigned i = 0; i < FOLLOWERS; i++)
			if (!followers[i].leaves_at)
				ck_assert_uint_eq(followers[i].frames, FRAMES);
		ck_assert_int_eq(rda_shard_pace_was_left(pace), leaves == 1);
		rda_shard_pace_free(pace);
	}
}
END_TEST

/* A leader that is ahead waits: it comes to the end when its follower is near. */
static void *lead_alone(void *pace)
{
	lead(pace);
	return NULL;
}

START_TEST(nobody_is_far_ahead)
{
	struct rda_shard_pace *pace = rda_shard_pace_new(1);
	GThread *thread = g_thread_new("leader", lead_alone, pace);
	struct rda_shard_pace_mark mark;
	uint64_t frames = 0;

	while (rda_shard_pace_follow(pace, 0, frames, &mark)) {
		ck_assert_uint_le(mark.frames,
				  frames + RDA_SHARD_PACE_AHEAD + 2 * RDA_SHARD_PACE_FRAMES);
		frames = MIN(mark.frames, frames + STEP);
	}
	g_thread_join(thread);
	ck_assert_uint_eq(frames, FRAMES);
	rda_shard_pace_free(pace);
}
END_TEST

Suite *rda_suite_shard_pace(void)
{
	Suite *suite = suite_create("shard_pace");
	TCase *tcase = tcase_create("shard_pace");

	tcase_add_test(tcase, all_end_with_the_same_frame);
	tcase_add_test(tcase, nobody_is_far_ahead);
	suite_add_tcase(suite, tcase);
	return suite;
}
