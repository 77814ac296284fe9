/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings of two documents: by which key they are the same, and when they are worse.
 */
#include "analyzer/report/baseline.h"
#include "tests/unit/suite.h"

#include <json-c/json.h>

#define A_AND_B "{\"endpoints\": [{\"address\": \"10.0.0.1\"}, {\"address\": \"10.0.0.2\"}]}"
#define B_AND_A "{\"endpoints\": [{\"address\": \"10.0.0.2\"}, {\"address\": \"10.0.0.1\"}]}"

static struct rda_baseline old, now;

static void setup(void)
{
	rda_baseline_init(&old);
	rda_baseline_init(&now);
}

static void teardown(void)
{
	rda_baseline_cleanup(&old);
	rda_baseline_cleanup(&now);
}

static void take(struct rda_baseline *baseline, const char *list, const char *json)
{
	json_object *record = json_tokener_parse(json);

	rda_baseline_take(baseline, list, 0, record);
	json_object_put(record);
}

/* A finding of S02 on connection 0. */
static void take_case(struct rda_baseline *baseline, const char *severity, int count)
{
	char *json = g_strdup_printf("{\"code\": \"S02\", \"connection\": 0, \"flow\": 0, "
				     "\"severity\": \"%s\", \"count\": %d}",
				     severity, count);

	take(baseline, "findings", json);
	g_free(json);
}

/* a connection, a finding, the finding's key */
static const struct {
	const char *connection, *finding, *key;
} keys[] = {
	{A_AND_B, "{\"code\": \"S02\", \"connection\": 0, \"flow\": 0}", "S02 10.0.0.1 > 10.0.0.2"},
	{A_AND_B, "{\"code\": \"S02\", \"connection\": 0, \"flow\": 1}", "S02 10.0.0.2 > 10.0.0.1"},
	/* of both directions: whichever endpoint comes first */
	{A_AND_B, "{\"code\": \"C01\", \"connection\": 0, \"flow\": null}",
	 "C01 10.0.0.1 and 10.0.0.2"},
	{B_AND_A, "{\"code\": \"C01\", \"connection\": 0, \"flow\": null}",
	 "C01 10.0.0.1 and 10.0.0.2"},
	{A_AND_B, "{\"code\": \"Q01\", \"connection\": null}", "Q01"},
	/* what a document may say that the program did not write */
	{A_AND_B, "{\"code\": \"S02\", \"connection\": 1, \"flow\": 0}", "S02"},
	{A_AND_B, "{\"code\": \"S02\", \"connection\": -7}", "S02"},
	{A_AND_B, "{\"code\": \"S02\", \"connection\": 0, \"flow\": 9}", "S02 10.0.0.1 > 10.0.0.2"},
	{"5", "{\"code\": 5, \"connection\": 0, \"flow\": 0}", "  > "},
	{"{\"endpoints\": [5]}", "{\"connection\": 0, \"flow\": 0}", "  > "},
	{A_AND_B, "null", ""},
};

START_TEST(a_finding_has_a_key)
{
	take(&now, "connections", keys[_i].connection);
	take(&now, "hosts", keys[_i].finding); /* no finding */
	take(&now, "findings", keys[_i].finding);
	ck_assert_str_eq(rda_baseline_key(&now, 0), keys[_i].key);
	ck_assert_uint_eq(now.order->len, 1);
}
END_TEST

/* findings of before and of now, of one key; severities are letters, and counts follow */
static const struct {
	const char *before, *after;
	enum rda_baseline_state state;
} states[] = {
	{"", "w1", RDA_BASELINE_NEW},		{"w1", "w1", RDA_BASELINE_SAME},
	{"w1", "w2", RDA_BASELINE_WORSE},	{"w2", "w1", RDA_BASELINE_SAME},
	{"w1", "e1", RDA_BASELINE_WORSE},	{"e1", "w1", RDA_BASELINE_SAME},
	{"e1", "w5", RDA_BASELINE_WORSE}, /* milder, but more */
	{"w2", "w1 w1", RDA_BASELINE_SAME},	{"w1 w1", "w2", RDA_BASELINE_SAME},
	{"w2 w2", "w3 w2", RDA_BASELINE_WORSE}, {"e1 n1", "n1 e1", RDA_BASELINE_SAME},
	{"n9 n9", "n1 e1", RDA_BASELINE_WORSE}, {"x1", "n1", RDA_BASELINE_SAME},
	{"n1", "x1", RDA_BASELINE_SAME}, /* of another version of the program: the mildest */
};

static void take_cases(struct rda_baseline *baseline, const char *cases)
{
	char **words = g_strsplit(cases, " ", -1);

	take(baseline, "connections", A_AND_B);
	for (char **word = words; *word && **word; word++)
		take_case(baseline,
			  **word == 'e'	  ? "error"
			  : **word == 'w' ? "warning"
			  : **word == 'n' ? "note"
					  : "deadly",
			  (*word)[1] - '0');
	g_strfreev(words);
}

START_TEST(all_of_one_key_are_held_against_each_other)
{
	take_cases(&old, states[_i].before);
	take_cases(&now, states[_i].after);
	ck_assert_int_eq(rda_baseline_state(&now, &old, 0), states[_i].state);
}
END_TEST

START_TEST(a_count_below_0_is_none)
{
	take_cases(&old, "w0");
	take_cases(&now, "w0");
	take_case(&old, "warning", -5);
	ck_assert_int_eq(rda_baseline_state(&now, &old, 0), RDA_BASELINE_SAME);
	take_case(&now, "warning", 1);
	ck_assert_int_eq(rda_baseline_state(&now, &old, 0), RDA_BASELINE_WORSE);
}
END_TEST

Suite *rda_suite_baseline(void)
{
	Suite *suite = suite_create("baseline");
	TCase *tc = tcase_create("baseline");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, a_finding_has_a_key, 0, RDA_COUNT(keys));
	tcase_add_loop_test(tc, all_of_one_key_are_held_against_each_other, 0, RDA_COUNT(states));
	tcase_add_test(tc, a_count_below_0_is_none);
	suite_add_tcase(suite, tc);
	return suite;
}
