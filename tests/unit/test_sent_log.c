/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in the order in which they were sent, what came late in its place.
 */
#include "analyzer/track/roce/sent_log.h"

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

/* PSNs in the log, from the first place on. */
static void holds(const int64_t *psns, size_t count)
{
	const struct rda_sent_log *log = requester.rare->log;

	ck_assert_uint_eq(log->count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(log->items[i].psn, psns[i]);
}

START_TEST(nothing_was_sent)
{
	ck_assert_ptr_null(rda_sent_log_before(&requester, 100));
	ck_assert(!rda_sent_log_reached(&requester, 100, 1));
	add(RDA_ORDER_UNKNOWN, 5);
	ck_assert_ptr_null(requester.rare->log);
	rda_sent_log_catch_up(&requester, 100);
	ck_assert_ptr_null(requester.rare->log);
}
END_TEST

/* The figure of sent_log.h, of which 7 (23) and 6 (25) come last. */
START_TEST(in_its_place)
{
	static const int64_t psns[] = {5, 6, 7, 8, 6, 7, 6, 8};

	add(17, 5), add(18, 6), add(19, 7), add(20, 8), add(23, 6), add(26, 8);
	add(24, 7), add(25, 6);
	holds(psns, RDA_COUNT(psns));
	ck_assert_int_eq(rda_sent_log_before(&requester, 23)->psn, 8);
	ck_assert_ptr_null(rda_sent_log_before(&requester, 17));
	ck_assert(rda_sent_log_reached(&requester, 21, 8));
	ck_assert(!rda_sent_log_reached(&requester, 20, 8));
}
END_TEST

START_TEST(a_copy_has_no_place_of_its_own)
{
	static const int64_t psns[] = {5, 6};

	add(17, 5), add(18, 6), add(18, 6);
	holds(psns, RDA_COUNT(psns));
}
END_TEST

/* Of a PSN that was sent more than once the place tells which time it was. */
START_TEST(at_its_place)
{
	const struct rda_request request = {.begin = 6, .end = 7, .frame = 44};

	ck_assert_ptr_null(rda_sent_log_at(&requester, 17, 5));
	add(17, 5), add(18, 6), add(20, 5);
	rda_sent_log_add(&requester, &request, 21);
	ck_assert_uint_eq(rda_sent_log_at(&requester, 21, 6)->frame, 44);
	ck_assert_int_eq(rda_sent_log_at(&requester, 18, 6)->place, 18);
	ck_assert_ptr_null(rda_sent_log_at(&requester, 19, 6));
	ck_assert_ptr_null(rda_sent_log_at(&requester, 18, 5));
	ck_assert_ptr_null(rda_sent_log_at(&requester, 22, 6));
}
END_TEST

/* The latest of several with one PSN among those that were sent between two places. */
START_TEST(between_places)
{
	ck_assert_ptr_null(rda_sent_log_last(&requester, 5, 0, 100));
	add(17, 5), add(18, 6), add(20, 5), add(22, 5), add(23, 7);
	ck_assert_int_eq(rda_sent_log_last(&requester, 5, 17, 22)->place, 20);
	ck_assert_int_eq(rda_sent_log_last(&requester, 5, 17, 24)->place, 22);
	ck_assert_ptr_null(rda_sent_log_last(&requester, 5, 18, 20));
	ck_assert_ptr_null(rda_sent_log_last(&requester, 7, 17, 23));
}
END_TEST

/* What is new is taken from the window once, by its identification. */
START_TEST(what_was_new)
{
	static const int64_t psns[] = {10, 11, 12, 11};

	requester.order.latest = 102;
	rda_window_thicken(&requester.window);
	for (int64_t psn = 10; psn < 13; psn++)
		*rda_window_append(&requester.window) = (struct rda_sent){
			.begin = psn, .end = psn + 1, .seen = 1, .ip_id = (uint16_t)(90 + psn)};
	requester.progress.next = 13;
	rda_sent_log_catch_up(&requester, 103);
	add(103, 11);
	rda_sent_log_catch_up(&requester, 104);
	holds(psns, RDA_COUNT(psns));
	ck_assert_int_eq(rda_sent_place(&requester, rda_window_at(&requester.window, 0)), 100);
}
END_TEST

/* Half of RDA_SENT_LOG_CAP goes when one more comes. */
START_TEST(the_oldest_are_forgotten)
{
	for (int64_t i = 0; i <= RDA_SENT_LOG_CAP; i++)
		add(i, i + 1);
	ck_assert_uint_eq(requester.rare->log->count, RDA_SENT_LOG_CAP / 2 + 1);
	ck_assert_int_eq(requester.rare->log->items[0].psn, RDA_SENT_LOG_CAP / 2 + 1);
	ck_assert_int_eq(rda_sent_log_before(&requester, INT64_MAX)->psn, RDA_SENT_LOG_CAP + 1);
}
END_TEST

Suite *rda_suite_sent_log(void)
{
	Suite *suite = suite_create("sent_log");
	TCase *tcase = tcase_create("sent_log");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, nothing_was_sent);
	tcase_add_test(tcase, in_its_place);
	tcase_add_test(tcase, a_copy_has_no_place_of_its_own);
	tcase_add_test(tcase, at_its_place);
	tcase_add_test(tcase, between_places);
	tcase_add_test(tcase, what_was_new);
	tcase_add_test(tcase, the_oldest_are_forgotten);
	suite_add_tcase(suite, tcase);
	return suite;
}
