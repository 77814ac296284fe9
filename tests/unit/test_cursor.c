/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The door to packet bytes: it never hands out a byte that was not captured, and a length that a
 * packet claims only ever shrinks it.
 */
#include "dissectors/cursor.h"
#include "tests/unit/suite.h"

#include <string.h>

static const uint8_t bytes[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
				  0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};

START_TEST(take_gives_all_or_nothing)
{
	struct rda_cursor c = {bytes, 0, 10, 16};

	ck_assert_ptr_eq(rda_cursor_take(&c, 4), bytes);
	ck_assert_uint_eq(c.offset, 4);
	ck_assert_ptr_eq(rda_cursor_take(&c, 6), bytes + 4);
	ck_assert_ptr_null(rda_cursor_take(&c, 1));
	ck_assert_uint_eq(c.offset, 10);
	ck_assert_ptr_eq(rda_cursor_take(&c, 0), bytes + 10);
	c.offset = 7;
	ck_assert_ptr_null(rda_cursor_take(&c, 4));
	ck_assert_uint_eq(c.offset, 7);
	ck_assert_ptr_null(rda_cursor_take(&c, UINT32_MAX));
	c.offset = 12; /* behind the captured end: nothing, not even of length 0 */
	ck_assert_ptr_null(rda_cursor_take(&c, 0));
	ck_assert_ptr_null(rda_cursor_take(&c, UINT32_MAX - 1));
}
END_TEST

START_TEST(peek_takes_nothing)
{
	struct rda_cursor c = {bytes, 9, 10, 16};

	ck_assert_ptr_eq(rda_cursor_peek(&c), bytes + 9);
	ck_assert_uint_eq(c.offset, 9);
	c.offset = 10;
	ck_assert_ptr_null(rda_cursor_peek(&c));
}
END_TEST

START_TEST(both_ends_are_measured_from_the_offset)
{
	struct rda_cursor c = {bytes, 4, 10, 16};

	ck_assert_uint_eq(rda_cursor_wire_left(&c), 12);
	ck_assert_uint_eq(rda_cursor_captured_left(&c), 6);
	c.offset = 12;
	ck_assert_uint_eq(rda_cursor_wire_left(&c), 4);
	ck_assert_uint_eq(rda_cursor_captured_left(&c), 0);
	c.offset = 20;
	ck_assert_uint_eq(rda_cursor_wire_left(&c), 0);
}
END_TEST

START_TEST(limit_shrinks_and_never_grows)
{
	struct rda_cursor c = {bytes, 4, 10, 16};

	ck_assert(!rda_cursor_limit(&c, 13));
	ck_assert(!rda_cursor_limit(&c, UINT32_MAX));
	ck_assert_uint_eq(c.wire_end, 16);
	ck_assert_uint_eq(c.captured_end, 10);
	ck_assert(rda_cursor_limit(&c, 12));
	ck_assert_uint_eq(c.wire_end, 16);
	ck_assert(rda_cursor_limit(&c, 8)); /* behind what was captured: that end stays */
	ck_assert_uint_eq(c.wire_end, 12);
	ck_assert_uint_eq(c.captured_end, 10);
	ck_assert(rda_cursor_limit(&c, 2));
	ck_assert_uint_eq(c.wire_end, 6);
	ck_assert_uint_eq(c.captured_end, 6);
	ck_assert(!rda_cursor_limit(&c, 3));
	ck_assert_uint_eq(c.wire_end, 6);
	ck_assert(rda_cursor_limit(&c, 0));
	ck_assert_uint_eq(rda_cursor_wire_left(&c), 0);
	ck_assert_ptr_null(rda_cursor_take(&c, 1));
}
END_TEST

START_TEST(loads_are_big_endian)
{
	ck_assert_uint_eq(rda_be16(bytes + 8), 0xfedc);
	ck_assert_uint_eq(rda_be24(bytes + 8), 0xfedcba);
	ck_assert_uint_eq(rda_be32(bytes + 8), 0xfedcba98);
	ck_assert_uint_eq(rda_be64(bytes + 8), UINT64_C(0xfedcba9876543210));
}
END_TEST

/* Every field of 1 to 64 bits in 16 bytes, but those that straddle nine bytes, against single bits.
 */
START_TEST(bits_are_counted_from_the_most_significant)
{
	for (unsigned width = 1; width <= 64; width++) {
		for (unsigned bit = 0; bit + width <= 128; bit++) {
			uint64_t want = 0;

			if (bit % 8 + width > 64)
				continue;
			for (unsigned i = bit; i < bit + width; i++)
				want = want << 1 | (bytes[i / 8] >> (7 - i % 8) & 1);
			RDA_CHECK(rda_bits(bytes, bit, width) == want, "bit %u, width %u", bit,
				  width);
		}
	}
}
END_TEST

Suite *rda_suite_cursor(void)
{
	Suite *suite = suite_create("cursor");
	TCase *tcase = tcase_create("cursor");

	tcase_add_test(tcase, take_gives_all_or_nothing);
	tcase_add_test(tcase, peek_takes_nothing);
	tcase_add_test(tcase, both_ends_are_measured_from_the_offset);
	tcase_add_test(tcase, limit_shrinks_and_never_grows);
	tcase_add_test(tcase, loads_are_big_endian);
	tcase_add_test(tcase, bits_are_counted_from_the_most_significant);
	suite_add_tcase(suite, tcase);
	return suite;
}
