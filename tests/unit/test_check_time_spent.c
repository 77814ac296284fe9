/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When one cause of time is worth a word, and which; the words are in tests/scenarios/timing.
 */
#include "analyzer/checks/time/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

enum { A = 1, B = 2, A_QP = 0x11, B_QP = 0x22, PORT = 0xc000, US = 1000 };

/* So many requests, each answered after so long, and the next again after so long. */
static const struct {
	const char *name;
	unsigned requests;
	int64_t answer_us, next_us, every_other_us;
	const char *text; /* part of it; NULL: silent */
} rows[] = {
	{"waits, one at a time", 100, 40, 2, 0, "with one SEND outstanding, 40 us each. "},
	{"asks as much as it waits", 100, 40, 40, 60, NULL},
	{"asks each time as late", 100, 40, 60, 0, "which is the way to the requester and back"},
	{"asks little", 40, 10, 1000, 0, "nothing was asked"},
	{"too short", 20, 40, 2, 0, NULL},
	{"too few", 3, 1000, 2, 0, NULL},
};

START_TEST(spent)
{
	const struct rda_result *result;
	struct rda_feed feed;
	char *text = NULL;

	rda_feed_begin(&feed);
	rda_feed_exchange(&feed, A, B, A_QP, B_QP, 1);
	for (uint32_t i = 0; i < rows[_i].requests; i++) {
		rda_feed_send(&feed, A, B, B_QP, PORT, i);
		feed.meta.time_ns += rows[_i].answer_us * US - RDA_FEED_STEP_NS;
		rda_feed_acknowledge(&feed, B, A, A_QP, PORT, i);
		feed.meta.time_ns += rows[_i].next_us * US - RDA_FEED_STEP_NS;
		if (i % 2)
			feed.meta.time_ns += rows[_i].every_other_us * US;
	}
	rda_engine_finish(feed.engine);
	result = rda_engine_finished(feed.engine);
	for (unsigned i = 0; i < rda_result_finding_count(result); i++)
		if (rda_result_finding(result, i)->key.check == RDA_CHECK_T13) {
			ck_assert_ptr_null(text); /* once */
			text = rda_finding_text(rda_result_finding(result, i));
		}
	ck_assert_msg(rows[_i].text ? text && strstr(text, rows[_i].text) : !text, "%s: %s",
		      rows[_i].name, text ? text : "nothing");
	free(text);
	rda_feed_end(&feed);
}
END_TEST

Suite *rda_suite_check_time_spent(void)
{
	Suite *suite = suite_create("check_time_spent");
	TCase *tcase = tcase_create("check_time_spent");

	tcase_add_loop_test(tcase, spent, 0, RDA_COUNT(rows));
	suite_add_tcase(suite, tcase);
	return suite;
}
