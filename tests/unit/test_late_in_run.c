/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of runs that others overtook, where nothing tells the order of sending: how many runs there
 * were.
 */
#include "analyzer/track/roce/late_in_run.h"

#include "tests/unit/suite.h"
#include "tests/unit/told.h"

#include <string.h>

/* Words are those of told.h. In each case 12 overtakes 11 first, as packets do here. */
struct story {
	const char *name, *script, *kinds;
	unsigned runs;
};

/* Much comes late. */
#define LATE "10 12 11 14 13 16 15 18 17 "

/* Acknowledged, and sent again in more runs than are remembered. */
#define RUN   "ms:60 13 14 15 16 "
#define ACKED "10 12 11 13 14 15 16 ack:16 " RUN RUN RUN RUN RUN RUN RUN RUN RUN

static const struct story stories[] = {
	{"the beginning of a run comes behind its middle, which a NAK asks for",
	 "10 12 11 13 14 15 16 17 nak:13 ack:14 nak:15 15 13 14 16 17 ack:17", "nnlnnnnnRRRRR", 1},
	{"and later than any timer fires: it is another",
	 "10 12 11 13 14 15 16 17 nak:13 ack:14 nak:15 15 16 ms:60 13 14 15 ack:17",
	 "nnlnnnnnRRRRR", 2},
	{"much comes late: so what a NAK asks for is that run's which has not shown it",
	 LATE "nak:13 13 15 16 nak:14 14 17 18 ack:18", "nnlnlnlnlRRRRRR", 1},
	{"little does: it is what was asked for",
	 "10 12 11 13 14 15 16 17 nak:13 13 15 16 nak:14 14 15 16 17 ack:17", "nnlnnnnnRRRRRRR", 2},
	{"and what that has shown begins another",
	 "10 12 11 13 14 15 16 17 nak:13 13 14 15 nak:14 14 15 16 17 ack:17", "nnlnnnnnRRRRRRR", 2},
	{"shown by the run, and no reason is left for another: copied by the network, perhaps",
	 LATE "nak:13 13 14 15 16 17 18 ms:1 15 16 ack:18", "nnlnlnlnlRRRRRRRR", 1},
	{"a reason is left", LATE "nak:13 13 14 15 16 17 18 nak:15 ms:1 16 17 ack:18",
	 "nnlnlnlnlRRRRRRRR", 2},
	{"it may come later, of what is shown late itself, where little comes late",
	 "10 12 11 13 14 15 16 17 nak:13 13 14 15 16 17 ms:1 15 16 ack:17", "nnlnnnnnRRRRRRR", 2},
	{"passed over by its run, which shows it a little later", ACKED "ms:60 13 15 14 16",
	 "nnlnnnnRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR", 10},
	{"passed over, and sent again by the next run", ACKED "ms:60 13 15 ms:60 14 16",
	 "nnlnnnnRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR", 11},
};

/*
 * As runs tell, 15 was sent three times by the time it was acknowledged, and once it did not come.
 * What comes then is of the run that had not shown it, or is that one. The network's copies come
 * sooner.
 */
#define LOSES "13 14 15 16 17 18 nak:13 ms:3 13 14 16 17 18 nak:15 15 16 17 18 ack:18 "

static const struct {
	const char *script;
	uint64_t lost, missing;
} losses[] = {
	{LOSES "19 21 20", 1, 0},
	{"13 14 15 16 17 18 nak:13 13 14 16 17 18 nak:15 15 16 17 18 ack:18 ", 0, 1},
	{LOSES "19 21 20 ms:1 14 ms:1 17 ms:1 15", 0, 1},
};

START_TEST(loses)
{
	struct rda_told told;

	rda_told(&told, losses[_i].script);
	ck_assert_uint_eq(told.requester.rare->counts.lost_before, losses[_i].lost);
	ck_assert_uint_eq(told.requester.rare->counts.missing, losses[_i].missing);
	rda_told_cleanup(&told);
}
END_TEST

START_TEST(tells)
{
	const struct story *story = &stories[_i];
	struct rda_told told;

	rda_told(&told, story->script);
	ck_assert_msg(strcmp(told.kinds, story->kinds) == 0, "%s: packets are %s, expected %s",
		      story->name, told.kinds, story->kinds);
	ck_assert_msg(told.runs == story->runs, "%s: %u runs, expected %u", story->name, told.runs,
		      story->runs);
	rda_told_cleanup(&told);
}
END_TEST

Suite *rda_suite_late_in_run(void)
{
	Suite *suite = suite_create("late_in_run");
	TCase *tcase = tcase_create("stories");

	tcase_add_loop_test(tcase, tells, 0, sizeof(stories) / sizeof(stories[0]));
	tcase_add_loop_test(tcase, loses, 0, sizeof(losses) / sizeof(losses[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
