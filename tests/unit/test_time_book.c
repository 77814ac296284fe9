/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of time: what they are summed to, what is taken back of them, and what does not fit.
 */
#include "analyzer/track/roce/time_book.h"

#include "tests/unit/suite.h"

#include <glib.h>

#define DAY INT64_C(86400000000000)

static int64_t all_of(const struct rda_time_sums *sums)
{
	int64_t all = 0;

	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		all += sums->ns[i];
	for (unsigned i = 0; i < RDA_TIME_DEPTHS; i++)
		all += sums->depths[i].ns;
	return all;
}

/* Room for depths comes with the deepest, in whatever order they are met. */
START_TEST(depths)
{
	static const struct {
		uint64_t requests;
		unsigned depth;
	} waits[] = {{5, 4}, {1, 0}, {3, 2}, {6, 4}, {UINT64_C(1) << 40, RDA_TIME_DEPTHS - 1}};
	struct rda_time_ending ending;
	struct rda_time_book *book = &ending.book;
	struct rda_time_sums sums;

	rda_time_book_copy(&ending, NULL, 0);
	for (unsigned i = 0; i < RDA_COUNT(waits); i++)
		rda_time_book_wait(book, waits[i].requests, RDA_MESSAGE_SEND, 10 * (i + 1));
	rda_time_book_finish(&ending, &sums);
	ck_assert_int_eq(all_of(&sums), 10 * (int64_t)RDA_COUNT(waits));
	ck_assert_int_eq(sums.kinds[RDA_MESSAGE_SEND], 10 * (int64_t)RDA_COUNT(waits));
	for (unsigned i = 0; i < RDA_COUNT(waits); i++)
		ck_assert_int_gt(sums.depths[waits[i].depth].ns, 0);
	ck_assert_uint_eq(sums.depths[4].waits, 2);
	ck_assert_uint_eq(sums.depths[4].most, 6);
	ck_assert_uint_eq(sums.depths[RDA_TIME_DEPTHS - 1].most, UINT32_MAX);
}
END_TEST

/* What takes longer than a part can say is not lost, nor is what follows it. */
START_TEST(long_parts)
{
	struct rda_time_ending ending;
	struct rda_time_book *book = &ending.book;
	struct rda_time_sums sums;

	rda_time_book_copy(&ending, NULL, 0);
	rda_time_book_add(book, RDA_TIME_SENDING, 10);
	rda_time_book_idle(book, 50 * DAY);
	rda_time_book_idle(book, 100 * DAY); /* like the one before, and too long together */
	rda_time_book_add(book, RDA_TIME_SENDING, 100 * DAY + 5);
	rda_time_book_idle(book, 200 * DAY);
	ck_assert_int_eq(book->settled_ns, 200 * DAY);
	rda_time_book_add(book, RDA_TIME_WAITING, 200 * DAY + 7);
	rda_time_book_take_back(book, RDA_TIME_RECOVERY, 10 * DAY, 200 * DAY + 3);
	rda_time_book_finish(&ending, &sums);
	ck_assert_int_eq(sums.ns[RDA_TIME_SENDING], 15);
	ck_assert_int_eq(sums.ns[RDA_TIME_IDLE], 200 * DAY - 15);
	ck_assert_int_eq(sums.ns[RDA_TIME_RECOVERY], 3);
	ck_assert_int_eq(sums.ns[RDA_TIME_WAITING], 4);
	ck_assert_uint_eq(sums.idles, 3);
	ck_assert_int_eq(sums.idle_least_ns, 50 * DAY - 10);
	ck_assert_int_eq(sums.idle_most_ns, 100 * DAY - 5);
}
END_TEST

/* A stall that takes back more than a part can say: what lies behind it stays. */
START_TEST(long_stall)
{
	struct rda_time_ending ending;
	struct rda_time_book *book = &ending.book;
	struct rda_time_sums sums;

	rda_time_book_copy(&ending, NULL, 0);
	rda_time_book_add(book, RDA_TIME_SENDING, 10);
	rda_time_book_add(book, RDA_TIME_WAITING, 40 * DAY);
	rda_time_book_add(book, RDA_TIME_PAUSED, 80 * DAY);
	rda_time_book_add(book, RDA_TIME_WAITING, 90 * DAY);
	rda_time_book_take_back(book, RDA_TIME_RECOVERY, 4, 85 * DAY);
	rda_time_book_finish(&ending, &sums);
	ck_assert_int_eq(sums.ns[RDA_TIME_SENDING], 4);
	ck_assert_int_eq(sums.ns[RDA_TIME_RECOVERY], 85 * DAY - 4);
	ck_assert_int_eq(sums.ns[RDA_TIME_WAITING], 5 * DAY);
	ck_assert_int_eq(sums.ns[RDA_TIME_PAUSED], 0);
}
END_TEST

/* In the sums as in what was not summed yet: it was waiting. */
START_TEST(no_stall_at_all)
{
	struct rda_time_ending ending;
	struct rda_time_book *book = &ending.book;
	struct rda_time_sums sums;

	rda_time_book_copy(&ending, NULL, 0);
	for (int64_t i = 1; i <= RDA_TIME_PARTS; i++) {
		rda_time_book_add(book, RDA_TIME_SENDING, 20 * i - 10);
		rda_time_book_add(book, RDA_TIME_WAITING, 20 * i);
		rda_time_book_take_back(book, RDA_TIME_RECOVERY + RDA_TRIGGER_TIMEOUT, 20 * i - 10,
					20 * i);
	}
	ck_assert_int_gt(book->settled_ns, 0);
	ck_assert_int_lt(book->settled_ns, book->mark_ns);
	rda_time_book_no_stall(book);
	rda_time_book_finish(&ending, &sums);
	ck_assert_int_eq(sums.ns[RDA_TIME_RECOVERY + RDA_TRIGGER_TIMEOUT], 0);
	ck_assert_int_eq(sums.ns[RDA_TIME_WAITING], 10 * RDA_TIME_PARTS);
	ck_assert_int_eq(all_of(&sums), 20 * RDA_TIME_PARTS);
}
END_TEST

/* A copy is ended, and its book goes on; a log gets the parts in order. */
START_TEST(copies)
{
	const struct rda_time_hold hold = {.mac = {2}, .priority = 3};
	struct rda_time_book *book = rda_time_book_new(100);
	struct rda_time_ending copy;
	struct rda_time_log log = {0};
	struct rda_time_sums sums;

	rda_time_book_wait(book, 2, RDA_MESSAGE_WRITE, 150);
	rda_time_book_add(book, RDA_TIME_HELD, 170);
	rda_time_book_held(book, RDA_HELD_RESPONSES, &hold, 20);
	rda_time_book_copy(&copy, book, 0);
	copy.book.log = &log;
	rda_time_book_wait(&copy.book, 9, RDA_MESSAGE_WRITE, 180);
	rda_time_book_finish(&copy, &sums);
	ck_assert_int_eq(all_of(&sums), 80);
	ck_assert_uint_eq(log.count, 3);
	ck_assert_int_eq(log.told[0].begin_ns, 100);
	ck_assert_int_eq(log.told[2].end_ns, 180);
	g_free(log.told);
	rda_time_book_copy(&copy, book, 0);
	rda_time_book_finish(&copy, &sums);
	ck_assert_int_eq(all_of(&sums), 70);
	ck_assert_uint_eq(sums.held[RDA_HELD_RESPONSES].gaps, 1);
	ck_assert_int_eq(sums.held[RDA_HELD_RESPONSES].longest_ns, 20);
	ck_assert_uint_gt(rda_time_book_bytes(book), sizeof(*book));
	rda_time_book_free(book);
}
END_TEST

/* Parts beyond those that there is room for at first, and beyond all room, are summed in order. */
START_TEST(many_parts)
{
	struct rda_time_book *book = rda_time_book_new(0);
	struct rda_time_ending copy;
	struct rda_time_sums sums;

	for (int64_t i = 1; i <= 3 * RDA_TIME_PARTS; i++) {
		rda_time_book_add(book, i % 2 ? RDA_TIME_SENDING : RDA_TIME_WAITING, i * (i + 1));
		rda_time_book_copy(&copy, book, 0);
		rda_time_book_finish(&copy, &sums);
		ck_assert_int_eq(all_of(&sums), i * (i + 1));
		ck_assert_int_eq(sums.ns[RDA_TIME_WAITING] - sums.ns[RDA_TIME_SENDING],
				 i % 2 ? -i - 1 : i);
	}
	ck_assert_uint_eq(book->room, RDA_TIME_PARTS);
	rda_time_book_take_back(book, RDA_TIME_RECOVERY, book->settled_ns, book->mark_ns);
	ck_assert_uint_eq(book->count, 1);
	rda_time_book_free(book);
}
END_TEST

Suite *rda_suite_time_book(void)
{
	Suite *suite = suite_create("time_book");
	TCase *tcase = tcase_create("time_book");

	tcase_add_test(tcase, depths);
	tcase_add_test(tcase, long_parts);
	tcase_add_test(tcase, long_stall);
	tcase_add_test(tcase, no_stall_at_all);
	tcase_add_test(tcase, many_parts);
	tcase_add_test(tcase, copies);
	suite_add_tcase(suite, tcase);
	return suite;
}
