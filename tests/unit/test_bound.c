/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is certain of losses where nothing tells the order of sending, and what is not.
 */
#include "analyzer/track/roce/bound.h"

#include "tests/unit/story.h"
#include "tests/unit/suite.h"

/* Counts that are not named are 0. */
static const struct rda_story stories[] = {
	{"what follows came twice, this once", "send 10 11 13-15 nak 12 send 12-16 ack 16",
	 .fresh = 6, .resent = 4, .after_nak = 1, .lost_before = 1, .out_of_sequence = 3},
	{"one of what follows is enough", "send 10 11 13-15 nak 12 send 12 15 16 ack 16",
	 .fresh = 6, .resent = 2, .after_nak = 1, .lost_before = 1, .selective = 1,
	 .out_of_sequence = 3},
	{"what follows came once: this may be late", "send 10 11 13-15 nak 12 send 12 16 17 ack 17",
	 .fresh = 7, .resent = 1, .after_nak = 1, .missing = 1, .selective = 1,
	 .out_of_sequence = 3},
	{"the last of the run may be late",
	 "send 10 11 13-15 nak 12 send 12-14 16 nak 15 send "
	 "15-17 ack 17",
	 .fresh = 7, .resent = 5, .after_nak = 2, .lost_before = 1, .missing = 1,
	 .out_of_sequence = 4},
	{"but not where identifications count up",
	 "numbered send 10 11 13-15 nak 12 send 12-14 16 nak 15 send 15-17 ack 17", .fresh = 7,
	 .resent = 5, .after_nak = 2, .lost_before = 2, .out_of_sequence = 4},
	{"a run behind what was acknowledged tells nothing of that",
	 "send 10-15 nak 12 send 12-15 nak 14 send 14 15 ack 15", .fresh = 6, .resent = 6,
	 .after_nak = 2, .lost_after = 2, .out_of_sequence = 4},
	{"it comes when it was acknowledged: it was late",
	 "send 10 11 13-15 nak 12 send 12-15 ack 12 send 12 ack 15", .fresh = 5, .resent = 4,
	 .after_nak = 1, .reordered = 1, .duplicates = 1, .out_of_sequence = 3},
	{"but it is when that was long ago",
	 "send 10 11 13-15 nak 12 send 12-15 ack 12 wait 100 send 12 ack 15", .fresh = 5,
	 .resent = 5, .after_nak = 1, .after_timeout = 1, .lost_before = 1, .spurious = 1,
	 .duplicates = 1, .out_of_sequence = 3},
};

START_TEST(story)
{
	rda_story_check(&stories[_i]);
}
END_TEST

/* What was taken for a copy may have been sent again: it counts for the bound. */
START_TEST(a_copy_may_be_none)
{
	for (unsigned copied = 0; copied < 2; copied++) {
		struct rda_telling t;

		rda_telling_begin(&t, 0, 0);
		rda_tell(&t, "send 10 12 nak 11 send 11");
		if (copied)
			rda_bound_copied(&t.requester, &t.latest, &t.sink);
		rda_tell(&t, "send 12 ack 12");
		ck_assert_uint_eq(t.requester.rare->counts.lost_before, !copied);
		ck_assert_uint_eq(t.requester.rare->counts.missing, copied);
		rda_telling_end(&t);
	}
}
END_TEST

/* Of what follows it one appearance may be a copy, so that no run has sent it again. */
START_TEST(what_follows_may_be_a_copy)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 12 nak 11 send 11");
	rda_bound_doubted(rda_window_of(&t.requester.window, t.latest.begin + 1));
	rda_tell(&t, "send 12 ack 12");
	ck_assert_uint_eq(t.requester.rare->counts.lost_before, 0);
	ck_assert_uint_eq(t.requester.rare->counts.missing, 1);
	rda_telling_end(&t);
}
END_TEST

/* What comes and is not remembered is none of those that are, and may be found themselves. */
START_TEST(only_what_is_forgotten)
{
	struct rda_telling t;
	const uint64_t *lost;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 12 nak 11 send 11 12 ack 12");
	lost = &t.requester.rare->counts.lost_before;
	ck_assert_uint_eq(*lost, 1);
	rda_bound_forgotten(&t.requester, &t.latest, &t.sink);
	ck_assert_uint_eq(*lost, 1);
	rda_window_of(&t.requester.window, t.latest.begin - 1)->lost = 0;
	rda_bound_forgotten(&t.requester, &t.latest, &t.sink);
	ck_assert_uint_eq(*lost, 0);
	rda_telling_end(&t);
}
END_TEST

Suite *rda_suite_bound(void)
{
	Suite *suite = suite_create("bound");
	TCase *tcase = tcase_create("bound");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	tcase_add_test(tcase, a_copy_may_be_none);
	tcase_add_test(tcase, only_what_is_forgotten);
	tcase_add_test(tcase, what_follows_may_be_a_copy);
	suite_add_tcase(suite, tcase);
	return suite;
}
