/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S01 of requests: when a NAK and a gap prove that a packet was lost before the capture point.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/engine/state.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"
#include "tests/unit/talk.h"

/* BEGUN: nothing that is missing from then on can have passed before the capture began. */
enum { NAK = 0x60, LINES = 16, BEGUN_US = 60000 };

static const struct {
	const char *name;
	struct rda_line lines[LINES];
	unsigned proven, suspected;
} cases[] = {
	{"a NAK asks for it",
	 {{'A', RC_SEND_ONLY, 9},
	  {'B', RC_ACKNOWLEDGE, 9},
	  {'A', RC_SEND_ONLY, 10, 0, BEGUN_US},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 11, NAK},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 1,
	 0},
	{"the same of what the capture begins with",
	 {{'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 11, NAK},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 0,
	 1},
	{"the same where packets overtook each other before",
	 {{'A', RC_SEND_ONLY, 5},
	  {'A', RC_SEND_ONLY, 7},
	  {'A', RC_SEND_ONLY, 6},
	  {'A', RC_SEND_ONLY, 8},
	  {'B', RC_ACKNOWLEDGE, 8},
	  {'A', RC_SEND_ONLY, 9, 0, BEGUN_US},
	  {'A', RC_SEND_ONLY, 10},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 11, NAK},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 0,
	 1},
	{"a second one in what is sent again, for which no NAK asks",
	 {{'A', RC_SEND_ONLY, 9},
	  {'B', RC_ACKNOWLEDGE, 9},
	  {'A', RC_SEND_ONLY, 10, 0, BEGUN_US},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 14},
	  {'B', RC_ACKNOWLEDGE, 11, NAK},
	  {'A', RC_SEND_ONLY, 11},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 13},
	  {'A', RC_SEND_ONLY, 14},
	  {'B', RC_ACKNOWLEDGE, 14}},
	 1,
	 1},
	{"late",
	 {{'A', RC_SEND_ONLY, 9},
	  {'B', RC_ACKNOWLEDGE, 9},
	  {'A', RC_SEND_ONLY, 10, 0, BEGUN_US},
	  {'A', RC_SEND_ONLY, 12},
	  {'A', RC_SEND_ONLY, 11},
	  {'B', RC_ACKNOWLEDGE, 12}},
	 0,
	 0},
};

static uint64_t cases_of(const struct rda_feed *feed, enum rda_proof proof)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < rda_engine_finding_count(feed->engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(feed->engine, i);

		if (finding->key.check == RDA_CHECK_S01 && finding->key.proof == proof)
			count += finding->count;
	}
	return count;
}

START_TEST(proof)
{
	struct rda_feed feed;

	rda_talk(&feed, cases[_i].lines, LINES);
	ck_assert_msg(cases_of(&feed, RDA_PROOF_PROVEN) == cases[_i].proven &&
			      cases_of(&feed, RDA_PROOF_SUSPECTED) == cases[_i].suspected,
		      "%s: %" PRIu64 " proven, %" PRIu64 " suspected", cases[_i].name,
		      cases_of(&feed, RDA_PROOF_PROVEN), cases_of(&feed, RDA_PROOF_SUSPECTED));
	rda_feed_end(&feed);
}
END_TEST

/* What came behind the last packet of a message the capture begins with, and whether these are
 * nothing but such last packets. */
START_TEST(all_but_last)
{
	static const struct {
		struct rda_line lines[LINES];
		bool only_last;
	} rows[] = {
		{{{'A', RC_SEND_LAST, 13}, {'A', RC_SEND_LAST, 17}, {'A', RC_SEND_LAST, 21}}, true},
		{{{'A', RC_SEND_LAST, 13}, {'A', RC_SEND_LAST, 17}}, false},
		{{{'A', RC_SEND_LAST, 13},
		  {'A', RC_SEND_ONLY, 14},
		  {'A', RC_SEND_ONLY, 16},
		  {'A', RC_SEND_ONLY, 18}},
		 false},
		{{{'A', RC_SEND_ONLY, 13}, {'A', RC_SEND_LAST, 17}, {'A', RC_SEND_LAST, 21}},
		 false},
	};

	for (size_t i = 0; i < RDA_COUNT(rows); i++) {
		struct rda_feed feed;

		rda_talk(&feed, rows[i].lines, LINES);
		ck_assert_int_eq(rda_missing_all_but_last(&feed.engine->judge,
							  feed.engine->flows.table.items[0]),
				 rows[i].only_last);
		rda_feed_end(&feed);
	}
}
END_TEST

Suite *rda_suite_check_sequence_missing(void)
{
	Suite *suite = suite_create("check_sequence_missing");
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, proof, 0, RDA_COUNT(cases));
	tcase_add_test(tests, all_but_last);
	suite_add_tcase(suite, tests);
	return suite;
}
