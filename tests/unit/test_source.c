/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures that are as they should be: every reader gives the frames that were put in, and all
 * readers the same.
 */
#include "analyzer/rdma-analyze/source.h"

#include <string.h>

#include "analyzer/rdma-analyze/source_reader.h"
#include "analyzer/rdma-analyze/wiretap_module.h"
#include "dissectors/link.h"
#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

#define SECOND INT64_C(1000000000)

static const enum rda_reader readers[] = {RDA_READER_AUTO, RDA_READER_WIRETAP, RDA_READER_PCAP};

/* For each reader of the build that is `asked`: `seen` is what it says of the file. */
#define FOR_EACH_READER_THAT(asked, seen, path)                                                    \
	for (unsigned reader_ = 0; reader_ < RDA_COUNT(readers); reader_++)                        \
		if (rda_reader_is_there(readers[reader_]) && asked(readers[reader_]))              \
			for (struct rda_seen *seen = rda_see(path, readers[reader_]); seen;        \
			     rda_seen_free(seen), seen = NULL)

#define FOR_EACH_READER(seen, path) FOR_EACH_READER_THAT(rda_reader_is_there, seen, path)

/* loop over byte orders and the two magic numbers */
/* Any two of them can be subtracted. */
START_TEST(times_are_bounded)
{
	const int64_t limit = INT64_C(1) << 62;

	ck_assert_int_eq(rda_source_time(1700000000, 123456789), INT64_C(1700000000123456789));
	ck_assert_int_eq(rda_source_time(UINT32_MAX, 999999999), INT64_C(4294967295999999999));
	ck_assert_int_eq(rda_source_time(1, 2000000000), 1999999999);
	ck_assert_int_eq(rda_source_time(-1, 5), -999999995);
	ck_assert_int_eq(rda_source_time(INT64_MAX, 0), limit - 1);
	ck_assert_int_eq(rda_source_time(INT64_MIN, 0), -limit);
	ck_assert_int_eq(rda_source_time(4611686018, 999999999), limit - 1);
}
END_TEST

START_TEST(pcap_files)
{
	bool big = _i & 1, ns = _i & 2;
	int64_t unit = ns ? 1 : 1000;
	struct rda_file file;

	rda_file_begin(&file, big);
	rda_pcap_header(&file, ns ? RDA_PCAP_NS : RDA_PCAP_US, 65535, 1);
	rda_pcap_packet(&file, 1700000000, 999999, 60, 60);
	rda_pcap_packet(&file, 0, 0, 64, 1500);
	rda_pcap_packet(&file, 0x90000000, 1, 0, 60); /* 2046 */
	rda_pcap_packet(&file, UINT32_MAX, 7, 1, 1);
	FOR_EACH_READER(seen, rda_file_write(&file))
	{
		rda_expect_end(seen, 4);
		rda_expect_frame(seen, 0, 0, 1700000000 * SECOND + 999999 * unit, 60, 60);
		rda_expect_frame(seen, 1, 1, 0, 64, 1500);
		rda_expect_frame(seen, 2, 2, 0x90000000 * SECOND + unit, 0, 60);
		rda_expect_frame(seen, 3, 3, UINT32_MAX * SECOND + 7 * unit, 1, 1);
		for (unsigned i = 0; i < 4; i++) {
			ck_assert_uint_eq(rda_seen_frame(seen, i)->meta.number, i + 1);
			ck_assert_uint_eq(rda_seen_frame(seen, i)->meta.tap, 0);
			ck_assert_uint_eq(rda_seen_frame(seen, i)->link, 1);
		}
	}
	rda_file_end(&file);
}
END_TEST

/* what is wrong in a header, but no reason to lose a packet */
START_TEST(pcap_with_odd_headers)
{
	struct rda_file file;

	rda_file_begin(&file, _i);
	rda_pcap_header(&file, RDA_PCAP_US, 20, 1); /* a snaplen that the packets do not keep */
	rda_pcap_packet(&file, 1, 1000000, 64, 64); /* a fraction of a second or more */
	rda_pcap_packet(&file, 2, 0x7fffffff, 64, 64);
	rda_pcap_packet(&file, 3, 5, 64, 10); /* more captured than there was */
	FOR_EACH_READER_THAT(rda_reader_tells_odd, seen, rda_file_write(&file))
	{
		rda_expect_end(seen, 3);
		rda_expect_frame(seen, 0, 0, 1 * SECOND + 999999999, 64, 64);
		ck_assert_int_ge(rda_seen_frame(seen, 1)->meta.time_ns, 2 * SECOND);
		ck_assert_int_lt(rda_seen_frame(seen, 1)->meta.time_ns, 3 * SECOND);
		rda_expect_frame(seen, 2, 2, 3 * SECOND + 5000, 64, 64);
	}
	rda_file_end(&file);
}
END_TEST

START_TEST(pcapng_files)
{
	struct rda_file file;

	rda_file_begin(&file, _i);
	rda_pcapng_section(&file);
	rda_pcapng_interface(&file, 1, 0, 0);
	rda_pcapng_interface(&file, 1, 0, 9);
	rda_pcapng_packet(&file, 0, 1700000000000001, 61, 70); /* us */
	rda_pcapng_block(&file, 5, (char[12]){0}, 12);	       /* statistics */
	rda_pcapng_packet(&file, 1, 1700000000000000001, 62, 62);
	rda_pcapng_block(&file, 0xbad, "\1\2\3\4abcd", 8); /* custom: Wireshark numbers it */
	rda_pcapng_simple(&file, 63, 63);
	rda_pcapng_old(&file, 1, 5, 64);
	FOR_EACH_READER(seen, rda_file_write(&file))
	{
		static const struct {
			uint64_t number;
			uint32_t tap;
		} want[] = {{1, 0}, {2, 1}, {4, 0}, {5, 1}};

		rda_expect_end(seen, 4);
		rda_expect_frame(seen, 0, 0, 1700000000 * SECOND + 1000, 61, 70);
		rda_expect_frame(seen, 1, 1, 1700000000 * SECOND + 1, 62, 62);
		rda_expect_frame(seen, 2, 2, 0, 63, 63);
		rda_expect_frame(seen, 3, 3, 5, 64, 64);
		for (unsigned i = 0; i < 4; i++) {
			ck_assert_uint_eq(rda_seen_frame(seen, i)->meta.number, want[i].number);
			ck_assert_uint_eq(rda_seen_frame(seen, i)->meta.tap, want[i].tap);
		}
	}
	rda_file_end(&file);
}
END_TEST

/* a time offset of the interface is none of a packet without a time */
START_TEST(pcapng_with_odd_blocks)
{
	struct rda_file file;
	struct rda_file body;

	rda_file_begin(&file, _i);
	rda_file_begin(&body, _i);
	rda_file_number(&body, 1, 2);
	rda_file_number(&body, 0, 6);
	rda_file_number(&body, 14, 2); /* if_tsoffset */
	rda_file_number(&body, 8, 2);
	rda_file_number(&body, 1000, 8);
	rda_file_number(&body, 0, 4);
	rda_pcapng_section(&file);
	rda_pcapng_block(&file, 1, body.bytes->data, body.bytes->len);
	rda_pcapng_simple(&file, 60, 60);
	rda_pcapng_packet(&file, 0, 1, 60, 10); /* more captured than there was */
	rda_pcapng_packet(&file, 0, 2, 0, 0);
	FOR_EACH_READER_THAT(rda_reader_tells_odd, seen, rda_file_write(&file))
	{
		rda_expect_end(seen, 3);
		rda_expect_frame(seen, 0, 0, 0, 60, 60);
		rda_expect_frame(seen, 1, 1, 1000 * SECOND + 1000, 60, 60);
		rda_expect_frame(seen, 2, 2, 1000 * SECOND + 2000, 0, 0);
	}
	rda_file_end(&body);
	rda_file_end(&file);
}
END_TEST

/* interface 0 of one section is not that of the next */
START_TEST(sections_have_taps_of_their_own)
{
	struct rda_file file;

	rda_file_begin(&file, _i);
	for (unsigned i = 0; i < 2; i++) {
		rda_pcapng_section(&file);
		rda_pcapng_interface(&file, 1, 0, 0);
		rda_pcapng_packet(&file, 0, 1, 60, 60);
	}
	FOR_EACH_READER_THAT(rda_reader_tells_odd, seen, rda_file_write(&file))
	{
		rda_expect_end(seen, 2);
		ck_assert_uint_eq(rda_seen_frame(seen, 0)->meta.tap, 0);
		ck_assert_uint_eq(rda_seen_frame(seen, 1)->meta.tap, 65536);
	}
	rda_file_end(&file);
}
END_TEST

/* what libpcap refuses; 247 is what libwiretap does not know, and 300 what nobody does */
START_TEST(mixed_links_and_snaplens)
{
	static const uint16_t links[] = {1, 113, 247, 300, 101};
	struct rda_file file;
	struct rda_seen *seen;

	if (!rda_reader_is_there(RDA_READER_WIRETAP))
		return;
	rda_file_begin(&file, _i);
	rda_pcapng_section(&file);
	for (unsigned i = 0; i < RDA_COUNT(links); i++)
		rda_pcapng_interface(&file, links[i], i * 100, 0);
	for (unsigned i = 0; i < 50; i++)
		rda_pcapng_packet(&file, i % 5, i, 60 + i, 100 + i);
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	rda_expect_end(seen, 50);
	for (unsigned i = 0; i < 50; i++) {
		rda_expect_frame(seen, i, i, i * 1000, 60 + i, 100 + i);
		ck_assert_uint_eq(rda_seen_frame(seen, i)->link, links[i % 5]);
		ck_assert_uint_eq(rda_seen_frame(seen, i)->meta.tap, i % 5);
	}
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

static void comes_through(unsigned link)
{
	unsigned want = link == 12 || link == 14 ? 101 : link;
	struct rda_file file;

	if (link == RDA_LINK_ERF) /* has a test of its own */
		return;
	rda_file_begin(&file, false);
	rda_pcap_header(&file, RDA_PCAP_NS, 65535, link);
	rda_pcap_packet(&file, 1, 2, 64, 65);
	rda_file_write(&file);
	for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
		struct rda_seen *seen = rda_see(file.path, readers[i]);

		if (seen->opened && seen->frames->len > 0 && rda_link_name(link)) {
			rda_expect_end(seen, 1);
			rda_expect_frame(seen, 0, 0, SECOND + 2, 64, 65);
			ck_assert_uint_eq(rda_seen_frame(seen, 0)->link, want);
		}
		/* AUTO and the reader without libwiretap must read it */
		if (readers[i] != RDA_READER_WIRETAP && rda_link_name(link))
			rda_expect_end(seen, 1);
		rda_seen_free(seen);
	}
	rda_file_end(&file);
}

/* loop over tens of LINKTYPE_ values: their number comes through, and the bytes of what can be
 * decoded */
START_TEST(links)
{
	for (unsigned link = 10 * (unsigned)_i; link < 10 * (unsigned)_i + 10; link++)
		comes_through(link);
}
END_TEST

/* the number of a link is the same from every reader, whether it is decoded or not */
START_TEST(readers_agree_on_links)
{
	if (!rda_reader_is_there(RDA_READER_WIRETAP))
		return;
	for (unsigned link = 0; link < 300; link++) {
		struct rda_seen *wiretap, *pcap;
		struct rda_file file;

		rda_file_begin(&file, false);
		rda_pcap_header(&file, RDA_PCAP_US, 65535, link);
		rda_pcap_packet(&file, 1, 2, 64, 64);
		wiretap = rda_see(rda_file_write(&file), RDA_READER_WIRETAP);
		pcap = rda_see(file.path, RDA_READER_PCAP);
		rda_expect_end(pcap, 1);
		if (wiretap->frames->len > 0)
			RDA_CHECK(rda_seen_frame(wiretap, 0)->link == rda_seen_frame(pcap, 0)->link,
				  "link %u", link);
		rda_seen_free(wiretap);
		rda_seen_free(pcap);
		rda_file_end(&file);
	}
}
END_TEST

/* 10^-12 s: more than libwiretap's arithmetic can do */
START_TEST(picoseconds)
{
	struct rda_seen *seen;
	struct rda_file file;

	rda_file_begin(&file, false);
	rda_pcapng_section(&file);
	rda_pcapng_interface(&file, 1, 0, 12);
	rda_pcapng_packet(&file, 0, UINT64_C(1700000123456789012), 60, 60);
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	rda_expect_end(seen, 1);
	rda_expect_frame(seen, 0, 0, INT64_C(1700000123456789), 60, 60);
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* In a process of its own, which has not looked for the module yet. */
START_TEST(readers_that_are_not_there)
{
	struct rda_file file;
	struct rda_seen *seen;

	rda_wiretap_module_in("/no/such/folder");
	ck_assert(!rda_reader_is_there(RDA_READER_WIRETAP));
	ck_assert(rda_reader_is_there(RDA_READER_PCAP));
	ck_assert(rda_reader_is_there(RDA_READER_AUTO));
	rda_file_begin(&file, false);
	rda_pcap_header(&file, RDA_PCAP_NS, 65535, 1);
	rda_pcap_packet(&file, 1, 7, 60, 64);
	seen = rda_see(rda_file_write(&file), RDA_READER_WIRETAP);
	rda_expect_refused(seen, RDA_OFFSET_UNKNOWN, "libwiretap");
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* the program's own captures, by every reader */
START_TEST(readers_agree_on_captures)
{
	GDir *folder = g_dir_open(RDA_CAPTURES, 0, NULL);
	const char *name;
	unsigned read = 0;

	ck_assert_ptr_nonnull(folder);
	while ((name = g_dir_read_name(folder)) && rda_reader_is_there(RDA_READER_WIRETAP)) {
		char *path = g_build_filename(RDA_CAPTURES, name, NULL);
		struct rda_seen *wiretap, *pcap;

		if (g_str_has_suffix(name, ".pcap") || g_str_has_suffix(name, ".pcapng")) {
			wiretap = rda_see(path, RDA_READER_WIRETAP);
			pcap = rda_see(path, RDA_READER_PCAP);
			if (wiretap->opened && pcap->opened && pcap->result == RDA_SOURCE_END) {
				rda_expect_same(wiretap, pcap);
				read++;
			}
			rda_seen_free(wiretap);
			rda_seen_free(pcap);
		}
		g_free(path);
	}
	ck_assert(read > 20 || !rda_reader_is_there(RDA_READER_WIRETAP));
	g_dir_close(folder);
}
END_TEST

/* Each frame is told once, in order, before it comes; also where the file is longer than what is
 * read at once. */
START_TEST(frames_are_told_ahead)
{
	enum { FRAMES = 3000, AHEAD = 5, LENGTHS = 200 };
	struct rda_frame frame, told;
	struct rda_source *source;
	struct rda_meta meta;
	unsigned next = 0, most = 0, came = 0;
	struct rda_file file;
	int64_t offset;
	char *error;

	rda_file_begin(&file, _i & 1);
	rda_pcap_header(&file, RDA_PCAP_US, 65535, 1);
	for (unsigned i = 0; i < FRAMES; i++)
		rda_pcap_packet(&file, 1700000000, i, i % LENGTHS, 1000 + i);
	source = rda_source_open(rda_file_write(&file), RDA_READER_PCAP, &error, &offset);
	ck_assert_ptr_nonnull(source);
	while (source->next(source, &meta, &frame) == RDA_SOURCE_FRAME) {
		ck_assert_uint_eq(frame.captured, came % LENGTHS);
		ck_assert_uint_eq(frame.wire, 1000 + came++);
		next = next < came ? came : next;
		for (; source->ahead(source, AHEAD, &told); next++) {
			ck_assert_uint_eq(told.captured, next % LENGTHS);
			ck_assert_uint_eq(told.wire, 1000 + next);
			ck_assert_uint_le(next - came, AHEAD - 1);
			most++;
		}
	}
	ck_assert_uint_eq(came, FRAMES);
	ck_assert_uint_gt(most, FRAMES - 100);
	source->close(source);
	rda_file_end(&file);
}
END_TEST

Suite *rda_suite_source(void)
{
	Suite *suite = suite_create("source");
	TCase *tcase = tcase_create("source");

	tcase_add_test(tcase, times_are_bounded);
	tcase_add_loop_test(tcase, pcap_files, 0, 4);
	tcase_add_loop_test(tcase, pcap_with_odd_headers, 0, 2);
	tcase_add_loop_test(tcase, pcapng_files, 0, 2);
	tcase_add_loop_test(tcase, pcapng_with_odd_blocks, 0, 2);
	tcase_add_loop_test(tcase, sections_have_taps_of_their_own, 0, 2);
	tcase_add_loop_test(tcase, mixed_links_and_snaplens, 0, 2);
	tcase_add_loop_test(tcase, links, 0, 30);
	tcase_add_loop_test(tcase, frames_are_told_ahead, 0, 2);
	tcase_add_test(tcase, readers_agree_on_links);
	tcase_add_test(tcase, picoseconds);
	tcase_add_test(tcase, readers_that_are_not_there);
	tcase_add_test(tcase, readers_agree_on_captures);
	suite_add_tcase(suite, tcase);
	return suite;
}
