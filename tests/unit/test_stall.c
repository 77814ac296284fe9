/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time without progress, as little stories: each step at its time.
 */
#include "analyzer/track/roce/stall.h"

#include "tests/unit/suite.h"

enum step { END, PROGRESS, NAK, RNR, TIMEOUT };

static const struct {
	const char *name;
	struct {
		enum step step;
		int64_t time_ns;
		int64_t sent_ns; /* of a resend: when it was first sent */
	} steps[6];
	int64_t nak, rnr, timeout;
	int64_t longest; /* that a progress ended; -1 none */
} stories[] = {
	{"no resend", {{PROGRESS, 10, 0}, {PROGRESS, 900, 0}}, 0, 0, 0, -1},
	{"a timeout after an idle time: from when it was sent",
	 {{PROGRESS, 10, 0}, {TIMEOUT, 300, 100}, {PROGRESS, 310, 0}},
	 0,
	 0,
	 210,
	 210},
	{"a NAK while others are acknowledged: from the latest progress",
	 {{PROGRESS, 100, 0}, {NAK, 130, 50}, {PROGRESS, 140, 0}},
	 40,
	 0,
	 0,
	 40},
	{"a resend is refused again: each has its own part",
	 {{PROGRESS, 10, 0}, {NAK, 30, 5}, {RNR, 100, 5}, {TIMEOUT, 400, 5}, {PROGRESS, 450, 0}},
	 20,
	 70,
	 350,
	 440},
	{"it dies: up to the last resend",
	 {{PROGRESS, 10, 0}, {TIMEOUT, 100, 20}, {TIMEOUT, 200, 20}},
	 0,
	 0,
	 180,
	 -1},
	{"two stalls",
	 {{NAK, 20, 10}, {PROGRESS, 30, 0}, {TIMEOUT, 90, 40}, {PROGRESS, 95, 0}},
	 20,
	 0,
	 55,
	 55},
	{"hostile times",
	 {{NAK, INT64_C(1) << 62, -(INT64_C(1) << 62) + 1}, {PROGRESS, 0, 0}},
	 INT64_MAX,
	 0,
	 0,
	 (INT64_C(1) << 62) - 1},
	{"the clock goes backwards", {{NAK, 20, 10}, {NAK, 5, 10}, {PROGRESS, 3, 0}}, 10, 0, 0, 0},
};

START_TEST(story)
{
	static const enum rda_trigger triggers[] = {
		[NAK] = RDA_TRIGGER_NAK,
		[RNR] = RDA_TRIGGER_RNR,
		[TIMEOUT] = RDA_TRIGGER_TIMEOUT,
	};
	struct rda_stall stall = {0};
	int64_t longest = -1;

	for (unsigned i = 0; stories[_i].steps[i].step != END; i++) {
		enum step step = stories[_i].steps[i].step;
		int64_t time_ns = stories[_i].steps[i].time_ns, ended;

		if (step == PROGRESS) {
			ended = rda_stall_progress(&stall, time_ns);
			longest = ended > longest ? ended : longest;
		} else {
			rda_stall_resent(&stall, triggers[step], stories[_i].steps[i].sent_ns,
					 time_ns);
		}
	}
	ck_assert_int_eq(rda_stall_of(&stall, RDA_TRIGGER_NAK), stories[_i].nak);
	ck_assert_int_eq(rda_stall_of(&stall, RDA_TRIGGER_RNR), stories[_i].rnr);
	ck_assert_int_eq(rda_stall_of(&stall, RDA_TRIGGER_TIMEOUT), stories[_i].timeout);
	ck_assert_int_eq(rda_stall_total(&stall),
			 stories[_i].nak + stories[_i].rnr + stories[_i].timeout);
	ck_assert_int_eq(longest, stories[_i].longest);
	rda_stall_cleanup(&stall);
}
END_TEST

Suite *rda_suite_stall(void)
{
	Suite *suite = suite_create("stall");
	TCase *tcase = tcase_create("stall");

	tcase_add_loop_test(tcase, story, 0, RDA_COUNT(stories));
	suite_add_tcase(suite, tcase);
	return suite;
}
