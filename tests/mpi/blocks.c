/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ranks do without talking to each other: who gets which classes of hosts, and how frames of a
 * block are sorted. What they say together: test_ranks.py.
 */
#include "analyzer/rdma-analyze/ranks_block.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 3, SNAP = 5 };

static struct rda_team team_of(unsigned engines)
{
	struct rda_team team = {.count = RANKS, .engines = engines};

	memset(team.rank_of, -1, sizeof(team.rank_of));
	return team;
}

START_TEST(the_rank_with_the_fewest_frames_gets_a_class)
{
	struct rda_team team = team_of(2);
	uint64_t frames[RDA_SHARES] = {[3] = 10, [4] = 70, [5] = 40, [6] = 25};

	rda_ranks_give(&team, frames);
	ck_assert_int_eq(team.rank_of[4], 0); /* the most, to the first */
	ck_assert_int_eq(team.rank_of[5], 1);
	ck_assert_int_eq(team.rank_of[6], 1); /* 40 are fewer than 70 */
	ck_assert_int_eq(team.rank_of[3], 1); /* 65 are */
	ck_assert_int_eq(team.rank_of[7], -1);
	/* who has one keeps it, and what it had counts */
	frames[4] = 0;
	frames[7] = 1;
	rda_ranks_give(&team, frames);
	ck_assert_int_eq(team.rank_of[4], 0);
	ck_assert_int_eq(team.rank_of[7], 0); /* 70, and the other 75 + 75 */
}
END_TEST

static void add(struct rda_block *block, uint8_t share, uint8_t kind, uint8_t mark)
{
	const struct rda_parcel parcel = {.captured = SNAP, .kind = kind, .share = share};
	uint8_t bytes[8] = {mark, mark, mark, mark, mark};

	ck_assert_uint_eq(rda_parcel_bytes(SNAP), sizeof(bytes));
	g_byte_array_append(block->own, (const guint8 *)&parcel, sizeof(parcel));
	g_byte_array_append(block->own, bytes, sizeof(bytes));
}

static void check_parcel(const uint8_t *at, unsigned kind, unsigned mark)
{
	struct rda_parcel parcel;

	memcpy(&parcel, at, sizeof(parcel));
	ck_assert_uint_eq(parcel.kind, kind);
	ck_assert_uint_eq(at[sizeof(parcel) + SNAP - 1], mark);
}

/* Rank 2 has no engine, and gets nothing. */
START_TEST(frames_go_to_their_rank_in_order)
{
	enum { SIZE = sizeof(struct rda_parcel) + 8 };
	struct rda_team team = team_of(2);
	struct rda_block block;
	int to[RANKS], at[RANKS];
	uint8_t *out;

	rda_block_init(&block, &team, NULL, NULL);
	team.rank_of[1] = 1;
	add(&block, 1, RDA_PARCEL_OWN, 'a');
	team.rank_of[2] = 0;
	add(&block, 2, RDA_PARCEL_STOPS, 'b'); /* all get it */
	add(&block, 1, RDA_PARCEL_OWN, 'c');
	out = rda_block_sort(&block, to, at);
	ck_assert_int_eq(to[0], SIZE);
	ck_assert_int_eq(to[1], 3 * SIZE);
	ck_assert_int_eq(to[2], 0);
	check_parcel(out + at[0], RDA_PARCEL_OWN, 'b');
	check_parcel(out + at[1], RDA_PARCEL_OWN, 'a');
	check_parcel(out + at[1] + SIZE, RDA_PARCEL_PAUSE, 'b');
	check_parcel(out + at[1] + 2 * SIZE, RDA_PARCEL_OWN, 'c');
	free(out);
	rda_block_clear(&block);
	out = rda_block_sort(&block, to, at);
	ck_assert_int_eq(to[0] + to[1] + to[2], 0);
	free(out);
	rda_block_cleanup(&block);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("blocks");
	TCase *tcase = tcase_create("blocks");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, the_rank_with_the_fewest_frames_gets_a_class);
	tcase_add_test(tcase, frames_go_to_their_rank_in_order);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
