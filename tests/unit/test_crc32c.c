/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CRC32c: the check value of its catalogue, the examples of RFC 3720 B.4, and in pieces.
 */
#include "dissectors/crc32c.h"

#include "tests/unit/suite.h"

#include <string.h>

START_TEST(known_values)
{
	uint8_t bytes[32];

	ck_assert_uint_eq(rda_crc32c(0, (const uint8_t *)"123456789", 9), 0xe3069283);
	memset(bytes, 0, sizeof(bytes));
	ck_assert_uint_eq(rda_crc32c(0, bytes, 32), 0x8a9136aa);
	memset(bytes, 0xff, sizeof(bytes));
	ck_assert_uint_eq(rda_crc32c(0, bytes, 32), 0x62a8ab43);
}
END_TEST

START_TEST(in_pieces)
{
	const uint8_t *bytes = (const uint8_t *)"123456789";

	for (uint32_t i = 0; i <= 9; i++)
		ck_assert_uint_eq(rda_crc32c(rda_crc32c(0, bytes, i), bytes + i, 9 - i),
				  0xe3069283);
}
END_TEST

Suite *rda_suite_crc32c(void)
{
	Suite *suite = suite_create("crc32c");
	TCase *tcase = tcase_create("crc32c");

	tcase_add_test(tcase, known_values);
	tcase_add_test(tcase, in_pieces);
	suite_add_tcase(suite, tcase);
	return suite;
}
