/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All bytes of a file come, in order, and stand in a page of memory as in one of the file.
 */
#include "analyzer/rdma-analyze/file_bytes.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <unistd.h>

enum { BYTES = 3000000, PAGE = 4096, LONG = 700000 };

static uint8_t byte_at(uint32_t offset)
{
	return (uint8_t)(offset * 2654435761U >> 24);
}

static int make_file(void)
{
	char *path = NULL;
	int fd = g_file_open_tmp(NULL, &path, NULL);
	uint8_t *all = g_malloc(BYTES);

	ck_assert_int_ge(fd, 0);
	for (uint32_t i = 0; i < BYTES; i++)
		all[i] = byte_at(i);
	ck_assert_int_eq(write(fd, all, BYTES), BYTES);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(unlink(path), 0);
	g_free(all);
	g_free(path);
	return fd;
}

/* So many bytes from `offset` on are there, and as they should be. */
static void check(const struct rda_file_bytes *bytes, uint32_t offset, uint32_t size)
{
	const uint32_t step = size > 100 ? 97 : 1;

	ck_assert_int_eq(bytes->offset, offset);
	ck_assert_uint_ge(rda_file_bytes_unread(bytes), size);
	ck_assert_uint_eq((uintptr_t)rda_file_bytes_at(bytes) % PAGE, offset % PAGE);
	for (uint32_t i = 0; i < size; i += step)
		ck_assert_uint_eq(rda_file_bytes_at(bytes)[i], byte_at(offset + i));
}

START_TEST(in_order)
{
	GRand *random = g_rand_new_with_seed((guint32)_i);
	struct rda_file_bytes bytes;
	char *error = NULL;
	uint32_t offset = 0;

	rda_file_bytes_init(&bytes, make_file());
	while (offset < BYTES) {
		uint32_t size = (uint32_t)g_rand_int_range(
			random, 1, g_rand_int_range(random, 0, 50) == 0 ? LONG : 2000);

		size = MIN(size, BYTES - offset);
		if (rda_file_bytes_unread(&bytes) < size)
			ck_assert(rda_file_bytes_read_on(&bytes, size, &error));
		check(&bytes, offset, size);
		rda_file_bytes_skip(&bytes, size);
		offset += size;
	}
	ck_assert(!rda_file_bytes_read_on(&bytes, 1, &error));
	ck_assert_ptr_null(error);
	rda_file_bytes_seek(&bytes, 12345);
	ck_assert(rda_file_bytes_read_on(&bytes, 10, &error));
	check(&bytes, 12345, 10);
	rda_file_bytes_cleanup(&bytes);
	g_rand_free(random);
}
END_TEST

Suite *rda_suite_file_bytes(void)
{
	Suite *suite = suite_create("file_bytes");
	TCase *tcase = tcase_create("file_bytes");

	tcase_add_loop_test(tcase, in_order, 0, 4);
	suite_add_tcase(suite, tcase);
	return suite;
}
