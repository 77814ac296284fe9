/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that come once a result is there: they are ranked with the others, and weighed as
 * options have it.
 */
#include "analyzer/engine/later.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

enum { A = 1, B = 2, PORT = 0xc000 };

static struct rda_result *result_of(const struct rda_config *config)
{
	struct rda_engine *before;
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	before = feed.engine;
	if (config) {
		feed.engine = rda_engine_new(config);
		rda_engine_free(before);
	}
	rda_engine_begin_capture(feed.engine);
	rda_feed_send(&feed, A, B, 0x10, PORT, 5);
	rda_feed_send(&feed, A, B, 0x10, PORT, 5);
	rda_engine_end(feed.engine);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	return result;
}

static unsigned count_of(const struct rda_result *result, const char *code)
{
	unsigned count = 0;

	for (unsigned i = 0; i < rda_result_finding_count(result); i++)
		count += strcmp(rda_finding_check(rda_result_finding(result, i))->code, code) == 0;
	return count;
}

/* What was told before is told once more, and the new one in its place. */
START_TEST(ranked)
{
	struct rda_result *result = result_of(NULL);
	unsigned before = rda_result_finding_count(result);

	rda_result_find_later(result, RDA_CHECK_N01, 1);
	rda_result_find_later(result, RDA_CHECK_N01, 1);
	rda_result_found_later(result);
	ck_assert_uint_eq(rda_result_finding_count(result), before + 1);
	ck_assert_uint_eq(count_of(result, "N01"), 1);
	for (unsigned i = 0; i < before; i++)
		ck_assert_int_ge(rda_finding_severity(rda_result_finding(result, i)),
				 rda_finding_severity(rda_result_finding(result, i + 1)));
	for (unsigned i = 0; i <= before; i++)
		if (count_of(result, "N01") &&
		    strcmp(rda_finding_check(rda_result_finding(result, i))->code, "N01") == 0) {
			ck_assert_uint_eq(rda_finding_count(rda_result_finding(result, i)), 2);
			ck_assert_int_eq(rda_finding_host(rda_result_finding(result, i)), 1);
		}
	rda_result_free(result);
}
END_TEST

/* --check N01=off, N01=error */
START_TEST(weighed)
{
	struct rda_config off = {0}, error = {0};
	struct rda_result *result;

	off.checks_off[RDA_CHECK_N01] = true;
	result = result_of(&off);
	rda_result_find_later(result, RDA_CHECK_N01, 0);
	rda_result_found_later(result);
	ck_assert_uint_eq(count_of(result, "N01"), 0);
	rda_result_free(result);

	error.checks_severity[RDA_CHECK_N01] = 1 + RDA_SEVERITY_ERROR;
	result = result_of(&error);
	rda_result_find_later(result, RDA_CHECK_N01, 0);
	rda_result_found_later(result);
	ck_assert_str_eq(rda_finding_check(rda_result_finding(result, 0))->code, "N01");
	ck_assert_int_eq(rda_finding_severity(rda_result_finding(result, 0)), RDA_SEVERITY_ERROR);
	rda_result_free(result);
}
END_TEST

Suite *rda_suite_later(void)
{
	Suite *suite = suite_create("later");
	TCase *tcase = tcase_create("later");

	tcase_add_test(tcase, ranked);
	tcase_add_test(tcase, weighed);
	suite_add_tcase(suite, tcase);
	return suite;
}
