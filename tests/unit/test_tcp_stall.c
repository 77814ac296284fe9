/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses that end with bytes that were sent again, seen or not, and others.
 */
#include "analyzer/track/iwarp/tcp_stall.h"

#include "tests/unit/suite.h"

#define MS INT64_C(1000000)

/* A segment of 100 bytes; its time in milliseconds. */
static void sent(struct rda_tcp_stall *stall, uint32_t begin, uint16_t ip_id, bool again,
		 int64_t ms)
{
	rda_tcp_stall_sent(stall, &(struct rda_tcp_sent){.begin = begin,
							 .end = begin + 100,
							 .ip_id = ip_id,
							 .again = again,
							 .ordered = ip_id != 0,
							 .time_ns = ms * MS});
}

/* A segment once more, so much later; with an acknowledgment in between, or none. */
static const struct {
	int64_t acknowledged_ms, again_ms;
	bool again;
	int64_t stalled_ms;
} seen[] = {
	{0, 200, true, 200},   {0, 199, true, 0},   {0, 500, false, 0},
	{300, 500, true, 200}, {301, 500, true, 0}, {100, 500, true, 400},
};

START_TEST(what_is_sent_again_ends_a_pause)
{
	struct rda_tcp_stall stall = {0};

	sent(&stall, 1000, 1, false, 0);
	if (seen[_i].acknowledged_ms)
		rda_tcp_stall_acknowledged(&stall, seen[_i].acknowledged_ms * MS);
	sent(&stall, 1000, 2, seen[_i].again, seen[_i].again_ms);
	ck_assert_int_eq(stall.total_ns, seen[_i].stalled_ms * MS);
	ck_assert_uint_eq(stall.count, seen[_i].stalled_ms > 0);
}
END_TEST

START_TEST(a_timer_that_runs_out_again_makes_one_stall)
{
	struct rda_tcp_stall stall = {0};

	sent(&stall, 1000, 1, false, 0);
	sent(&stall, 1000, 2, true, 200);
	sent(&stall, 1000, 3, true, 600);
	ck_assert_uint_eq(stall.count, 1);
	ck_assert_int_eq(stall.total_ns, 600 * MS);
	rda_tcp_stall_acknowledged(&stall, 601 * MS);
	sent(&stall, 1100, 4, false, 602);
	sent(&stall, 1100, 5, true, 902);
	ck_assert_uint_eq(stall.count, 2);
	ck_assert_int_eq(stall.total_ns, 900 * MS);
}
END_TEST

/* The other side says that it had what was sent again, twice or once; and it acknowledged it before
 * that, or not. */
static const struct {
	bool twice, acknowledged;
	int64_t stalled_ms;
} had[] = {{false, true, 0}, {false, false, 0}, {true, true, 600}};

START_TEST(an_acknowledgment_that_is_late_makes_no_stall)
{
	struct rda_tcp_stall stall = {0};

	sent(&stall, 1000, 1, false, 0);
	sent(&stall, 1000, 2, true, 200);
	if (had[_i].twice)
		sent(&stall, 1000, 3, true, 600);
	if (had[_i].acknowledged)
		rda_tcp_stall_acknowledged(&stall, 601 * MS);
	rda_tcp_stall_needless(&stall, 1100, 1200); /* another segment */
	rda_tcp_stall_needless(&stall, 1000, 1100);
	rda_tcp_stall_needless(&stall, 1000, 1100);
	ck_assert_uint_eq(stall.count, had[_i].stalled_ms > 0);
	ck_assert_int_eq(stall.total_ns, had[_i].stalled_ms * MS);
}
END_TEST

/* Persist timers send a byte now and then for as long as the window is closed. */
START_TEST(a_byte_asks_for_the_window)
{
	struct rda_tcp_stall stall = {0};

	sent(&stall, 1000, 1, false, 0);
	rda_tcp_stall_sent(&stall,
			   &(struct rda_tcp_sent){
				   .begin = 1000, .end = 1001, .again = true, .time_ns = 500 * MS});
	ck_assert_uint_eq(stall.count, 0);
}
END_TEST

/*
 * A segment behind 500 ms, and what follows: how much behind its end, with what identification. It
 * was sent again where the bytes between had no identifications to be sent with.
 */
static const struct {
	const char *name;
	uint32_t gap;
	uint16_t first, second;
	uint64_t count;
} unseen[] = {
	{"nothing is between", 300, 7, 8, 1},
	{"one was between, or an acknowledgment", 300, 7, 9, 1},
	{"all may be between", 300, 7, 11, 0},
	{"over zero", 300, 65535, 0, 0}, /* 0 is none */
	{"right behind", 0, 7, 8, 0},
	{"before it", (uint32_t)-300, 7, 8, 0},
	{"overtaken", 300, 8, 7, 0},
	{"no identifications", 300, 0, 0, 0},
};

START_TEST(what_was_lost_before_the_tap_is_told_by_what_follows)
{
	struct rda_tcp_stall stall = {0};

	sent(&stall, 1000, 3, false, 0);
	rda_tcp_stall_acknowledged(&stall, 1 * MS);
	sent(&stall, 1100, unseen[_i].first, false, 501);
	sent(&stall, 1200 + unseen[_i].gap, unseen[_i].second, false, 502);
	ck_assert_msg(stall.count == unseen[_i].count, "%s", unseen[_i].name);
	ck_assert_int_eq(stall.total_ns, unseen[_i].count ? 500 * MS : 0);
	ck_assert_int_eq(stall.unseen, unseen[_i].count > 0);
}
END_TEST

Suite *rda_suite_tcp_stall(void)
{
	Suite *suite = suite_create("tcp_stall");
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, what_is_sent_again_ends_a_pause, 0, RDA_COUNT(seen));
	tcase_add_test(tests, a_timer_that_runs_out_again_makes_one_stall);
	tcase_add_loop_test(tests, an_acknowledgment_that_is_late_makes_no_stall, 0,
			    RDA_COUNT(had));
	tcase_add_test(tests, a_byte_asks_for_the_window);
	tcase_add_loop_test(tests, what_was_lost_before_the_tap_is_told_by_what_follows, 0,
			    RDA_COUNT(unseen));
	suite_add_tcase(suite, tests);
	return suite;
}
