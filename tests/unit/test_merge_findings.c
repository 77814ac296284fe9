/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings of merged results: counted together where they are about one capture, told anew where
 * they are about all of it.
 */
#include "analyzer/checks/finding.h"

#include "tests/unit/feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

#include <glib.h>

/* A capture from which `dropped` packets are missing, and whose frame 1 or 2 another engine has. */
static struct rda_result *result_of(uint64_t dropped, bool second)
{
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	feed.meta.number += second;
	rda_feed_send(&feed, 1, second ? 3 : 2, 0x11, 0xc000, 5);
	rda_engine_dropped(feed.engine, dropped);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	return result;
}

START_TEST(of_a_capture_in_all)
{
	struct rda_result *a = result_of(3, false), *b = result_of(4, true);
	struct rda_result *merged = rda_result_merge(a, b);
	char *text;

	ck_assert_uint_eq(rda_result_capture(merged, 0)->dropped, 7);
	ck_assert_uint_eq(rda_result_finding_count(merged), 1);
	text = rda_finding_text(rda_result_finding(merged, 0));
	ck_assert_str_eq(rda_finding_check(rda_result_finding(merged, 0))->code, "Q08");
	ck_assert_msg(strstr(text, "7 packets, beside the 2") != NULL, "%s", text);
	g_free(text);
	rda_result_free(a);
	rda_result_free(b);
	rda_result_free(merged);
}
END_TEST

/* What is told of a capture as its packets come: an engine's frame longer than any link's. */
static struct rda_result *long_frame(uint64_t number, uint32_t wire)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x11, RC_SEND_ONLY, 5);
	struct rda_result *result;
	struct rda_built built;
	struct rda_feed feed;
	uint32_t captured;

	rda_feed_begin(&feed);
	rda_build_packet(&built, &recipe);
	feed.meta.number = number - 1;
	captured = built.b.length;
	built.b.length = wire;
	rda_feed_frame(&feed, &built.b, captured, built.link);
	result = rda_engine_result(feed.engine);
	rda_feed_end(&feed);
	return result;
}

START_TEST(told_of_a_capture_in_both)
{
	struct rda_result *parts[] = {long_frame(4, 20000), long_frame(2, 30000)};
	struct rda_result *merged = rda_result_merge(parts[_i], parts[!_i]);
	const struct rda_finding *found = NULL;
	char *text;

	for (uint32_t i = 0; i < rda_result_finding_count(merged); i++)
		if (strcmp(rda_finding_check(rda_result_finding(merged, i))->code, "Q11") == 0)
			found = rda_result_finding(merged, i);
	ck_assert_ptr_nonnull(found);
	text = rda_finding_text(found);
	ck_assert_msg(strstr(text, "30000 bytes") != NULL, "%s", text); /* the first one's words */
	ck_assert_uint_eq(found->count, 2);
	ck_assert_uint_eq(found->place_count, 2);
	ck_assert_uint_eq(rda_place_number(found->places[0]), 2);
	ck_assert_uint_eq(rda_place_number(found->places[1]), 4);
	g_free(text);
	rda_result_free(parts[0]);
	rda_result_free(parts[1]);
	rda_result_free(merged);
}
END_TEST

Suite *rda_suite_merge_findings(void)
{
	Suite *suite = suite_create("merge_findings");
	TCase *tcase = tcase_create("merge_findings");

	tcase_add_test(tcase, of_a_capture_in_all);
	tcase_add_loop_test(tcase, told_of_a_capture_in_both, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
