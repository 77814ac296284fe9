/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may be a copy by the network or come late, and what was sent again.
 */
#include "analyzer/track/roce/copied.h"

#include "analyzer/track/roce/copies.h"
#include "tests/unit/story.h"
#include "tests/unit/suite.h"

static const struct rda_sent *latest(const struct rda_telling *t)
{
	return rda_window_at(&t->requester.window,
			     rda_window_find(&t->requester.window, t->latest.begin));
}

/* The latest packet of the story once more, so much later, as one of a run after a timeout. */
static bool perhaps(struct rda_telling *t, int64_t later_ns)
{
	t->latest.time_ns = latest(t)->last_ns + later_ns;
	t->requester.run.trigger = RDA_TRIGGER_TIMEOUT;
	return rda_copied_perhaps(&t->requester, &t->latest, latest(t));
}

START_TEST(a_copy_comes_soon)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 12 nak 11 send 11");
	ck_assert(perhaps(&t, RDA_COPY_NS - 1));
	ck_assert(!perhaps(&t, RDA_COPY_NS));
	t.requester.run.trigger = RDA_TRIGGER_NAK; /* it was asked for */
	t.latest.time_ns = latest(&t)->last_ns + 1;
	ck_assert(!rda_copied_perhaps(&t.requester, &t.latest, latest(&t)));
	rda_telling_end(&t);
}
END_TEST

START_TEST(a_copy_is_the_same)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 12 nak 11 send 11");
	t.latest.icrc++; /* it asks for an ACK, which the first did not */
	ck_assert(!perhaps(&t, 1));
	rda_telling_end(&t);
}
END_TEST

/* The latest packet of the story once more, so much later. */
static bool by_time(const char *story, int64_t later_ns)
{
	struct rda_telling t;
	bool is_copy;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, story);
	t.latest.time_ns = latest(&t)->last_ns + later_ns;
	is_copy = rda_copied_by_time(&t.requester, latest(&t), &t.latest);
	rda_telling_end(&t);
	return is_copy;
}

START_TEST(the_newest_alone)
{
	static const char *const stories[] = {"send 10-12 ack 10",
					      /* the oldest, too: no timer fires so soon */
					      "send 10-12 ack 11"};

	for (unsigned i = 0; i < RDA_COUNT(stories); i++) {
		ck_assert(by_time(stories[i], RDA_TIMER_IN_USE_NS - 1));
		ck_assert(!by_time(stories[i], RDA_TIMER_IN_USE_NS));
	}
	/* one that is not the newest */
	ck_assert(!by_time("send 10-12 ack 10 send 11", RDA_MIRROR_NS));
}
END_TEST

START_TEST(the_newest_where_some_are_copied)
{
	static const char *const stories[] = {"send 10-19 copy send 20-22 ack 20",
					      "send 10-19 copy send 20-22 ack 22"};

	for (unsigned i = 0; i < RDA_COUNT(stories); i++) {
		ck_assert(by_time(stories[i], RDA_SILENCE_NS - 1));
		ck_assert(!by_time(stories[i], RDA_SILENCE_NS));
	}
}
END_TEST

/* Without a record: long acknowledged, or before the first packet of the capture. */
START_TEST(what_is_not_remembered)
{
	struct rda_telling t;

	rda_telling_begin(&t, 0, 0);
	rda_tell(&t, "send 10 12 nak 11 send 11-12");
	t.requester.run.trigger = RDA_TRIGGER_TIMEOUT;
	t.requester.progress.acked_frame = 0;
	ck_assert(rda_copied_perhaps(&t.requester, &t.latest, NULL));
	t.requester.progress.acked_frame = 1;
	t.requester.progress.acked = t.latest.begin + 1;
	t.requester.progress.acked_ns = t.latest.time_ns - RDA_COPY_NS;
	ck_assert(!rda_copied_perhaps(&t.requester, &t.latest, NULL));
	t.requester.progress.acked_ns++;
	ck_assert(rda_copied_perhaps(&t.requester, &t.latest, NULL));
	t.requester.progress.acked = t.latest.begin; /* it was not acknowledged */
	ck_assert(!rda_copied_perhaps(&t.requester, &t.latest, NULL));
	rda_telling_end(&t);
}
END_TEST

/* A run that a NAK asked for, and of which only something else was seen. */
START_TEST(not_what_was_asked)
{
	static const char *const stories[] = {"send 10-13 nak 11 send 13",
					      "send 10-13 nak 11 send 11",
					      "send 10-13 nak 11 send 12 13"};

	for (unsigned i = 0; i < RDA_COUNT(stories); i++) {
		struct rda_telling t;

		rda_telling_begin(&t, 0, 0);
		rda_tell(&t, stories[i]);
		ck_assert_int_eq(rda_copied_perhaps(&t.requester, &t.latest, latest(&t)), i == 0);
		rda_telling_end(&t);
	}
}
END_TEST

Suite *rda_suite_copied(void)
{
	Suite *suite = suite_create("copied");
	TCase *tcase = tcase_create("copied");

	tcase_add_test(tcase, a_copy_comes_soon);
	tcase_add_test(tcase, a_copy_is_the_same);
	tcase_add_test(tcase, the_newest_alone);
	tcase_add_test(tcase, the_newest_where_some_are_copied);
	tcase_add_test(tcase, what_is_not_remembered);
	tcase_add_test(tcase, not_what_was_asked);
	suite_add_tcase(suite, tcase);
	return suite;
}
