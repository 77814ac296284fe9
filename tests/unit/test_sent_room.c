/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often what was sent may be missing, by places that nobody has.
 */
#include "analyzer/track/roce/sent_room.h"

#include "tests/unit/suite.h"

static struct rda_requester requester;

static void setup(void)
{
	rda_requester_init(&requester, 16);
}

static void teardown(void)
{
	rda_requester_cleanup(&requester);
}

static void add(int64_t place, int64_t psn)
{
	const struct rda_request request = {.begin = psn, .end = psn + 1};

	rda_sent_log_add(&requester, &request, place);
}

/* Records of the PSNs 5 to 8, which were new. */
static void window(void)
{
	rda_window_thicken(&requester.window);
	for (int64_t psn = 5; psn < 9; psn++)
		*rda_window_append(&requester.window) =
			(struct rda_sent){.begin = psn, .end = psn + 1, .seen = 1};
	requester.progress.next = 9;
}

static uint8_t room(int64_t psn, uint8_t seen)
{
	const struct rda_sent record = {.begin = psn, .end = psn + 1, .seen = seen};

	return rda_sent_room(&requester, &record);
}

START_TEST(room_is_not_known)
{
	window();
	ck_assert_uint_eq(room(5, 1), UINT8_MAX); /* nothing is logged */
	add(17, 5), add(18, 6);
	ck_assert_uint_eq(room(9, 0), UINT8_MAX); /* nor this */
	for (int64_t i = 0; i <= RDA_SENT_LOG_CAP; i++)
		add(30 + i, 7);
	ck_assert_uint_eq(room(5, 1), UINT8_MAX); /* its first place may be forgotten */
}
END_TEST

/* The figure of sent_log.h: 7 at 24, and no other. */
START_TEST(no_room)
{
	window();
	add(17, 5), add(18, 6), add(19, 7), add(20, 8), add(23, 6), add(24, 7), add(25, 6);
	add(26, 8);
	ck_assert_uint_eq(room(7, 2), 0);
	ck_assert_uint_eq(room(6, 3), 0);
	/* between 20 and 23 there are two places, that a run may have begun with */
	ck_assert_uint_eq(room(5, 1), 1);
	/* between 24 and 25 there is none */
	ck_assert_uint_eq(room(8, 2), 0);
}
END_TEST

START_TEST(room_inside_a_run)
{
	window();
	add(17, 5), add(18, 6), add(20, 8), add(23, 5), add(24, 6), add(26, 8);
	ck_assert_uint_eq(room(7, 0), 2);
	ck_assert_uint_eq(room(7, 1), 1); /* one passed before any was logged */
	ck_assert_uint_eq(room(6, 2), 0);
}
END_TEST

/* Two runs have it between 6 and 8 where there are places for both: 7, and once more 7. */
START_TEST(room_for_two_runs)
{
	window();
	add(17, 5), add(18, 6), add(21, 8);
	ck_assert_uint_eq(room(7, 0), 2);
	ck_assert_uint_eq(room(6, 1), 1); /* 6 7 would have been sent again */
	ck_assert_uint_eq(room(5, 1), 0); /* 5 6 7 would not find room */
}
END_TEST

/* Behind the last that passed it may come yet, and before the first it may have been sent. */
START_TEST(room_at_the_ends)
{
	window();
	add(18, 7), add(19, 8), add(23, 5);
	ck_assert_uint_eq(room(6, 0), 2);
	ck_assert_uint_eq(room(8, 1), 1);
}
END_TEST

Suite *rda_suite_sent_room(void)
{
	Suite *suite = suite_create("sent_room");
	TCase *tcase = tcase_create("sent_room");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, room_is_not_known);
	tcase_add_test(tcase, no_room);
	tcase_add_test(tcase, room_inside_a_run);
	tcase_add_test(tcase, room_for_two_runs);
	tcase_add_test(tcase, room_at_the_ends);
	suite_add_tcase(suite, tcase);
	return suite;
}
