/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identifications that count up with each segment, and others.
 */
#include "analyzer/track/iwarp/tcp_order.h"

#include "tests/unit/suite.h"

/* So many segments one behind the other, with what each identification is above the one before. */
static const struct {
	const char *name;
	unsigned segments;
	uint16_t first, rise;
	unsigned leap_each; /* so many have another one */
	bool known;
} rows[] = {
	{"by one", 9, 1, 1, 0, true},
	{"too few", 8, 1, 1, 0, false},
	{"with ACKs between them, and over zero", 20, 65500, 7, 0, true},
	{"the same for all (0: IPv6)", 20, 0, 0, 0, false},
	{"backwards", 20, 500, 65535, 0, false},
	{"shared with much else", 20, 1, 33, 0, false},
	{"a leap of ten", 40, 1, 1, 10, true},
	{"a leap of four", 40, 1, 1, 4, false},
};

START_TEST(is_known_where_they_count_up)
{
	struct rda_tcp_order order = {0};
	uint16_t ip_id = rows[_i].first;

	for (unsigned i = 0; i < rows[_i].segments; i++) {
		rda_tcp_order_take(&order, 100 * i, 100 * (i + 1), ip_id);
		ip_id = (uint16_t)(ip_id + rows[_i].rise);
		if (rows[_i].leap_each && i % rows[_i].leap_each == 0)
			ip_id = (uint16_t)(ip_id + 5000);
	}
	ck_assert_msg(rda_tcp_order_is_known(&order) == rows[_i].known, "%s", rows[_i].name);
}
END_TEST

/* However many segments there were, random identifications tell nothing. */
START_TEST(counts_saturate)
{
	struct rda_tcp_order order = {.rising = 2000000, .leaping = UINT32_MAX, .begun = true};

	rda_tcp_order_take(&order, 0, 100, 30000);
	ck_assert(!rda_tcp_order_is_known(&order));
	order.rising = UINT32_MAX;
	order.leaping = 1;
	rda_tcp_order_take(&order, 100, 200, 30001);
	ck_assert(rda_tcp_order_is_known(&order));
}
END_TEST

/* What is not right behind the segment before says nothing. */
START_TEST(gaps_say_nothing)
{
	struct rda_tcp_order order = {0};

	for (uint16_t i = 0; i < 20; i++)
		rda_tcp_order_take(&order, 200 * i, 200 * i + 100, i);
	ck_assert_uint_eq(order.rising + order.leaping, 0);
}
END_TEST

START_TEST(before)
{
	ck_assert(rda_tcp_order_is_before(5, 6));
	ck_assert(rda_tcp_order_is_before(65535, 0));
	ck_assert(!rda_tcp_order_is_before(6, 5));
	ck_assert(!rda_tcp_order_is_before(5, 5));
}
END_TEST

START_TEST(counts)
{
	struct rda_tcp_order order = {0};

	rda_tcp_order_late(&order, true);
	rda_tcp_order_late(&order, false);
	rda_tcp_order_late(&order, false);
	ck_assert_uint_eq(order.again, 1);
	ck_assert_uint_eq(order.overtaken, 2);
}
END_TEST

Suite *rda_suite_tcp_order(void)
{
	Suite *suite = suite_create("tcp_order");
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, is_known_where_they_count_up, 0, RDA_COUNT(rows));
	tcase_add_test(tests, counts_saturate);
	tcase_add_test(tests, gaps_say_nothing);
	tcase_add_test(tests, before);
	tcase_add_test(tests, counts);
	suite_add_tcase(suite, tests);
	return suite;
}
