/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are cut, broken or no captures: what comes before the damage is read, and the damage
 * is told with the offset of its record and a reason.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

static const enum rda_reader readers[] = {RDA_READER_AUTO, RDA_READER_WIRETAP, RDA_READER_PCAP};

/* ---- cut ------------------------------------------------------------------------------------- */

/* Which record a length ends in, and how many of the first `packets` are whole before it. */
static unsigned record_at(const struct rda_file *file, size_t size)
{
	unsigned record = 0;

	while (record + 1 < file->starts->len && (size_t)rda_file_start(file, record + 1) <= size)
		record++;
	return record;
}

/*
 * Cuts the file to every length and reads it. Its packets are the last `packets` of its records.
 * libwiretap alone is not asked: it takes some cut pcap files for old variants, which is why AUTO
 * does not leave those to it.
 */
static void cut_everywhere(struct rda_file *file, enum rda_reader reader, unsigned packets)
{
	unsigned others = file->starts->len - packets;
	char there[32];

	for (size_t size = 4; size < file->bytes->len; size++) {
		unsigned record = record_at(file, size);
		int64_t start = rda_file_start(file, record);
		unsigned whole = record < others ? 0 : record - others;
		struct rda_seen *seen = rda_see(rda_file_write_cut(file, size), reader);

		g_snprintf(there, sizeof(there), ", %d there", (int)(size - (size_t)start));
		if ((size_t)start == size) {
			if (seen->opened) /* else: cut behind a header that says too little */
				rda_expect_end(seen, whole);
		} else if (seen->opened) {
			rda_expect_damage(seen, whole, start, "the file ends inside ");
			rda_expect_damage(seen, whole, start, there);
		} else {
			ck_assert_uint_le(record,
					  others); /* libwiretap looks behind the interfaces */
			if (size >= 12)		   /* else it is not seen to be a pcapng */
				rda_expect_refused(seen, start, "the file ends inside ");
		}
		rda_seen_free(seen);
	}
}

START_TEST(cut_pcap)
{
	struct rda_file file;

	rda_file_begin(&file, _i);
	rda_pcap_header(&file, RDA_PCAP_NS, 65535, 1);
	for (unsigned i = 0; i < 5; i++)
		rda_pcap_packet(&file, 1, i, 20 + 11 * i, 64);
	cut_everywhere(&file, RDA_READER_AUTO, 5);
	cut_everywhere(&file, RDA_READER_PCAP, 5);
	rda_file_end(&file);
}
END_TEST

/* packets of zeros, of which a wrong guess of their format makes sense */
START_TEST(cut_pcap_of_zeros)
{
	uint8_t zeros[40] = {0};
	struct rda_file file;

	rda_file_begin(&file, _i);
	rda_pcap_header(&file, RDA_PCAP_US, 65535, 1);
	for (unsigned i = 0; i < 4; i++)
		rda_pcap_record(&file, 0, 0, zeros, sizeof(zeros));
	cut_everywhere(&file, RDA_READER_AUTO, 4);
	rda_file_end(&file);
}
END_TEST

/* The disk was full, or the machine died: the rest of the file is zeros, as long as it may be. */
START_TEST(zeros_at_the_end_of_a_pcap)
{
	static const size_t lengths[] = {16, 17, 40, 512 * 1024};

	for (unsigned i = 0; i < RDA_COUNT(lengths); i++) {
		g_autofree uint8_t *zeros = g_malloc0(lengths[i]);
		struct rda_seen *seen;
		struct rda_file file;
		size_t end;

		rda_file_begin(&file, _i);
		rda_pcap_header(&file, RDA_PCAP_NS, 65535, 1);
		rda_pcap_packet(&file, 1, 7, 60, 64);
		rda_pcap_packet(&file, 1, 8, 60, 64);
		end = file.bytes->len;
		g_byte_array_append(file.bytes, zeros, (guint)lengths[i]);
		for (unsigned j = 0; j < RDA_COUNT(readers); j++) {
			seen = rda_see(rda_file_write(&file), readers[j]);
			rda_expect_damage(seen, 2, (int64_t)end, "not written to its end");
			rda_seen_free(seen);
		}
		rda_file_end(&file);
	}
}
END_TEST

START_TEST(zeros_at_the_end_of_a_pcapng)
{
	static const size_t lengths[] = {12, 16, 40, 512 * 1024};

	for (unsigned i = 0; i < RDA_COUNT(lengths); i++) {
		g_autofree uint8_t *zeros = g_malloc0(lengths[i]);
		struct rda_seen *seen;
		struct rda_file file;
		size_t end;

		rda_file_begin(&file, _i);
		rda_pcapng_section(&file);
		rda_pcapng_interface(&file, 1, 0, 9);
		rda_pcapng_packet(&file, 0, 7, 60, 64);
		rda_pcapng_packet(&file, 0, 8, 60, 64);
		end = file.bytes->len;
		g_byte_array_append(file.bytes, zeros, (guint)lengths[i]);
		for (unsigned j = 0; j < RDA_COUNT(readers); j++) {
			if (!rda_reader_is_there(readers[j]))
				continue;
			seen = rda_see(rda_file_write(&file), readers[j]);
			rda_expect_damage(seen, 2, (int64_t)end, "not written to its end");
			rda_seen_free(seen);
		}
		rda_file_end(&file);
	}
}
END_TEST

START_TEST(cut_pcapng)
{
	struct rda_file file;

	rda_file_begin(&file, _i);
	rda_pcapng_section(&file);
	rda_pcapng_interface(&file, 1, 0, 9);
	rda_pcapng_interface(&file, 1, 0, 0);
	rda_pcapng_packet(&file, 0, 1, 33, 64);
	rda_pcapng_simple(&file, 30, 30);
	rda_pcapng_old(&file, 1, 1, 31);
	rda_pcapng_packet(&file, 1, 1, 32, 64);
	cut_everywhere(&file, RDA_READER_AUTO, 4);
	cut_everywhere(&file, RDA_READER_PCAP, 4);
	rda_file_end(&file);
}
END_TEST

/* ---- broken ---------------------------------------------------------------------------------- */

enum { BROKEN = 4 }; /* the record that is: behind a section, an interface and two packets */

static void begin_pcapng(struct rda_file *file, bool big)
{
	rda_file_begin(file, big);
	rda_pcapng_section(file);
	rda_pcapng_interface(file, 1, 0, 0);
	rda_pcapng_packet(file, 0, 1, 60, 60);
	rda_pcapng_packet(file, 0, 2, 61, 61);
}

static void expect_broken(struct rda_file *file, const char *words)
{
	rda_pcapng_packet(file, 0, 3, 60, 60); /* a good one behind it is not read */
	rda_file_write(file);
	for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
		struct rda_seen *seen;

		if (!rda_reader_is_there(readers[i]))
			continue;
		seen = rda_see(file->path, readers[i]);
		rda_expect_damage(seen, 2, rda_file_start(file, BROKEN), words);
		rda_seen_free(seen);
	}
	rda_file_end(file);
}

START_TEST(broken_trailer)
{
	struct rda_file file;

	begin_pcapng(&file, _i);
	rda_pcapng_packet(&file, 0, 3, 60, 60);
	file.bytes->data[file.bytes->len - 2] ^= 1;
	expect_broken(&file, "length");
}
END_TEST

/* loop over lengths that cannot be */
START_TEST(broken_length)
{
	static const uint32_t lengths[] = {0, 5, 8, 11, 0x7fffffff, 0xfffffff0, 0xffffffff};
	struct rda_file file;

	for (int big = 0; big < 2; big++) {
		begin_pcapng(&file, big);
		rda_pcapng_packet(&file, 0, 3, 60, 60);
		for (unsigned i = 0; i < 4; i++)
			file.bytes->data[rda_file_start(&file, BROKEN) + 4 + i] =
				(uint8_t)(lengths[_i] >> 8 * (big ? 3 - i : i));
		expect_broken(&file, "");
	}
}
END_TEST

START_TEST(broken_captured_length)
{
	struct rda_file file;

	begin_pcapng(&file, _i);
	rda_pcapng_packet(&file, 0, 3, 60, 60);
	file.bytes->data[rda_file_start(&file, BROKEN) + 20 + (_i ? 2 : 1)] = 1;
	expect_broken(&file, "");
}
END_TEST

START_TEST(unknown_interface)
{
	struct rda_file file;

	begin_pcapng(&file, _i);
	rda_pcapng_packet(&file, 1, 3, 60, 60);
	expect_broken(&file, "interface");
}
END_TEST

/* loop over captured lengths that cannot be */
START_TEST(huge_packet)
{
	static const uint32_t lengths[] = {262145, 0x7fffffff, 0x80000000, 0xffffffff};
	struct rda_file file;

	rda_file_begin(&file, false);
	rda_pcap_header(&file, RDA_PCAP_US, 65535, 1);
	for (unsigned i = 0; i < 4; i++)
		rda_pcap_packet(&file, i, 0, 60, 60);
	rda_pcap_packet(&file, 5, 0, 60, 60);
	for (unsigned i = 0; i < 4; i++)
		file.bytes->data[rda_file_start(&file, 5) + 8 + i] =
			(uint8_t)(lengths[_i] >> 8 * i);
	rda_file_write(&file);
	for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
		struct rda_seen *seen = rda_see(file.path, readers[i]);

		if (rda_reader_is_there(readers[i]))
			rda_expect_damage(seen, 4, rda_file_start(&file, 5), "byte");
		if (seen->error) /* it is not read to see that it is not there */
			ck_assert_ptr_null(strstr(seen->error, "the file ends"));
		rda_seen_free(seen);
	}
	rda_file_end(&file);
}
END_TEST

/* loop over the two blocks before the first packet */
START_TEST(broken_before_packets)
{
	struct rda_seen *seen;
	struct rda_file file;

	begin_pcapng(&file, false);
	file.bytes->data[rda_file_start(&file, (unsigned)_i + 1) - 4] ^= 4;
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	if (_i == 0)
		rda_expect_refused(seen, rda_file_start(&file, 0), "length");
	else
		rda_expect_damage(seen, 0, rda_file_start(&file, 1), "length");
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* ---- no captures ----------------------------------------------------------------------------- */

START_TEST(no_captures)
{
	static const struct {
		const char *bytes;
		size_t size;
	} files[] = {
#define TEXT(s) {(s), sizeof(s) - 1}
		TEXT("a text\nof two lines\n"),
		TEXT("{\"json\": [1, 2, 3]}\n"),
		TEXT("<?xml version=\"1.0\"?><a/>\n"),
		TEXT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\2\0\0\0"),
		TEXT("\x7f"
		     "ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x3e\0"),
		TEXT("GIF89a\1\0\1\0\0\0\0;"),
		TEXT("\xff\xd8\xff\xe0\0\20JFIF\0\1\1\0\0\1\0\1\0\0"),
		TEXT("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"),
		TEXT("\x30\x82\x01\x0a\x02\x82\x01\x01\0"), /* BER */
		TEXT("\xd4\xc3\xb2"),			    /* less than a magic number */
		TEXT("\n\r\r\n not a pcapng"),
		TEXT("\0"),
#undef TEXT
	};
	struct rda_file file;

	for (unsigned f = 0; f < RDA_COUNT(files); f++) {
		rda_file_begin(&file, false);
		rda_file_bytes(&file, files[f].bytes, files[f].size);
		rda_file_write(&file);
		for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
			struct rda_seen *seen = rda_see(file.path, readers[i]);

			if (rda_reader_is_there(readers[i]))
				rda_expect_refused(seen, 0, "not a capture");
			rda_seen_free(seen);
		}
		rda_file_end(&file);
	}
}
END_TEST

static void expect_refused(const char *path, int64_t offset, const char *words)
{
	for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
		struct rda_seen *seen = rda_see(path, readers[i]);

		rda_expect_refused(seen, offset, words);
		rda_seen_free(seen);
	}
}

static void expect_unreadable(const char *path, const char *words)
{
	expect_refused(path, RDA_OFFSET_UNKNOWN, words);
}

START_TEST(unreadable)
{
	struct rda_file file;

	rda_file_begin(&file, false);
	expect_unreadable(file.path, "No such file");
	expect_unreadable(file.folder, "directory");
	expect_unreadable("/dev/null", "neither a file nor a pipe");
	expect_refused(rda_file_write(&file), 0, "empty");
	rda_pcap_header(&file, RDA_PCAP_US, 65535, 1);
	rda_file_write(&file);
	if (geteuid() != 0) { /* root may read all */
		ck_assert_int_eq(chmod(file.path, 0), 0);
		for (unsigned i = 0; i < RDA_COUNT(readers); i++)
			if (rda_reader_is_there(readers[i]))
				expect_unreadable(file.path, "Permission denied");
	}
	rda_file_end(&file);
}
END_TEST

Suite *rda_suite_source_damage(void)
{
	Suite *suite = suite_create("source_damage");
	TCase *tcase = tcase_create("source_damage");

	tcase_add_loop_test(tcase, cut_pcap, 0, 2);
	tcase_add_loop_test(tcase, cut_pcap_of_zeros, 0, 2);
	tcase_add_loop_test(tcase, zeros_at_the_end_of_a_pcap, 0, 2);
	tcase_add_loop_test(tcase, zeros_at_the_end_of_a_pcapng, 0, 2);
	tcase_add_loop_test(tcase, cut_pcapng, 0, 2);
	tcase_add_loop_test(tcase, broken_trailer, 0, 2);
	tcase_add_loop_test(tcase, broken_length, 0, 7);
	tcase_add_loop_test(tcase, broken_captured_length, 0, 2);
	tcase_add_loop_test(tcase, unknown_interface, 0, 2);
	tcase_add_loop_test(tcase, huge_packet, 0, 4);
	tcase_add_loop_test(tcase, broken_before_packets, 0, 2);
	tcase_add_test(tcase, no_captures);
	tcase_add_test(tcase, unreadable);
	suite_add_tcase(suite, tcase);
	return suite;
}
