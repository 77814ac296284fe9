/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The odd kinds of pcap, and records that are larger than any buffer.
 */
#include "analyzer/rdma-analyze/records.h"

#include <string.h>

#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

static void set_version(struct rda_file *file, uint16_t major, uint16_t minor)
{
	for (unsigned i = 0; i < 2; i++) {
		file->bytes->data[4 + i] = (uint8_t)(major >> 8 * (file->big ? 1 - i : i));
		file->bytes->data[6 + i] = (uint8_t)(minor >> 8 * (file->big ? 1 - i : i));
	}
}

/* before version 2.3 the two lengths stood the other way round, and in some files of 2.3 */
START_TEST(old_versions)
{
	static const struct {
		uint16_t major, minor;
		bool swapped;
	} versions[] = {{2, 4, false}, {2, 3, false}, {2, 3, true}, {2, 1, true}, {543, 0, true}};

	for (unsigned i = 0; i < RDA_COUNT(versions); i++) {
		struct rda_seen *seen;
		struct rda_file file;

		rda_file_begin(&file, _i);
		rda_pcap_header(&file, RDA_PCAP_US, 65535, 1);
		set_version(&file, versions[i].major, versions[i].minor);
		for (unsigned p = 0; p < 3; p++) {
			uint8_t *lengths, first[4];

			rda_pcap_packet(&file, p, 0, 60 + p, 100 + p);
			if (!versions[i].swapped)
				continue;
			lengths = file.bytes->data + rda_file_start(&file, p + 1) + 8;
			memcpy(first, lengths, 4);
			memmove(lengths, lengths + 4, 4);
			memcpy(lengths + 4, first, 4);
		}
		seen = rda_see(rda_file_write(&file), RDA_READER_PCAP);
		rda_expect_end(seen, 3);
		for (unsigned p = 0; p < 3; p++)
			rda_expect_frame(seen, p, p, p * INT64_C(1000000000), 60 + p, 100 + p);
		rda_seen_free(seen);
		rda_file_end(&file);
	}
}
END_TEST

START_TEST(unknown_versions)
{
	static const uint16_t versions[][2] = {{1, 0}, {2, 5}, {3, 0}, {0, 0}};

	for (unsigned i = 0; i < RDA_COUNT(versions); i++) {
		struct rda_seen *seen;
		struct rda_file file;

		rda_file_begin(&file, _i);
		rda_pcap_header(&file, RDA_PCAP_US, 65535, 1);
		set_version(&file, versions[i][0], versions[i][1]);
		seen = rda_see(rda_file_write(&file), RDA_READER_PCAP);
		rda_expect_refused(seen, 0, "version");
		rda_seen_free(seen);
		rda_file_end(&file);
	}
}
END_TEST

/* record headers of 24 bytes */
START_TEST(kuznetzov)
{
	struct rda_seen *seen;
	struct rda_file file;

	rda_file_begin(&file, _i);
	rda_pcap_header(&file, 0xa1b2cd34, 65535, 1);
	for (unsigned p = 0; p < 4; p++) {
		rda_file_number(&file, p, 4);
		rda_file_number(&file, 3, 4);
		rda_file_number(&file, 60, 4);
		rda_file_number(&file, 70, 4);
		rda_file_number(&file, 0x1111111111111111, 8); /* interface, protocol, direction */
		for (unsigned i = 0; i < 60; i++)
			rda_file_number(&file, rda_file_byte(p, i), 1);
	}
	seen = rda_see(rda_file_write(&file), RDA_READER_PCAP);
	rda_expect_end(seen, 4);
	for (unsigned p = 0; p < 4; p++)
		rda_expect_frame(seen, p, p, p * INT64_C(1000000000) + 3000, 60, 70);
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* loop over link types: the largest packets of most, and one of D-Bus */
START_TEST(large_packets)
{
	struct rda_file file;

	rda_file_begin(&file, false);
	rda_pcap_header(&file, RDA_PCAP_NS, 262144, _i ? 231 : 1);
	for (unsigned p = 0; p < 12; p++)
		rda_pcap_packet(&file, 0, p, (p % 3 ? 262144 - p : p) + (_i ? 500000 : 0), 1);
	rda_file_write(&file);
	for (enum rda_reader reader = RDA_READER_AUTO; reader <= RDA_READER_PCAP; reader++) {
		struct rda_seen *seen;

		if (!rda_reader_is_there(reader) || !rda_reader_tells_odd(reader))
			continue;
		seen = rda_see(file.path, reader);
		rda_expect_end(seen, 12);
		for (unsigned p = 0; p < 12; p++) {
			uint32_t size = rda_seen_frame(seen, p)->captured;

			ck_assert_uint_eq(size, (p % 3 ? 262144 - p : p) + (_i ? 500000 : 0));
			rda_expect_frame(seen, p, p, p, size, MAX(size, 1));
		}
		rda_seen_free(seen);
	}
	rda_file_end(&file);
}
END_TEST

/* every record is found where it was put, whether its bytes are asked for or not */
START_TEST(records_of_a_pcapng)
{
	static const uint8_t kinds[] = {RDA_RECORD_SECTION,	  RDA_RECORD_INTERFACE,
					RDA_RECORD_INTERFACE,	  RDA_RECORD_PACKET_BLOCK,
					RDA_RECORD_SIMPLE_PACKET, RDA_RECORD_PACKET_BLOCK,
					RDA_RECORD_NO_PACKET,	  RDA_RECORD_OTHER};
	struct rda_file_records *records;
	struct rda_file file;
	char *error = NULL;

	rda_file_begin(&file, _i & 1);
	rda_pcapng_section(&file);
	rda_pcapng_interface(&file, 1, 0, 0);
	rda_pcapng_interface(&file, 247, 0, 9);
	rda_pcapng_packet(&file, 1, 0, 33, 33);
	rda_pcapng_simple(&file, 10, 10);
	rda_pcapng_old(&file, 1, 0, 11);
	rda_pcapng_block(&file, 0x40000bad, "\0\0\0\0", 4);
	rda_pcapng_block(&file, 4, "\0\0\0\0", 4);
	records = rda_records_open(rda_file_write(&file), &error);
	ck_assert_ptr_nonnull(records);
	for (unsigned i = 0; i < RDA_COUNT(kinds); i++) {
		const struct rda_file_record *record = &records->record;

		ck_assert(rda_records_next(records));
		ck_assert_uint_eq(record->kind, kinds[i]);
		ck_assert_int_eq(record->offset, rda_file_start(&file, i));
		ck_assert_uint_eq(record->length,
				  (uint64_t)(rda_file_start(&file, i + 1) - record->offset));
		if (kinds[i] == RDA_RECORD_PACKET_BLOCK)
			ck_assert_uint_eq(record->link, 247);
		if (_i & 2)
			ck_assert_ptr_nonnull(rda_records_take(records, record->length));
	}
	ck_assert(!rda_records_next(records));
	ck_assert_ptr_null(records->error);
	ck_assert_ptr_null(rda_records_cut_words(records));
	ck_assert_uint_eq(records->frames, 4);
	rda_records_close(records);
	rda_file_end(&file);
}
END_TEST

Suite *rda_suite_records(void)
{
	Suite *suite = suite_create("records");
	TCase *tcase = tcase_create("records");

	tcase_add_loop_test(tcase, old_versions, 0, 2);
	tcase_add_loop_test(tcase, unknown_versions, 0, 2);
	tcase_add_loop_test(tcase, kuznetzov, 0, 2);
	tcase_add_loop_test(tcase, large_packets, 0, 2);
	tcase_add_loop_test(tcase, records_of_a_pcapng, 0, 4);
	suite_add_tcase(suite, tcase);
	return suite;
}
