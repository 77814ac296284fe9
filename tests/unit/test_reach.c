/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far packets were overtaken: known numbers of packets and microseconds.
 */
#include "analyzer/track/roce/reach.h"

#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

enum { LINES = 12, PAUSE_US = 5 };

static const struct {
	const char *name, *packets, *late; /* arguments of the finding */
	struct rda_line lines[LINES];
	uint64_t overtaken; /* 0: not told */
	int64_t late_us;
} cases[] = {
	{"by one",
	 "overtaken",
	 "late_ns",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 11, 0, PAUSE_US},
	  {'A', RC_SEND_ONLY, 13},
	  {'B', RC_ACKNOWLEDGE, 13}},
	 1,
	 PAUSE_US},
	{"by three; what was late itself does not count",
	 "overtaken",
	 "late_ns",
	 {{'A', RC_SEND_ONLY, 10},
	  {'B', RC_ACKNOWLEDGE, 10},
	  {'A', RC_SEND_ONLY, 13, 0, PAUSE_US},
	  {'A', RC_SEND_ONLY, 11, 0, PAUSE_US},
	  {'A', RC_SEND_ONLY, 14, 0, PAUSE_US},
	  {'A', RC_SEND_ONLY, 15, 0, PAUSE_US},
	  {'A', RC_SEND_ONLY, 12, 0, PAUSE_US},
	  {'A', RC_SEND_ONLY, 16},
	  {'B', RC_ACKNOWLEDGE, 16}},
	 3,
	 4 * PAUSE_US},
	{"responses of a READ",
	 "responses_overtaken",
	 "responses_late_ns",
	 {{'A', RC_READ_REQUEST, 10, 5 * 1024},
	  {'B', RC_READ_RESPONSE_FIRST, 10},
	  {'B', RC_READ_RESPONSE_MIDDLE, 12},
	  {'B', RC_READ_RESPONSE_MIDDLE, 13, 0, PAUSE_US},
	  {'B', RC_READ_RESPONSE_MIDDLE, 11, 0, PAUSE_US},
	  {'B', RC_READ_RESPONSE_LAST, 14}},
	 2,
	 2 * PAUSE_US},
	{"none",
	 "overtaken",
	 "late_ns",
	 {{'A', RC_SEND_ONLY, 10}, {'A', RC_SEND_ONLY, 11}, {'B', RC_ACKNOWLEDGE, 11}},
	 0,
	 0},
};

START_TEST(known)
{
	const struct rda_finding *finding;
	const struct rda_argument *packets, *late;
	struct rda_feed feed;

	rda_talk(&feed, cases[_i].lines, LINES);
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert_msg(!finding == !cases[_i].overtaken, "%s", cases[_i].name);
	if (finding) {
		packets = rda_finding_find_argument(finding, cases[_i].packets);
		late = rda_finding_find_argument(finding, cases[_i].late);
		ck_assert_msg(packets && packets->number == cases[_i].overtaken, "%s",
			      cases[_i].name);
		/* each line takes its own time beside the pauses */
		ck_assert_msg(late && late->integer >= cases[_i].late_us * 1000 &&
				      late->integer < (cases[_i].late_us + 20) * 1000,
			      "%s", cases[_i].name);
	}
	rda_feed_end(&feed);
}
END_TEST

/* Of more than are counted it is told that there are more. */
START_TEST(by_many)
{
	struct rda_line lines[RDA_REACH_MOST + 4] = {{'A', RC_SEND_ONLY, 10}};
	const struct rda_finding *finding;
	struct rda_feed feed;
	uint32_t count = 1;

	while (count < RDA_REACH_MOST + 2) {
		lines[count] = (struct rda_line){'A', RC_SEND_ONLY, 11 + count};
		count++;
	}
	lines[count++] = (struct rda_line){'A', RC_SEND_ONLY, 11};
	rda_talk(&feed, lines, count);
	finding = rda_talk_found(&feed, RDA_CHECK_Q10);
	ck_assert_ptr_nonnull(finding);
	ck_assert_uint_eq(rda_finding_find_argument(finding, "overtaken")->number, RDA_REACH_MOST);
	ck_assert_uint_eq(rda_finding_find_argument(finding, "or_more")->number, 1);
	rda_feed_end(&feed);
}
END_TEST

START_TEST(farthest)
{
	struct rda_reach all = {0}, near = {2, 900}, far = {7, 100};

	rda_reach_join(&all, &near);
	rda_reach_join(&all, &far);
	ck_assert_uint_eq(all.packets, 7);
	ck_assert_int_eq(all.late_ns, 900);
}
END_TEST

Suite *rda_suite_reach(void)
{
	Suite *suite = suite_create("reach");
	TCase *tcase = tcase_create("reach");

	tcase_add_loop_test(tcase, known, 0, RDA_COUNT(cases));
	tcase_add_test(tcase, by_many);
	tcase_add_test(tcase, farthest);
	suite_add_tcase(suite, tcase);
	return suite;
}
