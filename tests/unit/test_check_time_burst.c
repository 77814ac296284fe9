/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The busiest ten microseconds of a capture.
 */
#include "analyzer/checks/time/state.h"

#include "tests/unit/said.h"
#include "tests/unit/suite.h"

/* Groups of `size` packets of 1250 bytes, 100 ns apart, one group each `every` ns. */
static const struct {
	const char *name;
	unsigned groups, size;
	int64_t every;
	const char *text; /* NULL: nothing to say */
	uint64_t frame;
} rows[] = {
	{"eight packets at once, each millisecond", 200, 8, 1000007,
	 "RDMA took 80.4 Mbit/s of the wire on average, and 8 Gbit/s in its busiest 10 us.", 1},
	{"evenly", 2000, 1, 10007, NULL, 0},
	{"too few packets", 100, 8, 1000007, NULL, 0},
	{"a clock that does not tell moments apart", 200, 8, 0, NULL, 0},
};

static void feed(struct rda_bursts *bursts, struct rda_judge *judge, unsigned row, uint32_t capture)
{
	struct rda_frame frame = {.wire = 1250};

	for (unsigned i = 0; i < rows[row].groups * rows[row].size; i++) {
		struct rda_meta meta = {.number = i + 1};
		struct rda_at at = {
			.judge = judge,
			.meta = &meta,
			.frame = &frame,
			.capture = capture,
			.place = rda_place_id(capture, i + 1),
		};

		meta.time_ns = i / rows[row].size * rows[row].every + i % rows[row].size * 100;
		if (!rows[row].every)
			meta.time_ns = i / 100 * INT64_C(1000000);
		rda_bursts_packet(bursts, &at);
	}
}

/* Clocks that were never set back. */
static void overall(const struct rda_bursts *bursts, struct rda_judge *judge)
{
	static const struct rda_capture captures[2];
	static const struct rda_overall whole = {.captures = captures, .capture_count = 2};

	judge->overall = &whole;
	rda_bursts_overall(bursts, judge);
}

START_TEST(of_one_capture)
{
	struct rda_subject subject = {RDA_SUBJECT_CAPTURE, 0};
	struct rda_bursts bursts = {0}, joined = {0};
	struct rda_judge judge;
	struct rda_table flows;
	const struct rda_finding *finding;

	rda_judge_init(&judge, 0);
	rda_bursts_init(&bursts);
	rda_bursts_init(&joined);
	rda_table_init(&flows, sizeof(struct rda_flow_key), sizeof(struct rda_flow), 0);
	feed(&bursts, &judge, (unsigned)_i, 0);
	rda_bursts_join(&joined, &bursts);
	overall(&joined, &judge);
	finding = rda_finding_find(&judge.findings, RDA_CHECK_T12, subject);
	ck_assert_int_eq(finding != NULL, rows[_i].text != NULL);
	if (finding) {
		ck_assert_str_eq(rda_said_by(finding), rows[_i].text);
		ck_assert_uint_eq(finding->places[0], rows[_i].frame);
	}
	rda_bursts_cleanup(&bursts);
	rda_bursts_cleanup(&joined);
	rda_judge_cleanup(&judge, &flows);
	rda_table_cleanup(&flows, NULL);
}
END_TEST

/* The second begins anew: each has its own finding. */
START_TEST(of_two_captures)
{
	struct rda_bursts bursts = {0}, joined = {0};
	struct rda_judge judge;
	struct rda_table flows;

	rda_judge_init(&judge, 0);
	rda_bursts_init(&bursts);
	rda_bursts_init(&joined);
	rda_table_init(&flows, sizeof(struct rda_flow_key), sizeof(struct rda_flow), 0);
	feed(&bursts, &judge, 0, 0);
	feed(&bursts, &judge, 0, 1);
	rda_bursts_join(&joined, &bursts);
	overall(&joined, &judge);
	for (uint32_t i = 0; i < 2; i++) {
		const struct rda_finding *finding =
			rda_finding_find(&judge.findings, RDA_CHECK_T12,
					 (struct rda_subject){RDA_SUBJECT_CAPTURE, i});

		ck_assert_ptr_nonnull(finding);
		ck_assert_str_eq(rda_said_by(finding), rows[0].text);
	}
	rda_bursts_cleanup(&bursts);
	rda_bursts_cleanup(&joined);
	rda_judge_cleanup(&judge, &flows);
	rda_table_cleanup(&flows, NULL);
}
END_TEST

/* What one engine has as packets, another one knows to be copies: of such a capture nothing is
 * told. */
START_TEST(copies_silence_it)
{
	struct rda_frame frame = {.wire = 1250};
	struct rda_bursts parts[2], joined;
	struct rda_judge judge;

	rda_judge_init(&judge, 0);
	rda_bursts_init(&joined);
	for (unsigned i = 0; i < 2; i++) {
		struct rda_at at = {.judge = &judge, .frame = &frame};

		parts[i] = (struct rda_bursts){0};
		rda_bursts_init(&parts[i]);
		feed(&parts[i], &judge, 0, 0);
		for (unsigned k = 0; k < 8; k++) {
			const struct rda_meta meta = {.time_ns = 700000, .number = 5000 + k};

			at.meta = &meta;
			at.place = meta.number;
			if (i)
				rda_bursts_copied(&parts[i], &at);
			else
				rda_bursts_packet(&parts[i], &at);
		}
	}
	rda_bursts_join(&joined, &parts[0]);
	rda_bursts_join(&joined, &parts[1]);
	ck_assert_uint_eq(g_array_index(joined.captures, struct rda_burst_sums, 0).copies, 8);
	overall(&joined, &judge);
	ck_assert_uint_eq(judge.findings.table.count, 0);
	rda_bursts_cleanup(&joined);
	rda_bursts_cleanup(&parts[0]);
	rda_bursts_cleanup(&parts[1]);
	rda_judge_cleanup(&judge, NULL);
}
END_TEST

Suite *rda_suite_check_time_burst(void)
{
	Suite *suite = suite_create("check_burst");
	TCase *tcase = tcase_create("check_burst");

	tcase_add_loop_test(tcase, of_one_capture, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, of_two_captures);
	tcase_add_test(tcase, copies_silence_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
