/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pcapng that is written, as the program's own reader sees it and byte by byte: interfaces,
 * times, lengths, comments. --annotate, which puts comments into other pcapng files, is a shell on
 * this and on records.c: program/annotate has it.
 */
#include "analyzer/rdma-analyze/capture_out.h"

#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <time.h>

enum { ETHERNET = 1, INFINIBAND = 247 };

/* libpcap, which reads it, has seconds in a time_t */
#define LATEST_NS                                                                                  \
	(sizeof(time_t) == 4 ? INT64_C(4294967295999999999) : INT64_C(4611686018427387903))

static uint8_t bytes[64];

static void write_one(struct rda_capture_out *capture, unsigned packet, uint32_t tap, uint16_t link,
		      int64_t time_ns, uint32_t captured, uint32_t wire, const GPtrArray *comments)
{
	struct rda_meta meta = {.time_ns = time_ns, .number = packet + 1, .tap = tap};
	struct rda_frame frame = {bytes, captured, wire, link};

	for (uint32_t i = 0; i < captured; i++)
		bytes[i] = rda_file_byte(packet, i);
	rda_capture_out_frame(capture, &meta, &frame, comments);
}

START_TEST(frames_are_read_as_they_were_written)
{
	enum { FRAMES = 5 };
	static const struct {
		uint32_t tap, captured, wire;
		uint16_t link;
		int64_t time_ns;
	} frames[FRAMES] = {
		{0, 20, 20, ETHERNET, INT64_C(1700000000123456789)},
		{7, 21, 21, ETHERNET, INT64_C(1700000000123456790)},
		{0, 22, 1500, INFINIBAND, LATEST_NS},
		{0, 23, 23, ETHERNET, 0},
		{7, 0, 9, ETHERNET, 5},
	};
	static const uint32_t taps[FRAMES] = {0, 1, 2, 0,
					      1}; /* in the order of their first frames */
	struct rda_capture_out capture;
	struct rda_seen *seen;
	char *path;
	int fd = g_file_open_tmp("capture-XXXXXX.pcapng", &path, NULL);

	rda_capture_out_init(&capture, fd);
	for (unsigned i = 0; i < FRAMES; i++)
		write_one(&capture, i, frames[i].tap, frames[i].link, frames[i].time_ns,
			  frames[i].captured, frames[i].wire, NULL);
	ck_assert_int_eq(rda_capture_out_end(&capture), 0);
	g_close(fd, NULL);
	seen = rda_see(path, RDA_READER_AUTO);
	rda_expect_end(seen, FRAMES);
	for (unsigned i = 0; i < FRAMES; i++) {
		rda_expect_frame(seen, i, i, frames[i].time_ns, frames[i].captured, frames[i].wire);
		ck_assert_uint_eq(rda_seen_frame(seen, i)->link, frames[i].link);
		ck_assert_uint_eq(rda_seen_frame(seen, i)->meta.tap, taps[i]);
	}
	rda_seen_free(seen);
	g_unlink(path);
	g_free(path);
}
END_TEST

static uint32_t number_at(const GString *text, size_t at)
{
	uint32_t number;

	memcpy(&number, text->str + at, sizeof(number));
	return GUINT32_FROM_LE(number); /* on every host */
}

START_TEST(a_packet_block_is_as_the_format_has_it)
{
	/* section 28 bytes, interface 32, packet: 28, data 5 and 3 of padding, comment, end, length
	 */
	enum { PACKET = 28 + 32, DATA = PACKET + 28, OPTIONS = DATA + 8 };
	static const uint8_t options[] = {1, 0, 2, 0, 'h', 'i', 0, 0, 0, 0, 0, 0};
	GPtrArray *comments = g_ptr_array_new();
	struct rda_capture_out capture;
	const GString *text;

	g_ptr_array_add(comments, (char *)"hi");
	rda_capture_out_init(&capture, RDA_OUTPUT_KEEP);
	write_one(&capture, 0, 3, ETHERNET, -1, 5, 5, comments);
	text = capture.out.text;
	ck_assert_uint_eq(number_at(text, 0), 0x0a0d0d0a);
	ck_assert_uint_eq(number_at(text, 4), 28);
	ck_assert_uint_eq(number_at(text, 28), 1);
	ck_assert_uint_eq(number_at(text, 28 + 28), 32); /* the length behind */
	ck_assert_uint_eq(number_at(text, PACKET), 6);
	ck_assert_uint_eq(number_at(text, PACKET + 4), text->len - PACKET);
	ck_assert_uint_eq(number_at(text, text->len - 4), text->len - PACKET);
	/* before 1970 there is no time */
	ck_assert_uint_eq(number_at(text, PACKET + 12), 0);
	ck_assert_uint_eq(number_at(text, PACKET + 16), 0);
	ck_assert_mem_eq(text->str + DATA + 5, "\0\0\0", 3);
	ck_assert_mem_eq(text->str + OPTIONS, options, sizeof(options));
	ck_assert_uint_eq(text->len, OPTIONS + sizeof(options) + 4);
	rda_capture_out_end(&capture);
	g_ptr_array_unref(comments);
}
END_TEST

START_TEST(comments_are_in_the_byte_order_that_is_asked_for_and_padded)
{
	static const uint8_t here[] = {1, 0, 3, 0, 'a', 'b', 'c', 0,
				       1, 0, 4, 0, 'd', 'e', 'f', 'g'};
	static const uint8_t swapped[] = {0, 1, 0, 3, 'a', 'b', 'c', 0,
					  0, 1, 0, 4, 'd', 'e', 'f', 'g'};
	GPtrArray *comments = g_ptr_array_new();
	GString *to = g_string_new(NULL);

	g_ptr_array_add(comments, (char *)"abc");
	g_ptr_array_add(comments, (char *)"defg");
	rda_capture_out_comments(to, comments, G_BYTE_ORDER != G_LITTLE_ENDIAN);
	ck_assert_uint_eq(to->len, sizeof(here));
	ck_assert_mem_eq(to->str, here, sizeof(here));
	g_string_truncate(to, 0);
	rda_capture_out_comments(to, comments, G_BYTE_ORDER == G_LITTLE_ENDIAN);
	ck_assert_mem_eq(to->str, swapped, sizeof(swapped));
	g_string_truncate(to, 0);
	rda_capture_out_comments(to, NULL, false);
	ck_assert_uint_eq(to->len, 0);
	g_string_free(to, TRUE);
	g_ptr_array_unref(comments);
}
END_TEST

/* The length of an option has 16 bits. */
START_TEST(a_comment_that_is_too_long_is_cut)
{
	GPtrArray *comments = g_ptr_array_new_with_free_func(g_free);
	GString *to = g_string_new(NULL);
	uint16_t length;

	g_ptr_array_add(comments, g_strnfill(70001, 'x'));
	rda_capture_out_comments(to, comments, false);
	memcpy(&length, to->str + 2, sizeof(length));
	ck_assert_uint_eq(to->len, 4 + (size_t)length);
	ck_assert_uint_gt(length, 60000);
	g_string_free(to, TRUE);
	g_ptr_array_unref(comments);
}
END_TEST

START_TEST(what_cannot_be_written_is_an_error)
{
	struct rda_capture_out capture;
	FILE *full = g_fopen("/dev/full", "wb");

	ck_assert_ptr_nonnull(full);
	rda_capture_out_init(&capture, fileno(full));
	write_one(&capture, 0, 0, ETHERNET, 1, 5, 5, NULL);
	ck_assert_int_eq(rda_capture_out_end(&capture), ENOSPC);
	fclose(full);
}
END_TEST

Suite *rda_suite_capture_out(void)
{
	Suite *suite = suite_create("capture_out");
	TCase *tc = tcase_create("capture_out");

	tcase_add_test(tc, frames_are_read_as_they_were_written);
	tcase_add_test(tc, a_packet_block_is_as_the_format_has_it);
	tcase_add_test(tc, comments_are_in_the_byte_order_that_is_asked_for_and_padded);
	tcase_add_test(tc, a_comment_that_is_too_long_is_cut);
	tcase_add_test(tc, what_cannot_be_written_is_an_error);
	suite_add_tcase(suite, tc);
	return suite;
}
