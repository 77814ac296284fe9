/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has a frame: whole classes of pairs, whoever has the least to do, and the same by a few bytes
 * as by all that is known.
 */
#include "analyzer/rdma-analyze/shard_view.h"

#include "tests/unit/seen_frames.h"
#include "tests/unit/suite.h"

enum { ENGINES = 3, FRAMES = 4000, LOAD = 4, KEYS_EVERY = 100 };

static void begin(struct rda_shard_view *view, const struct rda_config *config, bool all)
{
	rda_shard_view_init(view, all ? rda_splitter_new(config) : rda_splitter_of_hosts(config),
			    LOAD, KEYS_EVERY);
	view->count = ENGINES;
}

/* One asks for each frame, the other only where it does not know by a few bytes. */
START_TEST(all_who_see_the_same_say_the_same)
{
	const struct rda_config config = {.hash_seed = 1};
	struct rda_shard_view views[2];
	struct rda_shard_seen seen, other;
	struct rda_built built;
	unsigned known = 0, taken = 0;

	begin(&views[0], &config, true);
	begin(&views[1], &config, false);
	for (uint32_t i = 0; i < FRAMES; i++) {
		struct rda_frame frame = rda_seen_frame(&built, i);
		struct rda_meta meta = rda_seen_meta(i);
		int16_t owner = rda_shard_view_owner(&views[1], &frame);

		rda_shard_view_frame(&views[0], &meta, &frame, &seen);
		ck_assert_int_eq(seen.begins, i == 0);
		ck_assert_int_eq(seen.told_owner, -1);
		if (owner < 0) {
			rda_shard_view_frame(&views[1], &meta, &frame, &other);
			owner = other.owner;
			ck_assert_int_eq(other.keys, seen.keys);
		} else {
			known++;
			ck_assert_int_eq(rda_shard_view_pass(&views[1], owner), seen.keys);
		}
		taken += seen.keys;
		ck_assert_int_eq(owner, seen.owner);
		ck_assert_int_eq(rda_shard_view_owner(&views[0], &frame), owner);
	}
	ck_assert_uint_eq(taken, FRAMES / KEYS_EVERY);
	ck_assert_uint_ge(known, FRAMES - (RDA_SEEN_HOSTS - 1));
	ck_assert_mem_eq(views[0].frames, views[1].frames, sizeof(views[0].frames));
	rda_shard_view_cleanup(&views[0]);
	rda_shard_view_cleanup(&views[1]);
}
END_TEST

/* Reading counts for the first: two of eight hosts that come one behind the other are its own. */
START_TEST(who_has_the_least_to_do_gets_a_pair)
{
	static const uint64_t want[ENGINES] = {2, 3, 3};
	const struct rda_config config = {.hash_seed = 1};
	unsigned pairs[ENGINES] = {0};
	struct rda_shard_view view;
	struct rda_shard_seen seen;
	struct rda_built built;

	begin(&view, &config, true);
	for (uint32_t i = 0; i < RDA_SEEN_HOSTS - 1; i++) {
		struct rda_frame frame = rda_seen_frame(&built, i);
		struct rda_meta meta = rda_seen_meta(i);

		rda_shard_view_frame(&view, &meta, &frame, &seen);
		pairs[seen.owner]++;
	}
	for (unsigned i = 0; i < ENGINES; i++)
		ck_assert_uint_eq(pairs[i], want[i]);
	rda_shard_view_cleanup(&view);
}
END_TEST

/* What each did not see of a file; owners stay, and a capture's first frame is told again. */
START_TEST(captures_that_end)
{
	const struct rda_config config = {.hash_seed = 1};
	struct rda_shard_view view;
	struct rda_shard_seen seen;
	struct rda_built built;
	int16_t owner = -1;

	begin(&view, &config, true);
	for (uint32_t capture = 0; capture < 3; capture++) {
		uint64_t elsewhere = 0;

		capture == 1 ? rda_shard_view_continue_capture(&view)
			     : rda_shard_view_begin_capture(&view);
		for (uint32_t i = 0; i < 80; i++) {
			struct rda_frame frame = rda_seen_frame(&built, i);
			struct rda_meta meta = rda_seen_meta(i);

			if (i == 0 && capture != 1)
				ck_assert_int_eq(rda_shard_view_owner(&view, &frame), -1);
			rda_shard_view_frame(&view, &meta, &frame, &seen);
			ck_assert_int_eq(seen.begins, i == 0 && capture != 1);
			ck_assert_int_eq(rda_shard_view_owner(&view, &frame), seen.owner);
			if (i == 0 && owner >= 0)
				ck_assert_int_eq(seen.owner, owner);
			owner = i == 0 ? seen.owner : owner;
		}
		for (unsigned i = 0; i < ENGINES; i++) {
			struct rda_part_others others = rda_shard_view_others(&view, i);

			elsewhere += others.frames;
			ck_assert_int_eq(others.first_ns, 0);
			ck_assert_int_eq(others.last_ns, 79000);
		}
		ck_assert_uint_eq(elsewhere, (ENGINES - 1) * 80);
	}
	rda_shard_view_cleanup(&view);
}
END_TEST

/* As many pairs as are not remembered all at once: all are known by a few bytes once their classes
 * have owners. */
START_TEST(many_pairs)
{
	const struct rda_config config = {.hash_seed = 1};
	struct rda_shard_view view;
	struct rda_shard_seen seen;
	struct rda_built built;
	unsigned asked = 0;

	begin(&view, &config, false);
	for (uint32_t i = 0; i < 200 * 200; i++) {
		struct rda_recipe recipe =
			rda_packet_of((uint8_t)(1 + i % 200), (uint8_t)(1 + i / 200), 0x11,
				      RDA_SEEN_SEND_ONLY, i);
		struct rda_meta meta = rda_seen_meta(i);
		struct rda_frame frame;
		int16_t owner;

		rda_build_packet(&built, &recipe);
		frame = (struct rda_frame){built.b.bytes, built.b.length, built.b.length,
					   built.link};
		owner = rda_shard_view_owner(&view, &frame);
		if (owner < 0) {
			asked++;
			rda_shard_view_frame(&view, &meta, &frame, &seen);
			continue;
		}
		ck_assert_int_eq(
			owner, view.owner_of[rda_share_class(rda_frame_share(&frame, NULL).pair)]);
		rda_shard_view_pass(&view, owner);
	}
	ck_assert_uint_le(asked, RDA_SHARES);
	rda_shard_view_cleanup(&view);
}
END_TEST

Suite *rda_suite_shard_view(void)
{
	Suite *suite = suite_create("shard_view");
	TCase *tcase = tcase_create("shard_view");

	tcase_add_test(tcase, all_who_see_the_same_say_the_same);
	tcase_add_test(tcase, who_has_the_least_to_do_gets_a_pair);
	tcase_add_test(tcase, captures_that_end);
	tcase_add_test(tcase, many_pairs);
	suite_add_tcase(suite, tcase);
	return suite;
}
