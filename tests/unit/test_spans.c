/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranges of addresses: what is in them, what is nearest, and the cap.
 */
#include "analyzer/track/keys/spans.h"

#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

/* Against a map of the numbers: whatever is added, the spans hold it, ascend and do not touch. */
START_TEST(random_additions)
{
	uint8_t map[256] = {0};
	struct rda_spans set;

	srand((unsigned)_i);
	rda_spans_init(&set);
	for (unsigned round = 0; round < 200; round++) {
		unsigned begin = (unsigned)rand() % 250, last = begin + (unsigned)rand() % 6;
		const struct rda_span *spans;

		rda_spans_add(&set, begin, last);
		memset(map + begin, 1, last - begin + 1);
		spans = rda_spans_array(&set);
		ck_assert_uint_le(set.count, RDA_SPANS_CAP);
		for (uint32_t i = 0; i + 1 < set.count; i++)
			RDA_CHECK(spans[i].last + 1 < spans[i + 1].begin, "span %u", i);
		for (unsigned n = 0; n < 256; n++)
			RDA_CHECK(!map[n] || rda_spans_cover(&set, n, n), "number %u", n);
		for (unsigned n = 0; n < 256 && !set.joined; n++)
			RDA_CHECK(map[n] || !rda_spans_cover(&set, n, n), "number %u", n);
	}
	rda_spans_cleanup(&set);
}
END_TEST

START_TEST(one_behind_the_other_is_one_span_without_memory)
{
	struct rda_spans set;

	rda_spans_init(&set);
	for (uint64_t i = 0; i < 100; i++)
		rda_spans_add(&set, i * 4096, i * 4096 + 4095);
	ck_assert_uint_eq(set.count, 1);
	ck_assert_ptr_null(set.more);
	ck_assert_uint_eq(set.one.last, 100 * 4096 - 1);
	rda_spans_cleanup(&set);
}
END_TEST

/* Kernel addresses, and the last address that there is. */
START_TEST(the_end_of_the_address_space)
{
	struct rda_spans set;

	rda_spans_init(&set);
	ck_assert_uint_eq(rda_span_last(UINT64_MAX - 1, 8), UINT64_MAX);
	ck_assert_uint_eq(rda_span_last(UINT64_MAX, 1), UINT64_MAX);
	rda_spans_add(&set, UINT64_MAX - 9, UINT64_MAX);
	rda_spans_add(&set, 0, 9);
	rda_spans_add(&set, UINT64_C(0xff11000000000000), UINT64_C(0xff11000000000fff));
	ck_assert_uint_eq(set.count, 3);
	rda_spans_add(&set, UINT64_MAX - 19, UINT64_MAX - 10);
	ck_assert_uint_eq(set.count, 3);
	ck_assert_ptr_nonnull(rda_spans_cover(&set, UINT64_MAX - 19, UINT64_MAX));
	rda_spans_cleanup(&set);
}
END_TEST

START_TEST(the_nearest)
{
	struct rda_spans set;

	rda_spans_init(&set);
	ck_assert_ptr_null(rda_spans_nearest(&set, 1, 2));
	rda_spans_add(&set, 100, 199);
	rda_spans_add(&set, 1000, 1999);
	ck_assert_uint_eq(rda_spans_nearest(&set, 0, 10)->begin, 100);
	ck_assert_uint_eq(rda_spans_nearest(&set, 150, 210)->begin, 100);
	ck_assert_uint_eq(rda_spans_nearest(&set, 300, 310)->begin, 100);
	ck_assert_uint_eq(rda_spans_nearest(&set, 900, 910)->begin, 1000);
	ck_assert_uint_eq(rda_spans_nearest(&set, 250, 1000)->begin, 1000);
	ck_assert_uint_eq(rda_spans_nearest(&set, 9000, 9000)->begin, 1000);
	rda_spans_cleanup(&set);
}
END_TEST

/* The smallest hole goes, and it is counted. */
START_TEST(the_cap_closes_the_smallest_hole)
{
	struct rda_spans set;

	rda_spans_init(&set);
	for (uint64_t i = 0; i < RDA_SPANS_CAP; i++)
		rda_spans_add(&set, i * 1000, i * 1000 + 9);
	ck_assert_uint_eq(set.joined, 0);
	rda_spans_add(&set, 3100, 3109);
	ck_assert_uint_eq(set.count, RDA_SPANS_CAP);
	ck_assert_uint_eq(set.joined, 1);
	ck_assert_ptr_nonnull(rda_spans_cover(&set, 3000, 3109));
	ck_assert_ptr_null(rda_spans_cover(&set, 2000, 3009));
	rda_spans_cleanup(&set);
}
END_TEST

Suite *rda_suite_spans(void)
{
	Suite *suite = suite_create("spans");
	TCase *tcase = tcase_create("spans");

	tcase_add_loop_test(tcase, random_additions, 0, 8);
	tcase_add_test(tcase, one_behind_the_other_is_one_span_without_memory);
	tcase_add_test(tcase, the_end_of_the_address_space);
	tcase_add_test(tcase, the_nearest);
	tcase_add_test(tcase, the_cap_closes_the_smallest_hole);
	suite_add_tcase(suite, tcase);
	return suite;
}
