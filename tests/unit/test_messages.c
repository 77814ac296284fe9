/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest messages against all of them.
 */
#include "analyzer/track/messages.h"

#include "tests/unit/suite.h"

/* Latencies in the order of completion, and the PSNs (their places in it) of the slowest. */
static const struct {
	const char *name;
	int64_t latencies[12];
	unsigned count;
	int64_t slowest[RDA_SLOWEST_KEPT];
	unsigned kept;
} rows[] = {
	{"none", {0}, 0, {0}, 0},
	{"one", {5}, 1, {0}, 1},
	{"rising", {1, 2, 3}, 3, {2, 1, 0}, 3},
	{"falling", {3, 2, 1}, 3, {0, 1, 2}, 3},
	{"equal: the earlier first", {4, 4, 9, 4}, 4, {2, 0, 1, 3}, 4},
	{"more than are kept",
	 {7, 1, 9, 3, 7, 2, 8, 6, 5, 4, 7, 12},
	 12,
	 {11, 2, 6, 0, 4, 10, 7, 8},
	 8},
};

START_TEST(kept)
{
	struct rda_slowest s = {.count = 0};

	for (unsigned i = 0; i < rows[_i].count; i++) {
		struct rda_exchange exchange = {
			.begin = i,
			.latency_ns = rows[_i].latencies[i],
		};

		rda_slowest_take(&s, &exchange, NULL);
	}
	ck_assert_uint_eq(s.count, rows[_i].kept);
	for (unsigned i = 0; i < s.count; i++)
		ck_assert_int_eq(s.messages[i].exchange.begin, rows[_i].slowest[i]);
}
END_TEST

Suite *rda_suite_messages(void)
{
	Suite *suite = suite_create("messages");
	TCase *tcase = tcase_create("slowest");

	tcase_add_loop_test(tcase, kept, 0, RDA_COUNT(rows));
	suite_add_tcase(suite, tcase);
	return suite;
}
