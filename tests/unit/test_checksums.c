/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segments whose checksums fit, and others: which are damaged, and what of their headers counts.
 */
#include "analyzer/track/iwarp/checksums.h"

#include "tests/unit/suite.h"

static const struct rda_stream none; /* no bytes of it */
static const uint8_t bytes[20] = "MPA ID Req Frame";

/* A segment of a side with so much data; true: it is damaged. */
static bool take(struct rda_checksums *side, enum rda_tcp_check check, uint32_t length, bool fin,
		 uint16_t window)
{
	struct rda_segment segment = {.length = length};
	const struct rda_tcp tcp = {.fin = fin, .window = window};

	if (rda_checksums_take(side, check, &segment))
		return true;
	rda_checksums_note(side, &segment, &tcp);
	return false;
}

/* One that does not fit is damaged, where others do. */
START_TEST(is_damaged_where_others_fit)
{
	struct rda_checksums side = {0};

	ck_assert(!take(&side, RDA_TCP_CHECK_MISMATCH, 64, false, 1));
	ck_assert(!take(&side, RDA_TCP_CHECK_NONE, 64, false, 1));
	ck_assert(!take(&side, RDA_TCP_CHECK_MATCH, 64, false, 1));
	ck_assert(take(&side, RDA_TCP_CHECK_MISMATCH, 64, false, 1));
	ck_assert(!take(&side, RDA_TCP_CHECK_MISMATCH, 4000, false, 1)); /* put together by a NIC */
	ck_assert_uint_eq(side.good, 1);
	ck_assert_uint_eq(side.bad, 2);
	ck_assert(side.unchecked);
}
END_TEST

/* Of one alone nobody knows, and its header counts: until a checksum fits. */
START_TEST(a_fin_that_does_not_fit_counts_until_others_fit)
{
	struct rda_checksums side = {0};
	bool unsure;

	ck_assert(!take(&side, RDA_TCP_CHECK_MISMATCH, 0, true, 0));
	ck_assert(rda_checksums_said(&side, &none, &unsure).fin);
	ck_assert_uint_eq(rda_checksums_said(&side, &none, &unsure).zero_windows, 1);
	ck_assert(unsure);
	ck_assert(!take(&side, RDA_TCP_CHECK_MATCH, 0, false, 1));
	ck_assert(!rda_checksums_said(&side, &none, &unsure).fin);
	ck_assert_uint_eq(rda_checksums_said(&side, &none, &unsure).zero_windows, 0);
	ck_assert(!unsure);
}
END_TEST

START_TEST(a_fin_that_fits_counts)
{
	struct rda_checksums side = {0};
	bool unsure;

	ck_assert(!take(&side, RDA_TCP_CHECK_MISMATCH, 0, true, 1));
	ck_assert(!take(&side, RDA_TCP_CHECK_MATCH, 0, true, 1));
	ck_assert(rda_checksums_said(&side, &none, &unsure).fin);
	ck_assert(!unsure);
}
END_TEST

/* What a start frame says is doubtful at once; other data only where its sender has good ones. */
START_TEST(is_doubtful_as_a_start_frame_or_beside_others)
{
	struct rda_checksums side = {0};
	struct rda_segment start = {.bytes = bytes, .captured = 20, .length = 20};
	struct rda_segment data = {.length = 64}, good = data;

	ck_assert(!rda_checksums_take(&side, RDA_TCP_CHECK_MISMATCH, &start));
	ck_assert(start.doubtful);
	ck_assert(!rda_checksums_take(&side, RDA_TCP_CHECK_MISMATCH, &data));
	ck_assert(!data.doubtful && !data.checked);
	ck_assert(!rda_checksums_take(&side, RDA_TCP_CHECK_MATCH, &good));
	ck_assert(good.checked);
	ck_assert(rda_checksums_take(&side, RDA_TCP_CHECK_MISMATCH, &data));
	ck_assert(data.doubtful);
}
END_TEST

/* Of many one fits by chance, and says nothing of the others. */
START_TEST(one_of_many_fits)
{
	struct rda_checksums side = {0};
	bool unsure;

	for (unsigned i = 0; i < 50; i++)
		ck_assert(!take(&side, RDA_TCP_CHECK_MISMATCH, 64, i == 49, 1));
	ck_assert(!take(&side, RDA_TCP_CHECK_MATCH, 64, false, 1));
	ck_assert(!rda_checksums_has(&side));
	ck_assert(rda_checksums_said(&side, &none, &unsure).fin);
	ck_assert(unsure);
}
END_TEST

/* What the other side acknowledged as a FIN was one, though it came damaged. */
START_TEST(a_fin_that_is_acknowledged_counts)
{
	const struct rda_segment segment = {.sequence = 100, .length = 20};
	const struct rda_tcp tcp = {.fin = true};
	struct rda_checksums side = {.good = 1};
	struct rda_stream stream = {.next = 120, .acked = 120};
	bool unsure;

	rda_checksums_note_fin(&side, &segment, &tcp);
	ck_assert(!rda_checksums_said(&side, &stream, &unsure).fin);
	stream.acked = 121;
	ck_assert(rda_checksums_said(&side, &stream, &unsure).fin);
	ck_assert(!unsure);
	stream.next = 121; /* a byte of data */
	ck_assert(!rda_checksums_said(&side, &stream, &unsure).fin);
}
END_TEST

Suite *rda_suite_checksums(void)
{
	Suite *suite = suite_create("checksums");
	TCase *tcase = tcase_create("checksums");

	tcase_add_test(tcase, is_damaged_where_others_fit);
	tcase_add_test(tcase, a_fin_that_does_not_fit_counts_until_others_fit);
	tcase_add_test(tcase, a_fin_that_fits_counts);
	tcase_add_test(tcase, one_of_many_fits);
	tcase_add_test(tcase, a_fin_that_is_acknowledged_counts);
	tcase_add_test(tcase, is_doubtful_as_a_start_frame_or_beside_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
