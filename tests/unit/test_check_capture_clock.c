/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time stamps that are out of order, jump, or are too coarse.
 */
#include "analyzer/checks/capture/clock.h"

#include <string.h>

#include "tests/unit/feed.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

static struct rda_feed feed;

/* Packets of one flow at these times, on alternating interfaces when `taps` is 2. */
static void feed_times(const int64_t *times, unsigned count, unsigned taps)
{
	rda_feed_begin(&feed);
	for (unsigned i = 0; i < count; i++) {
		feed.meta.time_ns = times[i] - RDA_FEED_STEP_NS;
		feed.meta.tap = i % taps;
		rda_feed_send(&feed, 1, 2, 0x11, 0xc000, 5 + i);
	}
	rda_engine_finish(feed.engine);
}

static const struct rda_finding *found(enum rda_check check)
{
	for (unsigned i = 0; i < rda_engine_finding_count(feed.engine); i++)
		if (rda_engine_finding(feed.engine, i)->key.check == check)
			return rda_engine_finding(feed.engine, i);
	return NULL;
}

START_TEST(earlier_than_before_at_one_interface)
{
	feed_times((const int64_t[]){100000, 90000, 95000, 200000}, 4, 1);
	ck_assert_ptr_nonnull(found(RDA_CHECK_Q06));
	ck_assert_uint_eq(found(RDA_CHECK_Q06)->count, 1);
	ck_assert_uint_eq(found(RDA_CHECK_Q06)->places[0], 2);
	rda_feed_end(&feed);
}
END_TEST

/* Queues of one NIC that are emptied by two processors; what is wrong by so little is a note. */
START_TEST(by_little_is_a_note_and_by_much_a_warning)
{
	feed_times((const int64_t[]){9000000, 8997000, 9100000, 9095000, 9200000}, 5, 1);
	ck_assert_ptr_nonnull(found(RDA_CHECK_Q06));
	ck_assert_uint_eq(found(RDA_CHECK_Q06)->severity, RDA_SEVERITY_NOTE);
	ck_assert_uint_eq(found(RDA_CHECK_Q06)->count, 2);
	ck_assert_ptr_nonnull(
		strstr(rda_said_by(found(RDA_CHECK_Q06)), "2 packets are stamped up to 5 us"));
	rda_feed_end(&feed);
	feed_times((const int64_t[]){9000000, 7000000}, 2, 1);
	ck_assert_uint_eq(found(RDA_CHECK_Q06)->severity, RDA_SEVERITY_WARNING);
	rda_feed_end(&feed);
}
END_TEST

/* Two interfaces' packets are merged as they came; half a microsecond is what processors differ. */
START_TEST(two_interfaces_may_differ)
{
	feed_times((const int64_t[]){100001, 90001, 100501, 90501}, 4, 2);
	ck_assert_ptr_null(found(RDA_CHECK_Q06));
	rda_feed_end(&feed);
	feed_times((const int64_t[]){100001, 99501, 100501}, 3, 1);
	ck_assert_ptr_null(found(RDA_CHECK_Q06));
	rda_feed_end(&feed);
}
END_TEST

enum { MANY = 40 };

static void feed_steps(int64_t step)
{
	int64_t times[MANY];

	for (int i = 0; i < MANY; i++)
		times[i] = INT64_C(1700000000000000000) + i / 2 * step;
	feed_times(times, MANY, 1);
}

START_TEST(milliseconds_are_coarse_and_nanoseconds_are_not)
{
	feed_steps(1000000);
	ck_assert_ptr_nonnull(found(RDA_CHECK_Q07));
	rda_feed_end(&feed);
	feed_steps(1000); /* every second packet has the time of the one before */
	ck_assert_ptr_nonnull(found(RDA_CHECK_Q07));
	rda_feed_end(&feed);
	feed_steps(1001);
	ck_assert_ptr_null(found(RDA_CHECK_Q07));
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_capture_clock(void)
{
	Suite *suite = suite_create("check_clock");
	TCase *tcase = tcase_create("check_clock");

	tcase_add_test(tcase, earlier_than_before_at_one_interface);
	tcase_add_test(tcase, by_little_is_a_note_and_by_much_a_warning);
	tcase_add_test(tcase, two_interfaces_may_differ);
	tcase_add_test(tcase, milliseconds_are_coarse_and_nanoseconds_are_not);
	suite_add_tcase(suite, tcase);
	return suite;
}
