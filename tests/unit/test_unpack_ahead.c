/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a thread unpacks ahead is what would have been unpacked without one: all bytes in order, the
 * end, damage with all that came before it; and it ends whenever it is asked to.
 */
#include "analyzer/rdma-analyze/unpack_ahead.h"

#include <fcntl.h>
#include <string.h>

#include "tests/unit/packed.h"
#include "tests/unit/suite.h"

enum { BYTES = 3000000, MEMBER = 700001 };

static uint8_t byte_at(uint32_t offset)
{
	return (uint8_t)(offset % 7000 < 6000 ? offset / 100 : offset * 2654435761U >> 24);
}

static struct rda_unpack *open_packed(struct rda_file *file, enum rda_packer packer)
{
	for (uint32_t i = 0; i < BYTES; i++)
		rda_file_number(file, byte_at(i), 1);
	rda_file_pack(file, packer, MEMBER);
	return rda_unpack_new(open(rda_file_write(file), O_RDONLY));
}

static void read_all(struct rda_unpack_ahead *ahead, uint8_t *bytes, size_t most, size_t want)
{
	size_t at = 0;
	ssize_t n;

	while ((n = rda_unpack_ahead_read(ahead, bytes, most)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			RDA_CHECK(bytes[i] == byte_at((uint32_t)at + (uint32_t)i), "at %zu", at);
		at += (size_t)n;
	}
	ck_assert_uint_eq(at, want);
}

/* loop over the kinds and sizes that are asked for */
START_TEST(in_order)
{
	static const size_t sizes[] = {1000, 131072, 1000000};
	uint8_t *bytes = g_malloc(1000000);
	struct rda_unpack_ahead *ahead;
	struct rda_unpack *unpack;
	struct rda_file file;

	rda_file_begin(&file, false);
	unpack = open_packed(&file, (enum rda_packer)(_i % RDA_PACKERS));
	ahead = rda_unpack_ahead_new(unpack);
	ck_assert_ptr_nonnull(ahead);
	ck_assert_int_eq(rda_unpack_ahead_position(ahead), 0);
	read_all(ahead, bytes, sizes[_i / RDA_PACKERS], BYTES);
	ck_assert_int_eq(rda_unpack_ahead_read(ahead, bytes, 10), 0); /* and again */
	ck_assert_int_eq(rda_unpack_ahead_position(ahead), file.bytes->len);
	rda_unpack_ahead_free(ahead);
	rda_unpack_free(unpack);
	rda_file_end(&file);
	g_free(bytes);
}
END_TEST

START_TEST(damaged)
{
	uint8_t *bytes = g_malloc(4096);
	struct rda_unpack_ahead *ahead;
	struct rda_unpack *unpack;
	struct rda_file file;

	rda_file_begin(&file, false);
	unpack = open_packed(&file, RDA_GZIP);
	file.bytes->data[file.bytes->len - 7] ^= 1; /* its CRC */
	rda_unpack_free(unpack);
	unpack = rda_unpack_new(open(rda_file_write(&file), O_RDONLY));
	ahead = rda_unpack_ahead_new(unpack);
	read_all(ahead, bytes, 4096, BYTES);
	ck_assert_int_eq(rda_unpack_ahead_read(ahead, bytes, 10), -1);
	ck_assert_int_eq(rda_unpack_ahead_read(ahead, bytes, 10), -1);
	ck_assert_ptr_nonnull(strstr(rda_unpack_error(unpack), "the gzip data is damaged"));
	rda_unpack_ahead_free(ahead);
	rda_unpack_free(unpack);
	rda_file_end(&file);
	g_free(bytes);
}
END_TEST

/* loop: after so many bytes; what was read ahead is read on behind the thread's place only */
START_TEST(ends_early)
{
	struct rda_unpack_ahead *ahead;
	struct rda_unpack *unpack;
	struct rda_file file;
	uint8_t bytes[50000];
	int64_t position;

	rda_file_begin(&file, false);
	unpack = open_packed(&file, RDA_GZIP);
	ahead = rda_unpack_ahead_new(unpack);
	for (int i = 0; i < _i; i++)
		ck_assert_int_gt(rda_unpack_ahead_read(ahead, bytes, sizeof(bytes)), 0);
	position = rda_unpack_ahead_position(ahead);
	ck_assert_int_eq(position > 0, _i > 0);
	rda_unpack_ahead_free(ahead);
	ck_assert_int_ge(rda_unpack_position(unpack), position);
	rda_unpack_free(unpack);
	rda_file_end(&file);
}
END_TEST

Suite *rda_suite_unpack_ahead(void)
{
	Suite *suite = suite_create("unpack_ahead");
	TCase *tcase = tcase_create("unpack_ahead");

	tcase_add_loop_test(tcase, in_order, 0, 3 * RDA_PACKERS);
	tcase_add_test(tcase, damaged);
	tcase_add_loop_test(tcase, ends_early, 0, 12);
	suite_add_tcase(suite, tcase);
	return suite;
}
