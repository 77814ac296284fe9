/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What names of files tell.
 */
#include "analyzer/taps/series.h"

#include "tests/unit/suite.h"

START_TEST(named_as_a_series)
{
	ck_assert(
		rda_series_follows("d/x_00000_20261120234410.pcap", "x_00001_20261121004410.pcap"));
	ck_assert(
		!rda_series_follows("x_00000_20261120234410.pcap", "y_00001_20261121004410.pcap"));
	ck_assert(
		!rda_series_follows("x_00000_20261120234410.pcap", "x_00002_20261121004410.pcap"));
	ck_assert(!rda_series_follows("x.pcap0", "x.pcap1"));
}
END_TEST

START_TEST(other_digits)
{
	static const struct {
		const char *a, *b;
		int places;
		bool next;
	} cases[] = {
		{"node1.pcap0", "node1.pcap1", 1, true},
		{"node1.pcap1", "node1.pcap0", 1, false},
		{"node1.pcap0", "node2.pcap1", 2, false},
		{"node1.pcap", "node1.pcap1", 1, true}, /* tcpdump -C */
		{"x_09.pcap", "x_10.pcap", 1, true},
		{"x_9.pcap", "x_09.pcap", 0, false},
		{"x-2026-12-01_09:59.pcap", "x-2026-12-01_10:00.pcap", 2, false},
		{"x99999999999999999999999", "x100000000000000000000000", 1, false},
		{"a/x.pcap", "b/x.pcap", 0, false},
		{"a/x.pcap1", "b/x.pcap2", 2, true},
		{"a/x.pcap1", "a/x.pcap2", 1, true},
		{"x1.pcap", "y1.pcap", -1, false},
		{"x1.pcap", "x1.pca", -1, false},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool next;

		ck_assert_int_eq(rda_series_differ(cases[i].a, cases[i].b, &next), cases[i].places);
		ck_assert_msg(cases[i].places < 0 || next == cases[i].next, "%s", cases[i].a);
	}
}
END_TEST

START_TEST(of_one_ring)
{
	static const char first[] = "a/x_00001_20261120234410.pcap";

	ck_assert(rda_series_same(first, "a/x_00004_20261120234511.pcap"));
	ck_assert(rda_series_same("a/x_00004_20261120234511.pcap", first));
	ck_assert(!rda_series_same(first, first));
	ck_assert(!rda_series_same(first, "b/x_00004_20261120234511.pcap"));
	ck_assert(!rda_series_same(first, "a/y_00004_20261120234511.pcap"));
	ck_assert(!rda_series_same("x1.pcap", "x2.pcap"));
}
END_TEST

Suite *rda_suite_series(void)
{
	Suite *suite = suite_create("series");
	TCase *tcase = tcase_create("series");

	tcase_add_test(tcase, named_as_a_series);
	tcase_add_test(tcase, other_digits);
	tcase_add_test(tcase, of_one_ring);
	suite_add_tcase(suite, tcase);
	return suite;
}
