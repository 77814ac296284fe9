/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packed captures: gzip and zstd by every reader, lz4 by libwiretap. Cut and damaged ones give all
 * that is before the damage.
 */
#include "analyzer/rdma-analyze/unpack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/packed.h"
#include "tests/unit/suite.h"

enum { PACKETS = 3000, SIZE = 61 };

#define RECORD (16 + SIZE)

static void begin(struct rda_file *file, uint32_t link)
{
	rda_file_begin(file, false);
	rda_pcap_header(file, RDA_PCAP_NS, 65535, link);
	for (unsigned i = 0; i < PACKETS; i++)
		rda_pcap_packet(file, i, i, SIZE, SIZE + 1);
}

static void expect_packets(const struct rda_seen *seen, unsigned count)
{
	ck_assert_uint_eq(seen->frames->len, count);
	for (unsigned i = 0; i < count; i++)
		rda_expect_frame(seen, i, i, i * INT64_C(1000000001), SIZE, SIZE + 1);
}

static const enum rda_reader readers[] = {RDA_READER_AUTO, RDA_READER_WIRETAP, RDA_READER_PCAP};

/* loop over the kinds: of one member, and of two */
START_TEST(complete)
{
	struct rda_file file;

	begin(&file, 1);
	rda_file_pack(&file, (enum rda_packer)(_i / 2), _i % 2 ? 1234 : file.bytes->len);
	rda_file_write(&file);
	for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
		struct rda_seen *seen;

		if (!rda_reader_is_there(readers[i]))
			continue;
		seen = rda_see(file.path, readers[i]);
		rda_expect_end(seen, PACKETS);
		expect_packets(seen, PACKETS);
		rda_seen_free(seen);
	}
	rda_file_end(&file);
}
END_TEST

/* a link that libwiretap does not know, so that the packed file is read without it */
START_TEST(gzip_of_infiniband)
{
	struct rda_seen *seen;
	struct rda_file file;

	begin(&file, 247);
	rda_file_pack(&file, RDA_GZIP, file.bytes->len);
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	rda_expect_end(seen, PACKETS);
	expect_packets(seen, PACKETS);
	ck_assert_uint_eq(rda_seen_frame(seen, 0)->link, 247);
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* the capture inside was cut before it was packed: loop over the readers */
START_TEST(gzip_of_a_cut_file)
{
	struct rda_seen *seen;
	struct rda_file file;

	if (!rda_reader_is_there(readers[_i]))
		return;
	begin(&file, 1);
	g_byte_array_set_size(file.bytes, file.bytes->len - 10);
	rda_file_pack(&file, RDA_GZIP, file.bytes->len);
	seen = rda_see(rda_file_write(&file), readers[_i]);
	rda_expect_damage(seen, PACKETS - 1, rda_file_start(&file, PACKETS), "67 there");
	rda_expect_damage(seen, PACKETS - 1, rda_file_start(&file, PACKETS), "unpacked bytes");
	expect_packets(seen, PACKETS - 1);
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* a cut pcap of zeros makes sense as an old variant of pcap, for which libwiretap takes it */
START_TEST(gzip_of_cut_zeros)
{
	uint8_t zeros[40] = {0};
	struct rda_file file;
	size_t size;

	rda_file_begin(&file, false);
	rda_pcap_header(&file, RDA_PCAP_US, 65535, 1);
	for (unsigned i = 0; i < 4; i++)
		rda_pcap_record(&file, 0, 0, zeros, sizeof(zeros));
	size = file.bytes->len;
	for (size_t cut = 25; cut < size; cut++) {
		GByteArray *whole = file.bytes;
		struct rda_seen *seen;
		unsigned packets = (unsigned)(cut - 24) / 56;

		file.bytes = g_byte_array_new();
		rda_pack(file.bytes, RDA_GZIP, whole->data, cut);
		seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
		if ((cut - 24) % 56 == 0)
			rda_expect_end(seen, packets);
		else
			rda_expect_damage(seen, packets, rda_file_start(&file, packets + 1),
					  "the file ends inside");
		rda_seen_free(seen);
		g_byte_array_free(file.bytes, TRUE);
		file.bytes = whole;
	}
	rda_file_end(&file);
}
END_TEST

/* of zstd libwiretap has words of its own */
static bool is_read_here(enum rda_packer packer, enum rda_reader reader)
{
	return rda_reader_is_there(reader) && (packer == RDA_GZIP || reader != RDA_READER_WIRETAP);
}

/* the packed file is cut: loop over the kinds, and how far from its end, in tenths; of zstd as far
 * as anything comes */
START_TEST(cut)
{
	const enum rda_packer packer = (enum rda_packer)(_i / 9);
	const unsigned tenths = (unsigned)_i % 9;
	/* of zstd whole blocks come, of 128 KiB */
	const unsigned lost = packer == RDA_GZIP ? PACKETS / 10 : 128 * 1024 / RECORD + 1;
	char *words = g_strdup_printf("the %s data ends too early", rda_packer_names[packer]);
	struct rda_file file;
	unsigned most;

	begin(&file, 1);
	rda_file_pack(&file, packer, file.bytes->len);
	rda_file_write_cut(&file, tenths == 0 ? file.bytes->len - 4
					      : file.bytes->len * (10 - tenths) / 10);
	most = tenths == 0 ? PACKETS : PACKETS * (10 - tenths) / 10;
	for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
		struct rda_seen *seen;

		if (!is_read_here(packer, readers[i]))
			continue;
		seen = rda_see(file.path, readers[i]);
		rda_expect_damage(seen, seen->frames->len, 24 + seen->frames->len * RECORD, words);
		ck_assert_uint_ge(seen->frames->len + (tenths == 0 ? 0 : lost), most);
		expect_packets(seen, seen->frames->len);
		rda_seen_free(seen);
	}
	g_free(words);
	rda_file_end(&file);
}
END_TEST

/* its sum: loop over the kinds */
START_TEST(damaged)
{
	struct rda_file file;

	begin(&file, 1);
	rda_file_pack(&file, (enum rda_packer)_i, file.bytes->len);
	file.bytes->data[file.bytes->len - (_i == RDA_GZIP ? 7 : 1)] ^= 1;
	rda_file_write(&file);
	for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
		struct rda_seen *seen;

		if (!is_read_here((enum rda_packer)_i, readers[i]))
			continue;
		seen = rda_see(file.path, readers[i]);
		rda_expect_damage(seen, PACKETS, 24 + PACKETS * RECORD, "data is damaged");
		expect_packets(seen, PACKETS);
		rda_seen_free(seen);
	}
	rda_file_end(&file);
}
END_TEST

/* one that is not installed is not tested */
START_TEST(lz4)
{
	char *command, *packed;
	struct rda_seen *seen;
	struct rda_file file;

	begin(&file, 1);
	packed = g_strconcat(rda_file_write(&file), ".packed", NULL);
	command = g_strdup_printf("lz4 -q -f %s %s 2>/dev/null", file.path, packed);
	if (system(command) == 0) {
		seen = rda_see(packed, RDA_READER_AUTO);
		if (rda_reader_is_there(RDA_READER_WIRETAP)) {
			rda_expect_end(seen, PACKETS);
			expect_packets(seen, PACKETS);
		}
		rda_seen_free(seen);
		seen = rda_see(packed, RDA_READER_PCAP);
		rda_expect_refused(seen, RDA_OFFSET_UNKNOWN, "lz4");
		rda_seen_free(seen);
		unlink(packed);
	}
	g_free(command);
	g_free(packed);
	rda_file_end(&file);
}
END_TEST

/* so large that it is unpacked ahead by a thread: loop over the kinds, whole and cut */
START_TEST(large)
{
	enum { MANY = 20000 };
	GRand *random = g_rand_new_with_seed(1);
	struct rda_file file;
	struct rda_seen *seen;
	uint8_t bytes[SIZE];

	rda_file_begin(&file, false);
	rda_pcap_header(&file, RDA_PCAP_NS, 65535, 1);
	for (unsigned i = 0; i < MANY; i++) {
		for (unsigned b = 0; b < SIZE; b++)
			bytes[b] = (uint8_t)g_rand_int(random);
		rda_pcap_record(&file, i, i, bytes, SIZE);
	}
	rda_file_pack(&file, (enum rda_packer)(_i / 2), file.bytes->len);
	ck_assert_uint_gt(file.bytes->len, 1024 * 1024);
	seen = rda_see(_i % 2 ? rda_file_write_cut(&file, file.bytes->len - 10)
			      : rda_file_write(&file),
		       RDA_READER_AUTO);
	if (_i % 2)
		rda_expect_damage(seen, seen->frames->len, 24 + seen->frames->len * RECORD,
				  "data ends too early");
	else
		rda_expect_end(seen, MANY);
	ck_assert_uint_gt(seen->frames->len, MANY - 128 * 1024 / RECORD - 2);
	rda_seen_free(seen);
	g_rand_free(random);
	rda_file_end(&file);
}
END_TEST

/* any number of bytes asked for gives the same bytes: loop over plain, and the kinds */
START_TEST(any_size)
{
	struct rda_file file;
	uint8_t buffer[70000];
	GByteArray *plain;

	begin(&file, 1);
	plain = g_byte_array_new();
	g_byte_array_append(plain, file.bytes->data, file.bytes->len);
	if (_i > 0)
		rda_file_pack(&file, (enum rda_packer)(_i - 1), 5000);
	for (size_t size = 1; size <= sizeof(buffer); size = size * 3 + 1) {
		int fd = open(rda_file_write(&file), O_RDONLY);
		struct rda_unpack *unpack = rda_unpack_new(fd);
		size_t at = 0;
		ssize_t n;

		while ((n = rda_unpack_read(unpack, buffer, size)) > 0) {
			RDA_CHECK(at + (size_t)n <= plain->len, "at %zu", at);
			RDA_CHECK(memcmp(plain->data + at, buffer, (size_t)n) == 0, "at %zu", at);
			at += (size_t)n;
		}
		ck_assert_int_eq(n, 0);
		ck_assert_uint_eq(at, plain->len);
		ck_assert_int_eq(rda_unpack_packed(unpack), _i > 0);
		ck_assert_int_eq(rda_unpack_position(unpack), file.bytes->len);
		rda_unpack_free(unpack);
	}
	g_byte_array_free(plain, TRUE);
	rda_file_end(&file);
}
END_TEST

Suite *rda_suite_unpack(void)
{
	Suite *suite = suite_create("unpack");
	TCase *tcase = tcase_create("unpack");

	tcase_add_loop_test(tcase, complete, 0, 2 * RDA_PACKERS);
	tcase_add_test(tcase, gzip_of_infiniband);
	tcase_add_loop_test(tcase, gzip_of_a_cut_file, 0, 3);
	tcase_add_test(tcase, gzip_of_cut_zeros);
	tcase_add_loop_test(tcase, cut, 0, 9 + 4);
	tcase_add_loop_test(tcase, damaged, 0, RDA_PACKERS);
	tcase_add_test(tcase, lz4);
	tcase_add_loop_test(tcase, large, 0, 2 * RDA_PACKERS);
	tcase_add_loop_test(tcase, any_size, 0, 1 + RDA_PACKERS);
	suite_add_tcase(suite, tcase);
	return suite;
}
