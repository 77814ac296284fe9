/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers: where they are, what they say in each order of bytes, and what they find.
 */
#include "analyzer/track/iwarp/markers.h"

#include "tests/unit/suite.h"

#include <string.h>

enum { BEGIN = 1000 };

START_TEST(where_they_are)
{
	uint32_t inside;

	ck_assert_int_eq(rda_marker_next(BEGIN, BEGIN, &inside), 0);
	ck_assert_uint_eq(inside, 0);
	ck_assert_int_eq(rda_marker_next(BEGIN, BEGIN + 3, &inside), 0);
	ck_assert_uint_eq(inside, 3);
	ck_assert_int_eq(rda_marker_next(BEGIN, BEGIN + 4, &inside), 508);
	ck_assert_int_eq(rda_marker_next(BEGIN, BEGIN + 1023, &inside), 1);
	ck_assert_int_eq(rda_marker_next(BEGIN, BEGIN - 1, &inside), 1); /* before it was known */
}
END_TEST

START_TEST(what_they_say)
{
	static const uint8_t plain[] = {0, 0, 1, 4}, short_turned[] = {0, 0, 4, 1},
			     long_turned[] = {4, 1, 0, 0}, none[] = {1, 0, 0, 1};

	ck_assert_int_eq(rda_marker_distance(plain, 0), 260);
	ck_assert_int_eq(rda_marker_distance(short_turned, 1), 260);
	ck_assert_int_eq(rda_marker_distance(long_turned, 2), 260);
	for (unsigned order = 0; order < RDA_MARKER_ORDERS; order++)
		ck_assert_int_eq(rda_marker_distance(none, order), -1);
}
END_TEST

START_TEST(what_they_find)
{
	static const uint8_t fpdu[] = {0, 18, 0xc1, 0x40, 0, 0, 0x11, 0, 0, 0, 0, 0, 0, 0, 0x10, 0};
	uint8_t bytes[1100] = {0};
	struct rda_piece piece = {.bytes = bytes, .offset = BEGIN + 100, .length = sizeof(bytes)};

	ck_assert_int_eq(rda_marker_finds(BEGIN, &piece, 0), -1);
	memcpy(bytes + 312, fpdu, sizeof(fpdu)); /* 100 bytes in front of the marker at 412 */
	bytes[412 + 3] = 100;
	ck_assert_int_eq(rda_marker_finds(BEGIN, &piece, 0), 312);
	ck_assert_int_eq(rda_marker_finds(BEGIN, &piece, 313), -1);
	memcpy(bytes + 924 + 4, fpdu, sizeof(fpdu)); /* behind the one at 924 */
	ck_assert_int_eq(rda_marker_finds(BEGIN, &piece, 313), 928);
	ck_assert(rda_marker_free_fpdu(fpdu, sizeof(fpdu)));
	ck_assert(!rda_marker_free_fpdu(fpdu, sizeof(fpdu) - 1));
}
END_TEST

Suite *rda_suite_markers(void)
{
	Suite *suite = suite_create("markers");
	TCase *tcase = tcase_create("markers");

	tcase_add_test(tcase, where_they_are);
	tcase_add_test(tcase, what_they_say);
	tcase_add_test(tcase, what_they_find);
	suite_add_tcase(suite, tcase);
	return suite;
}
