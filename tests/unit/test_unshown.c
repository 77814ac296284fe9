/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What identifications tell of requests that were sent and did not pass, and that nothing else is
 * told so.
 */
#include "analyzer/track/roce/unshown.h"

#include "tests/unit/suite.h"
#include "tests/unit/told.h"

/* Twenty in order, and of all up to 17 it is known that they came; then a timer's time. */
#define BEGIN                                                                                      \
	"10:1 11:2 12:3 13:4 14:5 15:6 16:7 17:8 18:9 19:10 20:11 21:12 22:13 23:14 24:15 25:16 "  \
	"26:17 27:18 28:19 29:20 ack:17 ms:70 ack:25 "

static const struct story {
	const char *name, *script;
	uint64_t lost_before;
} stories[] = {
	{"all of a run", BEGIN "18:21 19:22 20:23 21:24 22:25 23:26 24:27 25:28 26:29 ack:29", 0},
	{"one that was acknowledged is missing, and its number",
	 BEGIN "18:21 19:22 20:23 22:25 23:26 24:27 25:28 26:29 ack:29", 1},
	{"it is left out, as it was acknowledged", BEGIN "18:21 19:22 20:23 22:24 23:25 ack:29", 0},
	{"others took numbers too", BEGIN "18:21 19:22 20:23 22:29 23:30 24:31 ack:29", 0},
	{"late, behind the first that passed of its run",
	 BEGIN "21:24 18:21 19:22 20:23 22:25 ack:29", 0},
	{"one of those never comes", BEGIN "21:24 18:21 19:22 22:25 23:26 ack:29", 1},
	{"it comes after all", BEGIN "21:24 18:21 19:22 22:25 23:26 20:23 ack:29", 0},
	{"a pause lies between", BEGIN "21:24 18:21 ms:5 20:23 22:25 23:26 ack:29", 0},
	{"no pause does", BEGIN "21:24 18:21 20:23 22:25 23:26 ack:29", 1},
	{"twice, in two runs", BEGIN "18:21 20:23 21:24 22:25 ms:70 18:26 20:28 21:29 22:30 ack:29",
	 2},
	{"of what had not been acknowledged the runs tell it, and it is told once",
	 BEGIN "26:21 28:23 29:24 ack:26 ms:70 27:25 28:26 29:27 ack:29", 1},
};

START_TEST(tells)
{
	struct rda_told told;
	uint64_t lost;

	rda_told(&told, stories[_i].script);
	lost = told.requester.rare->counts.lost_before;
	ck_assert_msg(lost == stories[_i].lost_before, "%s: %u lost before, expected %u",
		      stories[_i].name, (unsigned)lost, (unsigned)stories[_i].lost_before);
	rda_told_cleanup(&told);
}
END_TEST

Suite *rda_suite_unshown(void)
{
	Suite *suite = suite_create("unshown");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, tells, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
