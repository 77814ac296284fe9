/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a source ends: what the records know goes before what a library says, and an offset that
 * counts unpacked bytes says so. Files that end so are in test_source_damage.c.
 */
#include "analyzer/rdma-analyze/source_reader.h"

#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

enum { HEADER_BYTES = 24, RECORD_BYTES = 16 + 60 };

static struct rda_file file;
static struct rda_file_records *records;

/* A pcap of one packet, or its first bytes, up to the end of what is there of the packet. */
static void open_records(size_t size)
{
	char *error;

	rda_file_begin(&file, false);
	rda_pcap_header(&file, RDA_PCAP_US, 65535, 1);
	rda_pcap_packet(&file, 1, 2, 60, 60);
	records = rda_records_open(rda_file_write_cut(&file, size), &error);
	ck_assert_ptr_nonnull(records);
	ck_assert(rda_records_next(records));
	ck_assert_ptr_nonnull(rda_records_take(records, HEADER_BYTES));
	ck_assert(rda_records_next(records));
	rda_records_take(records, RECORD_BYTES);
}

static void close_records(void)
{
	rda_records_close(records);
	rda_file_end(&file);
}

/* NULL: END; else DAMAGED, at the packet's record. */
static void expect_end(const char *why, const char *reason)
{
	struct rda_source source = {.offset = RDA_OFFSET_UNKNOWN};
	enum rda_source_result result = rda_source_end(&source, records, why);

	ck_assert_int_eq(result, reason ? RDA_SOURCE_DAMAGED : RDA_SOURCE_END);
	ck_assert_pstr_eq(source.error, reason);
	ck_assert_int_eq(source.offset, reason ? HEADER_BYTES : RDA_OFFSET_UNKNOWN);
	g_free(source.error);
}

START_TEST(a_whole_file_ends)
{
	open_records(HEADER_BYTES + RECORD_BYTES);
	expect_end(NULL, NULL);
	expect_end("the library says so", "the library says so");
	close_records();
}
END_TEST

START_TEST(a_cut_record_is_told_in_our_words)
{
	open_records(HEADER_BYTES + 40);
	expect_end("the library says so",
		   "the file ends inside a packet record: 76 bytes expected, 40 there");
	close_records();
}
END_TEST

START_TEST(an_error_goes_before_all)
{
	open_records(HEADER_BYTES + 40);
	records->error = g_strdup("the disk is gone");
	expect_end("the library says so", "the disk is gone");
	close_records();
}
END_TEST

START_TEST(a_refusal_has_the_same_words)
{
	struct rda_refusal refusal = {NULL, RDA_OFFSET_UNKNOWN};

	open_records(HEADER_BYTES + 40);
	rda_source_refuse(&refusal, records, "the library says so");
	ck_assert_str_eq(refusal.reason,
			 "the file ends inside a packet record: 76 bytes expected, 40 there");
	ck_assert_int_eq(refusal.offset, HEADER_BYTES);
	g_free(refusal.reason);
	close_records();
}
END_TEST

START_TEST(offsets_of_packed_files_say_so)
{
	static const struct {
		int64_t offset;
		bool packed;
		const char *reason;
	} cases[] = {
		{7, false, "it is broken"},
		{7, true, "it is broken (the offset counts unpacked bytes)"},
		{RDA_OFFSET_UNKNOWN, true, "it is broken"},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_source source = {.offset = 0};

		ck_assert_int_eq(rda_source_damage(&source, g_strdup("it is broken"),
						   cases[i].offset, cases[i].packed),
				 RDA_SOURCE_DAMAGED);
		ck_assert_str_eq(source.error, cases[i].reason);
		ck_assert_int_eq(source.offset, cases[i].offset);
		g_free(source.error);
	}
}
END_TEST

Suite *rda_suite_source_end(void)
{
	Suite *suite = suite_create("source_end");
	TCase *tcase = tcase_create("source_end");

	tcase_add_test(tcase, a_whole_file_ends);
	tcase_add_test(tcase, a_cut_record_is_told_in_our_words);
	tcase_add_test(tcase, an_error_goes_before_all);
	tcase_add_test(tcase, a_refusal_has_the_same_words);
	tcase_add_test(tcase, offsets_of_packed_files_say_so);
	suite_add_tcase(suite, tcase);
	return suite;
}
