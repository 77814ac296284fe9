/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refused accesses: where they lie beside what worked, and from how many on they are a scan.
 */
#include "analyzer/checks/keys/state.h"

#include "analyzer/engine/state.h"
#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

enum { ACCESS_ERROR = 0x62, INVALID = 0x61, KEY = 0x77 };

static struct rda_keys_feed keys;

/* A WRITE of 0x1000-0x1fff worked; then one is refused. */
START_TEST(where_it_lies_beside_what_worked)
{
	static const struct {
		uint64_t va;
		uint32_t length;
		const char *words;
		bool outside;
	} cases[] = {
		{0x1000, 0x1000, "is stale", false},
		{0x1800, 1, "is stale", false},
		{0x1fff, 2, "ends 1 byte behind that", true},
		{0x2000, 1, "begins right behind that", true},
		{0x2010, 1, "begins 16 bytes behind that", true},
		{0xfff, 2, "begins 1 byte before that", true},
		{0xff0, 0x10, "ends right before that", true},
		{0xff0, 0x2000, "begins 16 bytes before and ends 4080 bytes behind that", true},
		{UINT64_MAX, 1000, "bytes behind that", true},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 0x1000);
		rda_keys_ack(&keys);
		rda_keys_access(&keys, RC_WRITE_ONLY, cases[i].va, KEY, cases[i].length);
		rda_keys_nak(&keys, ACCESS_ERROR);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K01), 1);
		ck_assert_msg(rda_keys_says(&keys, RDA_CHECK_K01, cases[i].words), "case %u", i);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K02), cases[i].outside);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K17), 0);
		rda_keys_end(&keys);
	}
}
END_TEST

/* A NAK that comes twice is one refusal. */
START_TEST(a_copied_nak_counts_once)
{
	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 0, 1);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 64);
	rda_keys_nak(&keys, ACCESS_ERROR);
	rda_keys_nak(&keys, ACCESS_ERROR);
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K01), 1);
	ck_assert_uint_eq(rda_engine_key(keys.feed.engine, 0)->rare->refused, 1);
	rda_keys_end(&keys);
}
END_TEST

/* NAK 0x61 has many reasons: only where another kind of access to the same bytes worked. */
START_TEST(invalid_requests_for_their_type)
{
	for (unsigned inside = 0; inside < 2; inside++) {
		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 0x1000);
		rda_keys_ack(&keys);
		rda_keys_access(&keys, RC_FETCH_ADD, inside ? 0x1000 : 0x2000, KEY, 8);
		rda_keys_nak(&keys, INVALID);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K17), inside);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K01), 0);
		rda_keys_end(&keys);
	}
}
END_TEST

static void refuse_each(uint32_t times, bool keys_differ)
{
	for (uint32_t i = 0; i < times; i++) {
		rda_keys_connect(&keys, i, 1);
		rda_keys_access(&keys, RC_READ_REQUEST, keys_differ ? 0x1000 : 0x1000 + 64 * i,
				keys_differ ? 0x100 + i : KEY, 64);
		rda_keys_nak(&keys, ACCESS_ERROR);
	}
}

START_TEST(eight_keys_are_a_scan)
{
	for (uint32_t times = 7; times < 12; times++) {
		rda_keys_begin(&keys);
		refuse_each(times, true);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K01), times);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K08), times < 8 ? 0 : times);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K09), 0);
		rda_keys_end(&keys);
	}
	rda_keys_begin(&keys);
	refuse_each(9, true);
	rda_keys_finish(&keys);
	ck_assert(rda_keys_says(&keys, RDA_CHECK_K08, "9 different r_keys"));
	rda_keys_end(&keys);
}
END_TEST

/* It is told among more findings than are told, being weightier. */
START_TEST(a_scan_among_too_many_findings)
{
	rda_keys_begin(&keys);
	for (uint32_t i = 0; i < RDA_FINDINGS_MAX; i++)
		rda_finding_add(&keys.feed.engine->judge.findings, RDA_CHECK_F02,
				(struct rda_subject){RDA_SUBJECT_HOST, i}, 1);
	refuse_each(9, true);
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K08), 9);
	rda_keys_end(&keys);
}
END_TEST

/* Keys that did work are not searched for: they went stale, all at once. */
START_TEST(keys_that_worked_are_no_scan)
{
	rda_keys_begin(&keys);
	for (uint32_t i = 0; i < 10; i++) {
		rda_keys_connect(&keys, i, 1);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, 0x100 + i, 64);
		rda_keys_ack(&keys);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, 0x100 + i, 64);
		rda_keys_nak(&keys, ACCESS_ERROR);
	}
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K01), 10);
	ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K08), 0);
	rda_keys_end(&keys);
}
END_TEST

START_TEST(eight_addresses_are_a_scan)
{
	for (uint32_t times = 7; times < 12; times++) {
		rda_keys_begin(&keys);
		refuse_each(times, false);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K09), times < 8 ? 0 : times);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K08), 0);
		rda_keys_end(&keys);
	}
}
END_TEST

Suite *rda_suite_check_keys_refused(void)
{
	Suite *suite = suite_create("check_keys_refused");
	TCase *tcase = tcase_create("check_keys_refused");

	tcase_add_test(tcase, where_it_lies_beside_what_worked);
	tcase_add_test(tcase, a_copied_nak_counts_once);
	tcase_add_test(tcase, invalid_requests_for_their_type);
	tcase_add_test(tcase, eight_keys_are_a_scan);
	tcase_add_test(tcase, a_scan_among_too_many_findings);
	tcase_add_test(tcase, keys_that_worked_are_no_scan);
	tcase_add_test(tcase, eight_addresses_are_a_scan);
	suite_add_tcase(suite, tcase);
	return suite;
}
