/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames put aside come back as they were, as often as they are asked for.
 */
#include "analyzer/rdma-analyze/spool.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

#define FRAMES 1000

/* frame `i` of the tests: its length and bytes follow from its number */
static struct rda_frame frame_of(unsigned i, uint8_t bytes[FRAMES])
{
	memset(bytes, (int)(i & 0xff), FRAMES);
	return (struct rda_frame){bytes, i, i + 7, (uint16_t)(i % 300)};
}

static void check_all(struct rda_spool *spool)
{
	uint8_t bytes[FRAMES];
	struct rda_frame frame;
	struct rda_meta meta;

	ck_assert(rda_spool_rewind(spool));
	for (unsigned i = 0; i < FRAMES; i++) {
		struct rda_frame want = frame_of(i, bytes);

		ck_assert(rda_spool_next(spool, &meta, &frame));
		ck_assert_uint_eq(meta.number, i + 1);
		ck_assert_int_eq(meta.time_ns, -5 + (int64_t)i);
		ck_assert_uint_eq(meta.tap, i % 3);
		ck_assert_uint_eq(frame.captured, want.captured);
		ck_assert_uint_eq(frame.wire, want.wire);
		ck_assert_uint_eq(frame.link, want.link);
		ck_assert(i == 0 || memcmp(frame.bytes, bytes, i) == 0);
	}
	ck_assert(!rda_spool_next(spool, &meta, &frame));
}

START_TEST(frames_come_back_twice)
{
	uint8_t bytes[FRAMES];
	char *error = NULL;
	struct rda_spool *spool = rda_spool_new(&error);

	ck_assert_msg(spool != NULL, "%s", error);
	for (unsigned i = 0; i < FRAMES; i++) {
		struct rda_frame frame = frame_of(i, bytes);
		struct rda_meta meta = {-5 + (int64_t)i, i + 1, i % 3};

		ck_assert(rda_spool_add(spool, &meta, &frame));
	}
	check_all(spool);
	check_all(spool);
	rda_spool_free(spool);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
	char *error = NULL;

	/* GLib asks for it once, so each test has a process of its own */
	g_setenv("TMPDIR", "/no/such/folder", TRUE);
	ck_assert_ptr_null(rda_spool_new(&error));
	ck_assert_ptr_nonnull(strstr(error, "/no/such/folder"));
	g_free(error);
}
END_TEST

Suite *rda_suite_spool(void)
{
	Suite *suite = suite_create("spool");
	TCase *tc = tcase_create("spool");

	tcase_add_test(tc, frames_come_back_twice);
	tcase_add_test(tc, a_folder_that_is_not_there_is_an_error);
	suite_add_tcase(suite, tc);
	return suite;
}
