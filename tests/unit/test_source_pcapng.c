/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pcapng files say beside packets: units of time, what was dropped; blocks that cannot be, and
 * packets that are told ahead. Frames, and that all readers give the same: test_source.c.
 */
#include "analyzer/rdma-analyze/source_interface.h"
#include "analyzer/rdma-analyze/source_reader.h"

#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

#define SECOND INT64_C(1000000000)

static struct rda_file file, body;

static void setup(void)
{
	rda_file_begin(&file, true);
	rda_file_begin(&body, true);
	rda_pcapng_section(&file);
}

static void teardown(void)
{
	rda_file_end(&body);
	rda_file_end(&file);
}

static void put_zeros(unsigned count)
{
	while (count--)
		rda_file_number(&body, 0, 1);
}

/* `body` as a block. */
static void put_block(uint32_t type)
{
	rda_pcapng_block(&file, type, body.bytes->data, body.bytes->len);
	g_byte_array_set_size(body.bytes, 0);
}

static struct rda_source *open_file(void)
{
	char *error = NULL;
	int64_t offset;
	struct rda_source *source =
		rda_source_open(rda_file_write(&file), RDA_READER_AUTO, &error, &offset);

	ck_assert_msg(source != NULL, "%s", error);
	return source;
}

/* ---- time ------------------------------------------------------------------------------------ */

struct unit {
	uint8_t resolution;
	uint64_t time;
	int64_t time_ns;
};

static const struct unit units[] = {
	{0, 1700000000000001, 1700000000 * SECOND + 1000},
	{3, 1700000000001, 1700000000 * SECOND + 1000000},
	{9, 1700000000000000001, 1700000000 * SECOND + 1},
	{10, UINT64_C(17000000000000000019), 1700000000 * SECOND + 1},
	{19, UINT64_C(10000000019999999999), SECOND + 1},
	{0x80, 7, 7 * SECOND},
	{0x80 | 10, 1024 * 5 + 512, 5 * SECOND + SECOND / 2},
	{0x80 | 40, (UINT64_C(3) << 40) + (UINT64_C(1) << 38), 3 * SECOND + SECOND / 4},
	{0x80 | 63, (UINT64_C(1) << 63) + (UINT64_C(1) << 62), SECOND + SECOND / 2},
};

START_TEST(units_of_time)
{
	const struct unit *unit = &units[_i];
	struct rda_seen *seen;

	rda_pcapng_interface(&file, 1, 0, unit->resolution);
	rda_pcapng_packet(&file, 0, unit->time, 60, 60);
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	rda_expect_end(seen, 1);
	rda_expect_frame(seen, 0, 0, unit->time_ns, 60, 60);
	rda_seen_free(seen);
}
END_TEST

/* 10^-20 s, and 2^-64 s */
START_TEST(units_that_are_too_short)
{
	struct rda_seen *seen;

	rda_pcapng_interface(&file, 1, 0, _i ? 0x80 | 64 : 20);
	rda_pcapng_packet(&file, 0, 1, 60, 60);
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	rda_expect_damage(seen, 0, rda_file_start(&file, 1), "too short to be counted");
	rda_seen_free(seen);
}
END_TEST

/* ---- what was dropped ------------------------------------------------------------------------ */

/* An enhanced packet without bytes, before which so many were dropped. */
static void put_drops(uint64_t dropped)
{
	put_zeros(20);
	rda_file_number(&body, 2, 2); /* epb_flags */
	rda_file_number(&body, 4, 2);
	rda_file_number(&body, 0, 4);
	rda_file_number(&body, 4, 2);
	rda_file_number(&body, 8, 2);
	rda_file_number(&body, dropped, 8);
	put_block(6);
}

static void put_old_drops(uint16_t dropped)
{
	rda_file_number(&body, 0, 2);
	rda_file_number(&body, dropped, 2);
	put_zeros(16);
	put_block(2);
}

/* An interface counts from the beginning. */
static void put_statistics(uint32_t interface, uint64_t dropped)
{
	rda_file_number(&body, interface, 4);
	rda_file_number(&body, 0, 8);
	rda_file_number(&body, 5, 2);
	rda_file_number(&body, 8, 2);
	rda_file_number(&body, dropped, 8);
	rda_file_number(&body, 0, 4);
	put_block(5);
}

static void expect_dropped_of(struct rda_source *source, uint64_t dropped)
{
	struct rda_frame frame;
	struct rda_meta meta;

	while (source->next(source, &meta, &frame) == RDA_SOURCE_FRAME)
		continue;
	ck_assert_ptr_null(source->error);
	ck_assert_uint_eq(source->dropped, dropped);
	source->close(source);
}

static void expect_dropped(uint64_t dropped)
{
	expect_dropped_of(open_file(), dropped);
}

START_TEST(drops_are_counted)
{
	rda_pcapng_interface(&file, 1, 0, 0);
	rda_pcapng_interface(&file, 1, 0, 0);
	put_drops(5);
	put_old_drops(3);
	put_old_drops(UINT16_MAX); /* not known */
	put_statistics(0, 2);
	put_statistics(0, 4);
	put_statistics(1, 3);
	put_statistics(2, 100); /* there is none */
	expect_dropped(8);
	put_statistics(0, 6);
	expect_dropped(9); /* 6 and 3: packets did not tell all */
	expect_dropped_of(rda_source_interface(open_file(), 1), 3);
}
END_TEST

/* ---- what cannot be -------------------------------------------------------------------------- */

struct wrong {
	const char *words;
	uint32_t type, length; /* length: that the block has; what it says is that and `more` */
	int32_t more;
	uint32_t captured; /* that an enhanced packet says it has */
};

static const struct wrong wrongs[] = {
	{"no multiple of 4", 6, 36, 1, 0},
	{"more than 16 MiB", 6, 36, 16 << 20, 0},
	{"shorter than what has to be in it", 6, 12, 0, 0},
	{"shorter than what has to be in it", 1, 4, 0, 0},
	{"more captured bytes than its block has", 6, 32, 0, 13},
	{"more captured bytes than there can be", 6, 400020, 0, 400000},
};

START_TEST(blocks_that_cannot_be)
{
	const struct wrong *wrong = &wrongs[_i];
	struct rda_seen *seen;

	rda_pcapng_interface(&file, 1, 0, 0);
	put_zeros(12);
	rda_file_number(&body, wrong->captured, 4);
	put_zeros(wrong->length);
	g_byte_array_set_size(body.bytes, wrong->length);
	put_block(wrong->type);
	file.bytes->data[rda_file_start(&file, 2) + 7] += (uint8_t)wrong->more;
	if (wrong->more > UINT8_MAX)
		file.bytes->data[rda_file_start(&file, 2) + 4] = (uint8_t)(wrong->more >> 24);
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	rda_expect_damage(seen, 0, rda_file_start(&file, 2), wrong->words);
	rda_seen_free(seen);
}
END_TEST

START_TEST(versions)
{
	struct rda_seen *seen;

	rda_pcapng_interface(&file, 1, 0, 0);
	file.bytes->data[13] = 2;
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	rda_expect_refused(seen, 0, "version");
	rda_seen_free(seen);
	file.bytes->data[13] = 1;
	file.bytes->data[15] = 2; /* 1.2 is 1.0 */
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	rda_expect_end(seen, 0);
	rda_seen_free(seen);
}
END_TEST

/* ---- a look ahead ---------------------------------------------------------------------------- */

START_TEST(packets_are_told_ahead)
{
	struct rda_frame ahead = {0}, frame;
	struct rda_source *source;
	struct rda_meta meta;

	rda_pcapng_interface(&file, 1, 0, 0);
	for (uint32_t i = 0; i < 4; i++)
		rda_pcapng_packet(&file, 0, i, 60 + i, 80);
	rda_pcapng_simple(&file, 60, 60);
	source = open_file();
	ck_assert_int_eq(source->next(source, &meta, &frame), RDA_SOURCE_FRAME);
	ck_assert(source->ahead(source, 2, &ahead));
	ck_assert_uint_eq(ahead.captured, 61);
	ck_assert_uint_eq(ahead.wire, 80);
	ck_assert_uint_eq(ahead.link, 1);
	ck_assert_uint_eq(ahead.bytes[5], rda_file_byte(1, 5));
	ck_assert(source->ahead(source, 2, &ahead));
	ck_assert(!source->ahead(source, 2, &ahead)); /* two are enough */
	ck_assert(source->ahead(source, 8, &ahead));
	ck_assert_uint_eq(ahead.captured, 63);
	ck_assert(!source->ahead(source, 8, &ahead)); /* of another kind */
	source->close(source);
}
END_TEST

Suite *rda_suite_source_pcapng(void)
{
	Suite *suite = suite_create("source_pcapng");
	TCase *tcase = tcase_create("blocks");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, units_of_time, 0, RDA_COUNT(units));
	tcase_add_loop_test(tcase, units_that_are_too_short, 0, 2);
	tcase_add_test(tcase, drops_are_counted);
	tcase_add_loop_test(tcase, blocks_that_cannot_be, 0, RDA_COUNT(wrongs));
	tcase_add_test(tcase, versions);
	tcase_add_test(tcase, packets_are_told_ahead);
	suite_add_tcase(suite, tcase);
	return suite;
}
